// Which products of a warp group have an instruction. Triton compiles the others up to `ttgir` and
// fails in its back end, without a place in the source.
#pragma once

#include "ir/ttng/Ops.h"

#include <string>

namespace gluond::passes {

// Returns why `wgmma` cannot compute a product, as a sentence, or "" if it can. (PTX ISA, "Register
// Fragments and Shared Memory Matrix Layouts" of wgmma: M is 64 for four warps, N a multiple of 8
// up to 256, and a row of A in one instruction has 256 bits.)
std::string whyNoWarpGroupInstruction(ttng::WarpGroupDotOp op);

// Returns the layout for the accumulator with an instr_shape that fits: the closest one to what is
// there. Null if it is of another kind altogether.
ttg::NvidiaMmaEncodingAttr warpGroupEncoding(ttng::WarpGroupDotOp op);

} // namespace gluond::passes
