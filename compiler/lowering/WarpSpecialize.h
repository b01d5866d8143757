// Warps that wait for work, and the ops that give it to them.
//
// A kernel with warp_specialize starts with more warps than its code runs on. The additional ones
// wait in a loop at the barrier of all warps. A warp_specialize stores what the partitions capture
// and, for each waiting warp, the number of its partition to shared memory, and meets them there
// three times: when that is written, when it has been read, and when all are done. At the end of
// the kernel they are sent home in the same way.
#pragma once

#include "lowering/FunctionEmitter.h"

namespace gluond::lowering {

// Returns the bytes of shared memory after the buffers that hold captures and states; 0 for a
// function without partitions.
int64_t warpSpecializationBytes(mlir::Operation* function);
// Emits the kernel's start, where the additional warps go to their loop.
bool beginWarps(FunctionEmitter& e);
// Emit the code by which groups can meet those of other CTAs, at the kernel's start, and a meeting
// of the group that code is made for.
void beginGroupsOfCluster(FunctionEmitter& e);
void meetGroupsOfCluster(FunctionEmitter& e);
// Ends the waiting warps, if the kernel has any.
void releaseWarps(FunctionEmitter& e);

} // namespace gluond::lowering
