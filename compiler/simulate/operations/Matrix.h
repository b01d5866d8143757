// Matrix products on the CPU.
//
// c = a * b + c, where products are exact, or fp32 where the operands are, and sums are made in the
// accumulator's type in the order of k. A GPU's matrix units add several products at a time, with
// other roundings; both are as far from the exact sum.
#pragma once

#include "simulate/values/Value.h"

namespace gluond::simulate {

// How elements are read: fp32 whole or as tf32, integers with or without a sign.
enum class Precision : uint8_t { Ieee, Tf32, Unsigned };

// Operands are row-major, `batch` of them one after the other; d may be c.
struct MatrixShape {
  size_t batch = 1, m = 0, n = 0, k = 0;
};
// Multiplies tensors [.., M, K] and [.., K, N]. Returns null if the combination of types is not
// known.
TensorRef multiply(const Tensor& a, const Tensor& b, const Tensor* c, Element result,
                   Precision precision);

} // namespace gluond::simulate
