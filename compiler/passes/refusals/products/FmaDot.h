// Which matrix products Triton's back end makes of multiplications and additions of the threads. It
// fails on the others after `ttgir`, without a place in the source.
#pragma once

#include "ir/tt/Ops.h"

#include <string>

namespace gluond::passes {

// Returns why a product in a BlockedLayout (`gl.dot_fma`) cannot be computed by the threads, as a
// sentence, or "" if it can or if its layout is another.
std::string whyNoFmaDot(tt::DotOp op, bool isAmd);

} // namespace gluond::passes
