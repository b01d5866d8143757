// Division by a constant, on NVIDIA's GPUs: x / c = x * (1 / c), where both c and 1 / c are normal
// floats.
//
// Triton's own (3.9), among arith's canonicalizations: 32-bit floats only; the reciprocal stays an
// approximate division (tt.approx_divf), which becomes one instruction.
#pragma once

#include <mlir/IR/PatternMatch.h>

namespace gluond::passes {

void addDivisionPattern(mlir::RewritePatternSet& patterns);

} // namespace gluond::passes
