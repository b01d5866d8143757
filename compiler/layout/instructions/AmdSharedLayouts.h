// Shared memory layouts chosen for AMD's matrix units.
#pragma once

#include "layout/tolinear/ToLinearLayout.h"

namespace gluond::layout {

// A dot operand of an MFMA layout.
struct MfmaOperand {
  unsigned index = 0;     // 0: the left one
  int64_t kWidth = 8;     // consecutive elements along K that a lane holds
  int64_t nonK = 16;      // the instruction's rows or columns
  LinearLayout CGALayout; // of the operand
};

// A padded layout for an operand that CDNA4 copies to shared memory asynchronously and reads into
// registers: what gl.amd.cdna4.compute_efficient_padded_shared_layout gives. On this chip a wave's
// 64 lanes write contiguously, 16 bytes each, so padding can stand only between such writes, and
// rows are dealt out over the writes such that rows read together start in different banks. Nothing
// where that cannot be done (shape, kWidth, element size).
std::optional<Layout> cdna4PaddedLayout(const MfmaOperand& operand, Shape shape,
                                        unsigned elementBits, bool kContiguous);

} // namespace gluond::layout
