#include "simulate/operations/barriers/Mbarriers.h"

#include "ir/layouts/Layouts.h"

namespace gluond::simulate {

Mbarriers mbarriersOf(const Translator& translator, mlir::Value descriptor) {
  Mbarriers barriers;
  uint32_t ctas = translator.code().ctas, shared = 0;
  layout::LinearLayout linear =
      ir::toLinearLayout(mlir::cast<ttg::MemDescType>(descriptor.getType()));
  if (linear.valid() && linear.hasIn(layout::Dim::Block))
    shared = static_cast<uint32_t>(linear.freeMask(layout::Dim::Block));
  for (uint32_t cta = 1; cta < ctas; ++cta)
    if (!(cta & shared)) barriers.ctas |= 1u << cta;
  barriers.sharing = int64_t(ctas) / std::popcount(barriers.ctas);
  return barriers;
}

bool areInitialized(Execution& x, const Mbarriers& barriers, const View& view) {
  if (!x.isInside(view)) return false;
  bool are = true;
  forEachMbarrier(x, barriers, view, [&](uint32_t address) {
    auto found = x.state.barriers.find(address);
    are = are && found != x.state.barriers.end() && found->second.init;
  });
  if (!are) x.fail(Id::SimulatedUninitializedBarrier);
  return are;
}

AsyncOperation makeHeard(Execution& x, const Mbarriers& barriers, const View& view,
                         Action perform) {
  AsyncOperation operation = x.machine.makeOperation(x.state, x.instruction, std::move(perform));
  operation.barrier = view.base;
  operation.ctas = barriers.ctas;
  operation.crosses = barriers.sharing > 1;
  return operation;
}

Step arriveAt(Execution& x, const Mbarriers& barriers, const View& view, int64_t count,
              int64_t bytes, bool crosses) {
  if (!areInitialized(x, barriers, view)) return Step::Failed;
  Step step = Step::Next;
  Clock clock = x.machine.released(x.thread);
  if (x.checksRaces() && (crosses || barriers.sharing > 1)) clock.meet();
  forEachMbarrier(x, barriers, view, [&](uint32_t address) {
    Barrier& barrier = x.state.barriers[address];
    if (step != Step::Next) return;
    if (barrier.pending < count) {
      x.note(Machine::tooManyArrivals(x.state, x.instruction.op, barrier));
      step = Step::Failed;
      return;
    }
    if (bytes) {
      barrier.bytes += bytes;
      barrier.expected += bytes;
      barrier.expect = x.instruction.op;
    }
    x.machine.use(x.thread, barrier, x.instruction.op);
    barrier.arrive(count, clock);
    x.machine.changed(x.state, address);
  });
  return step;
}

} // namespace gluond::simulate
