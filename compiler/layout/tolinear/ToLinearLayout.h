// Converts a named layout and a shape to the linear layout of that tensor, exactly as Triton
// 3.9.0's toLinearLayout.
//
// Results have these inputs, in this order, and outputs dim0 .. dim<rank-1> whose sizes are the
// shape:
//     distributed      register, lane, warp, block
//     shared memory    offset, block         (partitioned: offset, block, partition)
//     tensor memory    row, col, block       in elements of the tensor's type along a column
//
// A layout smaller than the shape is repeated (in registers or offsets), a larger one replicates.
// Errors say what does not fit: rank, a size that is no power of two, a block that is too small for
// its tile. It takes one to two microseconds without allocation for common layouts; callers that
// repeat a query may cache the result. Pure functions; thread-safe.
#pragma once

#include "layout/named/Transforms.h"

namespace gluond::layout {

OrError<LinearLayout> toLinearLayout(const Layout& layout, Shape shape);

// A memory descriptor may be a view of a larger allocation, and may have a leading dimension of
// pipeline stages, which the layout does not describe. For shared memory the result is the layout
// of the allocation (views are trimmed by inverting it), for tensor memory it is cut to the view.
struct MemoryView {
  Shape shape, allocShape;
  unsigned elementBits = 32;
};
OrError<LinearLayout> viewToLinearLayout(const Layout& layout, const MemoryView& view);
// Returns `shape` without leading dimensions that the layout does not have.
Shape withoutPipelineDims(const Layout& layout, Shape shape);

// Returns the block that one TMA instruction moves for this layout, given a CTA's part: at most 256
// along a dimension, exactly the swizzle width along the contiguous one. With `packed`, it counts
// stored elements, otherwise fp4 padding counts double.
OrError<ShapeVector> tmaBlockShape(const NvmmaShared& layout, Shape perCta, bool packed);

} // namespace gluond::layout
