// Which operands Triton's back end can hand to mma.sync (`mma_v2`). It fails on the others after
// `ttgir`, without a place in the source.
#pragma once

#include "ir/tt/Ops.h"
#include "ir/ttg/Attributes.h"

#include <string>

namespace gluond::passes {

// Returns why the layout of an operand does not fit mma.sync, as a sentence, or "" if it does or if
// the product is another. An instruction takes registers of 32 bits, whose elements are neighbors
// along K: `k_width` elements must fill at least one.
std::string whyNoMmaOperands(tt::DotOp op);

// Returns the layout of the operand that is at fault, and the same with the least `k_width` that
// fits; null if whyNoMmaOperands() finds nothing.
std::pair<ttg::DotOperandEncodingAttr, ttg::DotOperandEncodingAttr> mmaOperand(tt::DotOp op);

} // namespace gluond::passes
