// How many neighbouring elements one atomic instruction takes.
#pragma once

#include "ir/tt/Dialect.h"

namespace gluond::passes {

// Sums of floats alone are taken together: from Hopper on up to 16 bytes of fp32, fp16 or bf16,
// before, and on AMD, pairs of fp16. `capability`: of an NVIDIA GPU, 90; 0: another.
inline unsigned atomicElements(std::optional<tt::RMWOp> kind, mlir::Type element,
                               unsigned capability) {
  if (kind != tt::RMWOp::FADD) return 1;
  bool isHalf = element.isF16() || element.isBF16();
  if (capability >= 90) return element.isF32() ? 4 : isHalf ? 8 : 1;
  return element.isF16() ? 2 : 1;
}

} // namespace gluond::passes
