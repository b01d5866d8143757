// What gl.convert_layout between two distributed layouts of the same tensor costs.
#pragma once

#include "layout/tolinear/ToLinearLayout.h"

namespace gluond::layout {

enum class ConversionKind : uint8_t {
  Nothing,   // the same element is in the same place
  Registers, // within each thread: moves or renames of registers
  Lanes,     // within each warp: shuffles
  Warps,     // within each CTA: through shared memory and a barrier
  Blocks,    // between the CTAs of a cluster: through distributed shared memory
};
llvm::StringRef name(ConversionKind kind);

struct ConversionCost {
  ConversionKind kind = ConversionKind::Nothing;
  // From a place of the destination to the place of the source that has its element, without the
  // dimensions on which it is the identity.
  LinearLayout map;
  int64_t bytes = 0;      // of the destination, all copies included
  int64_t bytesMoved = 0; // of those, coming from another thread
  int64_t sharedBytes =
      0; // scratch in each CTA's shared memory, without padding (Warps and Blocks)
};

// Fails where the layouts are not of the same tensor. Triton's is_convert_layout_trivial is kind <=
// Registers.
OrError<ConversionCost> conversionCost(const LinearLayout& from, const LinearLayout& to,
                                       unsigned elementBits);

// The map alone: nothing where the tensors differ.
std::optional<LinearLayout> minimalConversion(const LinearLayout& from, const LinearLayout& to);

} // namespace gluond::layout
