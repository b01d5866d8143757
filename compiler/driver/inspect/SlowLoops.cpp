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

// Returns the allocation behind a view that does not choose one of several slots; null otherwise.
Operation* onlySlot(Value memory) {
  while (Operation* op = memory.getDefiningOp()) {
    if (isa<ttg::LocalAllocOp>(op)) return op;
    if (auto index = dyn_cast<ttg::MemDescIndexOp>(op))
      if (cast<ttg::MemDescType>(index.getSrc().getType()).getShape().front() > 1) return nullptr;
    if (op->getNumOperands() == 0) return nullptr;
    memory = op->getOperand(0);
    if (!isa<ttg::MemDescType>(memory.getType())) return nullptr;
  }
  return nullptr;
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
  llvm::SmallDenseSet<Operation*, 4> barriers; // of the copies that nothing overlaps with so far
  for (Operation& op : body) {
    if (auto copy = copyOf(&op)) {
      Operation* slot = onlySlot(copy->into);
      if (!slot) continue;
      if (!copy->barrier)
        hasGroup = true;
      else if (Operation* barrier = onlySlot(copy->barrier))
        barriers.insert(barrier);
    } else if (auto wait = dyn_cast<ttg::AsyncWaitOp>(op); wait && hasGroup && wait.getNum() == 0) {
      found(&op);
      hasGroup = false;
    } else if (auto wait = dyn_cast<ttng::WaitBarrierOp>(op)) {
      Operation* barrier = onlySlot(wait.getAlloc());
      if (barrier && barriers.erase(barrier)) found(&op);
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
