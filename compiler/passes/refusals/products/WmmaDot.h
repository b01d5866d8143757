// Which products in an AMDWMMALayout have an instruction. Triton compiles the others up to `ttgir`
// and fails in its back end, without a place in the source.
#pragma once

#include "ir/tt/Ops.h"

#include <string>

namespace gluond::passes {

// Returns why WMMA cannot compute a product, as a sentence, or "" if it can or if this is not
// known.
std::string whyNoWmmaInstruction(tt::DotOp op);

} // namespace gluond::passes
