// Shared memory layouts chosen for AMD's matrix units.
#pragma once

#include "layout/ToLinearLayout.h"

namespace gluond::layout {

// A padded layout for an operand that CDNA4 copies to shared memory asynchronously and reads into
// `operand`, a dot operand of an MFMA layout: what
// gl.amd.cdna4.compute_efficient_padded_shared_layout gives. On this chip a wave's 64 lanes write
// contiguously, 16 bytes each, so padding can stand only between such writes, and rows are dealt
// out over the writes such that rows read together start in different banks. Nothing where that
// cannot be done (shape, kWidth, element size).
std::optional<Layout> cdna4PaddedLayout(const Layout& operand, Shape shape, unsigned elementBits,
                                        bool kContiguous);

// The layout of one scale for every `elementsPerScale` elements along `axis` of a tensor with
// layout `output`, such that each thread has the scales of its own elements. With `compact`,
// without registers that would only repeat a scale.
std::optional<LinearLayout> upcastScaleLayout(const LinearLayout& output, unsigned axis,
                                              int64_t elementsPerScale, bool compact = true);

} // namespace gluond::layout
