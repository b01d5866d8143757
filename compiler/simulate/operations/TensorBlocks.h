// Blocks of a tensor in global memory, as descriptors name them.
//
// A block is moved element by element of its logical tensor; the buffer's encoding puts each where
// the hardware's swizzle does. What lies outside of the tensor is filled when it is read, and
// dropped when it is written.
#pragma once

#include "simulate/operations/GlobalAccess.h"
#include "simulate/values/Formats.h"

namespace gluond::simulate {

// Calls visit(element of the block, address) for the elements of a block that are in the tensor,
// a row of neighbours at a time: visit(first element, address, count).
template <class Visit>
Step forEachPiece(const TensorDescriptor& descriptor, llvm::ArrayRef<int64_t> block,
                  llvm::ArrayRef<int64_t> from, Visit visit) {
  size_t rank = block.size();
  Shape index(rank, 0);
  auto inner = block[rank - 1];
  // The part of a row that is in the tensor.
  int64_t first = std::clamp<int64_t>(-from[rank - 1], 0, inner);
  int64_t last = std::clamp<int64_t>(descriptor.shape[rank - 1] - from[rank - 1], 0, inner);
  size_t rows = 1;
  for (size_t d = 0; d + 1 < rank; ++d)
    rows *= static_cast<size_t>(block[d]);
  for (size_t row = 0; row < rows; ++row) {
    bool isInside = last > first;
    int64_t address = static_cast<int64_t>(descriptor.base);
    for (size_t d = 0; d + 1 < rank && isInside; ++d) {
      int64_t at = from[d] + index[d];
      isInside = at >= 0 && at < descriptor.shape[d];
      address += at * descriptor.strides[d];
    }
    if (isInside) {
      address += (from[rank - 1] + first) * descriptor.strides[rank - 1];
      Step step = visit(row * static_cast<size_t>(inner) + static_cast<size_t>(first),
                        static_cast<uint64_t>(address), static_cast<size_t>(last - first));
      if (step != Step::Next) return step;
    }
    for (size_t d = rank - 1; d-- > 0;) {
      if (++index[d] < block[d]) break;
      index[d] = 0;
    }
  }
  return Step::Next;
}

// Zeros, or NaN where the descriptor says so.
void fillOutside(const TensorDescriptor& descriptor, Tensor& block);
// Applies the descriptor's conversion to the numbers that were read.
void roundBlock(const TensorDescriptor& descriptor, Tensor& block);
// The block that begins at `from`.
Step readBlock(Execution& x, const TensorDescriptor& descriptor, llvm::ArrayRef<int64_t> from,
               llvm::ArrayRef<int64_t> shape, Tensor& block);
// Row rows[i] of the tensor, from a column on, as row i of the block.
Step readRows(Execution& x, const TensorDescriptor& descriptor, const Tensor& rows, int64_t column,
              Tensor& block);
Step writeRows(Execution& x, const TensorDescriptor& descriptor, const Tensor& rows, int64_t column,
               const Tensor& block);

// Calls put(memory, elements, count) for what is written of the block.
template <class Put>
Step writeBlock(Execution& x, const TensorDescriptor& descriptor, llvm::ArrayRef<int64_t> from,
                llvm::ArrayRef<int64_t> shape, const Tensor& block, GlobalUse use, Put put) {
  unsigned bytes = bytesOf(block.element());
  NotedRuns noted(x, use);
  Step step =
      forEachPiece(descriptor, shape, from, [&](size_t element, uint64_t address, size_t count) {
        std::byte* memory = x.machine.at(x.state, address, count * bytes);
        if (!memory)
          return x.fail(Id::SimulatedOutOfBounds, "this access writes", x.machine.describe(address),
                        element);
        const std::byte* elements = block.data() + element * bytes;
        noted.add(address, count * bytes, elements);
        put(memory, elements, count);
        return Step::Next;
      });
  noted.note();
  return step;
}

} // namespace gluond::simulate
