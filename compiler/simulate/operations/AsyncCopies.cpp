// Copies into shared memory that threads issue, commit in groups and wait for (cp.async), and AMD's
// out of it.
#include "chips/Vendor.h"
#include "ir/amdg/Ops.h"
#include "ir/ttg/ModuleTarget.h"
#include "ir/ttg/Ops.h"
#include "ir/ttng/Ops.h"
#include "simulate/operations/Buffers.h"
#include "simulate/operations/GlobalAccess.h"
#include "simulate/operations/barriers/Mbarriers.h"
#include "simulate/operations/elementwise/Elementwise.h"

namespace gluond::simulate {
using namespace mlir;

Step awaitCopies(Execution& x, size_t left) {
  Step step = Step::Next;
  ordering::InFlight::takeAllBut(x.thread.groups, left, [&](const std::vector<uint32_t>& group) {
    for (uint32_t copy : group)
      if (step == Step::Next) step = x.machine.await(x.state, x.thread, copy);
  });
  return step;
}

namespace {

Made copy(Operation* op, Translator& t) {
  auto copy = cast<ttg::AsyncCopyGlobalToLocalOp>(op);
  auto places = t.places(copy.getResult().getType());
  if (!places) return tl::unexpected(places.error());
  int mask = copy.getMask() ? 2 : -1, other = copy.getOther() ? (copy.getMask() ? 3 : 2) : -1;
  return Action([places = *places, mask, other](Execution& x) {
    // The operands of the instruction; memory is read when the copy happens.
    auto pointers = std::get<TensorRef>(x.in(0));
    View view = x.view(1);
    TensorRef chosen = mask >= 0 ? std::get<TensorRef>(x.in(2)) : nullptr;
    simulate::Value instead = other >= 0 ? x.in(static_cast<unsigned>(other)) : simulate::Value();
    auto perform = [places, pointers, view, chosen, instead](Execution& x) {
      Tensor elements(places->element(), places->shape());
      unsigned bytes = bytesOf(places->element());
      std::memset(elements.data(), 0, elements.bytes()); // cp.async fills with zeros
      if (const auto* tensor = std::get_if<TensorRef>(&instead))
        std::memcpy(elements.data(), (*tensor)->data(), elements.bytes());
      else if (const auto* number = std::get_if<Scalar>(&instead))
        for (size_t i = 0; i < elements.count(); ++i)
          std::memcpy(elements.data() + i * bytes, &number->bits, bytes);
      Addresses addresses{pointers->as<uint64_t>(), chosen ? chosen->as<uint8_t>() : nullptr,
                          pointers->count()};
      if (Step step = loadElements(x, addresses, bytes, elements.data()); step != Step::Next)
        return step;
      return storeBuffer(x, *places, view, elements.data(), {.isWhole = !chosen});
    };
    x.thread.uncommitted.push_back(x.machine.issue(
        x.state, x.thread, x.machine.makeOperation(x.state, x.instruction, perform)));
    return Step::Next;
  });
}

Made commit(Operation*, Translator&) {
  return Action([](Execution& x) {
    x.thread.commit();
    return Step::Next;
  });
}

// AMD's hardware counts copies, not groups: a wait that leaves nothing is for all of them.
Made wait(Operation* op, Translator&) {
  auto left = size_t(cast<ttg::AsyncWaitOp>(op).getNum());
  bool isForAll = left == 0 && chips::isAmd(ttg::targetOf(op));
  return Action([=](Execution& x) {
    if (isForAll) x.thread.commit();
    return awaitCopies(x, left);
  });
}

// Each thread of the partition arrives when its copies so far are done. Without noIncrement the
// phase then needs as many arrivals more.
template <bool mayIncrement> Made arrive(Operation* op, Translator& t) {
  bool increments = false;
  if constexpr (mayIncrement)
    increments = !cast<ttng::AsyncCopyMbarrierArriveOp>(op).getNoIncrement();
  return Action([barriers = mbarriersOf(t, op->getOperand(0)), increments](Execution& x) {
    if (!areInitialized(x, barriers, x.view(0))) return Step::Failed;
    int64_t arrivals = x.threads() * barriers.sharing;
    if (increments)
      forEachMbarrier(x, barriers, x.view(0),
                      [&](uint32_t address) { x.state.barriers[address].pending += arrivals; });
    // Copies end in order, and this operation ends after them.
    AsyncOperation arrival = makeHeard(x, barriers, x.view(0), nullptr);
    arrival.arrivals = arrivals;
    x.machine.issue(x.state, x.thread, std::move(arrival));
    return Step::Next;
  });
}

// AMD: out of shared memory, counted in the same groups.
Made copyOut(Operation* op, Translator& t) {
  auto copy = cast<amdg::AsyncCopyLocalToGlobalOp>(op);
  auto places = t.places(copy.getSrc().getType());
  if (!places) return tl::unexpected(places.error());
  return Action([places = *places, hasMask = bool(copy.getMask())](Execution& x) {
    AsyncOperation operation = x.machine.makeOperation(
        x.state, x.instruction,
        [places, view = x.view(0), pointers = std::get<TensorRef>(x.in(1)),
         chosen = hasMask ? std::get<TensorRef>(x.in(2)) : nullptr](Execution& x) {
          std::shared_ptr<Tensor> elements;
          if (Step step = loadBuffer(x, *places, view, elements); step != Step::Next) return step;
          Addresses addresses{pointers->as<uint64_t>(), chosen ? chosen->as<uint8_t>() : nullptr,
                              pointers->count()};
          return storeElements(x, addresses, bytesOf(places->element()), elements->data());
        });
    x.thread.uncommitted.push_back(x.machine.issue(x.state, x.thread, std::move(operation)));
    return Step::Next;
  });
}

} // namespace

void addAsyncCopies(OperationTable& table) {
  table["ttg.async_copy_global_to_local"] = copy;
  table["ttg.async_commit_group"] = commit;
  table["ttg.async_wait"] = wait;
  table["ttng.async_copy_mbarrier_arrive"] = arrive<true>;
  table["amdg.async_copy_mbarrier_arrive"] = arrive<false>;
  table["amdg.async_copy_local_to_global"] = copyOut;
}

} // namespace gluond::simulate
