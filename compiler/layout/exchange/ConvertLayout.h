// The cost of gl.convert_layout between two distributed layouts of the same tensor.
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
  // Maps a place of the destination to the place of the source that has its element, without
  // dimensions on which it is the identity.
  LinearLayout map;
  int64_t bytes = 0;      // of the destination, including copies
  int64_t bytesMoved = 0; // the part of those that comes from another thread
  int64_t sharedBytes =
      0; // scratch in each CTA's shared memory, without padding (Warps and Blocks)
};

// Fails if the layouts are not for the same tensor. Triton's is_convert_layout_trivial is kind <=
// Registers.
OrError<ConversionCost> conversionCost(const LinearLayout& from, const LinearLayout& to,
                                       unsigned elementBits);

// Returns the map alone, or nullopt if the tensors differ.
std::optional<LinearLayout> minimalConversion(const LinearLayout& from, const LinearLayout& to);

} // namespace gluond::layout
