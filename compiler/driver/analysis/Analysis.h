// What becomes of one kernel in one variant: diagnostics, facts for the editor, IR of a stage.
// Results are kept by content, so that asking again after an edit elsewhere costs a look-up and
// moving the places along.
#pragma once

#include "codegen/context/Facts.h"
#include "driver/analysis/Worker.h"
#include "driver/launches/Kernels.h"
#include "driver/program/Fingerprint.h"
#include "lints/bounds/LaunchSizes.h"
#include "lints/resources/Budget.h"

#include <llvm/ADT/STLFunctionalExtras.h>
#include <mlir/IR/BuiltinOps.h>

#include <list>

namespace gluond::codegen {
class CodegenContext;
struct Specialization;
} // namespace gluond::codegen

namespace gluond::driver {

// What an access or a conversion costs, for hover: "16 bytes a lane, 4 sectors a warp instruction".
struct CostFact {
  diagnostics::Location place; // of its call
  std::string text;
};

// Whether the compiler chose the layout that a fact tells, because the user left it open
// (AutoLayout).
bool isChosenLayout(const codegen::TypeFact& type);

struct KernelResult {
  std::vector<diagnostics::Diagnostic> diagnostics;
  std::shared_ptr<const codegen::Facts> facts; // of Analyzer::facts() alone
  std::vector<CostFact> costs;
  std::optional<lints::Budget> budget; // of stage `ttgir`, where there is one; names no ops
  bool ok = false;                     // there is IR
  bool incomplete = false;             // something is not known: nothing is claimed
  std::string incompleteBecause;
  bool isStopped = false; // the file cost too much (FileWork.h): what is here may not be all
  bool ranOut = false;    // of the steps that compiling it may take
  std::optional<lints::LaunchSizes> sizes; // of the launch, where a lint looked at them
};

// A line of a stage's text and the place that made it; `calls` are the places of the calls that led
// there, innermost first.
struct LineOrigin {
  uint32_t line = 0; // 0-based
  diagnostics::Location place;
  std::vector<diagnostics::Location> calls;
};
struct StageResult {
  std::string text; // empty when the kernel has none at this stage
  std::vector<LineOrigin> lines;
  std::vector<diagnostics::Diagnostic> diagnostics;
  std::optional<int32_t> version; // of the document the text was made from
  bool isStale = false;           // that is not the current one (stageOrLast)
  std::string unsupported;        // why there is no text, when that is not the user's mistake
  std::vector<std::pair<llvm::StringRef, double>>
      stages; // what each cost, in order; resolving the record counts as source
  double printMilliseconds = 0;
  double milliseconds() const {
    double sum = 0;
    for (auto [stage, each] : stages)
      sum += each;
    return sum;
  }
};

// The IR of a stage, not printed yet. Lives on its own: it keeps the context that it was made in.
struct StageModule {
  StageResult result;                               // all but text and lines
  std::shared_ptr<codegen::CodegenContext> context; // of the module; outlives it
  std::shared_ptr<const Program> program;           // its places are in
  mlir::OwningOpRef<mlir::ModuleOp> module;         // null: see result

  // Prints the module into result.text, and gives it up. `wantLines`: with result.lines.
  void print(bool wantLines);
};
class AnalysisCache;
class Resolver;

// Analyses the variants of one program. One thread; cheap to make.
class Analyzer {
public:
  Analyzer(const Snapshot& snapshot, Worker& worker, CancellationToken token)
      : snapshot_(snapshot), worker_(worker), token_(token) {}

  Interner& names() const { return snapshot_.names(); }

  // How many steps compiling may take. Brief is for the other variants of a kernel that ran out of
  // them: most likely the same loop has no end.
  enum class Effort : uint8_t { Usual, Brief };
  // Null: cancelled. A result that is stopped is not kept.
  std::shared_ptr<const KernelResult> analyze(const Variant& variant,
                                              Effort effort = Effort::Usual);
  // What the editor shows of a variant: the facts alone, without the stages behind `source`. Null:
  // cancelled, or there are none (the record does not fit the kernel).
  std::shared_ptr<const codegen::Facts> facts(const Variant& variant);
  // The definitions a variant is made from, its own first: what is said of it is said of places in
  // these. Empty where that is not known. Lives as long as the variant's program.
  llvm::ArrayRef<Anchor> reached(const Variant& variant) { return keyOf(variant).anchors(); }
  // What analyze() would give, where it is at hand; null: it is not.
  std::shared_ptr<const KernelResult> atHand(const Variant& variant);
  // Made anew each time. Nullopt: cancelled.
  std::optional<StageModule> compile(const Variant& variant, llvm::StringRef stage);
  // Returns the module of stage `ttgir` for a debugger: it is not optimized, and its statements and
  // variables are marked.
  std::optional<StageModule> compileForDebugging(const Variant& variant);
  // compile() and print().
  std::optional<StageResult> stage(const Variant& variant, llvm::StringRef stage,
                                   bool wantLines = true);

  // Shows the module of a stage to `look`, which must not keep anything of it. What comes back is
  // why it was not called, as a sentence for the user.
  std::optional<std::string>
  inspect(const Variant& variant, llvm::StringRef stage,
          llvm::function_ref<void(mlir::ModuleOp, const codegen::Specialization&)> look);

  // The same for a reader who would rather see the text of the last version that had one, with the
  // diagnostics of this one.
  std::optional<StageResult> stageOrLast(const Variant& variant, llvm::StringRef stage);

private:
  // Where a variant's result is kept; `kernel` null: nowhere.
  struct Key {
    const language::FunctionObject* kernel = nullptr;
    const Fingerprint* fingerprint = nullptr; // the program's; null: there is no such kernel
    uint64_t value = 0;
    llvm::ArrayRef<Anchor> anchors() const {
      return fingerprint ? llvm::ArrayRef(fingerprint->anchors) : llvm::ArrayRef<Anchor>();
    }
  };
  Key keyOf(const Variant& variant);
  std::shared_ptr<const KernelResult> find(AnalysisCache& cache, const Variant& variant,
                                           const Key& key);
  // Generates stage `source`. Returns nullopt if cancelled; if there is no module, the result says
  // why. `resolver` owns the values of the specialization.
  std::optional<StageModule> compileSource(const Variant& variant, bool marksStatements,
                                           Resolver& resolver,
                                           std::optional<codegen::Specialization>& specialization);
  // Runs the stages behind `source` up to and with `last`. False: one failed, said in
  // `diagnostics`; or what gluond cannot do, in `unsupported`.
  bool runStages(codegen::CodegenContext& context, mlir::ModuleOp module,
                 const codegen::Specialization& specialization, llvm::StringRef last,
                 const Program& program, std::vector<diagnostics::Diagnostic>& diagnostics,
                 std::string& unsupported,
                 std::vector<std::pair<llvm::StringRef, double>>* times = nullptr);

  const Snapshot& snapshot_;
  Worker& worker_;
  CancellationToken token_;
};

// Results by content. What was used last stays, up to so many bytes. Internal to driver/.
class AnalysisCache : public Memory {
public:
  explicit AnalysisCache(size_t mostBytes) : mostBytes_(mostBytes) {}
  struct Entry {
    std::shared_ptr<const KernelResult> result;
    std::vector<Anchor> anchors;
  };
  std::optional<Entry> find(uint64_t key);
  void keep(uint64_t key, Entry entry);

private:
  struct Kept {
    uint64_t key;
    Entry entry;
    size_t bytes; // about
  };
  const size_t mostBytes_;
  std::mutex mutex_;
  size_t bytes_ = 0;
  std::list<Kept> entries_; // least recently used first
  llvm::DenseMap<uint64_t, std::list<Kept>::iterator> index_;
};
// Results with diagnostics, and those with facts.
struct KeptResults : AnalysisCache {
  KeptResults() : AnalysisCache(size_t{24} << 20) {}
};
struct KeptFacts : AnalysisCache {
  KeptFacts() : AnalysisCache(size_t{32} << 20) {}
};

// The last text of the stages somebody looked at. Internal to driver/.
class StageMemory : public Memory {
public:
  void keep(const std::string& key, const StageResult& result);
  std::shared_ptr<const StageResult> find(const std::string& key);

private:
  static constexpr size_t most = 32, mostBytes = size_t{32} << 20;
  std::mutex mutex_;
  size_t bytes_ = 0; // of texts and lines, about
  std::list<std::pair<std::string, std::shared_ptr<const StageResult>>> entries_; // oldest first
};

} // namespace gluond::driver
