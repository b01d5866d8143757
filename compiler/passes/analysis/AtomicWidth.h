// The number of neighbouring elements that one atomic instruction handles.
#pragma once

#include "chips/Feature.h"
#include "ir/tt/Dialect.h"

namespace gluond::passes {

// Only sums of floats are combined: up to 16 bytes of fp32, fp16 or bf16 on chips with vector sums,
// pairs of fp16 on others.
inline unsigned atomicElements(std::optional<tt::RMWOp> kind, mlir::Type element,
                               chips::Features features) {
  if (kind != tt::RMWOp::FADD) return 1;
  bool isHalf = element.isF16() || element.isBF16();
  if (features.has(chips::Feature::VectorSums)) return element.isF32() ? 4 : isHalf ? 8 : 1;
  return element.isF16() ? 2 : 1;
}

} // namespace gluond::passes
