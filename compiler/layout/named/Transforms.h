// Steps of the conversion from a named layout to a linear one. Outputs are always dim0, dim1,
// ...
//
// If an argument is not valid (a shape that is no power of two, a missing dimension), the result is
// an invalid layout.
#pragma once

#include "layout/named/Layout.h"

namespace gluond::layout {

using Shape = llvm::ArrayRef<int64_t>;
using ShapeVector = llvm::SmallVector<int64_t, 4>;

// Repeats the layout in its first input (register, offset) until it covers the shape, filling the
// outputs in their order. `shape` is indexed by tensor dimension, not by the position of the
// output.
LinearLayout ensureNotSmallerThan(LinearLayout layout, Shape shape);

// Cuts the outputs down to the shape: a coordinate beyond it becomes 0, so its bit replicates. With
// `dropRegisters` a register basis that becomes zero is removed instead.
LinearLayout ensureNotLargerThan(const LinearLayout& layout, Shape shape,
                                 bool dropRegisters = false);

// Takes one CTA's tile, repeats or cuts it to a CTA's part of the shape, and distributes it over
// the CTAs. Outputs of the result are in the order dim0, dim1, ...; the output order of ctaTile
// says in which dimension repetitions advance first.
LinearLayout combineCtaAndCga(LinearLayout ctaTile, const LinearLayout& cga, Shape shape,
                              bool dropRegisters = false);

// Drops dimension `dim` of the tensor and renumbers those above.
LinearLayout removeTensorDim(const LinearLayout& layout, unsigned dim);
// Reshapes the tensor, with its last dimension fastest as in row-major order.
LinearLayout reshapeTensor(const LinearLayout& layout, Shape shape);
// Transposes the tensor: output i is what output order[i] was (by position, the names stay).
LinearLayout transposeTensor(const LinearLayout& layout, llvm::ArrayRef<unsigned> order);
// Inserts a dimension of size 1 at `dim`, as expand_dims does on a slice's parent.
LinearLayout insertTensorDim(const LinearLayout& layout, unsigned dim);

// The longest run of consecutive elements: the largest n <= most such that layout = identity1D(n,
// in, out) * rest.
struct IdentityPrefix {
  int64_t size;
  LinearLayout rest;
};
IdentityPrefix divideIdentityPrefix(const LinearLayout& layout, Dim in, Dim out, int64_t most);

// Returns the order of a batch of matrices: [.., m, n] with n (row major) or m fastest, followed by
// the batch dimensions.
Order matrixOrder(unsigned rank, bool rowMajor);
// The same for a dot operand: [.., m, k] or [.., k, n], with k or the other one fastest.
Order dotOperandOrder(unsigned opIdx, unsigned rank, bool kContiguous);
// Returns dim<order[0]>, dim<order[1]>, ...
Dims dimsInOrder(llvm::ArrayRef<unsigned> order);

// Returns each CTA's part; a shape with more dimensions than `split` has extra leading ones
// (pipeline stages).
ShapeVector shapePerCta(llvm::ArrayRef<int32_t> split, Shape shape);

bool isPowerOfTwoShape(Shape shape);

} // namespace gluond::layout
