// Runs the same work for many items in parallel.
#pragma once

#include <llvm/ADT/STLFunctionalExtras.h>

#include <cstddef>

namespace gluond {

// The stack size of a thread that compiles: the evaluator and codegen recurse with the nesting of
// user code, and measure the remaining stack.
inline constexpr unsigned compilerStackBytes = 16u << 20;

// The number of threads that the machine runs at once, at least one.
unsigned machineThreads();

// Calls `work` once for each index below `count`, in any order, on up to `threads` threads (the
// calling thread if it is one), and returns when all are done. `worker` is below `threads`, and
// calls with the same worker never overlap. `work` must not throw.
void forEachInParallel(size_t count, unsigned threads,
                       llvm::function_ref<void(size_t index, unsigned worker)> work);

} // namespace gluond
