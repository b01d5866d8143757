// Creates MLIR contexts, prints and parses modules.
#pragma once

#include <llvm/ADT/StringRef.h>
#include <mlir/IR/BuiltinOps.h>
#include <mlir/IR/MLIRContext.h>
#include <mlir/IR/OwningOpRef.h>

#include <memory>
#include <string>

namespace gluond::ir {

// Returns a context with all dialects of `source` and `ttgir` loaded. It serves one thread at a
// time and starts none of its own; a worker creates one when it starts and keeps it. LLVM's dialect
// is registered but not loaded (LlvmDialect.h).
std::unique_ptr<mlir::MLIRContext> createContext();

// Prints a module like Triton's str_nodebug(): without locations and without verification.
std::string printModule(mlir::ModuleOp module);

// Parses a module from any source. Returns null if the text is wrong, nests too deeply, or has a
// recursive function; the reason is reported to the context's diagnostic handlers.
mlir::OwningOpRef<mlir::ModuleOp> parseModule(llvm::StringRef text, mlir::MLIRContext& context);

} // namespace gluond::ir
