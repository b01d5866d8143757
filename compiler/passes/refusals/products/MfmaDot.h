// Which products in an AMDMFMALayout have an instruction. Triton compiles the others up to `ttgir`
// and fails in its back end, without a place in the source.
#pragma once

#include "ir/tt/Ops.h"
#include "ir/ttg/Attributes.h"

#include <string>

namespace gluond::passes {

// Returns why MFMA cannot compute a product, as a sentence, or "" if it can or if this is not
// known.
std::string whyNoMfmaInstruction(tt::DotOp op);

// Returns likewise why MFMA cannot compute a product with scales.
std::string whyNoScaledMfma(tt::DotScaledOp op);

// Returns the layout for the accumulator with the longest K that fits. Null if the layout is not at
// fault.
ttg::AMDMfmaEncodingAttr mfmaEncoding(tt::DotOp op);

} // namespace gluond::passes
