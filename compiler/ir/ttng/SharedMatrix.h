// How matrix units see operands in shared memory: as tiles of 8 rows by 16, 32, 64 or 128 bytes,
// whose 16-byte pieces the swizzle moves about.
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

// Of a buffer whose elements lie at `offsets` (dim0, dim1 -> offset, block), counted in elements of
// `bits`; elements of 4 bits are two for each of 8 along the contiguous dimension. Nothing where
// the buffer does not consist of such tiles.
std::optional<SharedMatrix> sharedMatrixOf(const layout::LinearLayout& offsets, unsigned bits);

// The layout of a buffer of bytes that hold two elements of 4 bits each, as one of those elements.
layout::LinearLayout asFp4(const layout::LinearLayout& offsets);

} // namespace gluond::ttng
