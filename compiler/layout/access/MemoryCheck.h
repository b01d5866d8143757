// The rules for a memory descriptor type beyond a well-formed layout: those of Triton's MemDescType
// verifier for the type of gl.allocate_shared_memory(...), of a tensor memory allocation and of
// views.
#pragma once

#include "layout/tolinear/ToLinearLayout.h"

namespace gluond::layout {

// Returns nullopt if the descriptor is valid. The error's field is "shape", "allocShape",
// "elementType" or a field of the layout.
std::optional<LayoutError> checkMemory(const Layout& layout, const MemoryView& view);

// Rows (lanes) and 32-bit columns of tensor memory to reserve.
struct TensorMemorySize {
  int64_t rows, columns;
};
OrError<TensorMemorySize> tensorMemorySize(const Layout& layout, const MemoryView& view);

// Returns the place of element `offset` in a padded buffer, in elements: each complete interval
// before it adds its padding.
int64_t paddedOffset(const PaddedShared& layout, int64_t offset);

} // namespace gluond::layout
