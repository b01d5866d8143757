// AMD's tensor data mover: copies of blocks by descriptors, which carry their position.
#include "chips/MemorySizes.h"
#include "ir/amdg/Ops.h"
#include "ir/tt/Ops.h"
#include "simulate/operations/Buffers.h"
#include "simulate/operations/StridedWalk.h"
#include "simulate/operations/TensorBlocks.h"
#include "simulate/operations/barriers/Mbarriers.h"

namespace gluond::simulate {
using namespace mlir;

namespace {

// (base, shape, strides)
Made makeDescriptor(Operation* op, Translator&) {
  auto make = cast<tt::MakeTensorDescOp>(op);
  auto element = elementOf(tt::signless(make.getType().getElementType()));
  if (!element) return tl::unexpected<std::string>("its element type is not known");
  auto rank = static_cast<unsigned>(make.getShape().size());
  bool nanPadding = make.getPadding() == tt::PaddingOption::PAD_NAN;
  return Action([element = *element, rank, nanPadding](Execution& x) {
    auto descriptor = std::make_shared<TensorDescriptor>();
    descriptor->base = x.scalar(0).bits;
    descriptor->element = element;
    descriptor->nanPadding = nanPadding;
    for (unsigned d = 0; d < rank; ++d) {
      descriptor->shape.push_back(x.integer(1 + d));
      descriptor->strides.push_back(x.integer(1 + rank + d) * bytesOf(element));
    }
    x.set(0, DescriptorRef(std::move(descriptor)));
    return Step::Next;
  });
}

Made update(Operation* op, Translator&) {
  auto update = cast<amdg::UpdateTensorDescriptorOp>(op);
  auto moved = static_cast<unsigned>(update.getAddOffsets().size()),
       bounds = static_cast<unsigned>(update.getSetBounds().size());
  return Action([moved, bounds, clamps = update.getClampBounds(),
                 hasPredicate = bool(update.getPred())](Execution& x) {
    auto changed = std::make_shared<TensorDescriptor>(*x.descriptor(0));
    for (unsigned d = 0; d < moved; ++d) {
      int64_t offset = x.integer(1 + d);
      changed->base += static_cast<uint64_t>(offset * changed->strides[d]);
      // The hardware compares unsigned numbers: a block that begins before its tensor is outside of
      // it.
      if (clamps)
        changed->shape[d] = offset < 0 ? 0 : std::max<int64_t>(0, changed->shape[d] - offset);
    }
    for (unsigned d = 0; d < bounds; ++d)
      changed->shape[d] = x.integer(1 + moved + d);
    if (hasPredicate) changed->isOff = x.integer(1 + moved + bounds) == 0;
    x.set(0, DescriptorRef(std::move(changed)));
    return Step::Next;
  });
}

Shape blockOf(mlir::Value descriptor) {
  return Shape(cast<tt::TensorDescType>(descriptor.getType()).getShape());
}
ttg::MemDescType bufferType(mlir::Value buffer) {
  return cast<ttg::MemDescType>(buffer.getType());
}

// The barrier that an op may name, among its operands.
struct Heard {
  std::optional<Mbarriers> barriers;
  unsigned operand = 0;
  int64_t warps = 0; // that move a part and arrive; 0: all of the partition
};
Heard heardBy(Translator& t, mlir::Value barrier, unsigned operand, int64_t warps = 0) {
  Heard heard;
  if (barrier) heard = {mbarriersOf(t, barrier), operand, warps};
  return heard;
}

// Copies end when they are waited for; one with a barrier arrives there once for each warp.
Step begin(Execution& x, const Heard& heard, bool isOff, Action perform) {
  if (!heard.barriers) {
    AsyncOperation copy = x.machine.makeOperation(x.state, x.instruction, std::move(perform));
    x.thread.tdms.push_back(x.machine.issue(x.state, x.thread, std::move(copy)));
    return Step::Next;
  }
  const View& view = x.view(heard.operand);
  if (!areInitialized(x, *heard.barriers, view)) return Step::Failed;
  if (isOff) return Step::Next;
  AsyncOperation copy = makeHeard(x, *heard.barriers, view, std::move(perform));
  copy.arrivals = (heard.warps ? heard.warps : int64_t(x.thread.warps)) * heard.barriers->sharing;
  x.machine.issue(x.state, x.thread, std::move(copy));
  return Step::Next;
}

// A block that begins where the descriptor is.
Action loading(PlacesRef places, Shape block, DescriptorRef descriptor, View view) {
  return [=](Execution& x) {
    if (descriptor->isOff) return Step::Next;
    Tensor elements(places->element(), places->shape());
    Shape from(block.size(), 0);
    Step step = readBlock(x, *descriptor, from, block, elements);
    return step == Step::Next ? storeBuffer(x, *places, view, elements.data()) : step;
  };
}

Made load(Operation* op, Translator& t) {
  auto load = cast<amdg::AsyncTDMCopyGlobalToLocalOp>(op);
  auto places = t.places(load.getResult().getType());
  if (!places) return tl::unexpected(places.error());
  Heard heard = heardBy(t, load.getBarrier(), 2, std::popcount(load.getWarpUsedHint().value_or(0)));
  return Action([places = *places, block = blockOf(load.getDesc()), heard](Execution& x) {
    return begin(x, heard, x.descriptor(0)->isOff,
                 loading(places, block, x.descriptor(0), x.view(1)));
  });
}

// One operation for several copies.
Made loadFused(Operation* op, Translator& t) {
  auto load = cast<amdg::AsyncTDMFusedCopyGlobalToLocalOp>(op);
  std::vector<PlacesRef> places;
  std::vector<Shape> blocks;
  for (auto [descriptor, buffer] : llvm::zip(load.getDescs(), load.getDests())) {
    auto found = t.places(bufferType(buffer));
    if (!found) return tl::unexpected(found.error());
    places.push_back(*found);
    blocks.push_back(blockOf(descriptor));
  }
  return Action([places, blocks](Execution& x) {
    std::vector<Action> members;
    auto count = static_cast<unsigned>(places.size());
    for (unsigned i = 0; i < count; ++i)
      members.push_back(loading(places[i], blocks[i], x.descriptor(i), x.view(count + i)));
    return begin(x, Heard(), false, [members](Execution& x) {
      for (const Action& member : members)
        if (Step step = member(x); step != Step::Next) return step;
      return Step::Next;
    });
  });
}

Made store(Operation* op, Translator& t) {
  auto store = cast<amdg::AsyncTDMCopyLocalToGlobalOp>(op);
  auto places = t.places(store.getSrc().getType());
  if (!places) return tl::unexpected(places.error());
  return Action([places = *places, block = blockOf(store.getDesc()),
                 heard = heardBy(t, store.getBarrier(), 2)](Execution& x) {
    DescriptorRef descriptor = x.descriptor(0);
    return begin(x, heard, descriptor->isOff, [=, view = x.view(1)](Execution& x) {
      std::shared_ptr<Tensor> elements;
      if (descriptor->isOff) return Step::Next;
      if (Step step = loadBuffer(x, *places, view, elements); step != Step::Next) return step;
      unsigned bytes = bytesOf(places->element());
      Shape from(block.size(), 0);
      return writeBlock(x, *descriptor, from, block, *elements, GlobalUse::Writes,
                        [&](std::byte* memory, const std::byte* from, size_t count) {
                          std::memcpy(memory, from, count * bytes);
                        });
    });
  });
}

Made gatherRows(Operation* op, Translator& t) {
  auto gather = cast<amdg::AsyncTDMGatherOp>(op);
  auto places = t.places(gather.getDst().getType());
  if (!places) return tl::unexpected(places.error());
  return Action([places = *places, heard = heardBy(t, gather.getBarrier(), 3)](Execution& x) {
    DescriptorRef descriptor = x.descriptor(0);
    return begin(x, heard, descriptor->isOff,
                 [=, rows = std::get<TensorRef>(x.in(1)), view = x.view(2)](Execution& x) {
                   if (descriptor->isOff) return Step::Next;
                   Tensor elements(places->element(), places->shape());
                   Step step = readRows(x, *descriptor, *rows, 0, elements);
                   return step == Step::Next ? storeBuffer(x, *places, view, elements.data())
                                             : step;
                 });
  });
}

Made scatterRows(Operation* op, Translator& t) {
  auto scatter = cast<amdg::AsyncTDMScatterOp>(op);
  auto places = t.places(scatter.getSrc().getType());
  if (!places) return tl::unexpected(places.error());
  return Action([places = *places, heard = heardBy(t, scatter.getBarrier(), 3)](Execution& x) {
    DescriptorRef descriptor = x.descriptor(0);
    return begin(x, heard, descriptor->isOff,
                 [=, rows = std::get<TensorRef>(x.in(1)), view = x.view(2)](Execution& x) {
                   if (descriptor->isOff) return Step::Next;
                   std::shared_ptr<Tensor> elements;
                   if (Step step = loadBuffer(x, *places, view, elements); step != Step::Next)
                     return step;
                   return writeRows(x, *descriptor, *rows, 0, *elements);
                 });
  });
}

Step waitUntil(Execution& x, size_t left) {
  Step step = Step::Next;
  ordering::InFlight::takeAllBut(x.thread.tdms, left, [&](uint32_t copy) {
    if (step == Step::Next) step = x.machine.await(x.state, x.thread, copy);
  });
  return step;
}

Made wait(Operation* op, Translator&) {
  return Action([left = size_t(cast<amdg::AsyncTDMWait>(op).getNum())](Execution& x) {
    return waitUntil(x, left);
  });
}
// Counted in instructions, of which a copy may be several: taken to wait for all.
Made waitForAll(Operation*, Translator&) {
  return Action([](Execution& x) { return waitUntil(x, 0); });
}

// Nothing but the offsets, in bytes, of the pieces that it would bring: one for each prefetch.
Made prefetch(Operation* op, Translator&) {
  auto prefetch = cast<amdg::TDMPrefetchOp>(op);
  auto rank = static_cast<unsigned>(prefetch.getIndices().size());
  Shape shape;
  if (prefetch.getMaybeOffsets())
    shape.assign(cast<RankedTensorType>(prefetch.getMaybeOffsets().getType()).getShape().begin(),
                 cast<RankedTensorType>(prefetch.getMaybeOffsets().getType()).getShape().end());
  return Action([rank, shape](Execution& x) {
    if (shape.empty()) return Step::Next;
    constexpr int64_t piece = chips::tdmPrefetchBytes;
    const TensorDescriptor& descriptor = *x.descriptor(0);
    auto offsets = std::make_shared<Tensor>(Element::I64, shape);
    Shape strides = rowMajor(shape);
    for (size_t i = 0; i < offsets->count(); ++i) {
      int64_t offset = 0;
      bool isInside = x.flag(1 + rank);
      for (unsigned d = 0; d < rank; ++d) {
        int64_t at = static_cast<int64_t>(i) / strides[d] % shape[d];
        if (d + 1 == rank) at *= piece / descriptor.strides[d];
        at += x.integer(1 + d);
        isInside = isInside && at >= 0 && at < descriptor.shape[d];
        offset += at * descriptor.strides[d];
      }
      offsets->as<int64_t>()[i] = isInside ? offset : 0;
    }
    x.set(0, std::move(offsets));
    return Step::Next;
  });
}

} // namespace

void addTdm(OperationTable& table) {
  table["tt.make_tensor_descriptor"] = makeDescriptor;
  table["amdg.update_tensor_descriptor"] = update;
  table["amdg.async_tdm_copy_global_to_local"] = load;
  table["amdg.async_tdm_fused_copy_global_to_local"] = loadFused;
  table["amdg.async_tdm_copy_local_to_global"] = store;
  table["amdg.async_tdm_gather"] = gatherRows;
  table["amdg.async_tdm_scatter"] = scatterRows;
  table["amdg.async_tdm_wait"] = wait;
  table["amdg.async_tdm_intrinsic_wait"] = waitForAll;
  table["amdg.tdm_prefetch"] = prefetch;
}

} // namespace gluond::simulate
