#include "passes/refusals/DirectCopies.h"

#include "chips/MemorySizes.h"
#include "chips/Vendor.h"
#include "ir/amdg/Ops.h"
#include "ir/layouts/Layouts.h"
#include "ir/tt/Types.h"
#include "ir/ttg/ModuleTarget.h"
#include "ir/ttg/Ops.h"
#include "layout/access/GlobalAccess.h"
#include "layout/access/SharedAccess.h"
#include "passes/analysis/AccessWidth.h"

namespace gluond::passes {
using namespace mlir;
using layout::Dim, layout::LinearLayout;

namespace {

constexpr int64_t leastBits = 32; // that Triton copies

// Whether the instructions of a chip move so many bits for a lane.
bool isMoved(int64_t bits, const chips::Chip& chip) {
  return llvm::any_of(chips::asyncCopyBytes(chip),
                      [&](unsigned each) { return int64_t{8} * each == bits; });
}

std::string bytes(int64_t bits) {
  return bits % 8 ? std::to_string(bits) + " bits"
                  : std::to_string(bits / 8) + (bits == 8 ? " byte" : " bytes");
}

// Returns the sizes that they move: "4 or 16 bytes".
std::string moves(const chips::Chip& chip) {
  std::string text;
  for (unsigned each : chips::asyncCopyBytes(chip))
    text += (text.empty() ? "" : " or ") + std::to_string(each);
  return text + " bytes";
}

std::string reasonFor(AccessWidth::Limit limit) {
  using Limit = AccessWidth::Limit;
  switch (limit) {
  case Limit::Mask:
    return "the mask may change at every element; use `gl.multiple_of` for its bound, or load and "
           "store instead";
  case Limit::Contiguity:
    return "the compiler does not know that the addresses are consecutive";
  case Limit::Alignment:
    return "a size or stride in the address is not known to be a multiple of 16";
  case Limit::Buffer:
    return "the layout of the buffer separates the elements";
  case Limit::Layout:
    return "the layout gives each lane too few consecutive elements";
  }
  return {};
}

// A buffer's layout without what the compiler adds on the way: lanes exchange their addresses for a
// swizzled buffer, and padding comes between the writes of warps.
LinearLayout flatLayout(ttg::MemDescType memory) {
  Attribute encoding = memory.getEncoding();
  if (auto padded = dyn_cast<ttg::PaddedSharedEncodingAttr>(encoding))
    return padded.getLinearComponent();
  auto shape = memory.getAllocShape().take_back(memory.getShape().size());
  if (auto swizzled = dyn_cast<ttg::SwizzledSharedEncodingAttr>(encoding))
    encoding = ttg::SwizzledSharedEncodingAttr::get(memory.getContext(), swizzled.getVec(), 1, 1,
                                                    swizzled.getOrder(), swizzled.getCGALayout());
  return ir::toLinearLayout(shape, encoding);
}

// The places that a lane's registers and the lanes of a warp write, in elements of the buffer.
std::optional<LinearLayout> writtenPlaces(const MemoryAccess& access) {
  LinearLayout places = flatLayout(cast<ttg::MemDescType>(access.memory.getType()));
  if (!places.valid()) return std::nullopt;
  auto type = cast<RankedTensorType>(access.pointers.getType());
  LinearLayout registers = ir::toLinearLayout(type).removeZeroBases(Dim::Register);
  return layout::threadOffsets(registers, places);
}

// Returns how many elements follow one another in the buffer, as in the registers of a lane.
int64_t runIn(const LinearLayout& offsets) {
  int64_t run = 1;
  for (uint64_t offset : offsets.columns(Dim::Register)) {
    if (offset != uint64_t(run)) break;
    run *= 2;
  }
  return run;
}

bool lanesFollow(const LinearLayout& offsets, int64_t run) {
  for (auto [bit, offset] : llvm::enumerate(offsets.columns(Dim::Lane)))
    if (offset != uint64_t(run) << bit) return false;
  return true;
}

std::string whyNoCpAsync(const MemoryAccess& access, const ModuleAxisInfo& axes,
                         const chips::Chip& chip) {
  auto type = cast<RankedTensorType>(access.pointers.getType());
  int64_t bits = tt::bitWidth(cast<ttg::MemDescType>(access.memory.getType()).getElementType());
  const LinearLayout& registers = ir::toLinearLayout(type);
  if (!registers.valid() || layout::longestRun(registers) * bits < leastBits) return {};
  AccessWidth width = accessWidth(access, axes, chip.target);
  if (width.elements * bits >= leastBits) return {};
  return "each thread must copy at least 4 bytes at once, but this copy moves " +
         bytes(width.elements * bits) + ": " + reasonFor(width.limit);
}

} // namespace

bool isDirectCopy(Operation* op) {
  return isa<ttg::AsyncCopyGlobalToLocalOp, amdg::BufferLoadToLocalOp>(op);
}

std::string whyNoDirectCopy(Operation* op, const ModuleAxisInfo& axes) {
  auto access = memoryAccessOf(op);
  const chips::Chip* chip = chips::findChip(ttg::targetOf(op));
  if (!access || !access->memory || !chip) return {};
  auto pointers = dyn_cast<RankedTensorType>(access->pointers.getType());
  if (!pointers || !pointers.getEncoding()) return {};
  if (!chips::isAmd(chip->target)) return whyNoCpAsync(*access, axes, *chip);
  if (chips::asyncCopyBytes(*chip).empty())
    return chip->name.str() + " has no instructions that copy into shared memory: load and store "
                              "instead, or compile for CDNA 3, CDNA 4 or gfx1250";
  auto memory = cast<ttg::MemDescType>(access->memory.getType());
  int64_t bits = tt::bitWidth(memory.getElementType());
  // The lanes of CDNA 5 have addresses of their own.
  bool isByWarp = chip->has(chips::Feature::Mfma);
  AccessWidth width = addressWidth(*access, axes);
  if (auto padded = dyn_cast<ttg::PaddedSharedEncodingAttr>(memory.getEncoding())) {
    int64_t interval = padded.getMinInterval(), writers = isByWarp ? chip->warpSize : 1;
    if (width.elements > interval / writers) {
      width.elements = interval / writers;
      if (width.elements * bits < leastBits)
        return "each lane must copy at least 4 bytes at once, but the buffer is padded after "
               "every " +
               std::to_string(interval) + " elements" +
               (isByWarp ? ", and a warp's " + std::to_string(writers) +
                               " lanes must write between two paddings: pad after at least " +
                               std::to_string(writers * leastBits / bits)
                         : "");
    }
  }
  if (width.elements * bits < leastBits)
    return "each lane must copy at least 4 bytes at once, but this copy moves " +
           bytes(width.elements * bits) + ": " + reasonFor(width.limit);
  auto offsets = isByWarp ? writtenPlaces(*access) : std::nullopt;
  if (!offsets) return {};
  int64_t run = runIn(*offsets), least = std::min(width.elements, run);
  if (run > width.elements)
    return "a lane writes " + bytes(run * bits) + " of the buffer, but an instruction moves " +
           bytes(width.elements * bits) + " for it: give each lane fewer consecutive elements";
  if (!isMoved(least * bits, *chip))
    return "the instructions of " + chip->name.str() + " copy " + moves(*chip) +
           " for each lane, but this copy moves " + bytes(least * bits) +
           (run < width.elements ? ": the layout of the buffer separates the elements" : "");
  if (!lanesFollow(*offsets, least))
    return "the lanes of a warp must write one after the other, but the layouts of the copy and of "
           "the buffer put their elements elsewhere";
  return {};
}

std::string whyNoStoreFromShared(Operation* op) {
  const chips::Chip* chip = chips::findChip(ttg::targetOf(op));
  if (!isa<amdg::AsyncCopyLocalToGlobalOp>(op) || !chip || !chips::isAmd(chip->target) ||
      chip->has(chips::Feature::ScaledWmma))
    return {};
  return chip->name.str() +
         " has no instructions that copy from shared to global memory: load from "
         "the buffer and store, or compile for gfx1250";
}

} // namespace gluond::passes
