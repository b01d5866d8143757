#include "lints/resources/Budget.h"

#include "chips/MemorySizes.h"
#include "chips/Occupancy.h"
#include "ir/layouts/Layouts.h"
#include "ir/ttg/ModuleTarget.h"
#include "ir/ttng/Ops.h"
#include "layout/access/MemoryCheck.h"
#include "layout/named/Properties.h"

#include <llvm/ADT/DenseMap.h>
#include <mlir/Dialect/Arith/IR/Arith.h>
#include <mlir/Dialect/SCF/IR/SCF.h>
#include <mlir/Interfaces/FunctionInterfaces.h>
#include <mlir/Interfaces/LoopLikeInterface.h>

namespace gluond::lints {
using namespace mlir;

namespace {

// A use of space from one op to another, in the order of a walk.
struct Life {
  unsigned begin, end;
  int64_t size;
  Operation* at;
};

struct Peak {
  int64_t size = 0;
  Operation* at = nullptr; // the op that made it, or first exceeded the limit
};

Peak peakOf(std::vector<Life>& lives, int64_t limit) {
  struct Event {
    unsigned when;
    int64_t change;
    Operation* at;
  };
  std::vector<Event> events;
  for (const Life& life : lives) {
    events.push_back({life.begin, life.size, life.at});
    events.push_back({life.end, -life.size, nullptr});
  }
  // Buffers that end make room for those that begin at the same op.
  llvm::sort(events, [](const Event& a, const Event& b) {
    return std::pair(a.when, a.change) < std::pair(b.when, b.change);
  });
  Peak peak;
  int64_t now = 0;
  for (const Event& event : events) {
    now += event.change;
    if (now <= peak.size) continue;
    if (!peak.at || limit == 0 || peak.size <= limit) peak.at = event.at;
    peak.size = now;
  }
  return peak;
}

class Estimator {
public:
  explicit Estimator(FunctionOpInterface kernel) : kernel_(kernel) { number(kernel); }

  Peak tensorMemory(int64_t limit) {
    std::vector<Life> lives;
    kernel_.walk([&](ttng::TMEMAllocOp alloc) {
      ttg::MemDescType type = alloc.getResult().getType();
      const layout::Layout& encoding = ir::toLayout(type.getEncoding());
      if (!encoding) return;
      auto size = layout::tensorMemorySize(
          encoding, {type.getShape(), type.getShape(), tt::bitWidth(type.getElementType())});
      if (!size) return;
      // Buffers of half the rows share columns.
      int64_t columns = llvm::divideCeilSigned(
          size->columns * std::min(size->rows, chips::tensorMemoryRows), chips::tensorMemoryRows);
      lives.push_back({begin(alloc), lastUse(alloc.getResult(), alloc), columns, alloc});
    });
    return peakOf(lives, limit);
  }

  // Counts the values that one loop carries, which live as long as the loop in any compilation.
  Peak carried() {
    Peak most;
    kernel_.walk([&](scf::ForOp loop) {
      Peak all;
      int64_t largest = 0;
      for (auto [argument, yielded] :
           llvm::zip(loop.getRegionIterArgs(), loop.getYieldedValues())) {
        Value next = yielded;
        int64_t size = registersOf(argument);
        all.size += size;
        if (size > largest) {
          largest = size;
          // Where the loop computes it: its initial value may be a constant without a place.
          while (auto wait = next.getDefiningOp<ttng::WarpGroupDotWaitOp>())
            next = wait.getInputs()[cast<OpResult>(next).getResultNumber()];
          all.at = loop->isAncestor(next.getParentBlock()->getParentOp()) && next.getDefiningOp()
                       ? next.getDefiningOp()
                       : loop.getOperation();
        }
      }
      if (all.size > most.size) most = all;
    });
    return most;
  }

  // Counts those of one partition, or of the code outside all.
  Peak registers(Region* partition, int64_t limit) {
    std::vector<Life> lives;
    auto add = [&](Value value, unsigned from, Operation* at) {
      int64_t size = registersOf(value);
      if (size && !value.use_empty()) lives.push_back({from, lastUse(value, at), size, at});
    };
    partition->walk<WalkOrder::PreOrder>([&](Operation* op) {
      if (isa<ttg::WarpSpecializePartitionsOp>(op)) return WalkResult::skip();
      if (!isMadeAnew(*op) && !isFused(*op))
        for (Value result : op->getResults())
          add(result, op->getNumRegions() ? end_[op] : begin(op), op);
      if (auto loop = dyn_cast<scf::ForOp>(op))
        for (Value argument : loop.getRegionIterArgs())
          add(argument, begin(op), op);
      return WalkResult::advance();
    });
    return peakOf(lives, limit);
  }

private:
  unsigned begin(Operation* op) const { return begin_.lookup(op); }

  void number(Operation* op) {
    begin_[op] = next_++;
    for (Region& region : op->getRegions())
      for (Block& block : region)
        for (Operation& inner : block)
          number(&inner);
    end_[op] = next_;
  }

  // The number after the last use of a value made at `origin`, including its views and captures.
  unsigned lastUse(Value value, Operation* origin, unsigned depth = 0) {
    constexpr unsigned deepest = 500; // views of views
    if (depth > deepest) return end_.lookup(kernel_);
    unsigned last = begin(origin);
    for (OpOperand& use : value.getUses()) {
      Operation* user = use.getOwner();
      last = std::max(last, begin(user));
      // If the value comes from outside a loop, it is needed until the loop ends; partitions run
      // concurrently until all have ended.
      for (Operation* around = user->getParentOp(); around && around != kernel_;
           around = around->getParentOp()) {
        if (around->isAncestor(origin)) break;
        if (isa<LoopLikeOpInterface, ttg::WarpSpecializeOp>(around))
          last = std::max(last, end_[around]);
      }
      if (auto partitions = dyn_cast<ttg::WarpSpecializePartitionsOp>(user))
        last = std::max(last, end_[partitions->getParentOp()]);
      if (isa<ttg::MemDescIndexOp, ttg::MemDescSubsliceOp, ttg::MemDescTransOp,
              ttg::MemDescReshapeOp, ttg::MemDescReinterpretOp, ttng::TMEMSubSliceOp>(user) ||
          (isa<ttng::WarpGroupDotWaitOp>(user) && isa<ttg::MemDescType>(value.getType()))) {
        for (Value result : user->getResults())
          last = std::max(last, lastUse(result, origin, depth + 1));
      } else if (isFused(*user)) {
        last = std::max(last, lastUse(user->getResult(0), user, depth + 1));
      } else if (isa<scf::YieldOp>(user)) {
        last = std::max(last, end_[user->getParentOp()]);
      }
    }
    // Within a partition it may coincide with everything that its siblings hold.
    if (isa<ttg::MemDescType>(value.getType()))
      if (auto specialized = origin->getParentOfType<ttg::WarpSpecializeOp>())
        last = std::max(last, end_[specialized]);
    return last;
  }

  // Addresses, masks, constants and ops that only rearrange them, which are cheaper to recompute
  // than to keep.
  static bool isMadeAnew(Operation& op) {
    if (isa<arith::ConstantOp, tt::SplatOp, tt::MakeRangeOp, tt::BroadcastOp, tt::ExpandDimsOp,
            tt::AddPtrOp>(op))
      return true;
    return op.getDialect() && op.getDialect()->getNamespace() == "arith" &&
           op.getNumResults() == 1 &&
           getElementTypeOrSelf(op.getResult(0).getType()).isIntOrIndex() &&
           !isa<arith::FPToSIOp, arith::FPToUIOp, arith::BitcastOp>(op);
  }

  // Its one result goes into one other operation of the same elements in the same block: a compiler
  // computes both element by element, and never holds the whole of it.
  static bool isFused(Operation& op) {
    auto isElementwise = [](Operation& each) {
      return each.getNumResults() == 1 && each.hasTrait<OpTrait::Elementwise>();
    };
    if (!isElementwise(op) || !op.getResult(0).hasOneUse()) return false;
    Operation& user = **op.getResult(0).user_begin();
    return isElementwise(user) && user.getBlock() == op.getBlock();
  }

  static int64_t registersOf(Value value) {
    auto type = dyn_cast<RankedTensorType>(value.getType());
    if (!type || !type.getEncoding() || isa<tt::PointerType>(type.getElementType())) return 0;
    if (!type.getElementType().isIntOrFloat() || type.getElementType().isInteger(1)) return 0;
    int64_t bits = layout::totalElementsPerThread(ir::toLinearLayout(type)) *
                   tt::bitWidth(type.getElementType());
    return (bits + 31) / 32;
  }

  FunctionOpInterface kernel_;
  llvm::DenseMap<Operation*, unsigned> begin_, end_;
  unsigned next_ = 0;
};

void occupancy(Budget& budget) {
  const chips::Chip& chip = *budget.chip;
  const chips::Limits& limits = *chip.limits;
  auto limit = [&](int64_t programs, llvm::StringLiteral by) {
    if (by != "shared memory")
      budget.programsOtherwise =
          budget.programsOtherwise ? std::min(budget.programsOtherwise, programs) : programs;
    if (budget.limitedBy.empty() || programs < budget.programs) {
      budget.programs = programs;
      budget.limitedBy = by;
    }
  };
  constexpr int64_t leastRegisters = 32; // of a thread
  limit(limits.programsPerUnit, "programs");
  unsigned warps = std::max(1u, budget.warps);
  limit(limits.warpsPerUnit / warps, "warps");
  int64_t registers = std::clamp<int64_t>(budget.registers, leastRegisters,
                                          std::max(leastRegisters, budget.registerLimit));
  limit(chips::warpsOfUnit(chip, registers) / warps, "registers");
  if (budget.sharedBytes)
    limit(limits.sharedPerUnit / (budget.sharedBytes + limits.reservedShared), "shared memory");
  if (limits.tensorColumns && budget.tensorColumns) {
    int64_t columns = 32; // allocated in powers of two
    while (columns < budget.tensorColumns)
      columns *= 2;
    limit(limits.tensorColumns / columns, "tensor memory");
  }
}

} // namespace

// Finds where shared memory is largest, or first exceeds the limit, and the buffers there.
static void fillShared(Budget& budget, Operation* kernel, passes::ScratchBytes scratch) {
  passes::SharedMemory memory(kernel, scratch);
  budget.sharedBytes = memory.bytes();
  int64_t limit = budget.chip ? budget.chip->limits->sharedPerProgram : budget.sharedBytes;
  int64_t threshold = std::min(limit + 1, budget.sharedBytes);
  const passes::SharedBuffer* at = nullptr;
  for (const passes::SharedBuffer& buffer : memory.buffers())
    if (!buffer.isCallers() && buffer.offset + buffer.bytes >= threshold &&
        (!at || buffer.begin < at->begin))
      at = &buffer;
  if (!at) return;
  // Over the limit: the first one in program order that exceeds it, of those that live there.
  if (budget.sharedBytes > limit) {
    llvm::SmallVector<const passes::SharedBuffer*, 8> together;
    for (const passes::SharedBuffer& buffer : memory.buffers())
      if (!buffer.isCallers() && buffer.begin <= at->end && at->begin <= buffer.end)
        together.push_back(&buffer);
    llvm::sort(together, [](const auto* a, const auto* b) { return a->begin < b->begin; });
    int64_t sum = 0;
    for (const passes::SharedBuffer* buffer : together)
      if ((sum += buffer->bytes) > limit) {
        at = buffer;
        break;
      }
  }
  budget.sharedAt = at->op;
  for (const passes::SharedBuffer& buffer : memory.buffers())
    if (!buffer.isCallers() && &buffer != at && buffer.begin <= at->end && at->begin <= buffer.end)
      budget.sharedWith.push_back(buffer.op);
}

Budget withRegisters(Budget budget, int64_t registers) {
  budget.registers = registers;
  budget.programs = budget.programsOtherwise = 0;
  budget.limitedBy = "";
  if (budget.chip) occupancy(budget);
  return budget;
}

Budget budgetOf(ModuleOp module, passes::ScratchBytes scratch) {
  Budget budget;
  if (const chips::Chip* chip = chips::findChip(ttg::targetOf(module)); chip && chip->limits)
    budget.chip = chip;
  if (auto warps = module->getAttrOfType<IntegerAttr>("ttg.num-warps"))
    budget.warps = static_cast<unsigned>(warps.getInt());
  unsigned own = budget.warps;
  const chips::Limits* limits = budget.chip ? &*budget.chip->limits : nullptr;
  int64_t columnLimit = limits ? limits->tensorColumns : 0;
  for (auto kernel : module.getOps<FunctionOpInterface>()) {
    if (kernel.isDeclaration() || !kernel.isPublic()) continue;
    Estimator estimator(kernel);
    fillShared(budget, kernel, scratch);
    Peak columns = estimator.tensorMemory(columnLimit), carried = estimator.carried();
    budget.carried = carried.size, budget.carriedAt = carried.at;
    budget.tensorColumns = columns.size, budget.tensorAt = columns.at;
    bool isSpecialized = false;
    unsigned workers = 0;
    std::vector<Region*> parts = {&kernel.getFunctionBody()};
    kernel.walk([&](ttg::WarpSpecializeOp op) {
      isSpecialized = true;
      workers = std::max(workers, op.getTotalPartitionWarps());
      for (Region* region : op.getPartitionRegions())
        parts.push_back(region);
    });
    budget.warps = own + workers;
    if (limits) {
      // Without setmaxnreg every thread has the same, and the whole program must fit.
      budget.registerLimit =
          isSpecialized ? limits->registersPerThread : chips::registersOfProgram(*budget.chip, own);
      if (auto most = module->getAttrOfType<IntegerAttr>("ttg.maxnreg"))
        budget.registerLimit = std::min<int64_t>(budget.registerLimit, most.getInt());
    }
    for (Region* part : parts) {
      Peak registers = estimator.registers(part, budget.registerLimit);
      if (registers.size > budget.registers)
        budget.registers = registers.size, budget.registersAt = registers.at;
    }
  }
  if (limits) occupancy(budget);
  return budget;
}

} // namespace gluond::lints
