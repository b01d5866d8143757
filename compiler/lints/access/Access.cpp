#include "lints/access/Access.h"

#include "chips/Vendor.h"
#include "ir/amdg/Ops.h"
#include "ir/layouts/Layouts.h"
#include "layout/access/TransposedAccess.h"
#include "layout/named/Properties.h"
#include "passes/analysis/MemoryAccess.h"

namespace gluond::lints {
using namespace mlir;

namespace {

unsigned bitsOf(Type pointerOrElement) {
  if (auto pointer = dyn_cast<tt::PointerType>(pointerOrElement))
    pointerOrElement = pointer.getPointeeType();
  return pointerOrElement.isIntOrFloat() ? std::max(8u, tt::bitWidth(pointerOrElement)) : 64;
}

// Whether AMD's transposing loads read the operand.
bool isTransposing(const SharedMemoryAccess& access,
                   const std::optional<layout::LinearLayout>& offsets, unsigned bits,
                   const layout::BankModel& model) {
  if (access.isStore || !model.chip || !offsets) return false;
  const layout::TransposedLoad* load = layout::transposedLoadOf(*model.chip, bits);
  return load && layout::transposedAccess(*offsets, *load);
}

} // namespace

std::string shapeText(ArrayRef<int64_t> shape) {
  std::string text;
  for (auto [i, size] : llvm::enumerate(shape))
    text += (i ? "x" : "") + std::to_string(size);
  return text;
}

std::optional<GlobalAccess> globalAccessOf(Operation& op) {
  // These access single elements, or are only in AMD's programs that choose their layouts
  // themselves.
  if (isa<tt::AtomicCASOp, tt::AtomicPollOp, tt::AtomicLoadOp, tt::AtomicStoreOp,
          amdg::BufferAtomicCASOp, amdg::AsyncCopyLocalToGlobalOp>(op))
    return std::nullopt;
  auto memory = passes::memoryAccessOf(&op);
  if (!memory || memory->kind != passes::MemoryAccess::Kind::Global) return std::nullopt;
  GlobalAccess access;
  static_cast<passes::MemoryAccess&>(access) = *memory;
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

std::optional<BankCost> bankCost(const SharedMemoryAccess& access, const layout::Layout& shared,
                                 StringRef target) {
  unsigned bits = tt::bitWidth(access.memory.getElementType());
  if (bits < 8) return std::nullopt;
  const layout::Layout& registers = ir::toLayout(access.registers.getEncoding());
  if (!registers || !shared) return std::nullopt;
  layout::BankModel model = layout::banksOf(target);
  layout::MemoryView view{access.registers.getShape(), access.memory.getAllocShape(), bits};
  const layout::LinearLayout& from = ir::toLinearLayout(access.registers);
  auto to = layout::viewToLinearLayout(shared, view);
  if (!to) return std::nullopt;
  auto offsets = layout::threadOffsets(from, *to);
  // Banks are irregular where there is padding or lanes name runs: counted lane by lane.
  if (shared.as<layout::PaddedShared>() || isTransposing(access, offsets, bits, model)) {
    auto traffic = layout::countSharedTraffic(registers, shared, view, access.isStore, 0, model);
    if (!traffic || traffic->least == 0) return std::nullopt;
    return BankCost{(traffic->wavefronts + traffic->least - 1) / traffic->least - 1,
                    traffic->elements * bits / 8, traffic->instruction};
  }
  if (offsets && model.hasMatrices(access.isStore))
    if (auto matrices = layout::matrixAccess(*offsets, bits))
      return BankCost{layout::bankConflicts(*matrices, bits), int64_t(4) * matrices->matrices(),
                      matrices->name(access.isStore)};
  auto cost = layout::sharedAccessCost(from, *to, bits, model, access.isStore);
  if (!cost) return std::nullopt;
  return BankCost{cost->conflicts, cost->elements * bits / 8, ""};
}

} // namespace gluond::lints
