#include "lints/access/Access.h"

#include "ir/Layouts.h"
#include "ir/amdg/Ops.h"
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
      });
  if (!access.pointers) return std::nullopt;
  access.type = dyn_cast<RankedTensorType>(access.pointers.getType());
  if (!access.type || !access.type.getEncoding()) return std::nullopt;
  access.elementBits = bitsOf(access.type.getElementType());
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
  width.elements = std::min({width.layout, info.contiguity[dim], aligned});
  if (access.mask) {
    passes::AxisInfo mask = axes.get().at(access.mask);
    if (mask.rank() == info.rank() && mask.constancy[dim] < width.elements) {
      width.elements = mask.constancy[dim];
      width.isMaskLimit = true;
    }
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
  if (inner->as<layout::DotOperand>() || inner->as<layout::NvidiaMma>() ||
      inner->as<layout::AmdMfma>() || inner->as<layout::AmdWmma>())
    return std::nullopt;
  const layout::LinearLayout& from = ir::toLinearLayout(access.registers);
  bool isHip = target.starts_with("hip");
  layout::BankModel model = isHip ? layout::amdBanks(target.drop_front(4)) : layout::nvidiaBanks();
  if (shared.as<layout::PaddedShared>()) {
    auto traffic =
        layout::countSharedTraffic(registers, shared, access.registers.getShape(), bits, 0, model);
    if (!traffic || traffic->least == 0) return std::nullopt;
    return BankCost{(traffic->wavefronts + traffic->least - 1) / traffic->least - 1,
                    traffic->elements * bits / 8};
  }
  auto to = layout::toLinearLayout(shared, access.registers.getShape());
  if (!to) return std::nullopt;
  auto cost = layout::sharedAccessCost(from, *to, bits, model);
  if (!cost) return std::nullopt;
  return BankCost{cost->conflicts, cost->elements * bits / 8};
}

} // namespace gluond::lints
