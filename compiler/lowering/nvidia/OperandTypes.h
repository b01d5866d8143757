// How the matrix units' instructions spell types.
#pragma once

#include <llvm/ADT/StringRef.h>
#include <mlir/IR/BuiltinTypes.h>

namespace gluond::lowering::nvidia {

// Of an operand; empty where no unit multiplies the type. `tf32`: 32-bit floats may be taken as
// tf32.
inline llvm::StringRef operandTypeName(mlir::Type type, bool tf32) {
  if (type.isF16()) return "f16";
  if (type.isBF16()) return "bf16";
  if (type.isF32()) return tf32 ? "tf32" : "";
  if (type.isInteger(8)) return "s8";
  if (mlir::isa<mlir::Float8E4M3FNType>(type)) return "e4m3";
  if (mlir::isa<mlir::Float8E5M2Type>(type)) return "e5m2";
  return "";
}

// Of an accumulator; empty where no unit adds up in the type.
inline llvm::StringRef resultTypeName(mlir::Type type) {
  if (type.isF16()) return "f16";
  if (type.isF32()) return "f32";
  if (type.isInteger(32)) return "s32";
  return "";
}

} // namespace gluond::lowering::nvidia
