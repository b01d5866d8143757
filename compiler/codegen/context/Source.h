// Stage `source`: one specialization of one kernel becomes an MLIR module, byte for byte Triton's.
//
//     CodegenContext context(names); // one per worker, long-lived: MLIR context and caches
//     GeneratedModule result = generateSource(context, specialization, files, {});
//     if (result.ok()) llvm::outs() << ir::printModule(*result.module);
//
// It never fails: mistakes are in the diagnostics, and `module` is null if there is an error, if
// something needed is unknown, or if the run was cancelled. A context serves one thread at a time;
// different contexts are independent.
#pragma once

#include "codegen/context/ExpressionFacts.h"
#include "codegen/context/SourceFiles.h"
#include "codegen/targets/Options.h"
#include "diagnostics/Diagnostic.h"
#include "language/types/Type.h"
#include "releases/Release.h"
#include "support/Cancellation.h"

#include <mlir/IR/BuiltinOps.h>
#include <mlir/IR/OwningOpRef.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace gluond::codegen {

class CodegenContext;

// One kernel argument: its signature and what the launch specialized on.
struct KernelArgument {
  // A scalar, pointer, tensor descriptor or Constexpr type; a Tuple type if there are elements. If
  // it is null, it is not known, and no module is generated.
  const language::Type* type = nullptr;
  std::optional<int64_t> divisibleBy;  // tt.divisibility
  std::optional<int64_t> pointerRange; // tt.pointer_range
  std::vector<KernelArgument> elements;
};

// The value of a module-level constexpr when the launch was recorded, by the module's __name__.
struct GlobalValue {
  Name module, name;
  language::Value value;
};

struct Specialization {
  const language::FunctionObject* kernel = nullptr;
  Target target;
  Options options;
  releases::Release release = releases::newest; // of Triton, for which the program was evaluated
  std::vector<KernelArgument> arguments;        // one per parameter, in order
  std::vector<GlobalValue>
      globals; // used in place of the constexprs and of the unknown values of the modules
};

struct SourceOptions {
  bool recordFacts = false;
  CancellationToken cancellation;
  // Expressions and statements visited before giving up on endless compile-time loops.
  uint64_t steps = 1'000'000;
  // Checks the kernel with unknown arguments and number of warps: no module is generated, and the
  // diagnostics hold for any launch.
  bool assumesNothing = false;
  // Whether to mark the beginnings of statements and the values of variables for a debugger
  // (gluon.statement, gluon.variable).
  bool marksStatements = false;
};

struct GeneratedModule {
  mlir::OwningOpRef<mlir::ModuleOp> module; // null if there is none, see the diagnostics
  std::vector<diagnostics::Diagnostic> diagnostics;
  std::unique_ptr<ExpressionFacts> facts; // null unless asked for
  // True if something that the kernel depends on is not known (an import, a host value): there is
  // no module, and nothing is reported that depends on it.
  bool incomplete = false;
  std::string incompleteBecause; // the first unknown thing
  bool cancelled = false;

  bool ok() const { return module && !incomplete; }
  bool hasErrors() const;
};

GeneratedModule generateSource(CodegenContext& context, const Specialization& specialization,
                               const SourceFiles& files, const SourceOptions& options);

} // namespace gluond::codegen
