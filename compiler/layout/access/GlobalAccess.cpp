#include "layout/access/GlobalAccess.h"

#include "chips/MemorySizes.h"
#include "layout/tolinear/FamilyConversions.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/STLExtras.h>

#include <algorithm>

namespace gluond::layout {

namespace {
constexpr int64_t mostSteps = 1 << 16;

// Absurd strides wrap around instead of overflowing; only relative positions matter.
uint64_t elementOffset(const LinearLayout& layout, uint64_t packed,
                       llvm::ArrayRef<int64_t> strides) {
  uint64_t offset = 0;
  for (auto [dim, stride] : llvm::zip_equal(layout.outs(), strides)) {
    uint64_t coordinate = dim.bits < 64 ? packed & ((uint64_t(1) << dim.bits) - 1) : packed;
    offset += coordinate * static_cast<uint64_t>(stride);
    packed = dim.bits < 64 ? packed >> dim.bits : 0;
  }
  return offset;
}

int64_t countDistinct(llvm::SmallVectorImpl<uint64_t>& values) {
  std::sort(values.begin(), values.end()); // llvm::sort would call qsort
  return std::unique(values.begin(), values.end()) - values.begin();
}
} // namespace

int64_t longestRun(const LinearLayout& registers) {
  int64_t most = 1;
  for (size_t dim = 0; dim < registers.outs().size(); ++dim) {
    auto steps = [&](int64_t run) {
      return llvm::any_of(registers.bases(Dim::Register), [&](const auto& basis) {
        return llvm::all_of(llvm::enumerate(basis), [&](auto each) {
          return each.value() == (each.index() == dim ? run : 0);
        });
      });
    };
    int64_t run = 1;
    while (steps(run))
      run *= 2;
    most = std::max(most, run);
  }
  return most;
}

int64_t widestGlobalAccess(const LinearLayout& registers, const GlobalTensor& tensor) {
  if (!registers.valid() || tensor.strides.size() != registers.outs().size() ||
      tensor.elementBits == 0)
    return 1;
  int64_t bytes = std::max<int64_t>(1, tensor.elementBits / 8);
  int64_t most = std::max<int64_t>(1, chips::widestAccessBytes / bytes);
  // The dimension in which memory is consecutive.
  const auto* unit = llvm::find(tensor.strides, 1);
  if (unit == tensor.strides.end()) return 1;
  Dim along = tensorDim(static_cast<unsigned>(unit - tensor.strides.begin()));
  // The registers' first bases must be 1, 2, 4, .. in it, and no other basis may step within the
  // run: then every run begins at a multiple of its length.
  int64_t elements = divideIdentityPrefix(registers, Dim::Register, along, most).size;
  // Bases of other dimensions move by their strides; where one is no multiple of the run, runs
  // there are misaligned.
  for (auto [out, stride] : llvm::zip_equal(registers.outs(), tensor.strides))
    if (out.dim != along && out.bits)
      while (elements > 1 && stride % elements)
        elements /= 2;
  while (elements > 1 && tensor.alignment % (elements * bytes))
    elements /= 2;
  return elements;
}

OrError<GlobalAccessCost> globalAccessCost(const LinearLayout& registers,
                                           const GlobalTensor& tensor, unsigned warp) {
  if (!registers.valid() || !registers.hasIn(Dim::Register) || !registers.hasIn(Dim::Lane))
    return misfit("layout", "must be a distributed layout");
  if (tensor.strides.size() != registers.outs().size())
    return misfit("strides", "must be ", registers.outs().size(), ", but there are ",
                  tensor.strides.size());
  LinearLayout unique = registers.removeZeroBases(Dim::Register);
  GlobalAccessCost cost;
  int64_t elementBytes = std::max<int64_t>(1, tensor.elementBits / 8);
  cost.elements = widestGlobalAccess(unique, tensor);
  cost.bytes = cost.elements * elementBytes;
  cost.instructions = unique.inSize(Dim::Register) / cost.elements;
  int64_t lanes = unique.inSize(Dim::Lane);
  if (lanes > mostSteps || cost.instructions > 1 << 30)
    return misfit("layout", "has too many lanes or registers");
  int64_t counted = std::clamp<int64_t>(mostSteps / lanes, 1, cost.instructions);
  uint64_t bytes = static_cast<uint64_t>(cost.bytes);
  // The layout is linear: the element of a register and a lane is the sum (exclusive or) of theirs.
  uint64_t warpPart = unique.applyPacked(unique.packInput({{Dim::Warp, warp}}));
  llvm::SmallVector<uint64_t, 64> laneParts;
  uint64_t laneBits = warpPart, registerBits = 0;
  for (uint64_t lane = 0; lane < static_cast<uint64_t>(lanes); ++lane) {
    laneParts.push_back(unique.applyPacked(unique.packInput({{Dim::Lane, lane}})) ^ warpPart);
    laneBits |= laneParts.back();
  }
  for (uint64_t basis : unique.columns(Dim::Register))
    registerBits |= basis;
  // Where registers and lanes share no bit of a coordinate, all instructions access the same
  // pattern, each at an offset of its own: those at the same place of a line cost the same.
  bool isTranslated = (laneBits & registerBits) == 0;
  struct Counts {
    int64_t sectors, lines, starts;
  };
  llvm::SmallDenseMap<uint64_t, Counts, 8> counts;
  llvm::SmallVector<uint64_t, 64> sectors, lines, starts;
  for (int64_t i = 0; i < counted; ++i) {
    uint64_t registerPart = unique.applyPacked(
        unique.packInput({{Dim::Register, static_cast<uint64_t>(i * cost.elements)}}));
    auto firstByte = [&](uint64_t packed) {
      return elementOffset(unique, packed, tensor.strides) * static_cast<uint64_t>(elementBytes);
    };
    auto count = [&] {
      sectors.clear(), lines.clear(), starts.clear();
      for (uint64_t lanePart : laneParts) {
        uint64_t first = firstByte(registerPart ^ lanePart);
        starts.push_back(first);
        for (uint64_t byte : {first, first + bytes - 1}) {
          sectors.push_back(byte / chips::sectorBytes);
          lines.push_back(byte / chips::lineBytes);
        }
      }
      return Counts{countDistinct(sectors), countDistinct(lines), countDistinct(starts)};
    };
    Counts of;
    if (isTranslated) {
      auto [known, isNew] = counts.try_emplace(firstByte(registerPart) % chips::lineBytes);
      if (isNew) known->second = count();
      of = known->second;
    } else {
      of = count();
    }
    cost.sectors += of.sectors;
    cost.lines += of.lines;
    // Copies in other lanes cost nothing.
    cost.leastSectors += static_cast<int64_t>(
        (static_cast<uint64_t>(of.starts) * bytes + chips::sectorBytes - 1) / chips::sectorBytes);
  }
  // Instructions beyond the counted ones are alike.
  cost.sectors = cost.sectors * cost.instructions / counted;
  cost.lines = cost.lines * cost.instructions / counted;
  cost.leastSectors = cost.leastSectors * cost.instructions / counted;
  return cost;
}

} // namespace gluond::layout
