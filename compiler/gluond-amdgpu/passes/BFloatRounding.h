// Rounding to bfloat on chips without an instruction for it.
//
// As in Triton's code for them, each NaN becomes the same one (0x7fff): LLVM's way keeps the bits
// of the NaN and takes an instruction more.
#pragma once

#include <llvm/IR/Module.h>

namespace gluond::amdgpu {

void roundBFloats(llvm::Module& module);

} // namespace gluond::amdgpu
