#include "passes/memory/Synchronization.h"

#include "ir/amdg/Ops.h"
#include "ir/layouts/Layouts.h"
#include "ir/ttg/Ops.h"
#include "ir/ttng/Ops.h"
#include "passes/memory/BufferAccesses.h"

#include <mlir/Dialect/Arith/IR/Arith.h>
#include <mlir/Dialect/SCF/IR/SCF.h>

namespace gluond::passes {
using namespace mlir;

namespace {

// The numbers of buffers in tensor memory start here; those in shared memory are lower.
constexpr unsigned firstTensorBuffer = 1u << 24;

// The target of a descriptor, as far as it is distinguished: element `index` of a multi-buffered
// allocation (null for any).
struct Access {
  unsigned buffer;
  bool isWrite, isAsync;
  Value index;
  Operation* op;
  friend bool operator==(const Access&, const Access&) = default;
};

// Accesses since the last barrier, and generic ones since the last fence.
struct State {
  llvm::SmallVector<Access, 8> unmet, unfenced;
  bool hasTensorStores = false;    // that the thread has not waited for
  bool hasInitializations = false; // of barriers, which other CTAs may not have seen

  static bool join(llvm::SmallVector<Access, 8>& into, llvm::ArrayRef<Access> from) {
    bool grew = false;
    for (const Access& access : from)
      if (!llvm::is_contained(into, access)) {
        into.push_back(access);
        grew = true;
      }
    return grew;
  }
  bool join(const State& other) {
    bool grew = join(unmet, other.unmet) || (other.hasTensorStores && !hasTensorStores) ||
                (other.hasInitializations && !hasInitializations);
    hasTensorStores |= other.hasTensorStores;
    hasInitializations |= other.hasInitializations;
    return join(unfenced, other.unfenced) || grew;
  }
  // In the next iteration of a loop an index has another value.
  void forgetIndices() {
    for (auto* list : {&unmet, &unfenced}) {
      for (Access& access : *list)
        access.index = nullptr;
      llvm::SmallVector<Access, 8> once;
      join(once, *list);
      *list = std::move(once);
    }
  }
};

bool isAsynchronous(Operation* op) {
  return isa<ttng::TMALoadLikeOpInterface, ttng::TMAStoreLikeOpInterface, ttng::WarpGroupDotOp,
             ttng::TCGen5MMAOp, ttng::TCGen5MMAScaledOp, ttng::TMEMCopyOp, ttng::CLCTryCancelOp,
             ttng::AsyncSharedStoreOp>(op);
}

bool isBarrierItself(Operation* op) {
  if (auto barrier = dyn_cast<ttg::BarrierOp>(op))
    return barrier.hasAddrSpace(ttg::AddrSpace::Local);
  if (auto atomic = dyn_cast<tt::AtomicOpInterface>(op))
    return atomic.getMemSemantic() != tt::MemSemantic::RELAXED;
  // The CTAs meet before the product is issued whose completion the barriers signal.
  if (auto product = dyn_cast<ttng::MMAv5OpInterface>(op)) return !product.getBarriers().empty();
  return isa<ttng::ClusterBarrierOp, ttg::WarpSpecializePartitionsOp, ttng::ArriveBarrierOp,
             ttng::BarrierExpectOp, ttng::TCGen5CommitOp, tt::AtomicPollOp>(op);
}

// Includes a barrier unless one comes before the next access: the memory that it waits for is used
// by all threads.
bool isWait(Operation* op) {
  if (auto wait = dyn_cast<ttng::WarpGroupDotWaitOp>(op))
    return !wait.getWarpGroupLocal() && ttg::lookupNumWarps(op).value_or(4) > 4;
  return op->hasTrait<ttg::MemWaitOpTrait>();
}

// Whether several CTAs share one buffer.
bool isOfSeveralCtas(Value buffer) {
  layout::LinearLayout layout = ir::toLinearLayout(cast<ttg::MemDescType>(buffer.getType()));
  return layout.valid() && layout.hasIn(layout::Dim::Block) &&
         layout.freeMask(layout::Dim::Block) != 0;
}

bool isOfPairs(Operation* op) {
  auto two = op->getParentOfType<ModuleOp>()->getAttrOfType<BoolAttr>(ttng::twoCTAsAttr);
  return two && two.getValue();
}

// Whether the op signals or uses barriers of other CTAs.
bool reachesOtherCtas(Operation* op) {
  if (auto load = dyn_cast<ttng::TMALoadLikeOpInterface>(op))
    return isOfSeveralCtas(load.getBarrier()) ||
           (load.getMulticast() && isOfSeveralCtas(load.getResult()));
  if (auto product = dyn_cast<ttng::MMAv5OpInterface>(op)) return product.getTwoCtas();
  if (auto commit = dyn_cast<ttng::TCGen5CommitOp>(op))
    return !commit.getDescs().empty() || isOfSeveralCtas(commit.getBarrier()) || isOfPairs(op);
  if (auto arrive = dyn_cast<ttng::ArriveBarrierOp>(op))
    return arrive.getFromCTA() || arrive.isMulticast() || isOfSeveralCtas(arrive.getAlloc());
  if (auto expect = dyn_cast<ttng::BarrierExpectOp>(op))
    return expect.getFromCTA() || isOfSeveralCtas(expect.getAlloc());
  // A function may do that with its barrier arguments.
  if (auto call = dyn_cast<tt::CallOp>(op))
    return llvm::any_of(call.getArgOperands().getTypes(), llvm::IsaPred<ttg::MemDescType>);
  return isa<ttng::AsyncSharedStoreOp, ttng::CLCTryCancelOp>(op);
}

bool isOneThreads(Operation* op) {
  return isa<ttng::InitBarrierOp, ttng::InvalBarrierOp, ttng::BarrierExpectOp>(op);
}

// Whether the op reads or changes a barrier of gfx1250 in shared memory and nothing else there.
bool usesBarrierOnly(Operation* op) {
  return isa<amdg::InitBarrierOp, amdg::WaitBarrierOp, amdg::ArriveBarrierOp,
             amdg::AsyncCopyMbarrierArriveOp>(op);
}

// Ordered without a barrier.
bool isOrdered(const Access& before, const Access& after) {
  if (isOneThreads(before.op) && isOneThreads(after.op)) return true;
  // Threads and copies change barriers atomically, and meet after an initialization.
  if (before.buffer == after.buffer && (usesBarrierOnly(before.op) || usesBarrierOnly(after.op)) &&
      !isa<amdg::InitBarrierOp>(after.op))
    return true;
  return isa<ttng::TMALoadLikeOpInterface>(before.op) && isa<ttng::WaitBarrierOp>(after.op);
}

// Whether several warps hold the same elements. They do not take turns, and one may write before
// another has read.
bool isHeldByWarps(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor && ir::toLinearLayout(tensor).freeMask(layout::Dim::Warp) != 0;
}

// The same thread accesses the same elements in both, and no other one does, so its own program
// order suffices.
bool isOwnElements(const Access& before, const Access& after) {
  auto type = [](Operation* op) -> std::pair<Type, Value> {
    if (auto store = dyn_cast<ttg::LocalStoreOp>(op))
      return {store.getSrc().getType(), store.getDst()};
    if (auto load = dyn_cast<ttg::LocalLoadOp>(op)) return {load.getType(), load.getSrc()};
    if (auto store = dyn_cast<ttng::TMEMStoreOp>(op))
      return {store.getSrc().getType(), store.getDst()};
    if (auto load = dyn_cast<ttng::TMEMLoadOp>(op)) return {load.getType(), load.getSrc()};
    if (auto alloc = dyn_cast<ttng::TMEMAllocOp>(op); alloc && alloc.getSrc())
      return {alloc.getSrc().getType(), alloc.getResult()};
    return {};
  };
  auto [a, from] = type(before.op);
  auto [b, to] = type(after.op);
  return a && a == b && from == to && !isHeldByWarps(a);
}

// A number as `base` + `added`, or the remainder of that by `modulus`; no base for constants.
struct RingIndex {
  Value base;
  int64_t added = 0;
  int64_t modulus = 0; // 0: no remainder is taken
};
RingIndex ringIndex(Value index) {
  RingIndex made{.base = index};
  auto constant = [](Value value) -> std::optional<int64_t> {
    IntegerAttr attribute;
    if (!matchPattern(value, m_Constant(&attribute))) return std::nullopt;
    return attribute.getInt();
  };
  if (Operation* remainder = index.getDefiningOp();
      isa_and_nonnull<arith::RemSIOp, arith::RemUIOp>(remainder))
    if (auto modulus = constant(remainder->getOperand(1)); modulus && *modulus > 0) {
      made.modulus = *modulus;
      made.base = remainder->getOperand(0);
    }
  while (made.base) {
    Operation* definition = made.base.getDefiningOp();
    if (auto value = constant(made.base)) {
      made.added += *value;
      made.base = nullptr;
    } else if (auto sum = dyn_cast_or_null<arith::AddIOp>(definition)) {
      auto added = constant(sum.getRhs());
      if (!added) break;
      made.added += *added;
      made.base = sum.getLhs();
    } else if (auto difference = dyn_cast_or_null<arith::SubIOp>(definition)) {
      auto taken = constant(difference.getRhs());
      if (!taken) break;
      made.added -= *taken;
      made.base = difference.getLhs();
    } else {
      break;
    }
  }
  return made;
}

// Whether two indices of one iteration are different numbers: slots of a ring, for instance, at
// distances that are no multiple of its length. Truncated remainders of different classes differ
// whatever the signs are.
bool areDifferent(Value a, Value b) {
  RingIndex i = ringIndex(a), j = ringIndex(b);
  if (i.base != j.base || i.modulus != j.modulus) return false;
  int64_t distance = i.added - j.added;
  return i.modulus ? distance % i.modulus != 0 : distance != 0;
}

bool mayTouch(const Access& a, const Access& b, const SharedMemory& memory,
              const TensorMemory& tensorMemory) {
  bool isTensor = a.buffer >= firstTensorBuffer;
  if (isTensor != (b.buffer >= firstTensorBuffer)) return false;
  // The matrix unit executes operations in order, and readers of its result have waited for it at a
  // barrier.
  if (isTensor && a.isAsync) return false;
  if (isTensor && a.buffer != b.buffer)
    return tensorMemory.share(a.buffer - firstTensorBuffer, b.buffer - firstTensorBuffer);
  auto sameElement = [&] { return !a.index || !b.index || !areDifferent(a.index, b.index); };
  if (isTensor) return sameElement();
  const SharedBuffer &first = memory.buffers()[a.buffer], &second = memory.buffers()[b.buffer];
  if (first.isCallers() != second.isCallers()) return false;
  if (!first.isCallers() &&
      (first.offset >= second.offset + second.bytes || second.offset >= first.offset + first.bytes))
    return false;
  return a.buffer != b.buffer || sameElement();
}

class Walker {
public:
  Walker(const SharedMemory& memory, const TensorMemory& tensorMemory, unsigned ctas,
         bool withFences, llvm::function_ref<bool(Operation*)> scratchIsWithinWarp)
      : memory_(memory), tensorMemory_(tensorMemory), ctas_(ctas), withFences_(withFences),
        scratchIsWithinWarp_(scratchIsWithinWarp) {}

  void run(Region& region, State& state) {
    if (region.empty()) return;
    if (region.hasOneBlock()) {
      for (Operation& op : region.front())
        visit(&op, state);
      return;
    }
    // For branches of early returns: repeats until the input states of all blocks are stable.
    llvm::DenseMap<Block*, State> into;
    into[&region.front()] = std::move(state);
    State out;
    for (bool changed = true; changed;) {
      changed = false;
      for (Block& block : region) {
        State at = into[&block];
        for (Operation& op : block)
          visit(&op, at);
        if (block.hasNoSuccessors()) out.join(at);
        for (Block* next : block.getSuccessors())
          changed |= into[next].join(at);
      }
    }
    state = std::move(out);
  }
  Synchronization result;

private:
  // In different iterations, an index is the same number only if it is a constant; within one
  // iteration the same value is the same number.
  Value indexOf(Value descriptor) const {
    while (Operation* definition = descriptor.getDefiningOp()) {
      if (auto index = dyn_cast<ttg::MemDescIndexOp>(definition)) {
        if (isa_and_nonnull<ttg::LocalAllocOp, ttng::TMEMAllocOp>(index.getSrc().getDefiningOp()))
          return index.getIndex();
        return nullptr;
      }
      if (!definition->hasTrait<ttg::MemDescViewTrait>() || definition->getNumOperands() != 1)
        return nullptr;
      descriptor = definition->getOperand(0);
    }
    return nullptr;
  }

  void accesses(Operation* op, llvm::SmallVectorImpl<Access>& found) const {
    // A function may do anything with its arguments.
    if (auto call = dyn_cast<tt::CallOp>(op)) {
      for (Value operand : call.getArgOperands())
        for (unsigned buffer : memory_.pointedBy(operand))
          found.push_back({buffer, true, true, nullptr, op});
      return;
    }
    bool async = isAsynchronous(op);
    for (auto [value, isWrite] : bufferAccessesOf(op)) {
      for (unsigned buffer : memory_.pointedBy(value))
        found.push_back({buffer, isWrite, async && !isOfBarriers(value), indexOf(value), op});
      for (unsigned buffer : tensorMemory_.pointedBy(value))
        found.push_back({firstTensorBuffer + buffer, isWrite, async, indexOf(value), op});
    }
  }

  bool collides(llvm::ArrayRef<Access> before, llvm::ArrayRef<Access> now, bool forFence) const {
    for (const Access& a : before)
      for (const Access& b : now) {
        if (forFence ? !b.isAsync : (!a.isWrite && !b.isWrite)) continue;
        if (forFence && ((!a.isWrite && !b.isWrite) || a.buffer >= firstTensorBuffer)) continue;
        if (!mayTouch(a, b, memory_, tensorMemory_)) continue;
        if (!forFence && (isOrdered(a, b) || isOwnElements(a, b))) continue;
        return true;
      }
    return false;
  }

  // Before the op, the thread waits for its stores to tensor memory.
  void finishTensorStores(Operation* op, State& state) {
    if (!state.hasTensorStores) return;
    result.tensorStoresDoneBefore.insert(op);
    state.hasTensorStores = false;
  }

  // For a loop the CTAs meet before it, not in each iteration.
  void meetAfterInitializations(Operation* op, State& state) {
    if (isa<ttng::ClusterBarrierOp>(op)) state.hasInitializations = false;
    if (!state.hasInitializations) return;
    if (!op->walk([](Operation* inner) {
             return reachesOtherCtas(inner) ? WalkResult::interrupt() : WalkResult::advance();
           }).wasInterrupted())
      return;
    finishTensorStores(op, state);
    result.initializationsMetBefore.insert(op);
    state.hasInitializations = false;
  }

  void visit(Operation* op, State& state) {
    if (ctas_ > 1) {
      meetAfterInitializations(op, state);
      if (isa<ttng::InitBarrierOp>(op)) state.hasInitializations = true;
    }
    if (isBarrierItself(op)) {
      finishTensorStores(op, state);
      state.unmet.clear();
    }
    if (isa<ttng::TMEMLoadOp, ttg::WarpSpecializeOp, ttg::WarpYieldOp, ttg::WarpReturnOp,
            tt::ReturnOp, tt::CallOp>(op))
      finishTensorStores(op, state);
    if (isa<ttng::FenceAsyncSharedOp>(op)) state.unfenced.clear();
    if (isWait(op) && !meetsSoon(op)) {
      finishTensorStores(op, state);
      result.barrierAfter.insert(op);
      state.unmet.clear();
      return;
    }
    llvm::SmallVector<Access, 4> now;
    accesses(op, now);
    const SharedBuffer* scratch = memory_.of(op);
    bool hasScratch = scratch && scratch->isScratch;
    if (hasScratch)
      now.push_back(
          {static_cast<unsigned>(scratch - memory_.buffers().data()), true, false, nullptr, op});
    if (!now.empty()) {
      if (collides(state.unmet, now, false)) {
        finishTensorStores(op, state);
        result.barrierBefore.insert(op);
        state.unmet.clear();
      }
      if (withFences_ && collides(state.unfenced, now, true)) {
        result.fenceBefore.insert(op);
        state.unfenced.clear();
      }
      if (hasScratch) {
        if (!scratchIsWithinWarp_(op)) {
          finishTensorStores(op, state);
          state.unmet.clear();
        }
        now.back().isWrite = false; // only the last reads remain
      }
      State::join(state.unmet, now);
      for (const Access& access : now)
        if ((!access.isAsync || isa<tt::CallOp>(op)) && !isBarrierMemory(op))
          State::join(state.unfenced, access);
    }
    auto alloc = dyn_cast<ttng::TMEMAllocOp>(op);
    if (isa<ttng::TMEMStoreOp>(op) || (alloc && alloc.getSrc())) state.hasTensorStores = true;
    enter(op, state);
  }
  static bool isBarrierMemory(Operation* op) {
    return isa<ttg::MBarrierOpInterface>(op) || isOneThreads(op);
  }

  // Whether a barrier or another wait precedes any access, so that this one needs none.
  bool meetsSoon(Operation* op) const {
    for (Operation* next = op->getNextNode(); next; next = next->getNextNode()) {
      if (isBarrierItself(next) || isWait(next)) return true;
      if (next->getNumRegions() || !isMemoryEffectFree(next)) return false;
    }
    return false;
  }

  void enter(Operation* op, State& state) {
    if (auto loop = dyn_cast<scf::ForOp>(op)) {
      around(state, [&](State& inside) { run(loop.getRegion(), inside); });
      return;
    }
    if (auto loop = dyn_cast<scf::WhileOp>(op)) {
      State out = state;
      around(state, [&](State& inside) {
        run(loop.getBefore(), inside);
        out = inside;
        run(loop.getAfter(), inside);
      });
      state = std::move(out);
      return;
    }
    if (auto branch = dyn_cast<scf::IfOp>(op)) {
      State otherwise = state;
      run(branch.getThenRegion(), state);
      run(branch.getElseRegion(), otherwise);
      state.join(otherwise);
      return;
    }
    if (auto specialized = dyn_cast<ttg::WarpSpecializeOp>(op)) {
      // All warps meet when it begins and when it ends.
      for (Region* region : specialized.getPartitionRegions()) {
        State partition;
        partition.unfenced = state.unfenced;
        run(*region, partition);
      }
      state.unmet.clear();
      run(specialized.getDefaultRegion(), state);
      state.unmet.clear();
      return;
    }
    if (isa<ttg::WarpSpecializePartitionsOp, tt::ReduceOp, tt::ScanOp, tt::MapElementwiseOp>(op))
      return;
    for (Region& region : op->getRegions())
      run(region, state);
  }

  // Visits the body once with the input state, and again while the loop adds to it.
  template <class Body> void around(State& state, Body body) {
    State in = state;
    for (;;) {
      State out = in;
      body(out);
      state = out;
      state.join(in); // no iteration at all
      out.forgetIndices();
      State more = in;
      if (!more.join(out)) return;
      in = std::move(more);
    }
  }

  const SharedMemory& memory_;
  const TensorMemory& tensorMemory_;
  unsigned ctas_;
  bool withFences_;
  llvm::function_ref<bool(Operation*)> scratchIsWithinWarp_;
};

} // namespace

Synchronization synchronize(Operation* function, const SharedMemory& memory,
                            const TensorMemory& tensorMemory, bool withFences,
                            llvm::function_ref<bool(Operation*)> scratchIsWithinWarp) {
  Walker walker(memory, tensorMemory, ttg::lookupNumCTAs(function), withFences,
                scratchIsWithinWarp);
  State state;
  walker.run(function->getRegion(0), state);
  return std::move(walker.result);
}

} // namespace gluond::passes
