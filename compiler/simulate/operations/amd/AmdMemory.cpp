// AMD: buffer accesses, copies into LDS, barriers.
#include "ir/amdg/Ops.h"
#include "simulate/operations/AtomicRules.h"
#include "simulate/operations/Buffers.h"
#include "simulate/operations/GlobalAccess.h"
#include "simulate/operations/elementwise/Elementwise.h"

namespace gluond::simulate {
using namespace mlir;

namespace {

// The addresses that a pointer and offsets name.
std::vector<uint64_t> addressesOf(const Scalar& pointer, const Tensor& offsets, unsigned bytes) {
  std::vector<uint64_t> addresses(offsets.count());
  for (size_t i = 0; i < addresses.size(); ++i)
    addresses[i] = pointer.bits + static_cast<uint64_t>(int64_t(offsets.as<int32_t>()[i])) * bytes;
  return addresses;
}

// The number of an operand that may be absent, or below zero.
int numberOf(Operation* op, mlir::Value operand) {
  for (auto [i, each] : llvm::enumerate(op->getOperands()))
    if (operand && each == operand) return static_cast<int>(i);
  return -1;
}

Addresses masked(Execution& x, const std::vector<uint64_t>& addresses, int mask) {
  return {addresses.data(),
          mask >= 0 ? x.tensor(static_cast<unsigned>(mask)).as<uint8_t>() : nullptr,
          addresses.size()};
}

Made load(Operation* op, Translator&) {
  auto load = cast<amdg::BufferLoadOp>(op);
  auto element = elementOf(op->getResult(0).getType());
  if (!element) return tl::unexpected<std::string>("its element type is not known");
  int mask = numberOf(op, load.getMask()), other = numberOf(op, load.getOther());
  return Action([element = *element, mask, other](Execution& x) {
    auto result = std::make_shared<Tensor>(element, x.tensor(1).shape());
    if (other >= 0)
      std::memcpy(result->data(), x.tensor(static_cast<unsigned>(other)).data(), result->bytes());
    else
      std::memset(result->data(), 0, result->bytes());
    auto addresses = addressesOf(x.scalar(0), x.tensor(1), bytesOf(element));
    Step step = loadElements(x, masked(x, addresses, mask), bytesOf(element), result->data());
    x.set(0, std::move(result));
    return step;
  });
}

Made store(Operation* op, Translator&) {
  auto store = cast<amdg::BufferStoreOp>(op);
  int mask = numberOf(op, store.getMask());
  return Action([mask](Execution& x) {
    const Tensor& values = x.tensor(0);
    unsigned bytes = bytesOf(values.element());
    auto addresses = addressesOf(x.scalar(1), x.tensor(2), bytes);
    return storeElements(x, masked(x, addresses, mask), bytes, values.data());
  });
}

Made atomic(Operation* op, Translator& t) {
  t.code().usesAtomics = true;
  auto rmw = cast<amdg::BufferAtomicRMWOp>(op);
  int mask = numberOf(op, rmw.getMask());
  return Action([kind = rmw.getAtomicRmwOp(), mask](Execution& x) {
    const Tensor& values = x.tensor(2);
    unsigned bytes = bytesOf(values.element());
    auto addresses = addressesOf(x.scalar(0), x.tensor(1), bytes);
    Addresses chosen = masked(x, addresses, mask);
    auto result = std::make_shared<Tensor>(values.element(), values.shape());
    std::memset(result->data(), 0, result->bytes());
    for (size_t i = 0; i < addresses.size(); ++i) {
      if (!chosen.isOn(i)) continue;
      if (x.checksRaces())
        noteGlobal(x, GlobalUse::Changes, {{addresses[i], addresses[i] + bytes}});
      std::byte* memory = x.machine.at(x.state, addresses[i], bytes);
      if (!memory) return outOfBounds(x, addresses[i], i, true);
      std::memcpy(result->data() + i * bytes, memory, bytes);
      combineAtomically(kind, values.element(), memory, values.data() + i * bytes);
    }
    x.set(0, std::move(result));
    return Step::Next;
  });
}

Made compareAndSwap(Operation*, Translator& t) {
  t.code().usesAtomics = true;
  return Action([](Execution& x) {
    const Tensor &expected = x.tensor(2), &values = x.tensor(3);
    unsigned bytes = bytesOf(values.element());
    auto addresses = addressesOf(x.scalar(0), x.tensor(1), bytes);
    auto result = std::make_shared<Tensor>(values.element(), values.shape());
    for (size_t i = 0; i < addresses.size(); ++i) {
      if (x.checksRaces())
        noteGlobal(x, GlobalUse::Changes, {{addresses[i], addresses[i] + bytes}});
      std::byte* memory = x.machine.at(x.state, addresses[i], bytes);
      if (!memory) return outOfBounds(x, addresses[i], i, true);
      std::memcpy(result->data() + i * bytes, memory, bytes);
      if (std::memcmp(memory, expected.data() + i * bytes, bytes) == 0)
        std::memcpy(memory, values.data() + i * bytes, bytes);
    }
    x.set(0, std::move(result));
    return Step::Next;
  });
}

// Each thread counts these with the copies of its groups.
Made loadToLocal(Operation* op, Translator& t) {
  auto load = cast<amdg::BufferLoadToLocalOp>(op);
  auto places = t.places(cast<ttg::MemDescType>(load.getDest().getType()));
  if (!places) return tl::unexpected(places.error());
  int mask = numberOf(op, load.getMask()), other = numberOf(op, load.getOther());
  return Action([places = *places, mask, other](Execution& x) {
    auto optional = [&](int i) {
      return i >= 0 ? std::get<TensorRef>(x.in(static_cast<unsigned>(i))) : nullptr;
    };
    AsyncOperation operation = x.machine.makeOperation(
        x.state, x.instruction,
        [places, view = x.view(0), pointer = x.scalar(1), offsets = std::get<TensorRef>(x.in(2)),
         chosen = optional(mask), instead = optional(other)](Execution& x) {
          unsigned bytes = bytesOf(places->element());
          Tensor elements(places->element(), places->shape());
          if (instead)
            std::memcpy(elements.data(), instead->data(), elements.bytes());
          else
            std::memset(elements.data(), 0, elements.bytes());
          auto addresses = addressesOf(pointer, *offsets, bytes);
          Addresses where{addresses.data(), chosen ? chosen->as<uint8_t>() : nullptr,
                          addresses.size()};
          if (Step step = loadElements(x, where, bytes, elements.data()); step != Step::Next)
            return step;
          return storeBuffer(x, *places, view, elements.data());
        });
    x.thread.uncommitted.push_back(x.machine.issue(x.state, x.thread, std::move(operation)));
    return Step::Next;
  });
}

// Counted in instructions, of which a copy may be several: taken to wait for all.
Made waitForAll(Operation*, Translator&) {
  return Action([](Execution& x) {
    x.thread.commit();
    return awaitCopies(x, 0);
  });
}

Made nothing(Operation*, Translator&) {
  return Action([](Execution&) { return Step::Next; });
}

} // namespace

void addAmdMemory(OperationTable& table) {
  table["amdg.buffer_load"] = load;
  table["amdg.buffer_store"] = store;
  table["amdg.buffer_atomic_rmw"] = atomic;
  table["amdg.buffer_atomic_cas"] = compareAndSwap;
  table["amdg.buffer_load_to_local"] = loadToLocal;
  table["amdg.async_wait"] = waitForAll;
  table["rocdl.sched.barrier"] = nothing;
  table["rocdl.s.setprio"] = nothing;
}

} // namespace gluond::simulate
