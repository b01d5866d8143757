// Beside bulk copies, loads from shared memory stand where their values are needed, not where the
// program loads the tensor: lowering loads all tensors of an expression before it computes with the
// first of them. ptxas keeps the coordinates and addresses of bulk copies, and all that they follow
// from, in the registers that a warp has in common, as long as few of the threads' own are held
// at once; else it computes them in each thread, and moves every one of them there.
#pragma once

namespace llvm {
class Function;
}

namespace gluond::backend::nvidia {

void delaySharedLoads(llvm::Function& function);

} // namespace gluond::backend::nvidia
