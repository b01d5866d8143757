// Blackwell: tensor memory and tcgen05.
//
// Products and copies of tcgen05 are asynchronous: they happen in the order in which they were
// issued, and a commit is an arrival after those before it.
#include "ir/ttng/TensorMemory.h"

#include "chips/MemorySizes.h"
#include "ir/layouts/Layouts.h"
#include "ir/ttng/MemorySpace.h"
#include "ir/ttng/Ops.h"
#include "simulate/operations/Buffers.h"
#include "simulate/operations/Matrix.h"
#include "simulate/operations/ScaledOperand.h"
#include "simulate/operations/barriers/Mbarriers.h"
#include "simulate/operations/elementwise/Elementwise.h"

#include <limits>

namespace gluond::simulate {
using namespace mlir;

namespace {

ttg::MemDescType typeOf(mlir::Value value) {
  return cast<ttg::MemDescType>(value.getType());
}

void noteTensor(Execution& x, const TensorPlaces& places, const View& view, bool isWrite) {
  if (x.checksRaces())
    x.access(places.touched(x.state.tensorMemory, view, x.machine.tensorAllocOf(view.base)),
             {.isWrite = isWrite});
}

Step loadTensor(Execution& x, const TensorPlaces& places, const View& view,
                std::shared_ptr<Tensor>& out) {
  if (!x.isInside(view)) return Step::Failed;
  if (!places.fits(view, x.state.tensorMemory)) return x.unsupported(beyondTheBuffer);
  if (!places.isWritten(x.state.tensorMemory, view)) x.warn(Id::SimulatedReadBeforeWrite);
  noteTensor(x, places, view, false);
  out = std::make_shared<Tensor>(places.element(), places.shape());
  places.load(x.state.tensorMemory, view, out->data());
  return Step::Next;
}

Step storeTensor(Execution& x, const TensorPlaces& places, const View& view,
                 const std::byte* elements) {
  if (!x.isInside(view)) return Step::Failed;
  if (!places.fits(view, x.state.tensorMemory)) return x.unsupported(beyondTheBuffer);
  noteTensor(x, places, view, true);
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
// fp4 beside fp8: pairs to the eye of the program, a byte for each to the matrix unit.
bool isPadded(ttg::MemDescType type) {
  auto encoding = dyn_cast<ttng::TensorMemoryEncodingAttr>(type.getEncoding());
  return encoding && encoding.getFp4Padded();
}
ttg::MemDescType bytesOfPadded(ttg::MemDescType type) {
  auto encoding = cast<ttng::TensorMemoryEncodingAttr>(type.getEncoding());
  auto doubled = [](ArrayRef<int64_t> pairs) {
    SmallVector<int64_t> shape(pairs);
    shape.back() *= 2;
    return shape;
  };
  return ttg::MemDescType::get(
      doubled(type.getShape()), type.getElementType(),
      ttng::TensorMemoryEncodingAttr::get(type.getContext(), encoding.getBlockM(),
                                          2 * encoding.getBlockN(), encoding.getColStride(),
                                          encoding.getCGALayout(), encoding.getTwoCTAs(), false),
      type.getMemorySpace(), type.getMutableMemory(), doubled(type.getAllocShape()));
}

tl::expected<Operand, std::string> operandOf(Translator& t, mlir::Value value) {
  Operand operand;
  ttg::MemDescType type = typeOf(value);
  if (isPadded(type)) type = bytesOfPadded(type);
  if (ttng::isTensorMemory(type)) {
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
  constexpr int64_t mostColumns = 4096;
  if (size.numCols > mostColumns || t.code().tensorMemoryBytes > (256u << 20))
    return tl::unexpected<std::string>("the buffer is larger than the tensor memory of any chip");
  View view;
  view.base = t.code().tensorMemoryBytes;
  view.pitch = static_cast<uint32_t>(size.numCols * 4);
  auto bytes = static_cast<uint32_t>(chips::tensorMemoryRows * view.pitch);
  t.code().tensorMemoryBytes += bytes;
  t.code().tensors.push_back({view.base, bytes, op});
  TensorPlacesRef places;
  if (alloc.getSrc()) {
    auto found = t.tensorPlaces(alloc.getType());
    if (!found) return tl::unexpected(found.error());
    places = *found;
  }
  return Action([view, bytes, places](Execution& x) {
    for (uint32_t cta = 0; cta < x.machine.code().ctas; ++cta)
      x.state.tensorMemory.forget(x.state.tensorMemory.address(cta, view.base), bytes);
    x.set(0, view);
    return places ? storeTensor(x, *places, view, x.data(0)) : Step::Next;
  });
}

uint32_t stageBytes(ttg::MemDescType type) {
  return static_cast<uint32_t>(4 * ttng::getTmemAllocSizes(type).numCols);
}

// Returns the least or greatest element of each row.
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
  auto offset = static_cast<size_t>(slice.getOffset());
  int dim = static_cast<int>(slice.getDim());
  if (type.getRank() == 3) { // stages: a slice of each, or some of them
    auto shape = type.getShape().drop_front();
    type = ttg::MemDescType::get(shape, type.getElementType(), type.getEncoding(),
                                 type.getMemorySpace(), true, shape);
    if (dim == 0)
      return Action([bytes = static_cast<uint32_t>(offset) * stageBytes(type)](Execution& x) {
        View view = x.view(0);
        view.base += bytes;
        x.set(0, view);
        return Step::Next;
      });
    --dim;
  }
  auto places = t.tensorPlaces(type);
  if (!places) return tl::unexpected(places.error());
  size_t index = dim == 0 ? offset * static_cast<size_t>(type.getShape()[1]) : offset;
  return Action([places = *places, index](Execution& x) {
    x.set(0, places->beginningAt(x.view(0), index));
    return Step::Next;
  });
}

Made nothing(Operation*, Translator&) {
  return Action([](Execution&) { return Step::Next; });
}

// ---------------------------------------------------------------- asynchronous work

// Who hears of the end of work, and how often: each CTA (the first of each pair, where they work in
// pairs) tells those with which it shares the data of an operand.
struct Commit {
  Mbarriers barriers;
  int64_t arrivals = 1;
};
Commit commitOf(Translator& t, mlir::Value barrier, mlir::ValueRange shared, bool isInPairs) {
  Commit commit{mbarriersOf(t, barrier)};
  llvm::SmallVector<uint32_t, 4> copies; // bits of a CTA's number that change nothing
  for (mlir::Value each : shared) {
    layout::LinearLayout linear = ir::toLinearLayout(typeOf(each));
    if (linear.valid() && linear.hasIn(layout::Dim::Block))
      copies.push_back(static_cast<uint32_t>(linear.freeMask(layout::Dim::Block)));
  }
  commit.arrivals = copies.empty() ? 1 : 0;
  for (uint32_t cta = 0; cta < t.code().ctas && !copies.empty(); cta += isInPairs ? 2 : 1)
    commit.arrivals += llvm::any_of(copies, [&](uint32_t free) { return !(cta & ~free); });
  commit.arrivals *= commit.barriers.sharing;
  return commit;
}

// Arrivals at barriers once what was issued before is done.
bool arriveLater(Execution& x, const Commit& commit, const View& view) {
  if (!areInitialized(x, commit.barriers, view)) return false;
  AsyncOperation arrival = makeHeard(x, commit.barriers, view, nullptr);
  arrival.arrivals = commit.arrivals;
  arrival.crosses = true; // the CTAs of a product may be several
  x.machine.issue(x.state, x.thread, std::move(arrival));
  return true;
}

// The barriers that a product names, among its operands from `first` on.
struct Commits {
  llvm::SmallVector<Commit, 2> all;
  unsigned first = 0;
  bool hasPredicates = false;
};
template <class Op> Commits commitsOf(Translator& t, Op mma, unsigned first) {
  Commits commits;
  commits.first = first;
  commits.hasPredicates = !mma.getBarrierPreds().empty();
  llvm::SmallVector<mlir::Value, 2> shared;
  if (mma.getMulticast())
    for (mlir::Value operand : {mlir::Value(mma.getA()), mlir::Value(mma.getB())})
      if (!ttng::isTensorMemory(operand)) shared.push_back(operand);
  for (mlir::Value barrier : mma.getBarriers())
    commits.all.push_back(commitOf(t, barrier, shared, mma.getTwoCtas()));
  return commits;
}

// Issues the work, and the arrivals at barriers after it.
Step issue(Execution& x, Action perform, const Commits& commits) {
  x.machine.issue(x.state, x.thread,
                  x.machine.makeOperation(x.state, x.instruction, std::move(perform)));
  auto count = static_cast<unsigned>(commits.all.size());
  for (unsigned i = 0; i < count; ++i)
    if (!commits.hasPredicates || x.flag(commits.first + count + i))
      if (!arriveLater(x, commits.all[i], x.view(commits.first + i))) return Step::Failed;
  return Step::Next;
}

Made multiply(Operation* op, Translator& t) {
  auto mma = cast<ttng::TCGen5MMAOp>(op);
  auto a = operandOf(t, mma.getA()), b = operandOf(t, mma.getB());
  auto d = t.tensorPlaces(typeOf(mma.getD()));
  if (!a) return tl::unexpected(a.error());
  if (!b) return tl::unexpected(b.error());
  if (!d) return tl::unexpected(d.error());
  // The matrix unit reads fp32 as tf32.
  Precision precision = mma.getIsUnsigned() ? Precision::Unsigned : Precision::Tf32;
  unsigned useD = mma.getAccDep() ? 4 : 3;
  return Action([a = *a, b = *b, d = *d, useD, precision,
                 commits = commitsOf(t, mma, useD + 2)](Execution& x) {
    if (!x.flag(useD + 1)) return Step::Next;
    auto perform = [a, b, d, precision, left = x.view(0), right = x.view(1), sum = x.view(2),
                    adds = x.flag(useD)](Execution& x) {
      std::shared_ptr<Tensor> l, r, c;
      if (Step step = a.load(x, left, l); step != Step::Next) return step;
      if (Step step = b.load(x, right, r); step != Step::Next) return step;
      if (adds)
        if (Step step = loadTensor(x, *d, sum, c); step != Step::Next) return step;
      TensorRef product = simulate::multiply(*l, *r, c.get(), d->element(), precision);
      if (!product) return x.unsupported("products of these element types");
      return storeTensor(x, *d, sum, product->data());
    };
    return issue(x, perform, commits);
  });
}

Made multiplyScaled(Operation* op, Translator& t) {
  auto mma = cast<ttng::TCGen5MMAScaledOp>(op);
  std::array<Operand, 5> operands; // a, b, d, scales of a and b
  mlir::Value values[] = {mma.getA(), mma.getB(), mma.getD(), mma.getAScale(), mma.getBScale()};
  for (unsigned i = 0; i < 5; ++i) {
    auto found = operandOf(t, values[i]);
    if (!found) return tl::unexpected(found.error());
    operands[i] = *found;
  }
  bool aIsPadded = isPadded(typeOf(mma.getA()));
  ScaledOperand a{mma.getAType(), true, false, aIsPadded}, b{mma.getBType(), true, true};
  unsigned aScale = mma.getAccDep() ? 4 : 3;
  return Action([=, commits = commitsOf(t, mma, aScale + 4)](Execution& x) {
    if (!x.flag(aScale + 3)) return Step::Next;
    std::array<View, 5> views = {x.view(0), x.view(1), x.view(2), x.view(aScale),
                                 x.view(aScale + 1)};
    if (aIsPadded) views[0].begin[1] *= 2;
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
      if (!product) return x.unsupported("products of these element types");
      return storeTensor(x, d, views[2], product->data());
    };
    return issue(x, perform, commits);
  });
}

Made commit(Operation* op, Translator& t) {
  auto commit = cast<ttng::TCGen5CommitOp>(op);
  auto module = op->getParentOfType<ModuleOp>();
  auto inPairs = module ? module->getAttrOfType<BoolAttr>(ttng::twoCTAsAttr) : BoolAttr();
  return Action(
      [commit = commitOf(t, commit.getBarrier(), commit.getDescs(), inPairs && inPairs.getValue()),
       hasPredicate = commit.getPred() != nullptr](Execution& x) {
        if (hasPredicate && !x.flag(1)) return Step::Next;
        return arriveLater(x, commit, x.view(0)) ? Step::Next : Step::Failed;
      });
}

Made copy(Operation* op, Translator& t) {
  auto copy = cast<ttng::TMEMCopyOp>(op);
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
    return issue(x, perform, Commits());
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
