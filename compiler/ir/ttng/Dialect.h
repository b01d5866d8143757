// The `ttng` dialect.
#pragma once

#include "ir/ttg/Dialect.h"
#include "ir/ttng/Attributes.h"

#include <mlir/IR/Dialect.h>
#include <mlir/Interfaces/SideEffectInterfaces.h>

#include "ir/ttng/Dialect.h.inc"
#define GET_TYPEDEF_CLASSES
#include "ir/ttng/Types.h.inc"

namespace gluond::ttng {

// An attribute of modules: whether MMAs work in pairs of CTAs.
constexpr llvm::StringLiteral twoCTAsAttr = "ttng.two-ctas";

struct TensorMemory : mlir::SideEffects::Resource::Base<TensorMemory> {
  llvm::StringRef getName() final { return "<TensorMemory>"; }
};

} // namespace gluond::ttng
