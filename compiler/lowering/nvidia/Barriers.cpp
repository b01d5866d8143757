#include "lowering/nvidia/Barriers.h"

#include "ir/ttng/Ops.h"
#include "lowering/Elementwise.h"
#include "lowering/memory/SharedAccess.h"
#include "lowering/nvidia/Instructions.h"

namespace gluond::lowering::nvidia {

uint32_t sharedBlocks(mlir::Value buffer) {
  LinearLayout layout = ir::toLinearLayout(mlir::cast<ttg::MemDescType>(buffer.getType()));
  return layout.hasIn(Dim::Block) ? static_cast<uint32_t>(layout.freeMask(Dim::Block)) : 0;
}

llvm::Value* leaderAddress(FunctionEmitter& e, mlir::Value barrier) {
  llvm::Value* address = e.viewBase(barrier);
  uint32_t shared = sharedBlocks(barrier);
  if (!shared) return address;
  llvm::Value* number = e.b.CreatePtrToInt(address, e.b.getInt32Ty());
  return e.b.CreateIntToPtr(e.b.CreateAnd(number, e.i32(~(int64_t(shared) << 24))),
                            address->getType());
}

llvm::Value* isLeader(FunctionEmitter& e, mlir::Value barrier) {
  uint32_t shared = sharedBlocks(barrier);
  return shared ? e.b.CreateICmpEQ(e.b.CreateAnd(e.block(), e.i32(shared)), e.i32(0)) : nullptr;
}

llvm::StringRef copyGroup(FunctionEmitter& e, mlir::Value barrier) {
  if (!hasTwoCtas(e)) return "";
  return sharedBlocks(barrier) & 1 ? "cta_group::2." : "cta_group::1.";
}

llvm::Value* multicastMask(FunctionEmitter& e, uint32_t blocks) {
  uint32_t pattern = 0;
  for (uint32_t subset = blocks;; subset = (subset - 1) & blocks) {
    pattern |= 1u << subset;
    if (!subset) break;
  }
  return e.b.CreateShl(e.i32(pattern), e.b.CreateAnd(e.block(), e.i32(~int64_t(blocks))));
}

namespace {

llvm::Value* both(FunctionEmitter& e, llvm::Value* a, llvm::Value* b) {
  return a && b ? e.b.CreateAnd(a, b) : a ? a : b;
}

bool initialize(FunctionEmitter& e, mlir::Operation* operation) {
  auto op = mlir::cast<ttng::InitBarrierOp>(operation);
  if (!needs(e, op, chips::Feature::Mbarrier, "mbarriers need")) return false;
  int64_t count = op.getCount();
  auto type = op.getAlloc().getType();
  count *=
      e.state().ctas / std::max<int64_t>(1, type.getNumElements()); // all CTAs that share it arrive
  if (e.state().ctas == 1) count = op.getCount();
  e.assembly("@$0 mbarrier.init.shared::cta.b64 [$1], " + std::to_string(count) + ";", "b,r",
             {both(e, electOne(e), isLeader(e, op.getAlloc())), e.viewBase(op.getAlloc())});
  return true;
}

bool invalidate(FunctionEmitter& e, mlir::Operation* operation) {
  auto op = mlir::cast<ttng::InvalBarrierOp>(operation);
  e.assembly("@$0 mbarrier.inval.shared::cta.b64 [$1];", "b,r",
             {both(e, electOne(e), isLeader(e, op.getAlloc())), leaderAddress(e, op.getAlloc())});
  return true;
}

// Arrivals speak for the whole group of warps, so it meets first.
struct Arrival {
  llvm::Value *predicate, *address;
  bool crossesCtas;
};
Arrival arrival(FunctionEmitter& e, mlir::Value barrier, llvm::Value* predicate,
                std::optional<uint32_t> fromCta) {
  e.barrier();
  Arrival made{e.b.CreateICmpEQ(e.thread(), e.i32(0)), leaderAddress(e, barrier),
               sharedBlocks(barrier) != 0};
  if (fromCta) {
    // One thread for each CTA that is told.
    uint32_t told = (e.state().ctas - 1) & ~*fromCta;
    llvm::Value* thread = e.thread();
    made.predicate = e.b.CreateICmpULT(thread, e.i32(int64_t(1) << llvm::popcount(told)));
    made.predicate = e.b.CreateAnd(
        made.predicate, e.b.CreateICmpEQ(e.b.CreateAnd(e.block(), e.i32(told)), e.i32(0)));
    llvm::Value* peer = e.i32(0);
    unsigned bit = 0;
    for (uint32_t mask = told; mask; mask &= mask - 1, ++bit)
      peer = e.b.CreateOr(
          peer, e.b.CreateShl(e.b.CreateAnd(thread, e.i32(int64_t(1) << bit)),
                              e.i32(static_cast<int64_t>(llvm::countr_zero(mask)) + 24 - bit)));
    llvm::Value* number =
        e.b.CreateXor(e.b.CreatePtrToInt(e.viewBase(barrier), e.b.getInt32Ty()), peer);
    made.address = e.b.CreateIntToPtr(number, e.viewBase(barrier)->getType());
    made.crossesCtas = true;
  }
  if (made.crossesCtas) e.state().touchesOtherCtas = true;
  made.predicate = both(e, made.predicate, predicate);
  return made;
}

bool expect(FunctionEmitter& e, mlir::Operation* operation) {
  auto op = mlir::cast<ttng::BarrierExpectOp>(operation);
  Arrival made = arrival(e, op.getAlloc(), e.scalar(op.getPred()), op.getFromCTA());
  e.assembly(std::string("@$0 mbarrier.arrive.expect_tx.shared::") +
                 (made.crossesCtas ? "cluster" : "cta") + ".b64 _, [$1], " +
                 std::to_string(op.getSize()) + ";",
             "b,r", {made.predicate, made.address});
  return true;
}

bool arrive(FunctionEmitter& e, mlir::Operation* operation) {
  auto op = mlir::cast<ttng::ArriveBarrierOp>(operation);
  Arrival made =
      arrival(e, op.getAlloc(), op.getPred() ? e.scalar(op.getPred()) : nullptr, op.getFromCTA());
  std::string count = op.getCount() > 1 ? ", " + std::to_string(op.getCount()) : "";
  if (op.isMulticast()) {
    if (!needs(e, op, multicastArrivals,
               "an arrival at the barriers of several CTAs at once needs"))
      return false;
    e.assembly("@$0 mbarrier.arrive.shared::cluster.multicast::cluster::32b.b64 _, [$1]" + count +
                   ", $2;",
               "b,r,r", {made.predicate, made.address, multicastMask(e, op.getMulticastCTA())});
    return true;
  }
  e.assembly(std::string("@$0 mbarrier.arrive.shared::") + (made.crossesCtas ? "cluster" : "cta") +
                 ".b64 _, [$1]" + count + ";",
             "b,r", {made.predicate, made.address});
  return true;
}

// Every thread waits. Labels in assembly are local to its braces.
bool wait(FunctionEmitter& e, mlir::Operation* operation) {
  auto op = mlir::cast<ttng::WaitBarrierOp>(operation);
  llvm::Value* predicate =
      both(e, op.getPred() ? e.scalar(op.getPred()) : nullptr, isLeader(e, op.getAlloc()));
  if (auto* known = llvm::dyn_cast_or_null<llvm::ConstantInt>(predicate)) {
    if (known->isZero()) return true;
    predicate = nullptr;
  }
  bool sleeps = has(e, chips::Feature::MbarrierTry); // by itself, while it waits
  std::string text = "{\n\t.reg .pred complete;\n";
  if (predicate) text += "\t@!$2 bra.uni skipWait;\n";
  text += "\twaitLoop:\n\tmbarrier." + std::string(sleeps ? "try" : "test") +
          "_wait.parity.shared::cta.b64 complete, [$0], $1;\n";
  if (!sleeps) text += "\t@!complete nanosleep.u32 20;\n";
  text += "\t@!complete bra.uni waitLoop;\n";
  if (predicate) text += "\tskipWait:\n";
  RegisterList operands{e.viewBase(op.getAlloc()), e.scalar(op.getPhase())};
  if (predicate) operands.push_back(predicate);
  e.assembly(text + "}", predicate ? "r,r,b" : "r,r", operands);
  return true;
}

// st.async: each word that arrives counts at the barrier of the CTA it goes to.
bool sharedStore(FunctionEmitter& e, mlir::Operation* operation) {
  auto op = mlir::cast<ttng::AsyncSharedStoreOp>(operation);
  if (!needs(e, op, chips::Feature::AsyncStore, "asynchronous stores to shared memory need"))
    return false;
  auto place = placeIn(e, op, e.layoutOf(op.getSrc().getType()), op.getDst());
  if (!place) return false;
  unsigned bits = e.memoryBits(mlir::getElementTypeOrSelf(op.getSrc().getType()));
  std::optional<LinearLayout> blocks = std::move(place->blocks);
  place->blocks.reset();
  Registers values = e.get(op.getSrc());
  bool narrow = false;
  forEachAccess(e, *place, [&](llvm::Value* address, llvm::ArrayRef<unsigned> registers) {
    if (registers.size() * bits < 32) {
      narrow = true;
      return;
    }
    RegisterList chosen;
    for (unsigned number : registers)
      chosen.push_back(values[number]);
    llvm::Value* block =
        blocks ? e.applyHere(*blocks, e.i32(registers.front())).front() : e.block();
    e.state().touchesOtherCtas = true;
    RegisterList operands{e.inBlock(address, block),
                          e.inBlock(e.viewBase(op.getMbarrier()), block)};
    RegisterList words = pack(e, chosen);
    std::string list, constraints = "r,r";
    for (auto [i, word] : llvm::enumerate(words)) {
      list += (i ? ", $" : "$") + std::to_string(2 + i);
      constraints += ",r";
      operands.push_back(word);
    }
    std::string vector = words.size() > 1 ? ".v" + std::to_string(words.size()) : "";
    e.assembly("st.async.weak.shared::cluster.mbarrier::complete_tx::bytes" + vector +
                   ".b32 [$0], " + (words.size() > 1 ? "{" + list + "}" : list) + ", [$1];",
               constraints, operands);
  });
  if (narrow)
    return e.fail(
        op,
        "an asynchronous store moves at least 4 bytes, but a thread holds fewer consecutive bytes");
  return true;
}

bool fence(FunctionEmitter& e, mlir::Operation* op) {
  e.target().fenceAsyncShared(e, mlir::cast<ttng::FenceAsyncSharedOp>(op).getBCluster());
  return true;
}

bool fenceInit(FunctionEmitter& e, mlir::Operation*) {
  e.assembly("@$0 fence.mbarrier_init.release.cluster;", "b",
             {e.b.CreateICmpEQ(e.thread(), e.i32(0))});
  return true;
}

bool clusterBarrier(FunctionEmitter& e, mlir::Operation* op) {
  e.clusterBarrier(mlir::cast<ttng::ClusterBarrierOp>(op).getRelaxed());
  return true;
}

} // namespace

llvm::ArrayRef<OpRow> barrierOps() {
  static constexpr OpRow rows[] = {
      {"ttng.async_shared_store", sharedStore},
      {"ttng.init_barrier", initialize},
      {"ttng.inval_barrier", invalidate},
      {"ttng.barrier_expect", expect},
      {"ttng.arrive_barrier", arrive},
      {"ttng.wait_barrier", wait},
      {"ttng.fence_async_shared", fence},
      {"ttng.fence_mbarrier_init_release_cluster", fenceInit},
      {"ttng.cluster_barrier", clusterBarrier},
  };
  return rows;
}

} // namespace gluond::lowering::nvidia
