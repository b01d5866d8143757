// Computes AxisInfo of an op's result from that of its operands.
#pragma once

#include "passes/analysis/AxisInfo.h"

namespace gluond::passes {

// The largest power of two in AxisInfo; the divisor of 0.
constexpr int64_t maxDivisor = int64_t(1) << 62;
int64_t powerOfTwoDivisor(int64_t value);
int64_t gcd(int64_t a, int64_t b); // gcd(0, b) = b
// Joins the first elements of runs for a value that may be either of two.
int64_t joinDivisibility(const AxisInfo& a, const AxisInfo& b, unsigned axis);

// Returns rank 0 if there is no rule for the op.
AxisInfo inferAxisInfo(mlir::Operation* op, llvm::ArrayRef<AxisInfo> operands);

} // namespace gluond::passes
