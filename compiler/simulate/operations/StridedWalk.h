// Walks over the elements of a box.
#pragma once

#include "simulate/values/Value.h"

#include <cstring>

namespace gluond::simulate {

inline Shape rowMajor(llvm::ArrayRef<int64_t> shape) {
  Shape strides(shape.size(), 1);
  for (size_t d = shape.size(); d-- > 1;)
    strides[d - 1] = strides[d] * shape[d];
  return strides;
}

// Calls visit(offset, first, count, stride) for each row of the innermost dimension: its elements
// lie from `offset` on, `stride` apart, and are the elements from `first` on in row-major order.
template <class Visit>
void forEachRow(llvm::ArrayRef<int64_t> shape, llvm::ArrayRef<int64_t> strides, Visit visit) {
  size_t rank = shape.size();
  if (rank == 0) return visit(int64_t(0), size_t(0), size_t(1), int64_t(1));
  Shape index(rank, 0);
  int64_t offset = 0;
  auto inner = static_cast<size_t>(shape[rank - 1]);
  size_t total = 1;
  for (int64_t extent : shape)
    total *= static_cast<size_t>(extent);
  for (size_t first = 0; first < total; first += inner) {
    visit(offset, first, inner, strides[rank - 1]);
    for (size_t d = rank - 1; d-- > 0;) {
      offset += strides[d];
      if (++index[d] < shape[d]) break;
      offset -= strides[d] * shape[d];
      index[d] = 0;
    }
  }
}

// Fills `to` with elements that lie `strides` elements apart.
void gather(const std::byte* from, llvm::ArrayRef<int64_t> strides, Tensor& to);

} // namespace gluond::simulate
