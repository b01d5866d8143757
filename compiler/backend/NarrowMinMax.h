// Takes minima and maxima of widened numbers in the narrow type:
//
//   max(float(a), float(b))  becomes  float(max(a, b)),
//
// the same number, as a choice rounds nothing: half the conversions, and two choices in one
// instruction where a chip has packed ones. LLVM has done it since version 24, in InstCombine.
// Comparisons of widened numbers need not keep them: LLVM compares narrow ones instead.
#pragma once

#include <llvm/IR/Module.h>

namespace gluond::backend {

struct NarrowNumbers {
  bool bf16 = false;     // those of bf16 too, where the chip can choose among them
  bool compared = false; // those that are compared too
};
void narrowMinMax(llvm::Module& module, NarrowNumbers which);

} // namespace gluond::backend
