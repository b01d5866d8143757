#include "passes/analysis/SharedMemory.h"

#include "ir/layouts/Layouts.h"
#include "ir/ttg/Ops.h"

#include <llvm/Support/MathExtras.h>
#include <mlir/Dialect/SCF/IR/SCF.h>
#include <mlir/Interfaces/ControlFlowInterfaces.h>

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
      if (elements % interval == 0) more -= padding; // none behind the last element
    }
    elements += std::max<int64_t>(more, 0);
  }
  unsigned bits = memory.getElementType().getIntOrFloatBitWidth();
  return elements * std::max(8u, bits) / 8;
}

SharedMemory::SharedMemory(Operation* function, ScratchBytes scratch) {
  collect(function, scratch);
  for (unsigned i = 0; i < buffers_.size(); ++i)
    if (!buffers_[i].isScratch)
      follow(i, buffers_[i].op->getResult(0), buffers_[i].op->getParentRegion());
  for (Value argument : function->getRegion(0).getArguments())
    if (isa<ttg::MemDescType>(argument.getType())) {
      buffers_.emplace_back();
      follow(static_cast<unsigned>(buffers_.size() - 1), argument, &function->getRegion(0));
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

// Numbers the ops, an op before and after its regions, and notes the buffers.
void SharedMemory::collect(Operation* function, ScratchBytes scratch) {
  unsigned point = 0;
  auto visit = [&](auto&& self, Operation* op) -> void {
    unsigned begin = point++;
    if (op != function) {
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
      if (buffer.bytes) {
        byOp_[op] = static_cast<unsigned>(buffers_.size());
        buffers_.push_back(buffer);
      }
    }
    for (Region& region : op->getRegions())
      for (Block& block : region)
        for (Operation& inner : block)
          self(self, &inner);
    points_[op] = {begin, point++};
  };
  visit(visit, function);
}

// The end of what a use of something from `from` touches: of the op of that region which contains
// the use.
unsigned SharedMemory::lastsUntil(Operation* use, Region* from) const {
  Operation* outer = use;
  for (Operation* at = use; at && at->getParentRegion() != from; at = at->getParentOp())
    outer = at->getParentOp();
  return points_.lookup(outer).second;
}

void SharedMemory::follow(unsigned index, Value from, Region* home) {
  SharedBuffer& buffer = buffers_[index];
  llvm::SmallVector<Value> work{from};
  auto reach = [&](Value value) {
    llvm::SmallVector<unsigned, 2>& known = pointed_[value];
    if (llvm::is_contained(known, index)) return;
    known.push_back(index);
    work.push_back(value);
  };
  pointed_[work.front()].push_back(index);
  while (!work.empty()) {
    Value value = work.pop_back_val();
    for (OpOperand& use : value.getUses()) {
      Operation* user = use.getOwner();
      buffer.end = std::max(buffer.end, home->isAncestor(user->getParentRegion())
                                            ? lastsUntil(user, home)
                                            : points_.lookup(user).second);
      for (Value result : user->getResults())
        if (isa<ttg::MemDescType>(result.getType()) && !isa<RegionBranchOpInterface>(user))
          reach(result);
      if (auto branch = dyn_cast<RegionBranchOpInterface>(user)) {
        if (auto specialized = dyn_cast<ttg::WarpSpecializePartitionsOp>(user)) {
          for (Region& region : specialized.getPartitionRegions())
            reach(region.getArgument(use.getOperandNumber()));
          continue;
        }
        if (auto loop = dyn_cast<scf::ForOp>(user)) {
          if (BlockArgument argument = loop.getTiedLoopRegionIterArg(&use)) {
            reach(argument);
            reach(loop.getTiedLoopResult(&use));
          }
        } else if (auto loop = dyn_cast<scf::WhileOp>(user)) {
          reach(loop.getBeforeArguments()[use.getOperandNumber()]);
        }
        continue;
      }
      if (auto condition = dyn_cast<scf::ConditionOp>(user)) {
        if (use.getOperandNumber() == 0) continue;
        auto loop = cast<scf::WhileOp>(user->getParentOp());
        reach(loop.getAfterArguments()[use.getOperandNumber() - 1]);
        reach(loop.getResult(use.getOperandNumber() - 1));
      } else if (isa<scf::YieldOp, ttg::WarpYieldOp>(user)) {
        Operation* parent = user->getParentOp();
        if (auto loop = dyn_cast<scf::ForOp>(parent))
          reach(loop.getRegionIterArg(use.getOperandNumber()));
        if (auto loop = dyn_cast<scf::WhileOp>(parent)) {
          reach(loop.getBeforeArguments()[use.getOperandNumber()]);
          continue;
        }
        reach(parent->getResult(use.getOperandNumber()));
      }
    }
  }
}

void SharedMemory::place() {
  for (SharedBuffer& buffer : buffers_)
    for (Operation* parent = buffer.op ? buffer.op->getParentOp() : nullptr; parent;
         parent = parent->getParentOp())
      if (isa<ttg::WarpSpecializeOp>(parent)) {
        auto [begin, end] = points_.lookup(parent);
        buffer.begin = std::min(buffer.begin, begin);
        buffer.end = std::max(buffer.end, end);
      }
  // The largest first, each at the lowest place that is free as long as it lives.
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
