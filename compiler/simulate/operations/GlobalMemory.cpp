// Loads, stores and pointers.
#include "ir/tt/Ops.h"
#include "ir/ttg/Ops.h"
#include "simulate/operations/GlobalAccess.h"
#include "simulate/operations/elementwise/Elementwise.h"

namespace gluond::simulate {
using namespace mlir;

namespace {

Made addPointer(Operation* op, Translator&) {
  auto pointee = getElementTypeOrSelf(tt::pointeeType(op->getResult(0).getType()));
  auto offsetElement = elementOf(op->getOperand(1).getType());
  if (!offsetElement) return tl::unexpected<std::string>("its element type is not known");
  uint64_t bytes = std::max(1u, tt::bitWidth(pointee) / 8);
  return Action([bytes, offset = *offsetElement](Execution& x) {
    auto add = [&](size_t count, bool isOnePointer, bool isOneOffset, uint64_t* out) {
      auto* pointers = reinterpret_cast<const uint64_t*>(x.data(0));
      const std::byte* offsets = x.data(1);
      auto loop = [&](auto sample) {
        using T = decltype(sample);
        auto* at = reinterpret_cast<const T*>(offsets);
        for (size_t i = 0; i < count; ++i)
          out[i] = pointers[isOnePointer ? 0 : i] +
                   static_cast<uint64_t>(static_cast<int64_t>(at[isOneOffset ? 0 : i])) * bytes;
      };
      switch (bytesOf(offset)) {
      case 1:
        return loop(int8_t());
      case 2:
        return loop(int16_t());
      case 4:
        return loop(int32_t());
      default:
        return loop(int64_t());
      }
    };
    if (!x.isTensor(0) && !x.isTensor(1)) {
      Scalar result{0, Element::I64};
      add(1, true, true, &result.bits);
      x.set(0, result);
      return Step::Next;
    }
    const Tensor& shaped = x.isTensor(0) ? x.tensor(0) : x.tensor(1);
    auto result = std::make_shared<Tensor>(Element::I64, shaped.shape());
    add(result->count(), !x.isTensor(0), !x.isTensor(1), result->as<uint64_t>());
    x.set(0, std::move(result));
    return Step::Next;
  });
}

Made load(Operation* op, Translator&) {
  auto load = cast<tt::LoadOp>(op);
  auto element = elementOf(op->getResult(0).getType());
  if (!element) return tl::unexpected<std::string>("its element type is not known");
  int mask = load.getMask() ? 1 : -1, other = load.getOther() ? 2 : -1;
  return Action([element = *element, mask, other](Execution& x) {
    Addresses addresses = addressesOf(x, 0, mask);
    unsigned bytes = bytesOf(element);
    if (!x.isTensor(0)) {
      Scalar result{other >= 0 ? x.scalar(static_cast<unsigned>(other)).bits : 0, element};
      Step step = loadElements(x, addresses, bytes, reinterpret_cast<std::byte*>(&result.bits));
      x.set(0, result);
      return step;
    }
    auto result = std::make_shared<Tensor>(element, x.tensor(0).shape());
    if (mask >= 0) { // else every element is loaded
      if (other < 0)
        std::memset(result->data(), 0, result->bytes());
      else if (x.isTensor(static_cast<unsigned>(other)))
        std::memcpy(result->data(), x.data(static_cast<unsigned>(other)), result->bytes());
      else
        for (size_t i = 0; i < result->count(); ++i)
          std::memcpy(result->data() + i * bytes, x.data(static_cast<unsigned>(other)), bytes);
    }
    Step step = loadElements(x, addresses, bytes, result->data());
    x.set(0, std::move(result));
    return step;
  });
}

Made store(Operation* op, Translator&) {
  auto element = elementOf(op->getOperand(1).getType());
  if (!element) return tl::unexpected<std::string>("its element type is not known");
  int mask = cast<tt::StoreOp>(op).getMask() ? 2 : -1;
  return Action([bytes = bytesOf(*element), mask](Execution& x) {
    return storeElements(x, addressesOf(x, 0, mask), bytes, x.data(1));
  });
}

// Memory of the program's own, which begins as zeros.
Made scratch(Operation* op, Translator&) {
  auto bytes = static_cast<size_t>(cast<ttg::GlobalScratchAllocOp>(op).getNbytes());
  return Action([bytes](Execution& x) {
    constexpr size_t most = 4096; // of one program: then the oldest are not used any more
    if (x.state.scratch.size() >= most)
      return x.unsupported("the program needs too much scratch memory");
    uint64_t index = x.state.scratch.size();
    x.state.scratch.emplace_back(bytes, std::byte(0));
    x.set(0, Scalar{Machine::scratchAddress | index << Machine::scratchRange, Element::I64});
    return Step::Next;
  });
}

} // namespace

void addGlobalMemory(OperationTable& table) {
  table["tt.addptr"] = addPointer;
  table["tt.load"] = load;
  table["tt.store"] = store;
  table["ttg.global_scratch_alloc"] = scratch;
}

} // namespace gluond::simulate
