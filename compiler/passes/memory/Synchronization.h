// Decides where the threads of a CTA (or of a warp-specialized partition) need a barrier, and where
// their writes must be made visible to asynchronous copies and matrix units, so that every access
// of shared memory is ordered as in the program.
//
// An access reads or writes one buffer, through the threads' own path (generic) or the asynchronous
// one (TMA, wgmma). Accesses of different threads to the same memory, one of them a write, need a
// barrier between them. A generic access before an asynchronous one also needs a proxy fence. Ops
// that are barriers already, and pairs that are ordered otherwise (a wait after its copy), are
// skipped. State flows through branches and around loops until it is stable.
//
// Accesses of tensor memory are ordered in the same way. A thread's stores to it are
// asynchronous, so the thread waits for them before other threads may access them, and before it
// loads.
//
// In a cluster of several CTAs, mbarriers that other CTAs use must be initialized first: all CTAs
// meet between the last initialization and the first use from another CTA.
#pragma once

#include "passes/memory/SharedMemory.h"
#include "passes/memory/TensorMemory.h"

#include <llvm/ADT/DenseSet.h>

namespace gluond::passes {

struct Synchronization {
  llvm::DenseSet<mlir::Operation*> barrierBefore, barrierAfter, fenceBefore;
  // Ops before which a thread waits for its stores to tensor memory. A barrier there comes after
  // the wait.
  llvm::DenseSet<mlir::Operation*> tensorStoresDoneBefore;
  // Ops before which the CTAs of the cluster meet, because barriers have been initialized.
  llvm::DenseSet<mlir::Operation*> initializationsMetBefore;
};

// `withFences` says whether the target has an asynchronous path (sm_90 and later).
// `scratchIsWithinWarp` returns whether each warp uses only its own part of an op's scratch.
Synchronization synchronize(mlir::Operation* function, const SharedMemory& memory,
                            const TensorMemory& tensorMemory, bool withFences,
                            llvm::function_ref<bool(mlir::Operation*)> scratchIsWithinWarp);

} // namespace gluond::passes
