// Gluon's names of element types, for messages about operations that are refused.
#pragma once

#include <llvm/ADT/ArrayRef.h>
#include <mlir/IR/Types.h>

#include <string>

namespace gluond::passes {

// Returns "float16" for f16 and for a tensor of f16, or the type as MLIR prints it if Gluon has no
// name for it. Integers have no sign in the IR: all are "int8" and so on.
std::string gluonName(mlir::Type type);

// Returns "[16, 16, 32]".
std::string spelled(llvm::ArrayRef<unsigned> shape);

} // namespace gluond::passes
