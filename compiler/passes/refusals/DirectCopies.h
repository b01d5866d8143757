// Which asynchronous copies from global to shared memory a chip has an instruction for. Triton
// compiles the others up to `ttgir` and fails in its back end, without a place in the source.
//
// NVIDIA's cp.async moves 4, 8 or 16 bytes for each thread. AMD's lanes move 4 bytes, on CDNA 4
// also 16, on CDNA 5 also 8. On CDNA 3 and 4 the lanes of a warp write one after the other: a
// lane's elements must lie in the buffer as they do in its registers, and the next lane's must
// follow them (swizzling aside), without padding between the lanes of a warp. RDNA has no such
// copies, and only gfx1250 has those back to global memory.
#pragma once

#include "passes/analysis/AxisInfo.h"

#include <string>

namespace gluond::passes {

// Returns whether an operation is such a copy.
bool isDirectCopy(mlir::Operation* op);

// Returns why the chip cannot make a copy, as a sentence, or "" if it can, if this is not known, or
// if code generation warns of its layout.
std::string whyNoDirectCopy(mlir::Operation* op, const ModuleAxisInfo& axes);

// Returns likewise why the chip has no copy from shared to global memory; "" for other operations.
std::string whyNoStoreFromShared(mlir::Operation* op);

} // namespace gluond::passes
