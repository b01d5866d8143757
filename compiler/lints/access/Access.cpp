#include "lints/access/Access.h"

#include "chips/Vendor.h"
#include "ir/amdg/Ops.h"
#include "ir/layouts/Layouts.h"
#include "layout/linear/F2.h"
#include "layout/named/Properties.h"
#include "passes/analysis/MemoryAccess.h"

namespace gluond::lints {
using namespace mlir;

namespace {

// The dimension along which addresses are consecutive, as far as axis info knows.
unsigned fastestDim(const passes::AxisInfo& info) {
  unsigned best = info.rank() - 1;
  for (unsigned i = info.rank(); i-- > 0;)
    if (info.contiguity[i] > info.contiguity[best]) best = i;
  return best;
}

unsigned bitsOf(Type pointerOrElement) {
  if (auto pointer = dyn_cast<tt::PointerType>(pointerOrElement))
    pointerOrElement = pointer.getPointeeType();
  return pointerOrElement.isIntOrFloat() ? std::max(8u, pointerOrElement.getIntOrFloatBitWidth())
                                         : 64;
}

// For NVIDIA's GPUs: the cost of ldmatrix or stmatrix if gluond's compiler uses them.
std::optional<BankCost> matrixCost(const SharedMemoryAccess& access,
                                   const layout::LinearLayout& registers,
                                   const layout::LinearLayout& shared, unsigned bits,
                                   const layout::BankModel& model) {
  using layout::Dim;
  if (!model.hasMatrices(access.isStore)) return std::nullopt;
  auto offsets = registers.removeZeroBases(Dim::Register).invertAndCompose(shared);
  if (!offsets || !offsets->hasOut(Dim::Offset)) return std::nullopt;
  auto matrices = layout::matrixAccess(
      offsets->sublayout({Dim::Register, Dim::Lane, Dim::Warp}, {Dim::Offset}), bits);
  if (!matrices) return std::nullopt;
  return BankCost{layout::bankConflicts(*matrices, bits), int64_t(4) * matrices->matrices(),
                  matrices->name(access.isStore)};
}

} // namespace

std::optional<GlobalAccess> globalAccessOf(Operation& op) {
  // Of single elements, or only in AMD's programs that choose their layouts themselves.
  if (isa<tt::AtomicCASOp, tt::AtomicPollOp, tt::AtomicLoadOp, tt::AtomicStoreOp,
          amdg::BufferAtomicCASOp, amdg::AsyncCopyLocalToGlobalOp>(op))
    return std::nullopt;
  auto memory = passes::memoryAccessOf(&op);
  if (!memory || memory->kind != passes::MemoryAccess::Kind::Global) return std::nullopt;
  GlobalAccess access;
  access.pointers = memory->pointers;
  access.base = memory->base;
  access.mask = memory->mask;
  access.mostElements = memory->mostElements;
  access.isStore = memory->isWritten;
  access.name = memory->isAtomic    ? "this atomic operation"
                : memory->memory    ? "this copy"
                : memory->isWritten ? "this store"
                                    : "this load";
  access.type = dyn_cast<RankedTensorType>(access.pointers.getType());
  if (!access.type || !access.type.getEncoding()) return std::nullopt;
  access.elementBits = bitsOf(access.base ? access.base.getType() : access.type.getElementType());
  return access;
}

VectorWidth vectorWidth(const GlobalAccess& access, LazyAxisInfo& axes) {
  VectorWidth width;
  passes::AxisInfo info = axes.get().at(access.pointers);
  if (info.rank() != static_cast<unsigned>(access.type.getRank())) return width;
  unsigned dim = fastestDim(info);
  const layout::LinearLayout& registers = ir::toLinearLayout(access.type);
  layout::Ints run = layout::contiguityPerThread(registers);
  int64_t bytes = std::max(1u, access.elementBits / 8), most = std::max<int64_t>(1, 16 / bytes);
  if (access.mostElements) most = std::min<int64_t>(most, access.mostElements);
  width.layout = std::min<int64_t>(run[dim], most);
  int64_t aligned = std::max<int64_t>(1, info.divisibility[dim] / bytes);
  if (access.base) {
    passes::AxisInfo base = axes.get().at(access.base);
    int64_t start = base.rank() ? std::max<int64_t>(1, base.divisibility[0] / bytes) : 1;
    aligned = std::min(info.divisibility[dim], start);
  }
  using Limit = VectorWidth::Limit;
  width.elements = width.layout;
  auto limit = [&](int64_t elements, Limit limit) {
    if (elements < width.elements) width.elements = elements, width.limit = limit;
  };
  limit(info.contiguity[dim], Limit::Contiguity);
  limit(aligned, Limit::Alignment);
  if (access.mask) {
    passes::AxisInfo mask = axes.get().at(access.mask);
    if (mask.rank() == info.rank()) limit(mask.constancy[dim], Limit::Mask);
  }
  return width;
}

std::optional<layout::GlobalAccessCost> costUnder(const layout::LinearLayout& registers,
                                                  const GlobalAccess& access,
                                                  const Strides& strides, int64_t alignment) {
  layout::GlobalTensor tensor;
  tensor.elementBits = access.elementBits;
  tensor.alignment = alignment;
  for (auto [i, stride] : llvm::enumerate(strides)) {
    // Strides of different dimensions that are only known at run time are different.
    tensor.strides.push_back(stride.isKnown ? stride.known
                                            : largeStride * (static_cast<int64_t>(i) * 2 + 1));
    if (registers.outs()[i].bits == 0) tensor.strides.back() = largeStride;
  }
  auto cost = layout::globalAccessCost(registers, tensor);
  if (!cost) return std::nullopt;
  return *cost;
}

std::optional<SharedMemoryAccess> sharedAccessOf(Operation& op) {
  auto memory = passes::memoryAccessOf(&op);
  if (!memory || memory->kind != passes::MemoryAccess::Kind::Shared || memory->indices)
    return std::nullopt;
  auto registers = dyn_cast<RankedTensorType>(memory->registers.getType());
  if (!registers || !registers.getEncoding()) return std::nullopt;
  return SharedMemoryAccess{registers, cast<ttg::MemDescType>(memory->memory.getType()),
                            memory->memory, memory->isWritten ? "this store" : "this load",
                            memory->isWritten};
}

// AMD's matrix operands are read lane by lane where their elements follow each other in memory, and
// by transposing loads where they do not.
constexpr int64_t narrowestOperand = 64; // bits of a lane

std::optional<BankCost> bankCost(const SharedMemoryAccess& access, const layout::Layout& shared,
                                 StringRef target) {
  unsigned bits = access.memory.getElementType().getIntOrFloatBitWidth();
  if (bits < 8) return std::nullopt;
  const layout::Layout& registers = ir::toLayout(access.registers.getEncoding());
  if (!registers || !shared) return std::nullopt;
  layout::BankModel model = layout::banksOf(target);
  const layout::Layout* inner = &registers;
  while (auto* slice = inner->as<layout::Slice>())
    inner = &slice->parent;
  bool isAmdOperand = chips::isAmd(target) && inner->as<layout::DotOperand>();
  auto isTransposing = [&](int64_t elements) {
    return isAmdOperand && elements * bits < narrowestOperand;
  };
  ArrayRef<int64_t> shape = access.registers.getShape();
  if (shared.as<layout::PaddedShared>()) {
    auto traffic =
        layout::countSharedTraffic(registers, shared, shape, bits, access.isStore, 0, model);
    if (!traffic || traffic->least == 0 || isTransposing(traffic->elements)) return std::nullopt;
    return BankCost{(traffic->wavefronts + traffic->least - 1) / traffic->least - 1,
                    traffic->elements * bits / 8, traffic->instruction};
  }
  const layout::LinearLayout& from = ir::toLinearLayout(access.registers);
  auto to = layout::toLinearLayout(shared, shape);
  if (!to) return std::nullopt;
  if (auto matrices = matrixCost(access, from, *to, bits, model)) return matrices;
  auto cost = layout::sharedAccessCost(from, *to, bits, model);
  if (!cost || isTransposing(cost->elements)) return std::nullopt;
  return BankCost{cost->conflicts, cost->elements * bits / 8, ""};
}

} // namespace gluond::lints
