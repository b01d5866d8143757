#include "passes/memory/TensorMemory.h"

#include "chips/MemorySizes.h"
#include "ir/ttng/Ops.h"
#include "ir/ttng/TensorMemory.h"

#include <llvm/ADT/DenseSet.h>
#include <llvm/ADT/EquivalenceClasses.h>
#include <llvm/Support/MathExtras.h>

namespace gluond::passes {
using namespace mlir;

namespace {

constexpr int64_t rowsOfHalf = chips::halfTensorMemoryRows, halves = 2, columnAlignment = 4;
// The first row of the second half, of each warp's rows.
constexpr int64_t secondHalf = chips::tensorMemoryRowsOfWarp / halves;

} // namespace

TensorMemory::TensorMemory(Operation* function) {
  function->walk<WalkOrder::PreOrder>([&](ttng::TMEMAllocOp op) {
    ttng::TMemAllocation size = ttng::getTmemAllocSizes(op.getType());
    buffers_.push_back({op, {}, size.numCols, std::max<int64_t>(1, size.numRows / rowsOfHalf)});
  });
  if (buffers_.empty()) return;

  BufferLifetimes lifetimes(function);
  for (auto [i, buffer] : llvm::enumerate(buffers_)) {
    unsigned begin = lifetimes.of(buffer.op).begin;
    unsigned last =
        lifetimes.follow(buffer.op->getResult(0), buffer.op->getParentRegion(), [&](Value value) {
          llvm::SmallVector<unsigned, 2>& known = pointed_[value];
          if (llvm::is_contained(known, i)) return false;
          known.push_back(static_cast<unsigned>(i));
          return true;
        });
    buffer.lives = lifetimes.withPartitions(buffer.op, {begin, std::max(begin, last)});
  }

  // An instruction that reads its operand from half of the rows writes its result to the same rows.
  llvm::EquivalenceClasses<unsigned> sameRows;
  function->walk([&](ttng::MMAv5OpInterface op) {
    auto a = dyn_cast<ttg::MemDescType>(op.getA().getType());
    if (!a || !isa<ttng::TensorMemoryEncodingAttr>(a.getEncoding()) ||
        ttng::getTmemAllocSizes(a).numRows != rowsOfHalf)
      return;
    for (unsigned from : pointed_.lookup(op.getA()))
      for (unsigned to : pointed_.lookup(op.getD()))
        sameRows.unionSets(from, to);
  });

  // Places buffers in program order, each at the first column that is free during its lifetime.
  llvm::DenseMap<unsigned, int64_t> halfOf; // by the leader of its class
  for (unsigned i = 0; i < buffers_.size(); ++i) {
    Buffer& buffer = buffers_[i];
    auto member = sameRows.findLeader(i);
    std::optional<unsigned> leader;
    if (member != sameRows.member_end()) leader = *member;
    auto wanted = leader ? halfOf.find(*leader) : halfOf.end();
    auto fits = [&] {
      for (buffer.half = 0; buffer.half + buffer.halves <= halves; ++buffer.half)
        if ((wanted == halfOf.end() || wanted->second == buffer.half || buffer.halves == halves) &&
            llvm::none_of(llvm::ArrayRef(buffers_).take_front(i), [&](const Buffer& other) {
              return buffer.lives.overlaps(other.lives) && buffer.shares(other);
            }))
          return true;
      return false;
    };
    // It fits where another one ends, or else after all of them.
    llvm::SmallVector<int64_t> starts{0};
    for (const Buffer& other : llvm::ArrayRef(buffers_).take_front(i))
      starts.push_back(
          static_cast<int64_t>(llvm::alignTo(other.column + other.columns, columnAlignment)));
    llvm::sort(starts);
    for (int64_t start : starts) {
      buffer.column = start;
      if (fits()) break;
    }
    if (leader) halfOf.try_emplace(*leader, buffer.half);
    places_[buffer.op] = {buffer.column, buffer.half * secondHalf};
    columns_ = std::max(columns_, buffer.column + buffer.columns);
  }
}

int64_t TensorMemory::allocatedColumns() const {
  constexpr int64_t least = 32;
  if (!columns_) return 0;
  return std::max<int64_t>(
      least, static_cast<int64_t>(llvm::PowerOf2Ceil(static_cast<uint64_t>(columns_))));
}

llvm::ArrayRef<unsigned> TensorMemory::pointedBy(Value descriptor) const {
  auto found = pointed_.find(descriptor);
  return found == pointed_.end() ? llvm::ArrayRef<unsigned>() : found->second;
}

bool TensorMemory::share(unsigned one, unsigned other) const {
  return buffers_[one].shares(buffers_[other]);
}

} // namespace gluond::passes
