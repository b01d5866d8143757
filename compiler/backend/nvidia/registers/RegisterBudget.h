// Tells ptxas how many registers a thread may have, where its own choice is known to be too few.
//
// Without a limit, ptxas orders instructions for many threads at once. It gives up the order of the
// loads for that: it loads, waits and uses one value after another where registers for all of them
// would let a thread wait once. A limit takes this choice from it, and it fills what it is given.
// (Measured on an H200: docs/compiling.md.)
#pragma once

#include <llvm/IR/Function.h>

namespace gluond::backend::nvidia {

void budgetRegisters(llvm::Function& kernel);

} // namespace gluond::backend::nvidia
