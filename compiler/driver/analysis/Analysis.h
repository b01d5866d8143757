// The results for one kernel in one variant: diagnostics, facts for the editor, IR of a stage.
// Results are cached by content, so that after an edit elsewhere they only need a look-up and moved
// places.
#pragma once

#include "codegen/context/ExpressionFacts.h"
#include "driver/analysis/Worker.h"
#include "driver/launches/Kernels.h"
#include "driver/program/Fingerprint.h"
#include "driver/stages/Assembled.h"
#include "lints/bounds/LaunchSizes.h"
#include "lints/resources/Budget.h"

#include <llvm/ADT/STLFunctionalExtras.h>
#include <mlir/IR/BuiltinOps.h>

namespace gluond::codegen {
class CodegenContext;
struct Specialization;
} // namespace gluond::codegen

namespace gluond::driver {

// The cost of an access or conversion: "16 bytes a lane, 4 sectors a warp instruction".
struct CostFact {
  diagnostics::Location place; // place of its call
  std::string text;
};

struct KernelResult {
  std::vector<diagnostics::Diagnostic> diagnostics;
  std::shared_ptr<const codegen::ExpressionFacts> facts; // set by Analyzer::facts() only
  std::vector<CostFact> costs;
  std::optional<lints::Budget> budget; // of stage `ttgir`, if there is one; refers to no ops
  bool ok = false;                     // whether there is IR
  bool incomplete = false;             // something is unknown: nothing is claimed
  std::string incompleteBecause;
  bool isStopped = false; // the file cost too much (FileWork.h): results may be incomplete
  bool ranOut = false;    // compiling it exhausted its steps
  // The order of its copies and barriers was not followed to the end: control flow is not known.
  bool isUndecided = false;
  // Made while the user types: the errors are those of now as far as they were looked for, other
  // findings those of the last whole analysis. Not cached.
  bool isProvisional = false;
  std::optional<lints::LaunchSizes> sizes; // of the launch, if a lint used them
};

// A line of a stage's text and the place that made it; `calls` are the places of the calls that led
// there, innermost first.
struct LineOrigin {
  uint32_t line = 0; // 0-based
  diagnostics::Location place;
  std::vector<diagnostics::Location> calls;
};
struct StageResult {
  std::string text; // empty if the kernel has none at this stage
  std::vector<LineOrigin> lines;
  std::vector<diagnostics::Diagnostic> diagnostics;
  std::optional<int32_t> version;     // of the document that the text was made from
  bool isStale = false;               // whether that is not the current one (stageOrLast)
  std::string unsupported;            // why there is no text, if it is not the user's mistake
  std::optional<Assembled> assembled; // of stages whose registers are known
  std::vector<std::pair<llvm::StringRef, double>>
      stages; // cost of each, in order; resolving the record counts as source
  double printMilliseconds = 0;
  double milliseconds() const {
    double sum = 0;
    for (auto [stage, each] : stages)
      sum += each;
    return sum;
  }
};

// The unprinted IR of a stage. It owns the context in which it was made.
struct StageModule {
  StageResult result;                               // everything except text and lines
  std::shared_ptr<codegen::CodegenContext> context; // the context of the module
  std::shared_ptr<const EvaluatedFile> program;     // the program with its places
  chips::CodeOptions code;                          // of the launch
  mlir::OwningOpRef<mlir::ModuleOp> module;         // null if there is none, see result

  // Prints the module into result.text, and frees it. If `wantLines`, also sets result.lines.
  void print(bool wantLines);
};
// Returns why a launch has no module, with the line: "kernel.py:12: ...".
std::string whyNotCompiled(const Snapshot& snapshot, const StageResult& result);

class AnalysisCache;
class VariantResolver;

// Analyses the variants of one program. For one thread only; cheap to create.
class Analyzer {
public:
  Analyzer(const Snapshot& snapshot, Worker& worker, CancellationToken token)
      : snapshot_(snapshot), worker_(worker), token_(token) {}

  Interner& names() const { return snapshot_.names(); }

  // How many steps compiling may take. Brief is for the other variants of a kernel that exhausted
  // them, most likely because of the same endless loop.
  // Hasty is for the time between two keys: of a large kernel that was analysed before, only the
  // mistakes that codegen finds are looked for.
  enum class Effort : uint8_t { Usual, Brief, Hasty };
  // Returns null if cancelled. A stopped result is not cached.
  std::shared_ptr<const KernelResult> analyze(const Variant& variant,
                                              Effort effort = Effort::Usual);
  // Returns the facts of a variant for the editor, without the stages after `source`. Returns null
  // if cancelled, or if there are none (the record does not fit the kernel).
  std::shared_ptr<const codegen::ExpressionFacts> facts(const Variant& variant);
  // Returns the definitions that a variant is made from, its own first; all findings are at places
  // in these. It is empty if they are not known, and valid as long as the variant's program.
  llvm::ArrayRef<Anchor> reached(const Variant& variant) { return keyOf(variant).anchors(); }
  // Returns the cached result of analyze(), or null.
  std::shared_ptr<const KernelResult> atHand(const Variant& variant);
  // Returns what the variant's machine code needs, if it was made since its text last changed.
  std::optional<Assembled> codeAtHand(const Variant& variant);
  // Compiles without a cache. Returns nullopt if cancelled.
  std::optional<StageModule> compile(const Variant& variant, llvm::StringRef stage);
  // Returns the module of stage `ttgir` for a debugger: it is not optimized, and its statements and
  // variables are marked.
  std::optional<StageModule> compileForDebugging(const Variant& variant);
  // compile() and print().
  std::optional<StageResult> stage(const Variant& variant, llvm::StringRef stage,
                                   bool wantLines = true);

  // Calls `look` with the module of a stage, which must not be kept. If it is not called, returns
  // why, as a sentence for the user.
  std::optional<std::string>
  inspect(const Variant& variant, llvm::StringRef stage,
          llvm::function_ref<void(mlir::ModuleOp, const codegen::Specialization&)> look);

  // The same, but if there is no text, the last version's text is returned with the diagnostics of
  // this one.
  std::optional<StageResult> stageOrLast(const Variant& variant, llvm::StringRef stage);

private:
  // Where a variant's result is cached; nowhere if `kernel` is null.
  struct Key {
    const language::FunctionObject* kernel = nullptr;
    const Fingerprint* fingerprint = nullptr; // of the program; null if there is no such kernel
    uint64_t value = 0;
    llvm::ArrayRef<Anchor> anchors() const {
      return fingerprint ? llvm::ArrayRef(fingerprint->anchors) : llvm::ArrayRef<Anchor>();
    }
  };
  Key keyOf(const Variant& variant);
  // Keeps those errors that do not rest on assumptions about the launch. If no error is left, what
  // is assumed becomes the reason why there is no text.
  void keepCertain(const Variant& variant, StageResult& result);
  codegen::CodegenContext& contextFor(const EvaluatedFile& program);
  std::shared_ptr<const KernelResult> find(AnalysisCache& cache, const Variant& variant,
                                           const Key& key);
  // Generates stage `source`. Returns nullopt if cancelled; if there is no module, the result says
  // why. `wanted` is the last stage, which must exist. `resolver` owns the values of the
  // specialization.
  std::optional<StageModule> compileSource(const Variant& variant, llvm::StringRef wanted,
                                           bool marksStatements, VariantResolver& resolver,
                                           std::optional<codegen::Specialization>& specialization);
  // Runs the stages after `source` up to and including `last`. Returns false if one failed, as
  // reported in `diagnostics`; or if gluond does not support it, as reported in `unsupported`.
  // A module that is shown is as the release of the specialization makes it, any other one as the
  // newest release does.
  bool runStages(codegen::CodegenContext& context, mlir::ModuleOp module,
                 const codegen::Specialization& specialization, llvm::StringRef last,
                 const EvaluatedFile& program, std::vector<diagnostics::Diagnostic>& diagnostics,
                 std::string& unsupported,
                 std::vector<std::pair<llvm::StringRef, double>>* times = nullptr,
                 bool isShown = false);

  const Snapshot& snapshot_;
  Worker& worker_;
  CancellationToken token_;
};

} // namespace gluond::driver
