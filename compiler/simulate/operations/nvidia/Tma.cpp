// TMA: blocks between global and shared memory, described by tensor descriptors.
#include "chips/MemorySizes.h"
#include "ir/ttng/Ops.h"
#include "passes/nvidia/TmaLimits.h"
#include "passes/nvidia/TmaLowering.h"
#include "simulate/operations/AtomicRules.h"
#include "simulate/operations/Buffers.h"
#include "simulate/operations/TensorBlocks.h"
#include "simulate/operations/barriers/Mbarriers.h"
#include "simulate/operations/elementwise/Elementwise.h"

namespace gluond::simulate {
using namespace mlir;

namespace {

// The requirements of TMA on a tensor and on the block of a descriptor; `block` is what the
// hardware refuses in the latter.
void checkDescriptor(Execution& x, const TensorDescriptor& descriptor, const std::string& block) {
  if (!x.checksRaces()) return;
  std::string why = block;
  if (why.empty())
    why = passes::refusedTensor(
        {descriptor.base, descriptor.shape, descriptor.strides, bytesOf(descriptor.element)},
        x.machine.describe(descriptor.base));
  if (!why.empty()) x.warn(Id::SimulatedDescriptor, why);
}

std::string refusedBlockOf(Operation* op) {
  return passes::refusedBlock(cast<tt::TensorDescInterface>(op->getOperand(0).getType()));
}

Shape coordinates(Execution& x, unsigned first, size_t count) {
  Shape all;
  for (size_t i = 0; i < count; ++i)
    all.push_back(x.integer(first + static_cast<unsigned>(i)));
  return all;
}

// im2col: pixels (n, spatial coordinates) in the order of a row-major walk through the box that the
// filter's first corner moves in, and neighbouring channels of each.
struct Im2Col {
  Shape first;   // of the pixel that the block begins with, the channel last
  Shape offsets; // of the filter's element, for each spatial dimension
};

Step readPixels(Execution& x, const TensorDescriptor& descriptor, const Im2Col& from,
                Tensor& block) {
  fillOutside(descriptor, block);
  unsigned bytes = bytesOf(block.element());
  size_t rank = descriptor.shape.size(), spatial = rank - 2;
  auto channels = block.shape().back();
  auto pixels = static_cast<int64_t>(block.count()) / channels;
  Shape at(from.first);
  auto corner = [](const Shape& corners, size_t d) { return d < corners.size() ? corners[d] : 0; };
  auto stepOf = [&](size_t d) {
    return d < descriptor.elementStrides.size() ? std::max<int64_t>(1, descriptor.elementStrides[d])
                                                : 1;
  };
  NotedRuns noted(x, GlobalUse::Reads);
  for (int64_t pixel = 0; pixel < pixels; ++pixel) {
    Shape place(at), box(rank, 1);
    for (size_t d = 0; d < spatial; ++d)
      place[1 + d] += corner(from.offsets, d);
    box[rank - 1] = channels;
    Step step =
        forEachPiece(descriptor, box, place, [&](size_t element, uint64_t address, size_t count) {
          std::byte* memory = x.machine.at(x.state, address, count * bytes);
          if (!memory)
            return x.fail(Id::SimulatedOutOfBounds, "this access reads",
                          x.machine.describe(address), element);
          size_t first = static_cast<size_t>(pixel * channels) + element;
          noted.add(address, count * bytes);
          std::memcpy(block.data() + first * bytes, memory, count * bytes);
          return Step::Next;
        });
    if (step != Step::Next) return step;
    // The next corner: along the last spatial dimension, then those before, then the next image.
    for (size_t d = spatial; d-- > 0;) {
      at[1 + d] += stepOf(1 + d);
      if (at[1 + d] < descriptor.shape[1 + d] + corner(descriptor.upperCorner, d)) break;
      at[1 + d] = corner(descriptor.lowerCorner, d);
      if (d == 0) ++at[0];
    }
  }
  noted.note();
  roundBlock(descriptor, block);
  return Step::Next;
}

// A copy into a buffer, of which each CTA's barrier hears how many bytes its part has.
AsyncOperation makeCopy(Execution& x, const SharedPlaces& places, const View& view,
                        const Mbarriers& barriers, const View& barrier, Action perform) {
  AsyncOperation operation = makeHeard(x, barriers, barrier, std::move(perform));
  uint32_t ctas = places.ctas(view);
  operation.crosses |= places.copies() != 0;
  auto owners = static_cast<int64_t>(std::popcount(ctas));
  auto bytes = static_cast<int64_t>(places.bytes()) << std::popcount(places.copies());
  // A view of a part of the cluster's CTAs is heard of there alone.
  if (barriers.sharing == 1) operation.ctas &= ctas;
  operation.bytes = bytes / owners * std::max<int64_t>(1, owners / std::popcount(operation.ctas));
  forEachMbarrier(x, {operation.ctas, 1}, barrier, [&](uint32_t address) {
    Barrier& heard = x.state.barriers[address];
    heard.issued += operation.bytes;
    heard.copy = x.instruction.op;
  });
  return operation;
}

Made load(Operation* op, Translator& t) {
  auto load = cast<ttng::AsyncTMACopyGlobalToLocalOp>(op);
  auto places = t.places(load.getResult().getType());
  if (!places) return tl::unexpected(places.error());
  auto rank = static_cast<unsigned>(load.getCoord().size()),
       offsets = static_cast<unsigned>(load.getOffsets().size());
  Mbarriers barriers = mbarriersOf(t, load.getBarrier());
  Reach reach{.isMulticast = load.getMulticast()};
  return Action([places = *places, rank, offsets, barriers, reach,
                 refused = refusedBlockOf(op)](Execution& x) {
    unsigned barrierAt = 1 + rank + offsets, resultAt = barrierAt + 1, predicateAt = resultAt + 1;
    if (!x.flag(predicateAt)) return Step::Next;
    if (!areInitialized(x, barriers, x.view(barrierAt))) return Step::Failed;
    checkDescriptor(x, *x.descriptor(0), refused);
    auto perform = [places, reach, descriptor = x.descriptor(0), from = coordinates(x, 1, rank),
                    filter = coordinates(x, 1 + rank, offsets),
                    view = x.view(resultAt)](Execution& x) {
      Tensor block(places->element(), places->shape());
      Step step = descriptor->isIm2Col ? readPixels(x, *descriptor, {from, filter}, block)
                                       : readBlock(x, *descriptor, from, block.shape(), block);
      return step == Step::Next ? storeBuffer(x, *places, view, block.data(), reach) : step;
    };
    x.machine.issue(x.state, x.thread,
                    makeCopy(x, *places, x.view(resultAt), barriers, x.view(barrierAt), perform));
    return Step::Next;
  });
}

// Operations out of shared memory, each a group of its own.
template <class Perform>
Step issueStore(Execution& x, const std::string& refused, Perform perform) {
  checkDescriptor(x, *x.descriptor(0), refused);
  x.thread.stores.push_back(x.machine.issue(
      x.state, x.thread, x.machine.makeOperation(x.state, x.instruction, std::move(perform))));
  return Step::Next;
}

Made store(Operation* op, Translator& t) {
  auto store = cast<ttng::AsyncTMACopyLocalToGlobalOp>(op);
  auto places = t.places(store.getSrc().getType());
  if (!places) return tl::unexpected(places.error());
  auto rank = static_cast<unsigned>(store.getCoord().size());
  return Action([places = *places, rank, refused = refusedBlockOf(op)](Execution& x) {
    return issueStore(x, refused,
                      [places, descriptor = x.descriptor(0), from = coordinates(x, 1, rank),
                       view = x.view(1 + rank)](Execution& x) {
                        std::shared_ptr<Tensor> block;
                        if (Step step = loadBuffer(x, *places, view, block); step != Step::Next)
                          return step;
                        unsigned bytes = bytesOf(places->element());
                        return writeBlock(
                            x, *descriptor, from, block->shape(), *block, GlobalUse::Writes,
                            [&](std::byte* memory, const std::byte* elements, size_t count) {
                              std::memcpy(memory, elements, count * bytes);
                            });
                      });
  });
}

std::optional<tt::RMWOp> atomicOf(tt::DescriptorReduceKind kind, bool isSigned) {
  switch (kind) {
  case tt::DescriptorReduceKind::ADD:
    return tt::RMWOp::ADD;
  case tt::DescriptorReduceKind::MIN:
    return isSigned ? tt::RMWOp::MIN : tt::RMWOp::UMIN;
  case tt::DescriptorReduceKind::MAX:
    return isSigned ? tt::RMWOp::MAX : tt::RMWOp::UMAX;
  case tt::DescriptorReduceKind::AND:
    return tt::RMWOp::AND;
  case tt::DescriptorReduceKind::OR:
    return tt::RMWOp::OR;
  case tt::DescriptorReduceKind::XOR:
    return tt::RMWOp::XOR;
  default:
    return std::nullopt;
  }
}

Made reduce(Operation* op, Translator& t) {
  t.code().usesAtomics = true;
  auto reduce = cast<ttng::AsyncTMAReduceOp>(op);
  auto places = t.places(reduce.getSrc().getType());
  if (!places) return tl::unexpected(places.error());
  mlir::Type element = cast<tt::TensorDescInterface>(reduce.getDesc().getType()).getElementType();
  auto kind = atomicOf(reduce.getKind(), isa<FloatType>(element) || element.isSignedInteger());
  if (!kind) return tl::unexpected<std::string>("the reductions inc and dec");
  auto rank = static_cast<unsigned>(reduce.getCoord().size());
  return Action([places = *places, rank, kind = *kind, refused = refusedBlockOf(op)](Execution& x) {
    return issueStore(x, refused,
                      [places, kind, descriptor = x.descriptor(0), from = coordinates(x, 1, rank),
                       view = x.view(1 + rank)](Execution& x) {
                        std::shared_ptr<Tensor> block;
                        if (Step step = loadBuffer(x, *places, view, block); step != Step::Next)
                          return step;
                        Element element = places->element();
                        unsigned bytes = bytesOf(element);
                        return writeBlock(
                            x, *descriptor, from, block->shape(), *block, GlobalUse::Changes,
                            [&](std::byte* memory, const std::byte* elements, size_t count) {
                              for (size_t i = 0; i < count; ++i)
                                combineAtomically(kind, element, memory + i * bytes,
                                                  elements + i * bytes);
                            });
                      });
  });
}

Made gatherRows(Operation* op, Translator& t) {
  auto gather = cast<ttng::AsyncTMAGatherOp>(op);
  auto places = t.places(gather.getResult().getType());
  if (!places) return tl::unexpected(places.error());
  Mbarriers barriers = mbarriersOf(t, gather.getBarrier());
  Reach reach{.isMulticast = gather.getMulticast()};
  return Action([places = *places, barriers, reach, refused = refusedBlockOf(op)](Execution& x) {
    if (!x.flag(5)) return Step::Next;
    if (!areInitialized(x, barriers, x.view(3))) return Step::Failed;
    checkDescriptor(x, *x.descriptor(0), refused);
    auto perform = [places, reach, descriptor = x.descriptor(0),
                    rows = std::get<TensorRef>(x.in(1)), column = x.integer(2),
                    view = x.view(4)](Execution& x) {
      Tensor block(places->element(), places->shape());
      Step step = readRows(x, *descriptor, *rows, column, block);
      return step == Step::Next ? storeBuffer(x, *places, view, block.data(), reach) : step;
    };
    x.machine.issue(x.state, x.thread,
                    makeCopy(x, *places, x.view(4), barriers, x.view(3), perform));
    return Step::Next;
  });
}

Made scatterRows(Operation* op, Translator& t) {
  auto scatter = cast<ttng::AsyncTMAScatterOp>(op);
  auto places = t.places(scatter.getSrc().getType());
  if (!places) return tl::unexpected(places.error());
  return Action([places = *places, refused = refusedBlockOf(op)](Execution& x) {
    return issueStore(x, refused,
                      [places, descriptor = x.descriptor(0), rows = std::get<TensorRef>(x.in(1)),
                       column = x.integer(2), view = x.view(3)](Execution& x) {
                        std::shared_ptr<Tensor> block;
                        if (Step step = loadBuffer(x, *places, view, block); step != Step::Next)
                          return step;
                        return writeRows(x, *descriptor, *rows, column, *block);
                      });
  });
}

Made waitForStores(Operation* op, Translator&) {
  return Action([left = size_t(cast<ttng::TMAStoreWaitOp>(op).getPendings())](Execution& x) {
    Step step = Step::Next;
    ordering::InFlight::takeAllBut(x.thread.stores, left, [&](uint32_t store) {
      if (step == Step::Next) step = x.machine.await(x.state, x.thread, store);
    });
    return step;
  });
}

// ---------------------------------------------------------------- descriptors made on the device

// The contents of a tensor map in global memory, in the simulator's own form.
struct StoredDescriptor {
  static constexpr uint32_t theMagic = 0x74646573;
  uint64_t base = 0;
  uint32_t magic = theMagic, rank = 0;
  std::array<uint32_t, 5> extents = {}; // the contiguous one first
  uint32_t nanPadding = 0;
  std::array<uint64_t, 4> strides = {}; // of all but that one, in bytes
};
static_assert(sizeof(StoredDescriptor) <= chips::tensorMapBytes);

Made create(Operation* op, Translator&) {
  auto create = cast<ttng::TensormapCreateOp>(op);
  auto rank = static_cast<unsigned>(create.getRank());
  bool nanPadding = create.getFillMode() == 1;
  return Action([rank, nanPadding](Execution& x) {
    StoredDescriptor stored;
    stored.base = x.scalar(1).bits;
    stored.rank = rank;
    stored.nanPadding = nanPadding;
    unsigned extents = 2 + rank, strides = extents + rank;
    for (unsigned d = 0; d < rank; ++d)
      stored.extents[d] = static_cast<uint32_t>(x.integer(extents + d));
    for (unsigned d = 0; d + 1 < rank; ++d)
      stored.strides[d] = static_cast<uint64_t>(x.integer(strides + d));
    std::byte* memory = x.machine.at(x.state, x.scalar(0).bits, sizeof stored);
    if (!memory)
      return x.fail(Id::SimulatedOutOfBounds, "this access writes",
                    x.machine.describe(x.scalar(0).bits), 0);
    std::memcpy(memory, &stored, sizeof stored);
    return Step::Next;
  });
}

Made reinterpret(Operation* op, Translator&) {
  auto type = cast<tt::TensorDescType>(op->getResult(0).getType());
  auto element = elementOf(tt::signless(type.getElementType()));
  if (!element) return tl::unexpected<std::string>("its element type is not known");
  return Action([element = *element](Execution& x) {
    StoredDescriptor stored;
    std::byte* memory = x.machine.at(x.state, x.scalar(0).bits, sizeof stored);
    if (!memory)
      return x.fail(Id::SimulatedOutOfBounds, "this access reads",
                    x.machine.describe(x.scalar(0).bits), 0);
    std::memcpy(&stored, memory, sizeof stored);
    if (stored.magic != StoredDescriptor::theMagic || stored.rank == 0 || stored.rank > 5)
      return x.unsupported("the kernel did not create a descriptor in this memory");
    auto descriptor = std::make_shared<TensorDescriptor>();
    descriptor->base = stored.base;
    descriptor->element = element;
    descriptor->nanPadding = stored.nanPadding;
    for (unsigned d = stored.rank; d-- > 0;) {
      descriptor->shape.push_back(stored.extents[d]);
      descriptor->strides.push_back(d ? static_cast<int64_t>(stored.strides[d - 1])
                                      : bytesOf(element));
    }
    x.set(0, DescriptorRef(std::move(descriptor)));
    return Step::Next;
  });
}

Made nothing(Operation*, Translator&) {
  return Action([](Execution&) { return Step::Next; });
}

} // namespace

void addTma(OperationTable& table) {
  table["ttng.async_tma_copy_global_to_local"] = load;
  table["ttng.async_tma_copy_local_to_global"] = store;
  table["ttng.async_tma_reduce"] = reduce;
  table["ttng.async_tma_gather"] = gatherRows;
  table["ttng.async_tma_scatter"] = scatterRows;
  table["ttng.async_tma_store_wait"] = waitForStores;
  table["ttng.tensormap_create"] = create;
  table["ttng.tensormap_fenceproxy_acquire"] = nothing;
  table["ttng.reinterpret_tensor_descriptor"] = reinterpret;
}

} // namespace gluond::simulate
