// The names of types in the instructions of the matrix units.
#pragma once

#include <llvm/ADT/StringRef.h>
#include <mlir/IR/BuiltinTypes.h>

namespace gluond::lowering::nvidia {

// Returns the name of an operand's type, or "" if no unit multiplies it. If `tf32`, 32-bit floats
// may be taken as tf32.
inline llvm::StringRef operandTypeName(mlir::Type type, bool tf32) {
  if (type.isF16()) return "f16";
  if (type.isBF16()) return "bf16";
  if (type.isF32()) return tf32 ? "tf32" : "";
  if (type.isInteger(8)) return "s8";
  if (mlir::isa<mlir::Float8E4M3FNType>(type)) return "e4m3";
  if (mlir::isa<mlir::Float8E5M2Type>(type)) return "e5m2";
  return "";
}

// Returns the name of an accumulator's type, or "" if no unit accumulates in it.
inline llvm::StringRef resultTypeName(mlir::Type type) {
  if (type.isF16()) return "f16";
  if (type.isF32()) return "f32";
  if (type.isInteger(32)) return "s32";
  return "";
}

} // namespace gluond::lowering::nvidia
