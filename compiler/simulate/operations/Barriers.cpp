// mbarriers, with the rules of protocol/Barriers.h, and what orders accesses otherwise.
#include "ir/ttng/Ops.h"
#include "simulate/operations/Elementwise.h"

namespace gluond::simulate {
using namespace mlir;

namespace {

Made nothing(Operation*, Translator&) {
  return Action([](Execution&) { return Step::Next; });
}

// The barrier that an op names; null: it was never initialized, which is noted.
Barrier* barrierOf(Execution& x, unsigned operand) {
  if (!x.isInside(x.view(operand))) return nullptr;
  auto found = x.state.barriers.find(x.view(operand).base);
  if (found != x.state.barriers.end() && found->second.init) return &found->second;
  x.fail(Id::SimulatedUninitializedBarrier);
  return nullptr;
}

Made initialize(Operation* op, Translator&) {
  int64_t count = cast<ttng::InitBarrierOp>(op).getCount();
  return Action([count](Execution& x) {
    if (!x.isInside(x.view(0))) return Step::Failed;
    uint32_t address = x.view(0).base;
    Barrier& barrier = x.state.barriers[address] = Barrier();
    barrier.init = x.instruction.op;
    barrier.count = barrier.pending = count;
    x.machine.changed(x.state, address);
    return Step::Next;
  });
}

Made invalidate(Operation*, Translator&) {
  return Action([](Execution& x) {
    if (!barrierOf(x, 0)) return Step::Failed;
    x.state.barriers.erase(x.view(0).base);
    return Step::Next;
  });
}

// More arrivals than the phase has room for leave the barrier in a state that nobody knows.
Step arriveAt(Execution& x, Barrier& barrier, int64_t count) {
  if (barrier.pending < count) {
    Finding finding = makeFinding(Id::SimulatedArrivals, x.instruction.op->getLoc(), barrier.count);
    finding.event(NoteId::InitializedHere, barrier.init->getLoc(), barrier.count);
    finding.isEnd = true;
    x.note(std::move(finding));
    return Step::Failed;
  }
  barrier.arrive(count, {});
  x.machine.changed(x.state, x.view(0).base);
  return Step::Next;
}

Made expect(Operation* op, Translator&) {
  return Action([size = int64_t(cast<ttng::BarrierExpectOp>(op).getSize())](Execution& x) {
    if (!x.flag(1)) return Step::Next;
    Barrier* barrier = barrierOf(x, 0);
    if (!barrier) return Step::Failed;
    barrier->bytes += size;
    barrier->expected += size;
    barrier->expect = x.instruction.op;
    return arriveAt(x, *barrier, 1);
  });
}

Made arrive(Operation* op, Translator&) {
  auto arrive = cast<ttng::ArriveBarrierOp>(op);
  if (arrive.isMulticast())
    return tl::unexpected<std::string>("an arrival at barriers of several CTAs");
  return Action(
      [count = int64_t(arrive.getCount()), hasPredicate = bool(arrive.getPred())](Execution& x) {
        if (hasPredicate && !x.flag(1)) return Step::Next;
        Barrier* barrier = barrierOf(x, 0);
        return barrier ? arriveAt(x, *barrier, count) : Step::Failed;
      });
}

Made wait(Operation* op, Translator&) {
  bool hasPredicate = bool(cast<ttng::WaitBarrierOp>(op).getPred());
  return Action([hasPredicate](Execution& x) {
    if (hasPredicate && !x.flag(2)) return Step::Next;
    Barrier* barrier = barrierOf(x, 0);
    if (!barrier) return Step::Failed;
    int64_t parity = x.integer(1) & 1;
    if (barrier->isPast(parity)) {
      x.thread.waiting.reset();
      return Step::Next;
    }
    x.thread.waiting = Waiting{x.view(0).base, parity};
    return Step::Blocked;
  });
}

} // namespace

void addBarriers(OperationTable& table) {
  table["ttng.init_barrier"] = initialize;
  table["ttng.inval_barrier"] = invalidate;
  table["ttng.barrier_expect"] = expect;
  table["ttng.arrive_barrier"] = arrive;
  table["ttng.wait_barrier"] = wait;
  table["ttng.fence_async_shared"] = nothing;
  table["ttng.fence_mbarrier_init_release_cluster"] = nothing;
  table["ttng.cluster_barrier"] = nothing;
  table["ttg.barrier"] = nothing;
  table["gpu.barrier"] = nothing;
}

} // namespace gluond::simulate
