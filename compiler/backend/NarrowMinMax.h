// Takes minima and maxima of widened numbers in the narrow type:
//
//   max(float(a), float(b))  becomes  float(max(a, b)),
//
// the same number, as a choice rounds nothing: half the conversions, and two choices in one
// instruction where a chip has packed ones. LLVM has done it since version 24, in InstCombine.
#pragma once

#include <llvm/IR/Module.h>

namespace gluond::backend {

// For numbers of fp16; for those of bf16 where the chip can choose among them.
void narrowMinMax(llvm::Module& module, bool alsoBf16);

} // namespace gluond::backend
