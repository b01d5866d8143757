// Atomic accesses to global memory. Programs that use them run one after another, in the order of
// their numbers, so that the results are the same each time.
#include "ir/tt/Ops.h"
#include "simulate/operations/AtomicRules.h"
#include "simulate/operations/GlobalAccess.h"
#include "simulate/operations/elementwise/Elementwise.h"

namespace gluond::simulate {
using namespace mlir;

void combineAtomically(tt::RMWOp kind, Element element, std::byte* memory, const std::byte* value) {
  visitElement(element, [&](auto is) {
    using F = typename decltype(is)::Format;
    using Stored = typename F::Stored;
    Stored oldBits, newBits;
    std::memcpy(&oldBits, memory, sizeof oldBits);
    std::memcpy(&newBits, value, sizeof newBits);
    if (kind != tt::RMWOp::XCHG) {
      auto a = F::load(oldBits), b = F::load(newBits);
      if constexpr (std::is_floating_point_v<decltype(a)>) {
        newBits = F::store(kind == tt::RMWOp::MAX   ? std::fmax(a, b)
                           : kind == tt::RMWOp::MIN ? std::fmin(a, b)
                                                    : a + b);
      } else {
        using S = std::make_signed_t<decltype(a)>;
        auto combined = [&]() -> decltype(a) {
          switch (kind) {
          case tt::RMWOp::AND:
            return a & b;
          case tt::RMWOp::OR:
            return a | b;
          case tt::RMWOp::XOR:
            return a ^ b;
          case tt::RMWOp::MAX:
            return static_cast<S>(a) > static_cast<S>(b) ? a : b;
          case tt::RMWOp::MIN:
            return static_cast<S>(a) < static_cast<S>(b) ? a : b;
          case tt::RMWOp::UMAX:
            return std::max(a, b);
          case tt::RMWOp::UMIN:
            return std::min(a, b);
          default:
            return static_cast<decltype(a)>(a + b);
          }
        };
        newBits = F::store(combined());
      }
    }
    std::memcpy(memory, &newBits, sizeof newBits);
  });
}

namespace {

// Calls change(memory, i, old) for each element that counts; the result holds what was there.
template <class Change> Step atomically(Execution& x, Element element, int mask, Change change) {
  Addresses addresses = addressesOf(x, 0, mask);
  unsigned bytes = bytesOf(element);
  Scalar number{0, element};
  std::shared_ptr<Tensor> tensor;
  std::byte* old = reinterpret_cast<std::byte*>(&number.bits);
  if (x.isTensor(0)) {
    tensor = std::make_shared<Tensor>(element, x.tensor(0).shape());
    std::memset(tensor->data(), 0, tensor->bytes());
    old = tensor->data();
  }
  Bytes::Runs runs;
  for (size_t i = 0; i < addresses.count; ++i) {
    if (!addresses.isOn(i)) continue;
    if (x.checksRaces()) runs.push_back({addresses.at[i], addresses.at[i] + bytes});
    std::byte* memory = x.machine.at(x.state, addresses.at[i], bytes);
    if (!memory) return outOfBounds(x, addresses.at[i], i, true);
    std::memcpy(old + i * bytes, memory, bytes);
    change(memory, i);
  }
  noteGlobal(x, GlobalUse::Changes, std::move(runs));
  if (x.instruction.results) {
    if (tensor)
      x.set(0, std::move(tensor));
    else
      x.set(0, number);
  }
  return Step::Next;
}

Made readModifyWrite(Operation* op, Translator& t) {
  t.code().usesAtomics = true;
  auto rmw = cast<tt::AtomicRMWOp>(op);
  auto element = elementOf(rmw.getVal().getType());
  if (!element) return tl::unexpected<std::string>("its element type is not known");
  int mask = rmw.getMask() ? 2 : -1;
  return Action([kind = rmw.getAtomicRmwOp(), element = *element, mask](Execution& x) {
    const std::byte* values = x.data(1);
    return atomically(x, element, mask, [&](std::byte* memory, size_t i) {
      combineAtomically(kind, element, memory, values + i * bytesOf(element));
    });
  });
}

Made compareAndSwap(Operation* op, Translator& t) {
  t.code().usesAtomics = true;
  auto element = elementOf(op->getOperand(1).getType());
  if (!element) return tl::unexpected<std::string>("its element type is not known");
  return Action([element = *element](Execution& x) {
    const std::byte *expected = x.data(1), *values = x.data(2);
    unsigned bytes = bytesOf(element);
    return atomically(x, element, -1, [&](std::byte* memory, size_t i) {
      if (std::memcmp(memory, expected + i * bytes, bytes) == 0)
        std::memcpy(memory, values + i * bytes, bytes);
    });
  });
}

Made load(Operation* op, Translator& t) {
  t.code().usesAtomics = true;
  auto element = elementOf(op->getResult(0).getType());
  if (!element) return tl::unexpected<std::string>("its element type is not known");
  int mask = cast<tt::AtomicLoadOp>(op).getMask() ? 1 : -1;
  return Action([element = *element, mask](Execution& x) {
    return atomically(x, element, mask, [](std::byte*, size_t) {});
  });
}

Made store(Operation* op, Translator& t) {
  t.code().usesAtomics = true;
  auto element = elementOf(op->getOperand(1).getType());
  if (!element) return tl::unexpected<std::string>("its element type is not known");
  int mask = cast<tt::AtomicStoreOp>(op).getMask() ? 2 : -1;
  return Action([element = *element, mask](Execution& x) {
    const std::byte* values = x.data(1);
    return atomically(x, element, mask, [&](std::byte* memory, size_t i) {
      std::memcpy(memory, values + i * bytesOf(element), bytesOf(element));
    });
  });
}

// Until all elements are what is expected, other programs have their turn; so many nanoseconds at
// most, of which a step takes one.
Made poll(Operation* op, Translator& t) {
  t.code().usesAtomics = true;
  auto element = elementOf(op->getOperand(1).getType());
  if (!element) return tl::unexpected<std::string>("its element type is not known");
  bool mayGiveUp = bool(cast<tt::AtomicPollOp>(op).getTimeout());
  return Action([bytes = bytesOf(*element), mayGiveUp](Execution& x) {
    size_t count = x.count(0);
    std::vector<std::byte> seen(count * bytes);
    Addresses addresses = addressesOf(x, 0, -1);
    if (Step step = loadElements(x, addresses, bytes, seen.data()); step != Step::Next) return step;
    bool isSeen = std::memcmp(seen.data(), x.data(1), seen.size()) == 0;
    bool hasTime = !mayGiveUp || x.thread.tries < x.scalar(2).bits;
    if (!isSeen && hasTime) {
      ++x.thread.tries;
      return x.jump(x.thread.frames.back().next - 1);
    }
    x.thread.tries = 0;
    auto equals = [&](size_t i) {
      return std::memcmp(seen.data() + i * bytes, x.data(1) + i * bytes, bytes) == 0;
    };
    if (!x.isTensor(0)) {
      x.set(0, Scalar{equals(0), Element::I1});
      return Step::Next;
    }
    auto result = std::make_shared<Tensor>(Element::I1, x.tensor(0).shape());
    for (size_t i = 0; i < count; ++i)
      result->as<uint8_t>()[i] = equals(i);
    x.set(0, std::move(result));
    return Step::Next;
  });
}

} // namespace

void addAtomics(OperationTable& table) {
  table["tt.atomic_rmw"] = readModifyWrite;
  table["tt.atomic_poll"] = poll;
  table["tt.atomic_cas"] = compareAndSwap;
  table["tt.atomic_load"] = load;
  table["tt.atomic_store"] = store;
}

} // namespace gluond::simulate
