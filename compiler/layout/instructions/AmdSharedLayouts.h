// Shared memory layouts chosen for AMD's matrix units.
#pragma once

#include "layout/tolinear/ToLinearLayout.h"

namespace gluond::layout {

// A dot operand of an MFMA layout.
struct MfmaOperand {
  unsigned index = 0;     // 0 for the left one
  int64_t kWidth = 8;     // consecutive elements along K per lane
  int64_t nonK = 16;      // rows or columns of the instruction
  LinearLayout CGALayout; // of the operand
};

// A padded layout for an operand that CDNA4 copies to shared memory asynchronously and reads into
// registers: the result of gl.amd.cdna4.compute_efficient_padded_shared_layout. On this chip a
// wave's 64 lanes write contiguously, 16 bytes each, so padding is only possible between such
// writes, and rows are distributed over the writes such that rows read together begin in different
// banks. Returns nullopt if that is impossible (shape, kWidth, element size).
std::optional<Layout> cdna4PaddedLayout(const MfmaOperand& operand, Shape shape,
                                        unsigned elementBits, bool kContiguous);

} // namespace gluond::layout
