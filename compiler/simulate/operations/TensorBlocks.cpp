#include "simulate/operations/TensorBlocks.h"

#include <limits>

namespace gluond::simulate {

void fillOutside(const TensorDescriptor& descriptor, Tensor& block) {
  if (!descriptor.nanPadding) {
    std::memset(block.data(), 0, block.bytes());
    return;
  }
  unsigned bytes = bytesOf(block.element());
  for (size_t i = 0; i < block.count(); ++i)
    storeNumber(block.element(), std::numeric_limits<double>::quiet_NaN(),
                block.data() + i * bytes);
}

void roundBlock(const TensorDescriptor& descriptor, Tensor& block) {
  if (!descriptor.roundsToTf32 || block.element() != Element::F32) return;
  for (size_t i = 0; i < block.count(); ++i)
    block.as<float>()[i] = roundedToTf32(block.as<float>()[i]);
}

// Fills a block with the elements that `forEach` visits: pieces of memory, one after the other.
template <class ForEach>
static Step fill(Execution& x, const TensorDescriptor& descriptor, Tensor& block, ForEach forEach) {
  fillOutside(descriptor, block);
  unsigned bytes = bytesOf(block.element());
  NotedRuns noted(x, GlobalUse::Reads);
  Step step = forEach([&](size_t element, uint64_t address, size_t count) {
    std::byte* memory = x.machine.at(x.state, address, count * bytes, Machine::Use::Read);
    if (!memory)
      return x.fail(Id::SimulatedOutOfBounds, "this access reads", x.machine.describe(address),
                    element);
    noted.add(address, count * bytes);
    std::memcpy(block.data() + element * bytes, memory, count * bytes);
    return Step::Next;
  });
  noted.note();
  roundBlock(descriptor, block);
  return step;
}

Step readBlock(Execution& x, const TensorDescriptor& descriptor, llvm::ArrayRef<int64_t> from,
               llvm::ArrayRef<int64_t> shape, Tensor& block) {
  return fill(x, descriptor, block,
              [&](auto visit) { return forEachPiece(descriptor, shape, from, visit); });
}

// Row `i` of the buffer and row x_offsets[i] of the tensor, from column y_offset on.
template <class Visit>
static Step forEachRowOf(Execution& x, const TensorDescriptor& descriptor, const Tensor& rows,
                         int64_t column, size_t width, Visit visit) {
  unsigned bytes = bytesOf(rows.element());
  for (size_t i = 0; i < rows.count(); ++i) {
    int64_t row = integerAt(rows.element(), rows.data() + i * bytes);
    Shape from{row, column}, block{1, static_cast<int64_t>(width)};
    Step step =
        forEachPiece(descriptor, block, from, [&](size_t element, uint64_t address, size_t count) {
          return visit(i * width + element, address, count);
        });
    if (step != Step::Next) return step;
  }
  return Step::Next;
}

Step readRows(Execution& x, const TensorDescriptor& descriptor, const Tensor& rows, int64_t column,
              Tensor& block) {
  auto width = static_cast<size_t>(block.shape().back());
  return fill(x, descriptor, block,
              [&](auto visit) { return forEachRowOf(x, descriptor, rows, column, width, visit); });
}

Step writeRows(Execution& x, const TensorDescriptor& descriptor, const Tensor& rows, int64_t column,
               const Tensor& block) {
  unsigned bytes = bytesOf(block.element());
  auto width = static_cast<size_t>(block.shape().back());
  NotedRuns noted(x, GlobalUse::Writes);
  Step step = forEachRowOf(x, descriptor, rows, column, width,
                           [&](size_t element, uint64_t at, size_t count) {
                             std::byte* memory = x.machine.at(x.state, at, count * bytes);
                             if (!memory)
                               return x.fail(Id::SimulatedOutOfBounds, "this access writes",
                                             x.machine.describe(at), element);
                             const std::byte* elements = block.data() + element * bytes;
                             noted.add(at, count * bytes, elements);
                             std::memcpy(memory, elements, count * bytes);
                             return Step::Next;
                           });
  noted.note();
  return step;
}

} // namespace gluond::simulate
