#include "driver/inspect/SlowLoops.h"

#include "driver/program/OpPlaces.h"
#include "ir/amdg/Ops.h"
#include "ir/tt/Ops.h"
#include "ir/ttg/Ops.h"
#include "ir/ttng/Ops.h"

#include <llvm/ADT/DenseSet.h>
#include <llvm/ADT/TypeSwitch.h>
#include <mlir/Interfaces/LoopLikeInterface.h>

namespace gluond::driver {
using namespace mlir;

namespace {

// A part of shared memory: the allocation, and which of its slots, null if it has one only.
using Slot = std::pair<Operation*, Value>;

// Returns the slot that a view is of; null if it is not known.
Slot slotOf(Value memory) {
  Value index;
  while (Operation* op = memory.getDefiningOp()) {
    if (isa<ttg::LocalAllocOp>(op)) return {op, index};
    if (auto chosen = dyn_cast<ttg::MemDescIndexOp>(op)) {
      bool isOneOfSeveral =
          cast<ttg::MemDescType>(chosen.getSrc().getType()).getShape().front() > 1;
      if (isOneOfSeveral && index) return {};
      if (isOneOfSeveral) index = chosen.getIndex();
    }
    if (op->getNumOperands() == 0) return {};
    memory = op->getOperand(0);
    if (!isa<ttg::MemDescType>(memory.getType())) return {};
  }
  return {};
}

struct Copy {
  Value into, barrier; // a barrier, or null for the groups of a thread
};
std::optional<Copy> copyOf(Operation* op) {
  return llvm::TypeSwitch<Operation*, std::optional<Copy>>(op)
      .Case([](ttg::AsyncCopyGlobalToLocalOp copy) { return Copy{copy.getResult(), {}}; })
      .Case([](amdg::BufferLoadToLocalOp copy) { return Copy{copy.getDest(), {}}; })
      .Case([](ttng::TMALoadLikeOpInterface copy) {
        return Copy{copy.getResult(), copy.getBarrier()};
      })
      .Default(std::nullopt);
}

// Whether it gives the copies under way something to overlap with.
bool isWork(Operation* op) {
  return op->getNumRegions() != 0 ||
         isa<tt::LoadOp, tt::StoreOp, tt::DotOp, tt::ReduceOp, ttg::LocalLoadOp, ttg::LocalStoreOp,
             ttng::WarpGroupDotOp, ttng::MMAv5OpInterface>(op);
}

// Returns the waits of an iteration for what it has just issued.
void findIdleWaits(Block& body, llvm::function_ref<void(Operation*)> found) {
  bool hasGroup = false;
  llvm::SmallDenseSet<Slot, 4> barriers; // of the copies that nothing overlaps with so far
  for (Operation& op : body) {
    if (auto copy = copyOf(&op)) {
      if (!copy->barrier)
        hasGroup = true;
      else if (Slot barrier = slotOf(copy->barrier); barrier.first)
        barriers.insert(barrier);
    } else if (auto wait = dyn_cast<ttg::AsyncWaitOp>(op); wait && hasGroup && wait.getNum() == 0) {
      found(&op);
      hasGroup = false;
    } else if (auto wait = dyn_cast<ttng::WaitBarrierOp>(op)) {
      Slot barrier = slotOf(wait.getAlloc());
      if (barrier.first && barriers.erase(barrier)) found(&op);
    } else if (isWork(&op)) {
      hasGroup = false;
      barriers.clear();
    }
  }
}

} // namespace

tl::expected<SlowLoops, std::string> slowLoops(Analyzer& analyzer, const Variant& variant) {
  SlowLoops slow;
  PlaceReader places(*variant.program);
  auto add = [&](std::vector<diagnostics::Location>& to, Operation* op) {
    if (OpPlace place = places.read(op->getLoc()); place.place) to.push_back(*place.place);
  };
  auto problem =
      analyzer.inspect(variant, "ttgir", [&](ModuleOp module, const codegen::Specialization&) {
        module.walk([&](Operation* op) {
          auto load = dyn_cast<tt::LoadOp>(op);
          if (load && !isa<RankedTensorType>(load.getType()) &&
              load->getParentOfType<LoopLikeOpInterface>())
            add(slow.scalarLoads, load);
          if (isa<LoopLikeOpInterface>(op))
            for (Region& region : op->getRegions())
              for (Block& block : region)
                findIdleWaits(block, [&](Operation* wait) { add(slow.idleWaits, wait); });
        });
      });
  if (problem) return tl::make_unexpected(*problem);
  return slow;
}

} // namespace gluond::driver
