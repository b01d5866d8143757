// How the addresses of a tensor of pointers step along each of its dimensions, read off the
// arithmetic that made them: in `ptr + rows[:, None] * stride + cols[None, :]` dimension 0 steps by
// `stride`, dimension 1 by one element.
#pragma once

#include <llvm/ADT/SmallVector.h>
#include <mlir/IR/Value.h>

#include <optional>

namespace gluond::lints {

// Of one dimension. `known` elements; otherwise a multiple of run-time values, taken to be large.
// One of size 1 has the stride at which it would go on.
struct Stride {
  bool isKnown = true;
  int64_t known = 0;
  bool isData = false; // steps as loaded indices do, not known: anywhere
};
using Strides = llvm::SmallVector<Stride, 4>;

// Nothing where an address depends on more than affine arithmetic of the indices, loaded or not: on
// xor, division.
std::optional<Strides> stridesOf(mlir::Value pointersOrOffsets);

// What stands for a stride that is only known at run time: a multiple of 16 elements, and larger
// than any sector.
constexpr int64_t largeStride = 16 * 1031;

} // namespace gluond::lints
