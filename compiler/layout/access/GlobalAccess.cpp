#include "layout/access/GlobalAccess.h"

#include "chips/MemorySizes.h"
#include "layout/tolinear/FamilyConversions.h"

#include <llvm/ADT/STLExtras.h>

#include <algorithm>

namespace gluond::layout {

namespace {
constexpr int64_t mostSteps = 1 << 16;

// Absurd strides wrap around instead of overflowing; only relative positions matter.
uint64_t elementOffset(const LinearLayout& layout, uint64_t packed,
                       llvm::ArrayRef<int64_t> strides) {
  uint64_t offset = 0;
  for (auto [coordinate, stride] : llvm::zip_equal(layout.unpack(packed), strides))
    offset += static_cast<uint64_t>(coordinate) * static_cast<uint64_t>(stride);
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
  llvm::SmallVector<uint64_t, 64> sectors, lines, starts;
  for (int64_t i = 0; i < counted; ++i) {
    sectors.clear(), lines.clear(), starts.clear();
    for (int64_t lane = 0; lane < lanes; ++lane) {
      uint64_t packed = unique.applyPacked(
          unique.packInput({{Dim::Register, static_cast<uint64_t>(i * cost.elements)},
                            {Dim::Lane, static_cast<uint64_t>(lane)},
                            {Dim::Warp, warp}}));
      uint64_t first =
          elementOffset(unique, packed, tensor.strides) * static_cast<uint64_t>(elementBytes);
      starts.push_back(first);
      for (uint64_t byte : {first, first + bytes - 1}) {
        sectors.push_back(byte / chips::sectorBytes);
        lines.push_back(byte / chips::lineBytes);
      }
    }
    cost.sectors += countDistinct(sectors);
    cost.lines += countDistinct(lines);
    // Copies in other lanes cost nothing.
    cost.leastSectors += static_cast<int64_t>(
        (static_cast<uint64_t>(countDistinct(starts)) * bytes + chips::sectorBytes - 1) /
        chips::sectorBytes);
  }
  // Instructions beyond the counted ones are alike.
  cost.sectors = cost.sectors * cost.instructions / counted;
  cost.lines = cost.lines * cost.instructions / counted;
  cost.leastSectors = cost.leastSectors * cost.instructions / counted;
  return cost;
}

} // namespace gluond::layout
