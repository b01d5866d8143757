// Operands of matrix products with scales: packed numbers of 4 to 16 bits, and a power of two (or
// another small float) for each group of them along k.
#pragma once

#include "ir/tt/Ops.h"
#include "simulate/values/Value.h"

namespace gluond::simulate {

// [.., rows, k], or as the right operand [.., k, columns]. Two fp4 of a byte are neighbours along
// k, or along the other dimension.
struct ScaledOperand {
  tt::ScaleDotElemType kind;
  bool packsK;
  bool isRight;
  bool isPadded = false; // each fp4 has a byte of its own, of which it takes bits 2 to 5
};

// The numbers, in fp32.
std::shared_ptr<Tensor> unpacked(const ScaledOperand& operand, const Tensor& from);
// Scales are [.., rows or columns, groups].
void applyScales(const ScaledOperand& operand, Tensor& values, const Tensor& scales);

} // namespace gluond::simulate
