// Atomic operations on global memory. Where several threads hold the same element, the first of
// them does it, and the others take its result from shared memory.
#include "lowering/memory/Atomics.h"

#include "ir/ttg/Ops.h"
#include "lowering/Combine.h"
#include "lowering/Handlers.h"
#include "lowering/memory/GlobalMemory.h"
#include "lowering/memory/SharedAccess.h"

namespace gluond::lowering {

namespace {

bool hasCopies(const LinearLayout& layout) {
  return layout.freeMask(Dim::Lane) || layout.freeMask(Dim::Warp) || layout.freeMask(Dim::Block);
}

} // namespace

RegisterList shareAtomicResults(FunctionEmitter& e, mlir::Operation* op, mlir::Type type,
                                RegisterList results, llvm::Value* first) {
  auto tensor = mlir::dyn_cast<mlir::RankedTensorType>(type);
  if (op->getResult(0).use_empty() || (tensor && !hasCopies(e.layoutOf(tensor)))) return results;
  llvm::Type* memory = e.memoryType(type);
  llvm::Value *base = e.scratch(op), *slot = e.i32(0), *source = e.i32(0);
  uint64_t otherBlocks = tensor               ? e.layoutOf(tensor).freeMask(Dim::Block)
                         : e.state().ctas > 1 ? e.state().ctas - 1
                                              : 0;
  unsigned threads = e.group().warps * e.state().threadsPerWarp;
  if (tensor) {
    const LinearLayout& layout = e.layoutOf(tensor);
    slot = e.thread();
    source = e.b.CreateAdd(
        e.b.CreateMul(
            e.b.CreateAnd(e.ownWarp(), e.i32(static_cast<int64_t>(~layout.freeMask(Dim::Warp)))),
            e.i32(e.state().threadsPerWarp)),
        e.b.CreateAnd(e.lane(), e.i32(static_cast<int64_t>(~layout.freeMask(Dim::Lane)))));
  }
  llvm::BasicBlock *write = e.newBlock("atomic.share"), *after = e.newBlock("atomic.shared");
  e.b.CreateCondBr(first, write, after);
  e.b.SetInsertPoint(write);
  for (auto [i, value] : llvm::enumerate(results))
    e.b.CreateAlignedStore(
        value,
        e.b.CreateGEP(memory, base, e.b.CreateAdd(slot, e.i32(static_cast<int64_t>(i) * threads))),
        ownAlignment(e, memory));
  e.b.CreateBr(after);
  e.b.SetInsertPoint(after);
  if (otherBlocks) {
    e.clusterBarrier();
    base = e.inBlock(base, e.b.CreateAnd(e.block(), e.i32(~static_cast<int64_t>(otherBlocks))));
  } else {
    e.barrier();
  }
  for (auto [i, value] : llvm::enumerate(results))
    value = e.b.CreateAlignedLoad(
        memory,
        e.b.CreateGEP(memory, base,
                      e.b.CreateAdd(source, e.i32(static_cast<int64_t>(i) * threads))),
        ownAlignment(e, memory));
  if (otherBlocks) e.clusterBarrier(); // all have read: the memory may be written again
  return results;
}

llvm::AtomicRMWInst::BinOp operationOf(tt::RMWOp kind) {
  using Op = llvm::AtomicRMWInst;
  switch (kind) {
  case tt::RMWOp::AND:
    return Op::And;
  case tt::RMWOp::OR:
    return Op::Or;
  case tt::RMWOp::XOR:
    return Op::Xor;
  case tt::RMWOp::ADD:
    return Op::Add;
  case tt::RMWOp::FADD:
    return Op::FAdd;
  case tt::RMWOp::MAX:
    return Op::Max;
  case tt::RMWOp::MIN:
    return Op::Min;
  case tt::RMWOp::UMAX:
    return Op::UMax;
  case tt::RMWOp::UMIN:
    return Op::UMin;
  case tt::RMWOp::XCHG:
    return Op::Xchg;
  }
  return Op::Xchg;
}

llvm::AtomicOrdering ordering(tt::MemSemantic semantic) {
  switch (semantic) {
  case tt::MemSemantic::ACQUIRE:
    return llvm::AtomicOrdering::Acquire;
  case tt::MemSemantic::RELEASE:
    return llvm::AtomicOrdering::Release;
  case tt::MemSemantic::ACQUIRE_RELEASE:
    return llvm::AtomicOrdering::AcquireRelease;
  default:
    return llvm::AtomicOrdering::Monotonic;
  }
}

namespace {

llvm::Value* whoDoes(FunctionEmitter& e, mlir::Type type) {
  if (mlir::isa<mlir::RankedTensorType>(type)) return e.isFirstCopy(e.layoutOf(type));
  llvm::Value* isFirst = e.b.CreateICmpEQ(e.thread(), e.i32(0));
  if (e.state().ctas > 1) isFirst = e.b.CreateAnd(isFirst, e.b.CreateICmpEQ(e.block(), e.i32(0)));
  return isFirst;
}

void meetBefore(FunctionEmitter& e, tt::MemSemantic semantics) {
  if (semantics == tt::MemSemantic::RELEASE || semantics == tt::MemSemantic::ACQUIRE_RELEASE)
    e.barrier();
}
void meetAfter(FunctionEmitter& e, mlir::Operation* op, tt::MemSemantic semantics) {
  bool shared = e.memory().of(op) && !op->getResult(0).use_empty();
  if (!shared &&
      (semantics == tt::MemSemantic::ACQUIRE || semantics == tt::MemSemantic::ACQUIRE_RELEASE))
    e.barrier();
}

// Returns how many neighbouring registers one instruction takes; 0 if the type has none.
unsigned updatedTogether(FunctionEmitter& e, tt::AtomicRMWOp op) {
  unsigned most =
      e.target().atomicElements(op.getAtomicRmwOp(), mlir::getElementTypeOrSelf(op.getType()));
  return most <= 1 ? most : std::min(most, accessRuns(e, op.getPtr(), op.getMask()).elements);
}

// The order of an operation's accesses: that of each, or of all of a thread's at once, which costs
// as much as that of one.
class AccessOrder {
public:
  AccessOrder(FunctionEmitter& e, tt::MemSemantic order, tt::MemSyncScope scope, size_t accesses)
      : e_(e), order_(order), scope_(scope),
        isTogether_(accesses > 1 && order != tt::MemSemantic::RELAXED &&
                    e.target().orderTogether(e, order, scope, /*isBefore=*/true)) {}
  tt::MemSemantic ofEach() const { return isTogether_ ? tt::MemSemantic::RELAXED : order_; }
  void finish() const {
    if (isTogether_) e_.target().orderTogether(e_, order_, scope_, /*isBefore=*/false);
  }

private:
  FunctionEmitter& e_;
  tt::MemSemantic order_;
  tt::MemSyncScope scope_;
  bool isTogether_;
};

bool readModifyWrite(FunctionEmitter& e, mlir::Operation* operation) {
  auto op = mlir::cast<tt::AtomicRMWOp>(operation);
  unsigned run = updatedTogether(e, op);
  if (!run) return e.fail(op, noAtomicOperation);
  meetBefore(e, op.getSem());
  llvm::Value* first = whoDoes(e, op.getType());
  Registers masks = op.getMask() ? e.get(op.getMask()) : Registers();
  RegisterList results;
  Registers pointers = e.get(op.getPtr()), values = e.get(op.getVal());
  AccessOrder order(e, op.getSem(), op.getScope(), pointers.size() / run);
  for (size_t i = 0; i < pointers.size(); i += run) {
    AtomicAccess access{.address = pointers[i],
                        .predicate = masks.empty() ? first : e.b.CreateAnd(first, masks[i]),
                        .order = order.ofEach(),
                        .scope = op.getScope(),
                        .isResultUsed = !op->getResult(0).use_empty()};
    llvm::append_range(
        results, e.target().atomicUpdate(e, access, op.getAtomicRmwOp(), values.slice(i, run)));
  }
  order.finish();
  results = shareAtomicResults(e, op, op.getType(), std::move(results), first);
  meetAfter(e, op, op.getSem());
  e.set(op.getResult(), results);
  return true;
}

bool compareAndSwap(FunctionEmitter& e, mlir::Operation* operation) {
  auto op = mlir::cast<tt::AtomicCASOp>(operation);
  if (registerBits(e.elementType(op.getType())) < 16)
    return e.fail(op, "compare-and-swap needs at least 16 bits");
  meetBefore(e, op.getSem());
  llvm::Value* first = whoDoes(e, op.getType());
  RegisterList results;
  Registers pointers = e.get(op.getPtr());
  AccessOrder order(e, op.getSem(), op.getScope(), pointers.size());
  for (auto [pointer, expected, value] :
       llvm::zip(pointers, e.get(op.getCmp()), e.get(op.getVal())))
    results.push_back(e.target().compareAndSwap(
        e,
        {.address = pointer, .predicate = first, .order = order.ofEach(), .scope = op.getScope()},
        expected, value));
  order.finish();
  results = shareAtomicResults(e, op, op.getType(), std::move(results), first);
  meetAfter(e, op, op.getSem());
  e.set(op.getResult(), results);
  return true;
}

bool atomicLoad(FunctionEmitter& e, mlir::Operation* operation) {
  auto op = mlir::cast<tt::AtomicLoadOp>(operation);
  llvm::Type* type = e.elementType(op.getType());
  Registers masks = op.getMask() ? e.get(op.getMask()) : Registers();
  RegisterList results;
  Registers pointers = e.get(op.getPtr());
  AccessOrder order(e, op.getSem(), op.getScope(), pointers.size());
  for (auto [i, pointer] : llvm::enumerate(pointers))
    results.push_back(e.target().atomicLoad(e,
                                            {.address = pointer,
                                             .predicate = masks.empty() ? e.i1(true) : masks[i],
                                             .order = order.ofEach(),
                                             .scope = op.getScope()},
                                            type));
  order.finish();
  if (op.getSem() != tt::MemSemantic::RELAXED) e.barrier();
  e.set(op.getResult(), results);
  return true;
}

// Loads until the expected value is there, or time is out; the first of those that hold an element
// does it for all.
bool atomicPoll(FunctionEmitter& e, mlir::Operation* operation) {
  auto op = mlir::cast<tt::AtomicPollOp>(operation);
  mlir::Type pointers = op.getPtr().getType();
  llvm::Type* type = e.elementType(op.getExpected().getType());
  llvm::Value* begin = op.getTimeout() ? e.target().nanoseconds(e) : nullptr;
  llvm::Value* first = whoDoes(e, pointers);
  RegisterList results;
  for (auto [pointer, expected] : llvm::zip(e.get(op.getPtr()), e.get(op.getExpected()))) {
    llvm::BasicBlock *before = e.b.GetInsertBlock(), *poll = e.newBlock("poll"),
                     *again = e.newBlock("poll.again"), *after = e.newBlock("poll.end");
    e.b.CreateCondBr(first, poll, after);
    e.b.SetInsertPoint(poll);
    AtomicAccess access{.address = pointer, .predicate = e.i1(true), .scope = op.getScope()};
    llvm::Value* value = e.target().atomicLoad(e, access, type);
    llvm::BasicBlock* loaded = e.b.GetInsertBlock();
    e.b.CreateCondBr(e.b.CreateICmpEQ(value, expected), after, again);
    e.b.SetInsertPoint(again);
    llvm::BasicBlock* late = nullptr;
    if (begin) {
      llvm::Value* waited = e.b.CreateSub(e.target().nanoseconds(e), begin);
      llvm::Value* mayWait = e.b.CreateICmpULT(waited, e.scalar(op.getTimeout()));
      late = e.b.GetInsertBlock();
      e.b.CreateCondBr(mayWait, poll, after);
    } else {
      e.b.CreateBr(poll);
    }
    e.b.SetInsertPoint(after);
    llvm::PHINode* found = e.b.CreatePHI(e.b.getInt8Ty(), 3);
    found->addIncoming(e.b.getInt8(0), before);
    found->addIncoming(e.b.getInt8(1), loaded);
    if (late) found->addIncoming(e.b.getInt8(0), late);
    results.push_back(found);
  }
  if (op.getSem() != tt::MemSemantic::RELAXED) e.target().fence(e, op.getScope());
  results = shareAtomicResults(e, op, op.getType(), std::move(results), first);
  if (!e.memory().of(op)) e.barrier(); // otherwise they met to share
  for (llvm::Value*& result : results)
    result = e.b.CreateTrunc(result, e.b.getInt1Ty());
  e.set(op.getResult(), results);
  return true;
}

bool atomicStore(FunctionEmitter& e, mlir::Operation* operation) {
  auto op = mlir::cast<tt::AtomicStoreOp>(operation);
  if (op.getSem() != tt::MemSemantic::RELAXED) e.barrier();
  llvm::Value* first = whoDoes(e, op.getValue().getType());
  Registers masks = op.getMask() ? e.get(op.getMask()) : Registers();
  Registers pointers = e.get(op.getPtr());
  AccessOrder order(e, op.getSem(), op.getScope(), pointers.size());
  for (auto [i, pointer] : llvm::enumerate(pointers))
    e.target().atomicStore(e,
                           {.address = pointer,
                            .predicate = masks.empty() ? first : e.b.CreateAnd(first, masks[i]),
                            .order = order.ofEach(),
                            .scope = op.getScope()},
                           e.get(op.getValue())[i]);
  order.finish();
  return true;
}

} // namespace

int64_t atomicScratchBytes(mlir::Operation* op) {
  if (op->getResult(0).use_empty()) return 0;
  mlir::Type type = op->getResult(0).getType();
  auto tensor = mlir::dyn_cast<mlir::RankedTensorType>(type);
  if (!tensor) return 16;
  LinearLayout layout = ir::toLinearLayout(tensor).removeZeroBases(Dim::Register);
  if (!hasCopies(layout)) return 0;
  return layout.inSize(Dim::Register) * layout.inSize(Dim::Lane) * layout.inSize(Dim::Warp) *
         elementBytes(type);
}

llvm::ArrayRef<OpRow> atomicOps() {
  static constexpr OpRow rows[] = {
      {"tt.atomic_rmw", readModifyWrite, atomicScratchBytes},
      {"tt.atomic_cas", compareAndSwap, atomicScratchBytes},
      {"tt.atomic_load", atomicLoad},
      {"tt.atomic_poll", atomicPoll, atomicScratchBytes},
      {"tt.atomic_store", atomicStore},
  };
  return rows;
}

} // namespace gluond::lowering
