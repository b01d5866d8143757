#include "passes/memory/SharedMemory.h"

#include "ir/layouts/Layouts.h"
#include "ir/ttg/Ops.h"
#include "passes/memory/BufferLifetimes.h"

#include <llvm/Support/MathExtras.h>

namespace gluond::passes {
using namespace mlir;

int64_t sharedBytes(Type type) {
  auto memory = cast<ttg::MemDescType>(type);
  llvm::SmallVector<int64_t> shape =
      ttg::getShapePerCTA(memory.getEncoding(), memory.getAllocShape());
  int64_t elements = 1;
  for (int64_t size : shape)
    elements *= size;
  if (ttg::PaddedSharedEncodingAttr padded = ttg::getPaddedEncoding(memory.getEncoding())) {
    int64_t more = 0;
    for (auto [interval, padding] : llvm::zip(padded.getIntervals(), padded.getPaddings())) {
      more += elements / interval * padding;
      if (elements % interval == 0) more -= padding; // there is no padding after the last element
    }
    elements += std::max<int64_t>(more, 0);
  }
  unsigned bits = tt::bitWidth(memory.getElementType());
  return elements * std::max(8u, bits) / 8;
}

SharedMemory::SharedMemory(Operation* function, ScratchBytes scratch) {
  BufferLifetimes lifetimes(function);
  function->walk<WalkOrder::PreOrder>([&](Operation* op) {
    if (op == function) return;
    unsigned begin = lifetimes.of(op).begin;
    SharedBuffer buffer{.op = op, .begin = begin, .end = begin};
    if (auto alloc = dyn_cast<ttg::LocalAllocOp>(op)) {
      buffer.bytes = sharedBytes(alloc.getType());
      auto encoding = dyn_cast<ttg::SharedEncodingTrait>(alloc.getType().getEncoding());
      buffer.alignment = alloc.getAlignment().value_or(encoding ? encoding.getAlignment() : 16);
    } else if (int64_t bytes = scratch(op)) {
      buffer.bytes = bytes;
      buffer.isScratch = true;
      buffer.alignment = 128;
    }
    if (!buffer.bytes) return;
    byOp_[op] = static_cast<unsigned>(buffers_.size());
    buffers_.push_back(buffer);
  });
  auto follow = [&](unsigned index, Value from, Region* home) {
    unsigned last = lifetimes.follow(from, home, [&](Value value) {
      llvm::SmallVector<unsigned, 2>& known = pointed_[value];
      if (llvm::is_contained(known, index)) return false;
      known.push_back(index);
      return true;
    });
    buffers_[index].end = std::max(buffers_[index].end, last);
  };
  for (unsigned i = 0; i < buffers_.size(); ++i)
    if (!buffers_[i].isScratch)
      follow(i, buffers_[i].op->getResult(0), buffers_[i].op->getParentRegion());
  for (Value argument : function->getRegion(0).getArguments())
    if (isa<ttg::MemDescType>(argument.getType())) {
      buffers_.emplace_back();
      follow(static_cast<unsigned>(buffers_.size() - 1), argument, &function->getRegion(0));
    }
  for (SharedBuffer& buffer : buffers_)
    if (buffer.op) {
      auto [begin, end] = lifetimes.withPartitions(buffer.op, {buffer.begin, buffer.end});
      buffer.begin = begin;
      buffer.end = end;
    }
  place();
}

const SharedBuffer* SharedMemory::of(Operation* op) const {
  auto found = byOp_.find(op);
  return found == byOp_.end() ? nullptr : &buffers_[found->second];
}

llvm::ArrayRef<unsigned> SharedMemory::pointedBy(Value descriptor) const {
  auto found = pointed_.find(descriptor);
  return found == pointed_.end() ? llvm::ArrayRef<unsigned>() : found->second;
}

void SharedMemory::place() {
  // Places the largest first, each at the lowest address that is free during its lifetime.
  std::vector<SharedBuffer*> order;
  for (SharedBuffer& buffer : buffers_)
    if (!buffer.isCallers()) order.push_back(&buffer);
  llvm::sort(order, [](const SharedBuffer* a, const SharedBuffer* b) {
    return a->bytes != b->bytes ? a->bytes > b->bytes : a < b;
  });
  std::vector<SharedBuffer*> placed;
  for (SharedBuffer* buffer : order) {
    llvm::SmallVector<std::pair<int64_t, int64_t>> taken;
    for (SharedBuffer* other : placed)
      if (other->begin <= buffer->end && buffer->begin <= other->end)
        taken.push_back({other->offset, other->offset + other->bytes});
    llvm::sort(taken);
    int64_t offset = 0;
    for (auto [begin, end] : taken) {
      if (offset + buffer->bytes <= begin) break;
      offset = std::max(offset, static_cast<int64_t>(llvm::alignTo(end, buffer->alignment)));
    }
    buffer->offset = offset;
    bytes_ = std::max(bytes_, offset + buffer->bytes);
    placed.push_back(buffer);
  }
}

} // namespace gluond::passes
