// Layouts of the block scales that AMD's scaled matrix instructions read from registers.
//
// Shapes are those of the scale tensors: [M, K / 32] for operand 0 and [N, K / 32] for operand 1
// (or / 16).
#pragma once

#include "layout/tolinear/ToLinearLayout.h"

namespace gluond::layout {

// gl.amd.cdna4.get_mfma_scale_layout
struct MfmaScales {
  unsigned operand = 0;
  unsigned mDim = 32; // of the instruction: 32 or 16
  Ints tilesPerWarp, warpsPerCTA;
};
OrError<LinearLayout> mfmaScaleLayout(const MfmaScales& scales, Shape shape);

// gl.amd.cdna5.get_wmma_scale_layout
struct WmmaScales {
  unsigned operand = 0;
  unsigned mDim = 16, nDim = 16;
  bool isTransposed = false;
  unsigned scaleFactor = 32; // elements that share a scale: 32 or 16
  LinearLayout ctaLayout;    // register, warp -> tiles of the result
  LinearLayout CGALayout;    // of the scale tensor
};
OrError<LinearLayout> wmmaScaleLayout(const WmmaScales& scales, Shape shape);

} // namespace gluond::layout
