// Cluster launch control, and stores to the shared memory of other CTAs.
//
// A program may take over the work of programs that have not begun. Which ones is settled by their
// numbers (machine/Machine.h, Setting), so that a launch gives the same results each time.
#include "ir/ttng/Ops.h"
#include "simulate/operations/Buffers.h"
#include "simulate/operations/barriers/Mbarriers.h"

namespace gluond::simulate {
using namespace mlir;

namespace {

// The answer to a request, in 16 bytes of shared memory: whether there was a program, and its place
// in the grid, as wide as CUDA's limits want.
constexpr uint64_t isTaken = uint64_t(1) << 63;
constexpr unsigned shifts[] = {0, 31, 47};
constexpr uint64_t masks[] = {0x7fffffff, 0xffff, 0xffff};
struct Answer {
  uint64_t program = 0, unused = 0;
};

void noteAnswer(Execution& x, uint32_t at, bool isWrite) {
  if (x.checksRaces())
    x.access(Bytes::range(x.machine.sharedAllocOf(at), at, at + sizeof(Answer)),
             {.isWrite = isWrite});
}

Answer takeOver(Execution& x) {
  const Setting& setting = x.machine.setting();
  uint64_t next =
      setting.numberOf(x.state.program) + (x.state.claims + uint64_t(1)) * setting.claimStride;
  if (!setting.claimStride || next >= setting.programs()) return {};
  ++x.state.claims;
  Answer answer{isTaken};
  ProgramId id = setting.idOf(next);
  for (unsigned d = 0; d < 3; ++d)
    answer.program |= (static_cast<uint64_t>(id[d]) & masks[d]) << shifts[d];
  return answer;
}

Made tryCancel(Operation* op, Translator& t) {
  t.code().takesOverWork = true;
  return Action([barriers = mbarriersOf(t, op->getOperand(1))](Execution& x) {
    if (!x.isInside(x.view(0)) || !areInitialized(x, barriers, x.view(1))) return Step::Failed;
    AsyncOperation request =
        makeHeard(x, barriers, x.view(1), [result = x.view(0).base](Execution& x) {
          Answer answer = takeOver(x);
          noteAnswer(x, result, true);
          for (uint32_t cta = 0; cta < x.machine.code().ctas; ++cta) {
            uint32_t at = x.state.shared.address(cta, result);
            if (at + sizeof answer > x.state.shared.size()) return x.unsupported(beyondTheBuffer);
            std::memcpy(x.state.shared.data() + at, &answer, sizeof answer);
            x.state.shared.noteWritten(at, sizeof answer);
          }
          return Step::Next;
        });
    request.bytes = static_cast<int64_t>(sizeof(Answer)) * barriers.sharing;
    x.machine.issue(x.state, x.thread, std::move(request));
    return Step::Next;
  });
}

Made loadAnswer(Operation*, Translator&) {
  return Action([](Execution& x) {
    if (!x.isInside(x.view(0))) return Step::Failed;
    Answer answer;
    size_t at = x.view(0).base;
    if (at + sizeof answer > x.state.shared.size()) return x.unsupported(beyondTheBuffer);
    if (!x.state.shared.isWritten(at, sizeof answer)) x.warn(Id::SimulatedReadBeforeWrite);
    noteAnswer(x, x.view(0).base, false);
    std::memcpy(&answer, x.state.shared.data() + at, sizeof answer);
    x.set(0, Scalar{answer.program, Element::I64});
    return Step::Next;
  });
}

Made isCanceled(Operation*, Translator&) {
  return Action([](Execution& x) {
    x.set(0, Scalar{(x.scalar(0).bits & isTaken) != 0, Element::I1});
    return Step::Next;
  });
}

Made programOf(Operation* op, Translator&) {
  auto dim = static_cast<unsigned>(cast<ttng::CLCGetProgramIdOp>(op).getDim());
  return Action([dim](Execution& x) {
    x.set(0, Scalar{x.scalar(0).bits >> shifts[dim] & masks[dim], Element::I32});
    return Step::Next;
  });
}

// st.async: the barrier of each CTA that is written to counts the bytes.
Made store(Operation* op, Translator& t) {
  auto store = cast<ttng::AsyncSharedStoreOp>(op);
  auto places = t.places(store.getDst().getType());
  if (!places) return tl::unexpected(places.error());
  Reach reach = reachOf(t, **places, store.getSrc().getType());
  return Action([places = *places, reach,
                 barriers = mbarriersOf(t, store.getMbarrier())](Execution& x) {
    if (!areInitialized(x, barriers, x.view(2))) return Step::Failed;
    uint32_t ctas = places->ctas(x.view(1));
    AsyncOperation operation = makeHeard(
        x, barriers, x.view(2),
        [places, reach, elements = std::get<TensorRef>(x.in(0)), view = x.view(1)](Execution& x) {
          return storeBuffer(x, *places, view, elements->data(), reach);
        });
    operation.ctas &= ctas;
    operation.crosses = true;
    auto bytes = static_cast<int64_t>(places->bytes()) << std::popcount(places->copies());
    operation.bytes = bytes / std::popcount(ctas);
    x.machine.issue(x.state, x.thread, std::move(operation));
    return Step::Next;
  });
}

} // namespace

void addClusters(OperationTable& table) {
  table["ttng.clc_try_cancel"] = tryCancel;
  table["ttng.clc_load_result"] = loadAnswer;
  table["ttng.clc_is_canceled"] = isCanceled;
  table["ttng.clc_get_program_id"] = programOf;
  table["ttng.async_shared_store"] = store;
}

} // namespace gluond::simulate
