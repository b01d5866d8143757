// What a memory descriptor type demands of its layout and shapes, beyond the layout being
// well-formed: the rules that Triton's MemDescType verifier applies to the type of
// gl.allocate_shared_memory(...), of a tensor memory allocation and of views.
#pragma once

#include "layout/tolinear/ToLinearLayout.h"

namespace gluond::layout {

// Nothing when the descriptor is fine. The error's field is "shape", "allocShape", "elementType" or
// a field of the layout.
std::optional<LayoutError> checkMemory(const Layout& layout, const MemoryView& view);

// Rows (lanes) and 32-bit columns of tensor memory to reserve.
struct TensorMemorySize {
  int64_t rows, columns;
};
OrError<TensorMemorySize> tensorMemorySize(const Layout& layout, const MemoryView& view);

// The place of element `offset` of a padded buffer, in elements: each interval that is complete
// before it adds its padding.
int64_t paddedOffset(const PaddedShared& layout, int64_t offset);

} // namespace gluond::layout
