#include "passes/analysis/AccessWidth.h"

#include "chips/Chip.h"
#include "chips/MemorySizes.h"
#include "ir/layouts/Layouts.h"
#include "ir/tt/Types.h"
#include "ir/ttg/Types.h"
#include "layout/access/SharedAccess.h"
#include "layout/named/Transforms.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/Support/MathExtras.h>

namespace gluond::passes {
using namespace mlir;
using layout::Dim, layout::LinearLayout;

namespace {

unsigned bitsOf(Type type) {
  return std::max(8u, tt::bitWidth(getElementTypeOrSelf(type)));
}

LinearLayout registersOf(RankedTensorType type) {
  return ir::toLinearLayout(type).removeZeroBases(Dim::Register);
}

// Returns the width for a thread that holds `run` elements along a dimension one after another.
AccessWidth widthAlong(unsigned dim, int64_t run, const MemoryAccess& access,
                       const ModuleAxisInfo& axes) {
  AxisInfo addresses = axes.at(access.pointers);
  if (addresses.rank() <= dim) return {};
  AccessWidth width;
  Value pointer = access.base ? access.base : access.pointers;
  int64_t bytes = bitsOf(tt::pointeeType(pointer.getType())) / 8;
  width.consecutive = std::clamp<int64_t>(addresses.contiguity[dim], 1, run);
  // Memory is contiguous along another dimension than the registers.
  bool isAcross = addresses.contiguity[dim] == 1 &&
                  llvm::any_of(addresses.contiguity, [](int64_t size) { return size > 1; });
  width.layout =
      isAcross ? 1 : std::min(run, std::max<int64_t>(1, chips::widestAccessBytes / bytes));
  if (access.mostElements) width.layout = std::min<int64_t>(width.layout, access.mostElements);
  width.elements = width.layout;
  using Limit = AccessWidth::Limit;
  auto limit = [&](int64_t elements, Limit limit) {
    elements = std::max<int64_t>({1, elements, access.contiguity});
    if (elements < width.elements) width.elements = elements, width.limit = limit;
  };
  limit(addresses.contiguity[dim], Limit::Contiguity);
  if (access.base) {
    AxisInfo base = axes.at(access.base);
    limit(addresses.divisibility[dim], Limit::Alignment);
    limit(base.rank() ? base.divisibility[0] / bytes : 1, Limit::Alignment);
  } else {
    limit(addresses.divisibility[dim] / bytes, Limit::Alignment);
  }
  if (access.mask) {
    AxisInfo mask = axes.at(access.mask);
    limit(mask.rank() > dim ? mask.constancy[dim] : 1, Limit::Mask);
  }
  for (int64_t* each : {&width.elements, &width.consecutive})
    *each = static_cast<int64_t>(llvm::bit_floor(static_cast<uint64_t>(*each)));
  return width;
}

} // namespace

AccessWidth addressWidth(const MemoryAccess& access, const ModuleAxisInfo& axes) {
  auto type = dyn_cast<RankedTensorType>(access.pointers.getType());
  if (!type || !type.getEncoding()) return {};
  const LinearLayout registers = registersOf(type);
  if (!registers.valid() || registers.columns(Dim::Register).empty()) return {};
  // The dimension that registers run along first.
  uint64_t first = registers.columns(Dim::Register).front();
  for (const layout::DimBits& out : registers.outs())
    if (out.bits && first == uint64_t(1) << registers.outShift(out.dim)) {
      int64_t run = layout::divideIdentityPrefix(registers, Dim::Register, out.dim,
                                                 registers.inSize(Dim::Register))
                        .size;
      return widthAlong(layout::tensorDimIndex(out.dim), run, access, axes);
    }
  return {};
}

int64_t mostCopied(int64_t elements, unsigned elementBits, llvm::StringRef target) {
  constexpr int64_t mostBits = 8 * chips::widestAccessBytes;
  elements = std::min(elements, std::max<int64_t>(1, mostBits / elementBits));
  const chips::Chip* chip = chips::findChip(target);
  if (!chip) return elements;
  for (unsigned bytes : llvm::reverse(chips::asyncCopyBytes(*chip)))
    if (elements * elementBits >= 8 * bytes) return std::max(1u, 8 * bytes / elementBits);
  return elements;
}

AccessWidth accessWidth(const MemoryAccess& access, const ModuleAxisInfo& axes,
                        llvm::StringRef target) {
  AccessWidth width = addressWidth(access, axes);
  if (!access.memory) return width;
  auto memory = cast<ttg::MemDescType>(access.memory.getType());
  auto type = cast<RankedTensorType>(access.pointers.getType());
  unsigned bits = bitsOf(memory.getElementType());
  width.elements = mostCopied(width.elements, bits, target);
  const layout::Layout& buffer = ir::toLayout(memory.getEncoding());
  const LinearLayout places = ir::toLinearLayout(memory);
  if (!buffer || !places.valid()) return width;
  auto offsets = layout::threadOffsets(ir::toLinearLayout(type), places);
  if (!offsets) return width;
  int64_t written =
      layout::widestSharedAccess(*offsets, bits, width.elements, layout::paddingOf(buffer))
          .elements;
  if (written < width.elements) width.elements = written, width.limit = AccessWidth::Limit::Buffer;
  return width;
}

} // namespace gluond::passes
