// Conversions between floats that Triton does not lower: it compiles them up to `ttgir` and fails
// in its back end, without a place in the source.
#pragma once

#include "ir/tt/Ops.h"

#include <string>

namespace gluond::passes {

// Returns why the conversion cannot be lowered, as a sentence, or "" if it can.
std::string whyNoConversion(tt::FpToFpOp op, bool isAmd);

} // namespace gluond::passes
