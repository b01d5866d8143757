#include "lints/access/Access.h"

#include "ir/Layouts.h"
#include "ir/amdg/Ops.h"
#include "layout/F2.h"
#include "layout/Properties.h"

#include <llvm/ADT/TypeSwitch.h>

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

// Loads of operands of NVIDIA's mma by ldmatrix and stores of its results by stmatrix: the rows of
// a matrix, eight of 16 bytes, at a time. Nothing where other instructions are used.
std::optional<BankCost> matrixCost(const SharedMemoryAccess& access,
                                   const layout::Layout& registers, const layout::Layout& shared,
                                   unsigned bits) {
  using layout::Dim;
  auto* operand = registers.as<layout::DotOperand>();
  auto* mma = operand ? operand->parent.as<layout::NvidiaMma>() : registers.as<layout::NvidiaMma>();
  ArrayRef<int64_t> shape = access.registers.getShape();
  // Results lie as operands of 16 bits do: two in a row in each lane.
  bool isPacked = operand ? operand->kWidth * bits == 32 : bits == 16;
  if (!mma || mma->versionMajor < 2 || !isPacked || shape.size() != 2) return std::nullopt;
  auto memory = layout::toLinearLayout(shared, shape);
  auto offsets =
      memory ? ir::toLinearLayout(access.registers).invertAndCompose(*memory) : std::nullopt;
  if (!offsets || offsets->inBits(Dim::Lane) < 5) return std::nullopt;
  auto byte = [&](Dim dim, unsigned bit) {
    return int64_t(offsets->basis(dim, bit, Dim::Offset)) * bits / 8;
  };
  // Lanes lie as a matrix's elements do: four along K, eight across. Its rows in memory run along
  // either.
  constexpr int64_t rowBytes = 16, banksBytes = 128;
  llvm::SmallVector<int64_t, 3> rows;
  if (byte(Dim::Lane, 0) == 4 && byte(Dim::Lane, 1) == 8)
    rows = {byte(Dim::Lane, 2), byte(Dim::Lane, 3), byte(Dim::Lane, 4)};
  else if (bits == 16 && byte(Dim::Lane, 2) == 2 && byte(Dim::Lane, 3) == 4 &&
           byte(Dim::Lane, 4) == 8)
    rows = {byte(Dim::Register, 0), byte(Dim::Lane, 0), byte(Dim::Lane, 1)};
  else
    return std::nullopt;
  llvm::SmallVector<uint64_t, 3> groups;
  for (int64_t row : rows)
    groups.push_back(static_cast<uint64_t>(row % banksBytes / rowBytes));
  return BankCost{(int64_t(8) >> layout::f2::rank(groups)) - 1, rowBytes};
}

} // namespace

std::optional<GlobalAccess> globalAccessOf(Operation& op) {
  GlobalAccess access;
  llvm::TypeSwitch<Operation*>(&op)
      .Case<tt::LoadOp>([&](auto load) {
        access.pointers = load.getPtr();
        access.mask = load.getMask();
        access.name = "this load";
      })
      .Case<tt::StoreOp>([&](auto store) {
        access.pointers = store.getPtr();
        access.mask = store.getMask();
        access.name = "this store";
        access.isStore = true;
      })
      .Case<ttg::AsyncCopyGlobalToLocalOp>([&](auto copy) {
        access.pointers = copy.getSrc();
        access.mask = copy.getMask();
        access.name = "this copy";
      })
      .Case<amdg::BufferLoadOp>([&](auto load) {
        access.pointers = load.getOffsets();
        access.base = load.getPtr();
        access.mask = load.getMask();
        access.name = "this load";
      })
      .Case<amdg::BufferLoadToLocalOp>([&](auto copy) {
        access.pointers = copy.getOffsets();
        access.base = copy.getPtr();
        access.mask = copy.getMask();
        access.name = "this copy";
      })
      .Case<tt::AtomicRMWOp>([&](auto atomic) {
        access.pointers = atomic.getPtr();
        access.mask = atomic.getMask();
        access.name = "this atomic operation";
        access.isStore = true;
      })
      .Case<amdg::BufferAtomicRMWOp>([&](auto atomic) {
        access.pointers = atomic.getOffsets();
        access.base = atomic.getPtr();
        access.mask = atomic.getMask();
        access.name = "this atomic operation";
        access.isStore = true;
      })
      .Case<amdg::BufferStoreOp>([&](auto store) {
        access.pointers = store.getOffsets();
        access.base = store.getPtr();
        access.mask = store.getMask();
        access.name = "this store";
        access.isStore = true;
      });
  if (!access.pointers) return std::nullopt;
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
  SharedMemoryAccess access;
  llvm::TypeSwitch<Operation*>(&op)
      .Case<ttg::LocalLoadOp>([&](auto load) {
        access = {load.getResult().getType(), load.getSrc().getType(), load.getSrc(), "this load"};
      })
      .Case<ttg::LocalStoreOp>([&](auto store) {
        access = {cast<RankedTensorType>(store.getSrc().getType()), store.getDst().getType(),
                  store.getDst(), "this store"};
      })
      .Case<ttg::LocalAllocOp>([&](auto alloc) {
        if (alloc.getSrc())
          access = {cast<RankedTensorType>(alloc.getSrc().getType()), alloc.getResult().getType(),
                    alloc.getResult(), "this store"};
      });
  if (!access.registers || !access.registers.getEncoding()) return std::nullopt;
  return access;
}

// AMD's matrix operands are read lane by lane where their elements follow each other in memory, and
// by transposing loads where they do not.
constexpr int64_t narrowestOperand = 64; // bits of a lane

std::optional<BankCost> bankCost(const SharedMemoryAccess& access, const layout::Layout& shared,
                                 StringRef target) {
  unsigned bits = access.memory.getElementType().getIntOrFloatBitWidth();
  if (bits < 8) return std::nullopt;
  // ldmatrix and stmatrix, and AMD's transposed reads, go other ways than lane by lane.
  const layout::Layout& registers = ir::toLayout(access.registers.getEncoding());
  if (!registers || !shared) return std::nullopt;
  const layout::Layout* inner = &registers;
  while (auto* slice = inner->as<layout::Slice>())
    inner = &slice->parent;
  if (auto matrix = matrixCost(access, *inner, shared, bits)) return matrix;
  bool isHip = target.starts_with("hip");
  auto* results = inner->as<layout::NvidiaMma>();
  bool isPlain = !inner->as<layout::DotOperand>() && (!results || bits >= 32);
  if (!isHip && !isPlain) return std::nullopt;
  const layout::LinearLayout& from = ir::toLinearLayout(access.registers);
  layout::BankModel model = isHip ? layout::amdBanks(target.drop_front(4)) : layout::nvidiaBanks();
  if (shared.as<layout::PaddedShared>()) {
    auto traffic =
        layout::countSharedTraffic(registers, shared, access.registers.getShape(), bits, 0, model);
    if (!traffic || traffic->least == 0) return std::nullopt;
    if (!isPlain && traffic->elements * bits < narrowestOperand) return std::nullopt;
    return BankCost{(traffic->wavefronts + traffic->least - 1) / traffic->least - 1,
                    traffic->elements * bits / 8};
  }
  auto to = layout::toLinearLayout(shared, access.registers.getShape());
  if (!to) return std::nullopt;
  auto cost = layout::sharedAccessCost(from, *to, bits, model);
  if (!cost || (!isPlain && cost->elements * bits < narrowestOperand)) return std::nullopt;
  return BankCost{cost->conflicts, cost->elements * bits / 8};
}

} // namespace gluond::lints
