#include "passes/memory/SharedMemory.h"

#include "ir/layouts/Layouts.h"
#include "ir/ttg/Ops.h"
#include "passes/memory/BufferLifetimes.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/Support/MathExtras.h>

#include <map>

namespace gluond::passes {
using namespace mlir;

namespace {

// No kernel that fits into the shared memory of a chip has so many buffers at the same time. In
// others, a buffer with more beside it lies above all: looking for a gap would take a time that
// grows with their square.
constexpr size_t mostBeside = 512;

// Buffers by the points at which they live: those that live beside another one are found without
// looking at all others.
class Lifetimes {
public:
  // All buffers that may be added.
  explicit Lifetimes(llvm::ArrayRef<SharedBuffer*> all) {
    for (const SharedBuffer* buffer : all)
      points_.push_back(buffer->begin);
    llvm::sort(points_);
    points_.erase(std::unique(points_.begin(), points_.end()), points_.end());
    living_.resize(2 * points_.size());
  }

  void add(const SharedBuffer& buffer) {
    beginning_[buffer.begin].push_back(&buffer);
    // A segment tree over the points.
    size_t from = points_.size() + place(buffer.begin), to = points_.size() + after(buffer.end);
    for (; from < to; from /= 2, to /= 2) {
      if (from % 2) living_[from++].push_back(&buffer);
      if (to % 2) living_[--to].push_back(&buffer);
    }
  }

  // Visits those that live at a point at which `buffer` does, until `visit` returns false.
  bool forEachBeside(const SharedBuffer& buffer,
                     llvm::function_ref<bool(const SharedBuffer&)> visit) const {
    auto visitAll = [&](const Buffers& buffers) {
      return llvm::all_of(buffers, [&](const SharedBuffer* each) { return visit(*each); });
    };
    for (size_t node = points_.size() + place(buffer.begin); node > 0; node /= 2)
      if (!visitAll(living_[node])) return false;
    for (auto it = beginning_.upper_bound(buffer.begin);
         it != beginning_.end() && it->first <= buffer.end; ++it)
      if (!visitAll(it->second)) return false;
    return true;
  }

private:
  using Buffers = llvm::SmallVector<const SharedBuffer*, 1>;
  size_t place(unsigned point) const {
    return static_cast<size_t>(llvm::lower_bound(points_, point) - points_.begin());
  }
  size_t after(unsigned point) const {
    return static_cast<size_t>(llvm::upper_bound(points_, point) - points_.begin());
  }

  std::vector<unsigned> points_; // at which a buffer begins
  std::vector<Buffers> living_;  // by node of the tree
  std::map<unsigned, Buffers> beginning_;
};

} // namespace

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
  Lifetimes placed(order);
  for (SharedBuffer* buffer : order) {
    llvm::SmallVector<std::pair<int64_t, int64_t>> taken;
    bool isCrowded = !placed.forEachBeside(*buffer, [&](const SharedBuffer& other) {
      taken.push_back({other.offset, other.offset + other.bytes});
      return taken.size() < mostBeside;
    });
    llvm::sort(taken);
    int64_t offset = 0;
    for (auto [begin, end] : taken) {
      if (offset + buffer->bytes <= begin) break;
      offset = std::max(offset, static_cast<int64_t>(llvm::alignTo(end, buffer->alignment)));
    }
    if (isCrowded) offset = static_cast<int64_t>(llvm::alignTo(bytes_, buffer->alignment));
    buffer->offset = offset;
    bytes_ = std::max(bytes_, offset + buffer->bytes);
    placed.add(*buffer);
  }
}

} // namespace gluond::passes
