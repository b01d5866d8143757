// Blackwell: tensor memory and tcgen05.
//
// Products and copies of tcgen05 are asynchronous: they happen in the order in which they were
// issued, and a commit is an arrival behind those before it.
#include "ir/ttng/Ops.h"
#include "simulate/operations/Buffers.h"
#include "simulate/operations/Elementwise.h"
#include "simulate/operations/Matrix.h"
#include "simulate/operations/ScaledOperand.h"

#include <limits>

namespace gluond::simulate {
using namespace mlir;

namespace {

ttg::MemDescType typeOf(mlir::Value value) {
  return cast<ttg::MemDescType>(value.getType());
}
bool isTensorMemory(ttg::MemDescType type) {
  return isa<ttng::TensorMemorySpaceAttr>(type.getMemorySpace());
}

Step loadTensor(Execution& x, const TensorPlaces& places, const View& view,
                std::shared_ptr<Tensor>& out) {
  if (!x.isInside(view)) return Step::Failed;
  if (!places.fits(view, x.state.tensorMemory)) return x.unsupported(beyondTheBuffer);
  if (!places.isWritten(x.state.tensorMemory, view)) x.warn(Id::SimulatedReadBeforeWrite);
  out = std::make_shared<Tensor>(places.element(), places.shape());
  places.load(x.state.tensorMemory, view, out->data());
  return Step::Next;
}

Step storeTensor(Execution& x, const TensorPlaces& places, const View& view,
                 const std::byte* elements) {
  if (!x.isInside(view)) return Step::Failed;
  if (!places.fits(view, x.state.tensorMemory)) return x.unsupported(beyondTheBuffer);
  places.store(x.state.tensorMemory, view, elements);
  return Step::Next;
}

// An operand that may lie in either memory.
struct Operand {
  PlacesRef shared;
  TensorPlacesRef tensor;
  Step load(Execution& x, const View& view, std::shared_ptr<Tensor>& out) const {
    return shared ? loadBuffer(x, *shared, view, out) : loadTensor(x, *tensor, view, out);
  }
};
tl::expected<Operand, std::string> operandOf(Translator& t, mlir::Value value) {
  Operand operand;
  ttg::MemDescType type = typeOf(value);
  if (isTensorMemory(type)) {
    auto places = t.tensorPlaces(type);
    if (!places) return tl::unexpected(places.error());
    operand.tensor = *places;
  } else {
    auto places = t.places(type);
    if (!places) return tl::unexpected(places.error());
    operand.shared = *places;
  }
  return operand;
}

// ---------------------------------------------------------------- memory

Made allocate(Operation* op, Translator& t) {
  auto alloc = cast<ttng::TMEMAllocOp>(op);
  ttng::TMemAllocation size = ttng::getTmemAllocSizes(alloc.getType());
  constexpr int64_t rows = 128, mostColumns = 4096;
  if (size.numCols > mostColumns || t.program().tensorMemoryBytes > (256u << 20))
    return tl::unexpected<std::string>("more tensor memory than any chip has");
  View view;
  view.base = t.program().tensorMemoryBytes;
  view.pitch = static_cast<uint32_t>(size.numCols * 4);
  auto bytes = static_cast<uint32_t>(rows * view.pitch);
  t.program().tensorMemoryBytes += bytes;
  TensorPlacesRef places;
  if (alloc.getSrc()) {
    auto found = t.tensorPlaces(alloc.getType());
    if (!found) return tl::unexpected(found.error());
    places = *found;
  }
  return Action([view, bytes, places](Execution& x) {
    x.state.tensorMemory.forget(view.base, bytes);
    x.set(0, view);
    return places ? storeTensor(x, *places, view, x.data(0)) : Step::Next;
  });
}

// By row, the least or greatest element.
TensorRef reduceRows(const Tensor& from, bool isMax, bool isAbsolute, bool keepsNan) {
  auto rows = static_cast<size_t>(from.shape()[0]), columns = static_cast<size_t>(from.shape()[1]);
  auto result = std::make_shared<Tensor>(from.element(), llvm::ArrayRef<int64_t>{from.shape()[0]});
  unsigned bytes = bytesOf(from.element());
  for (size_t row = 0; row < rows; ++row) {
    double best = std::numeric_limits<double>::quiet_NaN();
    bool hasNan = false;
    for (size_t i = 0; i < columns; ++i) {
      double value = numberAt(from.element(), from.data() + (row * columns + i) * bytes);
      if (isAbsolute) value = std::fabs(value);
      hasNan |= value != value;
      best = isMax ? std::fmax(best, value) : std::fmin(best, value);
    }
    if (hasNan && keepsNan) best = std::numeric_limits<double>::quiet_NaN();
    storeNumber(from.element(), best, result->data() + row * bytes);
  }
  return result;
}

Made load(Operation* op, Translator& t) {
  auto load = cast<ttng::TMEMLoadOp>(op);
  auto places = t.tensorPlaces(load.getSrc().getType());
  if (!places) return tl::unexpected(places.error());
  bool hasReduction = load.getRed() != nullptr;
  unsigned reduced = load.getToken() ? 2 : 1;
  bool isMax = hasReduction && load.getRedOp() == ttng::TMEMLoadReduceModifier::MAX;
  bool isAbsolute = load.getAbs().value_or(false), keepsNan = load.getNaN().value_or(false);
  return Action(
      [places = *places, hasReduction, reduced, isMax, isAbsolute, keepsNan](Execution& x) {
        std::shared_ptr<Tensor> result;
        if (Step step = loadTensor(x, *places, x.view(0), result); step != Step::Next) return step;
        if (hasReduction) x.set(reduced, reduceRows(*result, isMax, isAbsolute, keepsNan));
        x.set(0, std::move(result));
        return Step::Next;
      });
}

Made store(Operation* op, Translator& t) {
  auto store = cast<ttng::TMEMStoreOp>(op);
  auto places = t.tensorPlaces(store.getDst().getType());
  if (!places) return tl::unexpected(places.error());
  unsigned source = store.getDep() ? 2 : 1;
  return Action([places = *places, source](Execution& x) {
    return x.flag(source + 1) ? storeTensor(x, *places, x.view(0), x.data(source)) : Step::Next;
  });
}

Made subslice(Operation* op, Translator& t) {
  auto slice = cast<ttng::TMEMSubSliceOp>(op);
  ttg::MemDescType type = slice.getSrc().getType();
  auto places = t.tensorPlaces(type);
  if (!places) return tl::unexpected(places.error());
  auto offset = static_cast<size_t>(slice.getOffset());
  size_t index = slice.getDim() == 0 ? offset * static_cast<size_t>(type.getShape()[1]) : offset;
  return Action([places = *places, index](Execution& x) {
    x.set(0, places->beginningAt(x.view(0), index));
    return Step::Next;
  });
}

Made nothing(Operation*, Translator&) {
  return Action([](Execution&) { return Step::Next; });
}

// ---------------------------------------------------------------- asynchronous work

// An arrival at a barrier once what was issued before is done.
bool arriveLater(Execution& x, const View& view) {
  if (!x.isInside(view)) return false;
  uint32_t address = view.base;
  auto barrier = x.state.barriers.find(address);
  if (barrier == x.state.barriers.end() || !barrier->second.init) {
    x.fail(Id::SimulatedUninitializedBarrier);
    return false;
  }
  AsyncOperation arrival = x.machine.makeOperation(x.state, x.instruction, nullptr);
  arrival.barrier = address;
  arrival.arrivals = 1;
  x.machine.began(x.state, x.thread, arrival);
  x.state.underWay.push_back(std::move(arrival));
  return true;
}

// Issues the work, and the arrivals at the barriers that the op names.
Step issue(Execution& x, Action perform, unsigned firstBarrier, unsigned barriers,
           bool hasPredicates) {
  AsyncOperation operation = x.machine.makeOperation(x.state, x.instruction, std::move(perform));
  x.machine.began(x.state, x.thread, operation);
  x.state.underWay.push_back(std::move(operation));
  for (unsigned i = 0; i < barriers; ++i)
    if (!hasPredicates || x.flag(firstBarrier + barriers + i))
      if (!arriveLater(x, x.view(firstBarrier + i))) return Step::Failed;
  return Step::Next;
}

Made multiply(Operation* op, Translator& t) {
  auto mma = cast<ttng::TCGen5MMAOp>(op);
  if (mma.getTwoCtas() || mma.getMulticast())
    return tl::unexpected<std::string>("the simulator does not execute products of two CTAs yet");
  auto a = operandOf(t, mma.getA()), b = operandOf(t, mma.getB());
  auto d = t.tensorPlaces(typeOf(mma.getD()));
  if (!a) return tl::unexpected(a.error());
  if (!b) return tl::unexpected(b.error());
  if (!d) return tl::unexpected(d.error());
  if (mma.getIsUnsigned())
    return tl::unexpected<std::string>("the simulator does not multiply unsigned integers yet");
  unsigned useD = mma.getAccDep() ? 4 : 3;
  auto barriers = static_cast<unsigned>(mma.getBarriers().size());
  bool hasPredicates = !mma.getBarrierPreds().empty();
  return Action([a = *a, b = *b, d = *d, useD, barriers, hasPredicates](Execution& x) {
    if (!x.flag(useD + 1)) return Step::Next;
    auto perform = [a, b, d, left = x.view(0), right = x.view(1), sum = x.view(2),
                    adds = x.flag(useD)](Execution& x) {
      std::shared_ptr<Tensor> l, r, c;
      if (Step step = a.load(x, left, l); step != Step::Next) return step;
      if (Step step = b.load(x, right, r); step != Step::Next) return step;
      if (adds)
        if (Step step = loadTensor(x, *d, sum, c); step != Step::Next) return step;
      TensorRef product = simulate::multiply(*l, *r, c.get(), d->element(), Precision::Tf32);
      if (!product) return x.unsupported("a product of these element types");
      return storeTensor(x, *d, sum, product->data());
    };
    return issue(x, perform, useD + 2, barriers, hasPredicates);
  });
}

Made multiplyScaled(Operation* op, Translator& t) {
  auto mma = cast<ttng::TCGen5MMAScaledOp>(op);
  if (mma.getTwoCtas() || mma.getMulticast())
    return tl::unexpected<std::string>("the simulator does not execute products of two CTAs yet");
  std::array<Operand, 5> operands; // a, b, d, scales of a and b
  mlir::Value values[] = {mma.getA(), mma.getB(), mma.getD(), mma.getAScale(), mma.getBScale()};
  for (unsigned i = 0; i < 5; ++i) {
    auto encoding = dyn_cast<ttg::NVMMASharedEncodingAttr>(typeOf(values[i]).getEncoding());
    if (encoding && encoding.getFp4Padded())
      return tl::unexpected<std::string>("the simulator does not read padded fp4 yet");
    auto found = operandOf(t, values[i]);
    if (!found) return tl::unexpected(found.error());
    operands[i] = *found;
  }
  ScaledOperand a{mma.getAType(), true, false}, b{mma.getBType(), true, true};
  unsigned aScale = mma.getAccDep() ? 4 : 3;
  auto barriers = static_cast<unsigned>(mma.getBarriers().size());
  bool hasPredicates = !mma.getBarrierPreds().empty();
  return Action([=](Execution& x) {
    if (!x.flag(aScale + 3)) return Step::Next;
    std::array<View, 5> views = {x.view(0), x.view(1), x.view(2), x.view(aScale),
                                 x.view(aScale + 1)};
    auto perform = [=, adds = x.flag(aScale + 2)](Execution& x) {
      std::array<std::shared_ptr<Tensor>, 5> loaded;
      for (unsigned i = 0; i < 5; ++i)
        if (i != 2 || adds)
          if (Step step = operands[i].load(x, views[i], loaded[i]); step != Step::Next) return step;
      auto left = unpacked(a, *loaded[0]), right = unpacked(b, *loaded[1]);
      applyScales(a, *left, *loaded[3]);
      applyScales(b, *right, *loaded[4]);
      const TensorPlaces& d = *operands[2].tensor;
      TensorRef product =
          simulate::multiply(*left, *right, loaded[2].get(), d.element(), Precision::Ieee);
      if (!product) return x.unsupported("a product of these element types");
      return storeTensor(x, d, views[2], product->data());
    };
    return issue(x, perform, aScale + 4, barriers, hasPredicates);
  });
}

Made commit(Operation* op, Translator&) {
  auto commit = cast<ttng::TCGen5CommitOp>(op);
  bool hasPredicate = commit.getPred() != nullptr;
  return Action([hasPredicate](Execution& x) {
    if (hasPredicate && !x.flag(1)) return Step::Next;
    return arriveLater(x, x.view(0)) ? Step::Next : Step::Failed;
  });
}

Made copy(Operation* op, Translator& t) {
  auto copy = cast<ttng::TMEMCopyOp>(op);
  if (typeOf(copy.getSrc()).getShape() != typeOf(copy.getDst()).getShape())
    return tl::unexpected<std::string>("the simulator does not copy scales in blocks yet");
  auto from = t.places(typeOf(copy.getSrc()));
  auto to = t.tensorPlaces(typeOf(copy.getDst()));
  if (!from) return tl::unexpected(from.error());
  if (!to) return tl::unexpected(to.error());
  return Action([from = *from, to = *to](Execution& x) {
    auto perform = [from, to, source = x.view(0), destination = x.view(1)](Execution& x) {
      std::shared_ptr<Tensor> elements;
      if (Step step = loadBuffer(x, *from, source, elements); step != Step::Next) return step;
      return storeTensor(x, *to, destination, elements->data());
    };
    return issue(x, perform, 0, 0, false);
  });
}

} // namespace

void addTensorMemory(OperationTable& table) {
  table["ttng.tmem_alloc"] = allocate;
  table["ttng.tmem_load"] = load;
  table["ttng.tmem_store"] = store;
  table["ttng.tmem_subslice"] = subslice;
  table["ttng.tmem_copy"] = copy;
  table["ttng.tmem_wait"] = nothing;
  table["ttng.tc_gen5_mma"] = multiply;
  table["ttng.tc_gen5_mma_scaled"] = multiplyScaled;
  table["ttng.tc_gen5_commit"] = commit;
}

} // namespace gluond::simulate
