// The stages of a target as data: what can be asked for, in order. Server, panel and command line read the same list.
#pragma once

#include "diagnostics/Diagnostic.h"
#include "support/Cancellation.h"

#include <llvm/ADT/ArrayRef.h>
#include <llvm/ADT/StringRef.h>
#include <mlir/IR/BuiltinOps.h>

#include <string>

namespace gluond::codegen {
struct Target;
struct Specialization;
} // namespace gluond::codegen

namespace gluond::driver {

// What a stage gives beside the changed module.
struct StageOutcome {
  bool ok = true;
  std::vector<diagnostics::Diagnostic> diagnostics; // the user's mistakes
  std::string unsupported;                          // what gluond cannot do, when that is why it is not ok
};

struct Stage {
  llvm::StringLiteral id;       // "ttgir"
  llvm::StringLiteral title;    // "TritonGPU IR"
  llvm::StringLiteral language; // of the text, for highlighting: "mlir"
  // Turns the module of the stage before into this stage's; null for the first, which codegen makes.
  StageOutcome (*run)(mlir::ModuleOp module, const codegen::Specialization& specialization, CancellationToken token);
};

llvm::ArrayRef<Stage> stagesOf(const codegen::Target& target);
// Null: no such stage for this target.
const Stage* findStage(const codegen::Target& target, llvm::StringRef id);

} // namespace gluond::driver
