#include "passes/analysis/AccessWidth.h"

#include "chips/Chip.h"
#include "chips/MemorySizes.h"
#include "chips/Vendor.h"
#include "ir/layouts/Layouts.h"
#include "ir/tt/Types.h"
#include "ir/ttg/Types.h"
#include "layout/access/SharedAccess.h"
#include "layout/named/Transforms.h"
#include "passes/analysis/MaskEdges.h"

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

struct FoundWidth : AccessWidth {
  // The elements that LLVM's back end for AMD accesses together, aligned or not: it joins neighbors
  // unless a mask decides about each load or the accesses are volatile.
  int64_t joined = 1;
};

// Returns the width for a thread that holds `run` elements along a dimension one after another.
FoundWidth widthAlong(unsigned dim, int64_t run, const MemoryAccess& access,
                      const ModuleAxisInfo& axes) {
  AxisInfo addresses = axes.at(access.pointers);
  if (addresses.rank() <= dim) return {};
  FoundWidth width;
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
  bool isJoined = !access.base && !access.memory && !access.isAtomic && !access.isVolatile;
  width.joined = isJoined ? std::min(width.layout, width.consecutive) : 1;
  if (access.mask) {
    AxisInfo mask = axes.at(access.mask);
    int64_t same = mask.rank() > dim ? mask.constancy[dim] : 1;
    width.joined = access.isRead ? 1 : std::min(width.joined, same);
    limit(same, Limit::Mask);
  }
  for (int64_t* each : {&width.elements, &width.consecutive, &width.joined})
    *each = static_cast<int64_t>(llvm::bit_floor(static_cast<uint64_t>(*each)));
  return width;
}

FoundWidth findWidth(const MemoryAccess& access, const ModuleAxisInfo& axes) {
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

} // namespace

AccessWidth addressWidth(const MemoryAccess& access, const ModuleAxisInfo& axes) {
  return findWidth(access, axes);
}

// A row may end anywhere, so that a mask `index < bound` decides about each element. Nearly all
// threads are within it or outside of it with all elements of a wide access, though. Of so many
// accesses for one, each goes to the cache for itself, which has time for fewer.
constexpr int64_t narrowForWide = 8;

int64_t widthWithinRow(const MemoryAccess& access, const ModuleAxisInfo& axes) {
  if (!access.mask || access.base || access.memory || access.isAtomic || access.isVolatile)
    return 0;
  MemoryAccess whole = access;
  whole.mask = {};
  int64_t wide = findWidth(whole, axes).elements;
  if (wide < narrowForWide * findWidth(access, axes).elements) return 0;
  if (tt::pointeeType(access.pointers.getType()).isInteger(1)) return 0;
  AxisInfo addresses = axes.at(access.pointers);
  auto along = llvm::find_if(addresses.contiguity, [&](int64_t run) { return run >= wide; });
  if (along == addresses.contiguity.end()) return 0;
  auto dim = static_cast<unsigned>(along - addresses.contiguity.begin());
  return changesOnce(access.mask, dim, wide, axes) ? wide : 0;
}

int64_t mostCopied(int64_t elements, unsigned elementBits, llvm::StringRef target) {
  constexpr int64_t mostBits = 8 * chips::widestAccessBytes;
  elements = std::min(elements, std::max<int64_t>(1, mostBits / elementBits));
  const chips::Chip* chip = chips::findChip(target);
  if (!chip) return elements;
  for (int64_t bytes : llvm::reverse(chips::asyncCopyBytes(*chip)))
    if (elements * elementBits >= 8 * bytes) return std::max<int64_t>(1, 8 * bytes / elementBits);
  return elements;
}

AccessWidth accessWidth(const MemoryAccess& access, const ModuleAxisInfo& axes,
                        llvm::StringRef target) {
  FoundWidth found = findWidth(access, axes);
  AccessWidth width = found;
  if (chips::isAmd(target) && found.joined > width.elements) {
    width.elements = found.joined;
    using Limit = AccessWidth::Limit;
    width.limit = found.joined == width.layout        ? Limit::Layout
                  : found.joined == width.consecutive ? Limit::Contiguity
                                                      : Limit::Mask;
  }
  if (!chips::isAmd(target)) width.withinRow = widthWithinRow(access, axes);
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
