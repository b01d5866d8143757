#include "layout/exchange/ConvertLayout.h"

#include "layout/tolinear/FamilyConversions.h"

#include <llvm/ADT/STLExtras.h>

namespace gluond::layout {

llvm::StringRef name(ConversionKind kind) {
  static constexpr llvm::StringLiteral names[] = {"nothing", "registers", "lanes", "warps",
                                                  "blocks"};
  return names[static_cast<size_t>(kind)];
}

std::optional<LinearLayout> minimalConversion(const LinearLayout& from, const LinearLayout& to) {
  std::optional<LinearLayout> map = to.invertAndCompose(from);
  if (!map) return std::nullopt;
  // Removes the slowest dimensions first: only the remaining ones have to be exchanged.
  llvm::ArrayRef<DimBits> a = from.ins(), b = to.ins();
  while (!a.empty() && !b.empty() && a.back().dim == b.back().dim) {
    std::optional<LinearLayout> rest = map->quotient({a.back().dim});
    if (!rest) break;
    map = std::move(*rest);
    a = a.drop_back();
    b = b.drop_back();
  }
  return map;
}

OrError<ConversionCost> conversionCost(const LinearLayout& from, const LinearLayout& to,
                                       unsigned elementBits) {
  if (!from.valid() || !to.valid() || from.outs() != to.outs())
    return misfit("shape", "the two layouts are not of the same tensor");
  std::optional<LinearLayout> map = minimalConversion(from, to);
  if (!map) return misfit("shape", "the source does not hold every element of the destination");
  ConversionCost cost;
  cost.map = *map;
  static constexpr std::pair<Dim, ConversionKind> kinds[] = {
      {Dim::Register, ConversionKind::Registers},
      {Dim::Lane, ConversionKind::Lanes},
      {Dim::Warp, ConversionKind::Warps},
      {Dim::Block, ConversionKind::Blocks}};
  for (auto [dim, kind] : kinds)
    if (map->hasIn(dim) || map->hasOut(dim)) cost.kind = kind;
  cost.bytes = static_cast<int64_t>((uint64_t(elementBits) << to.totalInBits()) / 8);
  if (cost.kind <= ConversionKind::Registers) return cost;

  // A place keeps its element within its thread when lane, warp and block of its source are its
  // own. That is a linear condition, so the places that do are a subspace: one in 2^rank.
  LinearLayout whole = *to.invertAndCompose(from);
  f2::ColumnVector difference;
  for (DimBits in : whole.ins())
    for (auto [i, column] : llvm::enumerate(whole.columns(in.dim))) {
      uint64_t registers = 0;
      if (unsigned bits = whole.outBits(Dim::Register))
        registers = ((uint64_t(1) << bits) - 1) << whole.outShift(Dim::Register);
      uint64_t own = 0;
      if (in.dim != Dim::Register && whole.hasOut(in.dim) && i < whole.outBits(in.dim))
        own = uint64_t(1) << (whole.outShift(in.dim) + i);
      difference.push_back((column & ~registers) ^ own);
    }
  unsigned rank = f2::rank(difference);
  cost.bytesMoved = cost.bytes - (cost.bytes >> rank);
  if (cost.kind >= ConversionKind::Warps) {
    unsigned blocks = f2::rank(from.columns(Dim::Block));
    cost.sharedBytes =
        static_cast<int64_t>((uint64_t(elementBits) << from.totalOutBits()) / 8) >> blocks;
  }
  return cost;
}

} // namespace gluond::layout
