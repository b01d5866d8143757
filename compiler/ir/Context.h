// Contexts, and modules as text.
#pragma once

#include <llvm/ADT/StringRef.h>
#include <mlir/IR/BuiltinOps.h>
#include <mlir/IR/MLIRContext.h>
#include <mlir/IR/OwningOpRef.h>

#include <memory>
#include <string>

namespace gluond::ir {

// A context with all dialects of `source` and `ttgir` loaded. Serves one thread at a time and
// starts none of its own; a worker makes one when it starts and keeps it.
// LLVM's dialect is known but not loaded: who builds llvm.intr.assume calls
// getOrLoadDialect<mlir::LLVM::LLVMDialect>() first; parsing loads it by itself.
std::unique_ptr<mlir::MLIRContext> createContext();

// The text of a module as Triton's str_nodebug() gives it: no locations, no checks on the way.
std::string printModule(mlir::ModuleOp module);

// Reads a module, whoever wrote it. Null where the text is wrong, nests too deeply to be read, or
// has a function that calls itself; why is reported to the context's diagnostic handlers.
mlir::OwningOpRef<mlir::ModuleOp> parseModule(llvm::StringRef text, mlir::MLIRContext& context);

} // namespace gluond::ir
