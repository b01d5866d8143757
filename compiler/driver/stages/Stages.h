// The stages of a target as data: what can be asked for, in order. Server, panel and command line
// read the same list.
#pragma once

#include "passes/Pipeline.h"

#include <llvm/ADT/ArrayRef.h>
#include <llvm/ADT/StringRef.h>
#include <mlir/IR/BuiltinOps.h>

namespace gluond::codegen {
struct Target;
}

namespace gluond::driver {

struct Stage {
  llvm::StringLiteral id;       // "ttgir"
  llvm::StringLiteral title;    // "TritonGPU IR"
  llvm::StringLiteral language; // of the text, for highlighting: "mlir"
  // Turns the module of the stage before into this stage's; null for the first, which codegen
  // makes, and for those behind ttgir, which are no modules of ours (see Compile.h).
  passes::Result (*run)(mlir::ModuleOp module, const codegen::Target& target,
                        const passes::PassResources& resources);
  bool isCompiled = false; // made by compile()
  bool isText = true;
};

llvm::ArrayRef<Stage> stagesOf(const codegen::Target& target);
// Bytes of shared memory that the op takes for itself when it is compiled for the target.
int64_t scratchBytes(const codegen::Target& target, mlir::Operation* op);
// Null: no such stage for this target.
const Stage* findStage(const codegen::Target& target, llvm::StringRef id);

} // namespace gluond::driver
