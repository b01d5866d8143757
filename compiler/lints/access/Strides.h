// Finds how far the addresses of a tensor of pointers advance along each of its dimensions, from
// the arithmetic that made them: in `ptr + rows[:, None] * stride + cols[None, :]` dimension 0
// advances by `stride`, dimension 1 by one element.
#pragma once

#include <llvm/ADT/SmallVector.h>
#include <mlir/IR/Value.h>

#include <optional>

namespace gluond::lints {

// The stride of one dimension: `known` elements, or else a multiple of run-time values, assumed to
// be large. A dimension of size 1 has the stride with which it would continue.
struct Stride {
  bool isKnown = true;
  int64_t known = 0;
  bool isData = false; // determined by loaded indices, not known
};
using Strides = llvm::SmallVector<Stride, 4>;

// Returns nullopt if an address depends on more than affine arithmetic of the indices, loaded or
// not: on xor, division.
std::optional<Strides> stridesOf(mlir::Value pointersOrOffsets);

// Represents a stride that is only known at run time: a multiple of 16 elements, and larger than
// any sector.
constexpr int64_t largeStride = int64_t{16} * 1031;

// Elements between neighbors; as far as can be where all have the same address.
int64_t distance(const Stride& stride);

} // namespace gluond::lints
