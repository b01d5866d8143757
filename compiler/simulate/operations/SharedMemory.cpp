// Buffers in shared memory: bytes under their real encodings, so that views and reinterpretations
// see what the hardware would.
#include "passes/memory/SharedMemory.h"

#include "ir/tt/Ops.h"
#include "ir/ttg/Ops.h"
#include "ir/ttng/MemorySpace.h"
#include "ir/ttng/TensorMemory.h"
#include "simulate/operations/AtomicRules.h"
#include "simulate/operations/Buffers.h"
#include "simulate/operations/RegisterOrder.h"
#include "simulate/operations/StridedWalk.h"
#include "simulate/operations/elementwise/Elementwise.h"

namespace gluond::simulate {
using namespace mlir;

Reach reachOf(const Translator& translator, const SharedPlaces& places,
              RankedTensorType registers) {
  if (translator.code().ctas == 1) return {};
  Homes homes = homesOf(registers);
  bool isOwn = !(homes.copies & ~places.copies());
  for (size_t i = 0; i < homes.first.size() && i < places.count() && isOwn; ++i)
    isOwn = !((homes.first[i] ^ places.ctaAt(i)) & ~places.copies());
  return isOwn ? Reach() : Reach{std::make_shared<const Homes>(std::move(homes))};
}

namespace {

// The bytes of a buffer by the distance of the CTA that accesses them (ordering/Accesses.h).
using RunsByDistance = std::map<uint8_t, Bytes::Runs>;

RunsByDistance runsFrom(Execution& x, const SharedPlaces& places, const View& view, bool isWrite,
                        const Homes& homes) {
  RunsByDistance all;
  const SharedMemory& memory = x.state.shared;
  unsigned bytes = bytesOf(places.element());
  // Of CTAs that hold the same elements each reads; that all of them write the same is no mistake.
  uint32_t holders = homes.copies & ~places.copies();
  for (size_t i = 0; i < places.count() && i < homes.first.size(); ++i) {
    size_t at = places.at(memory, view, i);
    auto cta = static_cast<uint32_t>(at / memory.bytesPerCta());
    uint32_t distance = (homes.first[i] ^ cta) & ~places.copies();
    if (isWrite) distance &= ~holders;
    places.forEachCopy(memory, at, [&](size_t copy) {
      for (uint32_t subset = isWrite ? 0 : holders;; subset = (subset - 1) & holders) {
        all[static_cast<uint8_t>(distance ^ subset)].push_back({copy, copy + bytes});
        if (!subset) break;
      }
    });
  }
  return all;
}

RunsByDistance runsOfMulticast(Execution& x, const SharedPlaces& places, const Bytes& touched) {
  RunsByDistance all;
  for (size_t i = 0; i < touched.size(); ++i) {
    Bytes::Run run = touched[i];
    auto perCta = x.state.shared.bytesPerCta();
    for (uint64_t from = run.from; from < run.to;) {
      uint64_t cta = from / perCta, to = std::min<uint64_t>(run.to, (cta + 1) * perCta);
      all[static_cast<uint8_t>(cta & places.copies())].push_back({from, to});
      from = to;
    }
  }
  return all;
}

} // namespace

void noteBuffer(Execution& x, const SharedPlaces& places, const View& view, bool isWrite,
                const Reach& reach) {
  if (!x.checksRaces()) return;
  uint32_t alloc = x.machine.sharedAllocOf(view.base);
  Execution::How how{.isWrite = isWrite, .isWhole = reach.isWhole};
  bool isSpread = reach.homes || (reach.isMulticast && places.copies());
  Bytes touched;
  if (!isSpread || !reach.homes) touched = places.touched(x.state.shared, view, alloc);
  if (!isSpread) return x.access(std::move(touched), how);
  RunsByDistance all = reach.homes ? runsFrom(x, places, view, isWrite, *reach.homes)
                                   : runsOfMulticast(x, places, touched);
  for (auto& [distance, runs] : all) {
    how.distance = distance;
    x.access(Bytes::of(alloc, std::move(runs)), how);
  }
}

// A barrier in memory that is written as data.
static void checkBarriers(Execution& x, const SharedPlaces& places, const View& view) {
  if (!x.checksRaces() || x.state.barriers.empty()) return;
  const Buffer& buffer = x.machine.code().shared[x.machine.sharedAllocOf(view.base)];
  auto first = x.state.barriers.lower_bound(buffer.base);
  if (first == x.state.barriers.end() || first->first >= buffer.base + buffer.bytes) return;
  Bytes touched = places.touched(x.state.shared, view, 0);
  constexpr uint64_t barrierBytes = 8;
  while (first != x.state.barriers.end() && first->first < buffer.base + buffer.bytes) {
    auto next = std::next(first);
    if (overlaps(touched, Bytes::range(0, first->first, first->first + barrierBytes))) {
      x.checkIdle(first->first, "this overwrites");
      x.state.barriers.erase(first);
    }
    first = next;
  }
}

Step loadBuffer(Execution& x, const SharedPlaces& places, const View& view,
                std::shared_ptr<Tensor>& out, const Reach& reach) {
  if (!x.isInside(view)) return Step::Failed;
  if (!places.fits(view, x.state.shared)) return x.unsupported(beyondTheBuffer);
  if (!places.isWritten(x.state.shared, view)) x.warn(Id::SimulatedReadBeforeWrite);
  noteBuffer(x, places, view, false, reach);
  out = std::make_shared<Tensor>(places.element(), places.shape());
  places.load(x.state.shared, view, out->data());
  return Step::Next;
}

Step storeBuffer(Execution& x, const SharedPlaces& places, const View& view,
                 const std::byte* elements, const Reach& reach) {
  if (!x.isInside(view)) return Step::Failed;
  if (!places.fits(view, x.state.shared)) return x.unsupported(beyondTheBuffer);
  noteBuffer(x, places, view, true, reach);
  checkBarriers(x, places, view);
  places.store(x.state.shared, view, elements);
  return Step::Next;
}

namespace {

ttg::MemDescType typeOf(mlir::Value value) {
  return cast<ttg::MemDescType>(value.getType());
}

Made allocate(Operation* op, Translator& t) {
  auto alloc = cast<ttg::LocalAllocOp>(op);
  auto places = t.places(alloc.getType());
  if (!places) return tl::unexpected(places.error());
  // The buffer is as large as the compiler plans it, and holds all that the layout reaches.
  int64_t bytes = std::max((*places)->allocatedBytes(), passes::sharedBytes(alloc.getType()));
  constexpr int64_t alignment = 1024; // no encoding wants more
  constexpr int64_t most = int64_t(64) << 20;
  if (bytes > most || t.code().sharedBytes > most)
    return tl::unexpected<std::string>("the buffer is larger than the shared memory of any chip");
  View view;
  view.base = t.allocate(bytes, alignment, op);
  Reach reach;
  if (alloc.getSrc()) reach = reachOf(t, **places, alloc.getSrc().getType());
  return Action(
      [view, bytes, places = *places, reach, isFilled = bool(alloc.getSrc())](Execution& x) {
        for (uint32_t cta = 0; cta < x.machine.code().ctas; ++cta)
          x.state.shared.forget(x.state.shared.address(cta, view.base), static_cast<size_t>(bytes));
        x.set(0, view);
        return isFilled ? storeBuffer(x, *places, view, x.data(0), reach) : Step::Next;
      });
}

Made load(Operation* op, Translator& t) {
  auto places = t.places(typeOf(op->getOperand(0)));
  if (!places) return tl::unexpected(places.error());
  Reach reach = reachOf(t, **places, cast<RankedTensorType>(op->getResult(0).getType()));
  return Action([places = *places, reach](Execution& x) {
    std::shared_ptr<Tensor> result;
    Step step = loadBuffer(x, *places, x.view(0), result, reach);
    if (step == Step::Next) x.set(0, std::move(result));
    return step;
  });
}

Made store(Operation* op, Translator& t) {
  auto places = t.places(typeOf(op->getOperand(1)));
  if (!places) return tl::unexpected(places.error());
  Reach reach = reachOf(t, **places, cast<RankedTensorType>(op->getOperand(0).getType()));
  return Action([places = *places, reach](Execution& x) {
    return storeBuffer(x, *places, x.view(1), x.data(0), reach);
  });
}

Made nothing(Operation*, Translator&) {
  return Action([](Execution&) { return Step::Next; });
}

// ---------------------------------------------------------------- views

Made index(Operation* op, Translator& t) {
  auto one = cast<ttg::MemDescIndexOp>(op).getType();
  auto whole = ttg::MemDescType::get(one.getShape(), one.getElementType(), one.getEncoding(),
                                     one.getMemorySpace(), true, one.getShape());
  int64_t bytes = 0;
  if (ttng::isTensorMemory(one)) {
    bytes = 4 * ttng::getTmemAllocSizes(one).numCols;
  } else {
    auto places = t.places(whole);
    if (!places) return tl::unexpected(places.error());
    bytes = (*places)->stageBytes();
  }
  int64_t count = typeOf(op->getOperand(0)).getShape()[0];
  return Action([bytes, count](Execution& x) {
    int64_t number = x.integer(1);
    View view = x.view(0);
    if (number < 0 || number >= count) {
      view.index = static_cast<int32_t>(number);
      view.count = static_cast<int32_t>(count);
      x.set(0, view);
      return Step::Next;
    }
    view.base += static_cast<uint32_t>((number + view.begin[0]) * bytes);
    std::copy(view.begin.begin() + 1, view.begin.end(), view.begin.begin());
    view.begin.back() = 0;
    x.set(0, view);
    return Step::Next;
  });
}

Made subslice(Operation* op, Translator&) {
  auto offsets = cast<ttg::MemDescSubsliceOp>(op).getOffsets();
  return Action([offsets = Shape(offsets.begin(), offsets.end())](Execution& x) {
    View view = x.view(0);
    for (size_t d = 0; d < offsets.size(); ++d)
      view.begin[d] += static_cast<int32_t>(offsets[d]);
    x.set(0, view);
    return Step::Next;
  });
}

Made transpose(Operation* op, Translator&) {
  auto order = cast<ttg::MemDescTransOp>(op).getOrder();
  return Action([order = Shape(order.begin(), order.end())](Execution& x) {
    View view = x.view(0), from = view;
    for (size_t d = 0; d < order.size(); ++d)
      view.begin[d] = from.begin[static_cast<size_t>(order[d])];
    x.set(0, view);
    return Step::Next;
  });
}

// All of what is seen, under another shape or type.
Made reinterpret(Operation* op, Translator& t) {
  if (ttng::isTensorMemory(op->getOperand(0))) // views of parts begin where their base is
    return Action([](Execution& x) {
      x.set(0, x.view(0));
      return Step::Next;
    });
  auto places = t.places(typeOf(op->getOperand(0)));
  if (!places) return tl::unexpected(places.error());
  return Action([places = *places](Execution& x) {
    const View& from = x.view(0);
    View view;
    view.base = static_cast<uint32_t>(places->beginBytes(from));
    view.index = from.index;
    view.count = from.count;
    x.set(0, view);
    return Step::Next;
  });
}

// ---------------------------------------------------------------- single elements

enum Kind : uint8_t { Reads, Writes, Changes };

// Where an op picks elements, along `axis`. In a cluster, `homes` says which CTAs hold an index. Of
// a buffer with copies in several CTAs, each CTA picks from its own.
struct Picks {
  PlacesRef places;
  size_t axis;
  Homes homes;
};
tl::expected<Picks, std::string> picksOf(Translator& t, ttg::MemDescType buffer, uint32_t axis,
                                         mlir::Value indices) {
  auto places = t.places(buffer);
  if (!places) return tl::unexpected(places.error());
  Picks picks{*places, axis, {}};
  if (t.code().ctas > 1) picks.homes = homesOf(cast<RankedTensorType>(indices.getType()));
  return picks;
}

// Calls visit(element of the indices, byte in shared memory). Of indices that several CTAs hold,
// each of them writes; the first one reads and changes.
template <class Visit>
Step forEachPicked(Execution& x, Kind kind, const Picks& picks, const View& view,
                   const Tensor& indices, Visit visit) {
  const SharedPlaces& places = *picks.places;
  size_t axis = picks.axis;
  if (!x.isInside(view)) return Step::Failed;
  if (!places.fits(view, x.state.shared)) return x.unsupported(beyondTheBuffer);
  Shape strides = rowMajor(places.shape()), own = rowMajor(indices.shape());
  unsigned bytes = bytesOf(indices.element());
  RunsByDistance touched;
  auto distanceOf = [&](size_t i, size_t place) {
    if (picks.homes.first.empty()) return uint8_t(0);
    auto cta = static_cast<uint32_t>(place / x.state.shared.bytesPerCta());
    return static_cast<uint8_t>((picks.homes.first[i] ^ cta) &
                                ~(places.copies() | picks.homes.copies));
  };
  for (size_t i = 0; i < indices.count(); ++i) {
    int64_t index = integerAt(indices.element(), indices.data() + i * bytes);
    if (index < 0 || index >= places.shape()[axis])
      return x.fail(Id::SimulatedIndexOutOfBounds, index, places.shape()[axis]);
    int64_t at = index * strides[axis];
    for (size_t d = 0; d < own.size(); ++d)
      if (d != axis) at += static_cast<int64_t>(i) / own[d] % indices.shape()[d] * strides[d];
    size_t first = places.at(x.state.shared, view, static_cast<size_t>(at));
    uint32_t own = places.copies() ? picks.homes.first[i] & places.copies() : 0;
    uint32_t others = kind == Writes ? places.copies() & picks.homes.copies : 0;
    for (uint32_t subset = others;; subset = (subset - 1) & others) {
      size_t place = first + (own ^ subset) * x.state.shared.bytesPerCta();
      if (x.checksRaces())
        touched[distanceOf(i, place)].push_back({place, place + bytesOf(places.element())});
      visit(i, place);
      if (!subset) break;
    }
  }
  for (auto& [distance, runs] : touched)
    x.access(Bytes::of(x.machine.sharedAllocOf(view.base), std::move(runs)),
             {.isWrite = kind != Reads, .isAtomic = kind == Changes, .distance = distance});
  return Step::Next;
}

Made gatherElements(Operation* op, Translator& t) {
  auto gather = cast<ttg::LocalGatherOp>(op);
  auto picks = picksOf(t, typeOf(gather.getSrc()), gather.getAxis(), gather.getIndices());
  if (!picks) return tl::unexpected(picks.error());
  return Action([picks = *picks](Execution& x) {
    const Tensor& indices = x.tensor(1);
    Element element = picks.places->element();
    auto result = std::make_shared<Tensor>(element, indices.shape());
    unsigned bytes = bytesOf(element);
    bool isWritten = true;
    Step step = forEachPicked(x, Reads, picks, x.view(0), indices, [&](size_t i, size_t at) {
      isWritten = isWritten && x.state.shared.isWritten(at, bytes);
      std::memcpy(result->data() + i * bytes, x.state.shared.data() + at, bytes);
    });
    if (step != Step::Next) return step;
    if (!isWritten) x.warn(Id::SimulatedReadBeforeWrite);
    x.set(0, std::move(result));
    return step;
  });
}

Made scatterElements(Operation* op, Translator& t) {
  auto scatter = cast<ttg::LocalScatterOp>(op);
  auto picks = picksOf(t, typeOf(scatter.getDst()), scatter.getAxis(), scatter.getIndices());
  if (!picks) return tl::unexpected(picks.error());
  return Action([picks = *picks](Execution& x) {
    unsigned bytes = bytesOf(picks.places->element());
    const std::byte* values = x.data(1);
    return forEachPicked(x, Writes, picks, x.view(0), x.tensor(2), [&](size_t i, size_t at) {
      std::memcpy(x.state.shared.data() + at, values + i * bytes, bytes);
      x.state.shared.noteWritten(at, bytes);
    });
  });
}

Made atomicScatter(Operation* op, Translator& t) {
  auto scatter = cast<ttg::LocalAtomicScatterRMWOp>(op);
  auto picks = picksOf(t, typeOf(scatter.getDst()), scatter.getAxis(), scatter.getIndices());
  if (!picks) return tl::unexpected(picks.error());
  return Action([picks = *picks, hasMask = bool(scatter.getMask()),
                 kind = scatter.getAtomicRmwOp()](Execution& x) {
    Element element = picks.places->element();
    unsigned bytes = bytesOf(element);
    auto result = std::make_shared<Tensor>(element, x.tensor(1).shape());
    const std::byte* values = x.data(1);
    const uint8_t* mask = hasMask ? x.tensor(3).as<uint8_t>() : nullptr;
    std::memset(result->data(), 0, result->bytes());
    Step step = forEachPicked(x, Changes, picks, x.view(0), x.tensor(2), [&](size_t i, size_t at) {
      if (mask && !(mask[i] & 1)) return;
      std::byte* memory = x.state.shared.data() + at;
      std::memcpy(result->data() + i * bytes, memory, bytes);
      combineAtomically(kind, element, memory, values + i * bytes);
      x.state.shared.noteWritten(at, bytes);
    });
    if (step == Step::Next) x.set(0, std::move(result));
    return step;
  });
}

} // namespace

void addSharedMemory(OperationTable& table) {
  table["ttg.local_alloc"] = allocate;
  table["ttg.local_dealloc"] = nothing;
  table["ttg.local_load"] = load;
  table["ttg.local_store"] = store;
  table["ttg.memdesc_index"] = index;
  table["ttg.memdesc_subslice"] = subslice;
  table["ttg.memdesc_trans"] = transpose;
  table["ttg.memdesc_reshape"] = reinterpret;
  table["ttg.memdesc_reinterpret"] = reinterpret;
  table["ttg.local_gather"] = gatherElements;
  table["ttg.local_scatter"] = scatterElements;
  table["ttg.local_atomic_scatter_rmw"] = atomicScatter;
}

} // namespace gluond::simulate
