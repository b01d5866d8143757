#include "passes/refusals/DirectCopies.h"

#include "chips/MemorySizes.h"
#include "chips/Vendor.h"
#include "ir/amdg/Ops.h"
#include "ir/layouts/Layouts.h"
#include "ir/tt/Types.h"
#include "ir/ttg/Ops.h"
#include "ir/ttg/Target.h"
#include "layout/access/SharedAccess.h"
#include "passes/analysis/AccessWidth.h"

namespace gluond::passes {
using namespace mlir;
using layout::Dim, layout::LinearLayout;

namespace {

constexpr int64_t leastBits = 32; // that Triton copies

// Whether the instructions of a chip move so many bits for a lane.
bool isMoved(int64_t bits, const chips::Chip& chip) {
  return llvm::any_of(chips::asyncCopyBytes(chip), [&](unsigned each) { return 8 * each == bits; });
}

std::string bytes(int64_t bits) {
  return bits % 8 ? std::to_string(bits) + " bits"
                  : std::to_string(bits / 8) + (bits == 8 ? " byte" : " bytes");
}

// What they move: "4 or 16 bytes".
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
  default:
    return "the layout gives each lane too few consecutive elements";
  }
}

// The places that a lane's registers and the lanes of a warp write, in elements of the buffer.
std::optional<LinearLayout> writtenPlaces(const MemoryAccess& access) {
  auto memory = cast<ttg::MemDescType>(access.memory.getType());
  auto swizzled = dyn_cast<ttg::SwizzledSharedEncodingAttr>(memory.getEncoding());
  if (!swizzled || swizzled.getMaxPhase() != 1) return std::nullopt; // lanes exchange addresses
  auto type = cast<RankedTensorType>(access.pointers.getType());
  const LinearLayout& places = ir::toLinearLayout(type.getShape(), memory.getEncoding());
  if (!places.valid()) return std::nullopt;
  LinearLayout registers = ir::toLinearLayout(type).removeZeroBases(Dim::Register);
  return layout::threadOffsets(registers, places);
}

// How many elements follow one another in the buffer, as in the registers of a lane.
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

} // namespace

bool isDirectCopy(Operation* op) {
  return isa<ttg::AsyncCopyGlobalToLocalOp, amdg::BufferLoadToLocalOp>(op) &&
         chips::isAmd(ttg::targetOf(op));
}

std::string whyNoDirectCopy(Operation* op, const ModuleAxisInfo& axes) {
  auto access = memoryAccessOf(op);
  const chips::Chip* chip = chips::findChip(ttg::targetOf(op));
  if (!access || !access->memory || !chip) return {};
  if (!isa<RankedTensorType>(access->pointers.getType())) return {};
  int64_t bits = tt::bitWidth(cast<ttg::MemDescType>(access->memory.getType()).getElementType());
  AccessWidth width = addressWidth(*access, axes);
  if (width.elements * bits < leastBits)
    return "each lane must copy at least 4 bytes at once, but this copy moves " +
           bytes(width.elements * bits) + ": " + reasonFor(width.limit);
  // The lanes of CDNA 5 have addresses of their own.
  auto offsets = chip->has(chips::Feature::Mfma) ? writtenPlaces(*access) : std::nullopt;
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

} // namespace gluond::passes
