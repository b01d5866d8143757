// The matrix units' view of operands in shared memory: tiles of 8 rows by 16, 32, 64 or 128 bytes,
// whose 16-byte pieces are swizzled.
#pragma once

#include "layout/linear/LinearLayout.h"

#include <optional>

namespace gluond::ttng {

struct SharedMatrix {
  unsigned swizzleBytes = 0;
  bool transposed = false; // dimension 0 is contiguous
  bool fp4Padded = false;
  layout::LinearLayout tile; // dim0, dim1 -> offset in elements
};

// Analyses a buffer with elements at `offsets` (dim0, dim1 -> offset, block), counted in elements
// of `bits`; 4-bit elements are two for each of 8 bits along the contiguous dimension. Returns
// nullopt if the buffer does not consist of such tiles.
std::optional<SharedMatrix> sharedMatrixOf(const layout::LinearLayout& offsets, unsigned bits);

// Returns the layout of a byte buffer with two 4-bit elements per byte, for 4-bit elements.
layout::LinearLayout asFp4(const layout::LinearLayout& offsets);

} // namespace gluond::ttng
