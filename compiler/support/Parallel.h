// The same work on many things, side by side.
#pragma once

#include <llvm/ADT/STLFunctionalExtras.h>

#include <cstddef>

namespace gluond {

// Stack of a thread that compiles: the evaluator and codegen recurse as the user's code nests; they
// measure how far they may.
inline constexpr unsigned compilerStackBytes = 16u << 20;

// As many threads as the machine runs at once, at least one.
unsigned machineThreads();

// Calls `work` once for each index below `count`, in no order, on up to `threads` threads, the
// calling one among them when there is only one; returns when all are done. `worker` is below
// `threads`, and no two calls run at once with the same one. `work` must not throw.
void forEachInParallel(size_t count, unsigned threads,
                       llvm::function_ref<void(size_t index, unsigned worker)> work);

} // namespace gluond
