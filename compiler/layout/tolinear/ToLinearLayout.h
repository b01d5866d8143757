// From a named layout and a shape to the linear layout of that tensor: exactly Triton 3.9.0's
// toLinearLayout.
//
// Results have these inputs, in this order, and outputs dim0 .. dim<rank-1> whose sizes are the
// shape:
//     distributed      register, lane, warp, block
//     shared memory    offset, block         (partitioned: offset, block, partition)
//     tensor memory    row, col, block       in elements of the tensor's type along a column
//
// A layout smaller than the shape is repeated (in registers or offsets), a larger one replicates.
// Errors tell what does not fit: rank, a size that is no power of two, a block that is too small
// for its tile. Takes one to two microseconds and allocates nothing for common layouts; callers
// that ask repeatedly for the same pair may keep the answer. Pure functions; any thread.
#pragma once

#include "layout/named/Transforms.h"

namespace gluond::layout {

OrError<LinearLayout> toLinearLayout(const Layout& layout, Shape shape);

// A memory descriptor may be a view of a larger allocation, and may have a leading dimension of
// pipeline stages, which the layout does not describe. Shared memory: the layout of the allocation
// (views are trimmed by inverting it). Tensor memory: cut to the view.
struct MemoryView {
  Shape shape, allocShape;
  unsigned elementBits = 32;
};
OrError<LinearLayout> viewToLinearLayout(const Layout& layout, const MemoryView& view);
// `shape` without leading dimensions that the layout does not have.
Shape withoutPipelineDims(const Layout& layout, Shape shape);

// The block that one TMA instruction moves for this layout, given what a CTA owns: at most 256
// along a dimension, exactly the swizzle width along the contiguous one. With `packed`, in stored
// elements where fp4 padding counts double otherwise.
OrError<ShapeVector> tmaBlockShape(const NvmmaShared& layout, Shape perCta, bool packed);

} // namespace gluond::layout
