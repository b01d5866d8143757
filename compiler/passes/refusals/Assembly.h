// Which inline assembly has other constraints than operands. LLVM ends the process of Triton for
// it, without a message.
#pragma once

#include "ir/tt/Ops.h"

#include <string>

namespace gluond::passes {

// Returns what is wrong with the constraints, as a sentence, or "" if they fit or this is not
// known.
std::string whyNoAssembly(tt::ElementwiseInlineAsmOp op);

} // namespace gluond::passes
