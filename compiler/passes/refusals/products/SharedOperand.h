// Which operands in shared memory the matrix units of Hopper and Blackwell read. Triton compiles
// products of others up to `ttgir` and fails in its back end, without a place in the source.
#pragma once

#include "ir/ttng/Ops.h"

#include <string>

namespace gluond::passes {

// Returns why `wgmma` cannot read its operands, as a sentence, or "" if it can. Operand a may be in
// registers, where this says nothing of it.
std::string whyNoSharedOperands(ttng::WarpGroupDotOp op);

// Returns likewise why `tcgen05.mma` cannot read its operands or their scales; "" for other
// operations.
std::string whyNoTensorCoreOperands(mlir::Operation* op);

} // namespace gluond::passes
