#include "passes/memory/BufferLifetimes.h"

#include "ir/ttg/Ops.h"

#include <mlir/Dialect/SCF/IR/SCF.h>
#include <mlir/Interfaces/ControlFlowInterfaces.h>

namespace gluond::passes {
using namespace mlir;

BufferLifetimes::BufferLifetimes(Operation* function) {
  unsigned point = 0;
  auto visit = [&](auto&& self, Operation* op) -> void {
    unsigned begin = point++;
    for (Region& region : op->getRegions())
      for (Block& block : region)
        for (Operation& inner : block)
          self(self, &inner);
    points_[op] = {begin, point++};
  };
  visit(visit, function);
}

// Returns the end of the effect of a use in region `from`: the end of the op in that region which
// contains the use.
unsigned BufferLifetimes::lastsUntil(Operation* use, Region* from) const {
  Operation* outer = use;
  for (Operation* at = use; at && at->getParentRegion() != from; at = at->getParentOp())
    outer = at->getParentOp();
  return of(outer).end;
}

unsigned BufferLifetimes::follow(Value from, Region* home,
                                 llvm::function_ref<bool(Value)> reachOnce) const {
  unsigned last = 0;
  llvm::SmallVector<Value> work;
  auto reach = [&](Value value) {
    if (reachOnce(value)) work.push_back(value);
  };
  reach(from);
  while (!work.empty()) {
    Value value = work.pop_back_val();
    for (OpOperand& use : value.getUses()) {
      Operation* user = use.getOwner();
      last = std::max(last, home->isAncestor(user->getParentRegion()) ? lastsUntil(user, home)
                                                                      : of(user).end);
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
  return last;
}

BufferLifetimes::Points BufferLifetimes::withPartitions(Operation* op, Points points) const {
  for (Operation* parent = op->getParentOp(); parent; parent = parent->getParentOp())
    if (isa<ttg::WarpSpecializeOp>(parent)) {
      auto [begin, end] = of(parent);
      points.begin = std::min(points.begin, begin);
      points.end = std::max(points.end, end);
    }
  return points;
}

} // namespace gluond::passes
