// mbarriers, with the rules of ordering/Barriers.h, and what orders accesses otherwise.
//
// The CTAs of a cluster run in step: what an op does, it does in each of them. So a barrier that
// several share gets an arrival of each.
#include "ir/amdg/Ops.h"
#include "ir/ttng/Ops.h"
#include "simulate/operations/barriers/Mbarriers.h"

namespace gluond::simulate {
using namespace mlir;

namespace {

Made nothing(Operation*, Translator&) {
  return Action([](Execution&) { return Step::Next; });
}

template <class Op> Made initialize(Operation* op, Translator& t) {
  Mbarriers barriers = mbarriersOf(t, cast<Op>(op).getAlloc());
  int64_t count = int64_t(cast<Op>(op).getCount()) * barriers.sharing;
  return Action([barriers, count](Execution& x) {
    if (!x.isInside(x.view(0))) return Step::Failed;
    forEachMbarrier(x, barriers, x.view(0), [&](uint32_t address) {
      x.checkIdle(address, "this initializes");
      Barrier& barrier = x.state.barriers[address] = Barrier();
      barrier.init = x.instruction.op;
      barrier.count = barrier.pending = count;
      x.machine.changed(x.state, address);
    });
    return Step::Next;
  });
}

Made invalidate(Operation* op, Translator& t) {
  return Action([barriers = mbarriersOf(t, op->getOperand(0))](Execution& x) {
    if (!areInitialized(x, barriers, x.view(0))) return Step::Failed;
    forEachMbarrier(x, barriers, x.view(0), [&](uint32_t address) {
      x.checkIdle(address, "this invalidates");
      x.state.barriers.erase(address);
    });
    return Step::Next;
  });
}

// Which CTA arrives where does not matter: each barrier gets as many arrivals.
Made expect(Operation* op, Translator& t) {
  Mbarriers barriers = mbarriersOf(t, op->getOperand(0));
  int64_t bytes = int64_t(cast<ttng::BarrierExpectOp>(op).getSize()) * barriers.sharing;
  return Action([barriers, bytes](Execution& x) {
    return x.flag(1) ? arriveAt(x, barriers, x.view(0), barriers.sharing, bytes) : Step::Next;
  });
}

Made arrive(Operation* op, Translator& t) {
  auto arrive = cast<ttng::ArriveBarrierOp>(op);
  Mbarriers barriers = mbarriersOf(t, arrive.getAlloc());
  // At all barriers of a class: each gets an arrival of every CTA in it.
  int64_t count = (int64_t(arrive.getCount()) * barriers.sharing)
                  << std::popcount(arrive.getMulticastCTA());
  return Action([barriers, count, isMulticast = arrive.getMulticastCTA() != 0,
                 hasPredicate = bool(arrive.getPred())](Execution& x) {
    if (hasPredicate && !x.flag(1)) return Step::Next;
    return arriveAt(x, barriers, x.view(0), count, 0, isMulticast);
  });
}

// Every thread of the partition arrives; gives the phase before.
Made arriveAmd(Operation* op, Translator& t) {
  auto arrive = cast<amdg::ArriveBarrierOp>(op);
  return Action([barriers = mbarriersOf(t, arrive.getAlloc()),
                 count = int64_t(arrive.getCount())](Execution& x) {
    if (!areInitialized(x, barriers, x.view(0))) return Step::Failed;
    int64_t phase = x.state.barriers[x.view(0).base].phase;
    x.set(0, Scalar{static_cast<uint64_t>(phase & 1), Element::I32});
    return arriveAt(x, barriers, x.view(0), count * x.threads());
  });
}

template <bool mayBePredicated> Made wait(Operation* op, Translator& t) {
  bool hasPredicate = false;
  if constexpr (mayBePredicated) hasPredicate = bool(cast<ttng::WaitBarrierOp>(op).getPred());
  return Action([barriers = mbarriersOf(t, op->getOperand(0)), hasPredicate](Execution& x) {
    if (hasPredicate && !x.flag(2)) return Step::Next;
    if (!areInitialized(x, barriers, x.view(0))) return Step::Failed;
    int64_t parity = x.integer(1) & 1;
    x.thread.waiting.reset();
    forEachMbarrier(x, barriers, x.view(0), [&](uint32_t address) {
      if (!x.thread.waiting && !x.state.barriers[address].isPast(parity))
        x.thread.waiting = Waiting{address, parity};
    });
    if (x.thread.waiting) return Step::Blocked;
    forEachMbarrier(x, barriers, x.view(0), [&](uint32_t address) {
      x.machine.use(x.thread, x.state.barriers[address], x.instruction.op);
      x.machine.passed(x.state, x.thread, x.instruction, address, parity);
    });
    return Step::Next;
  });
}

// All CTAs of the cluster meet.
Made meet(Operation*, Translator&) {
  return Action([](Execution& x) {
    x.machine.meet(x.thread);
    return Step::Next;
  });
}

Made fence(Operation*, Translator&) {
  return Action([](Execution& x) {
    x.machine.fence(x.state, x.thread);
    return Step::Next;
  });
}

} // namespace

void addBarriers(OperationTable& table) {
  table["ttng.init_barrier"] = initialize<ttng::InitBarrierOp>;
  table["ttng.inval_barrier"] = invalidate;
  table["ttng.barrier_expect"] = expect;
  table["ttng.arrive_barrier"] = arrive;
  table["ttng.wait_barrier"] = wait<true>;
  table["amdg.init_barrier"] = initialize<amdg::InitBarrierOp>;
  table["amdg.arrive_barrier"] = arriveAmd;
  table["amdg.wait_barrier"] = wait<false>;
  table["ttng.fence_async_shared"] = fence;
  table["ttng.cluster_barrier"] = meet;
  table["amdg.cluster_barrier_wait"] = meet;
  for (StringRef op : {"ttng.fence_mbarrier_init_release_cluster", "amdg.cluster_barrier_arrive",
                       "amdg.cond_barrier", "ttg.barrier", "gpu.barrier", "rocdl.s.barrier"})
    table[op] = nothing;
}

} // namespace gluond::simulate
