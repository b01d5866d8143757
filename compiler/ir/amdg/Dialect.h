// The `amdg` dialect: operations that only AMD's GPUs have.
#pragma once

#include "ir/ttg/Dialect.h"

#include <mlir/Interfaces/SideEffectInterfaces.h>

#include "ir/amdg/Dialect.h.inc"

namespace gluond::amdg {

struct L2Cache : mlir::SideEffects::Resource::Base<L2Cache> {
  llvm::StringRef getName() final { return "<L2Cache>"; }
};

// Pointer in global memory to the element type of a tensor (or to a scalar).
mlir::Type pointerToElement(mlir::Type type);
// i32, or a tensor of i32 of the same shape and encoding.
mlir::Type i32SameShape(mlir::Type type);

} // namespace gluond::amdg
