// Where the threads of a CTA (or of a warp-specialized partition) must meet, and where their writes
// must be made visible to asynchronous copies and matrix units, so that every access of shared
// memory sees what the program means.
//
// An access is of one buffer, a read or a write, through the threads' own path (generic) or the
// asynchronous one (TMA, wgmma). Accesses of different threads to the same memory, one of them a
// write, need a barrier between them. A generic access before an asynchronous one needs a proxy
// fence besides. Ops that are barriers already, and pairs that are ordered otherwise (a wait behind
// its copy), are left alone. State flows through branches and around loops until it is stable.
#pragma once

#include "passes/analysis/SharedMemory.h"

#include <llvm/ADT/DenseSet.h>

namespace gluond::passes {

struct Synchronization {
  llvm::DenseSet<mlir::Operation*> barrierBefore, barrierAfter, fenceBefore;
};

// `withFences`: whether the target has an asynchronous path (sm_90 and later).
// `scratchIsWithinWarp` tells of an op with scratch that its threads need only their own warp.
Synchronization synchronize(mlir::Operation* function, const SharedMemory& memory, bool withFences,
                            llvm::function_ref<bool(mlir::Operation*)> scratchIsWithinWarp);

} // namespace gluond::passes
