// Asynchronous copies that only a branch guards take its condition as their predicate, and the
// branch is gone: `if next < count: async_load(...)` in a loop of products. ptxas keeps such a
// branch, and moves nothing across it, neither the copies among the products nor these before them.
#pragma once

namespace llvm {
class Function;
}

namespace gluond::backend::nvidia {

void predicateCopies(llvm::Function& function);

} // namespace gluond::backend::nvidia
