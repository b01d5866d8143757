#include "Generators.h"

#include <llvm/ADT/STLExtras.h>

#include <algorithm>
#include <numeric>

namespace gluond::layout::test {

llvm::SmallVector<DimSize, 4> Generator::sizes(llvm::ArrayRef<Dim> dims, unsigned total) {
  llvm::SmallVector<DimSize, 4> result;
  for (Dim dim : dims)
    result.push_back({dim, 1});
  for (unsigned i = 0; i < total; ++i)
    result[static_cast<size_t>(upTo(static_cast<int64_t>(dims.size()) - 1))].size *= 2;
  return result;
}

LinearLayout Generator::map(llvm::ArrayRef<Dim> ins, unsigned inBits, llvm::ArrayRef<DimSize> outs,
                            bool onto) {
  LinearLayout layout;
  for (DimSize in : sizes(ins, inBits))
    layout.timesZeros(in.size, in.dim, outs.front().dim);
  LinearLayout codomain;
  for (DimSize out : outs)
    codomain.timesIdentity(out.size, Dim::Vector, out.dim);
  unsigned outBits = codomain.totalOutBits();
  uint64_t all = (uint64_t(1) << outBits) - 1;
  f2::ColumnVector columns;
  if (onto)
    for (unsigned i = 0; i < std::min(inBits, outBits); ++i)
      columns.push_back(uint64_t(1) << i);
  while (columns.size() < inBits)
    columns.push_back(chance(0.3) ? 0 : static_cast<uint64_t>(upTo(static_cast<int64_t>(all))));
  std::shuffle(columns.begin(), columns.end(), random_);
  // Adding one column to another keeps the rank.
  for (int i = 0; i < 6 && columns.size() > 1; ++i) {
    size_t a = static_cast<size_t>(upTo(static_cast<int64_t>(columns.size()) - 1));
    size_t b = static_cast<size_t>(upTo(static_cast<int64_t>(columns.size()) - 1));
    if (a != b) columns[a] ^= columns[b];
  }
  LinearLayout result = codomain.sublayout({}, codomain.outDims());
  size_t at = 0;
  for (DimBits in : layout.ins()) {
    result = result.appendIn(in.dim, llvm::ArrayRef(columns).slice(at, in.bits));
    at += in.bits;
  }
  return result;
}

LinearLayout Generator::invertible(llvm::ArrayRef<Dim> ins, llvm::ArrayRef<DimSize> outs) {
  unsigned bits = 0;
  for (DimSize out : outs)
    bits += *exactLog2(out.size);
  return map(ins, bits, outs, /*onto=*/true);
}

std::vector<int64_t> Generator::shape(unsigned rank, unsigned least, unsigned most) {
  std::vector<int64_t> result;
  for (unsigned i = 0; i < rank; ++i)
    result.push_back(int64_t(1) << (least + upTo(most - least)));
  return result;
}

Ints Generator::split(int64_t total, unsigned rank) {
  Ints result(rank, 1);
  for (; total > 1; total /= 2)
    result[static_cast<size_t>(upTo(rank - 1))] *= 2;
  return result;
}

Order Generator::order(unsigned rank) {
  Order result(rank, 0);
  std::iota(result.begin(), result.end(), 0u);
  std::shuffle(result.begin(), result.end(), random_);
  return result;
}

LinearLayout Generator::cga(unsigned rank, int64_t ctas) {
  LinearLayout result = oneCta(rank);
  for (; ctas > 1; ctas /= 2) {
    Dim dim = tensorDim(static_cast<unsigned>(upTo(rank - 1)));
    if (chance(0.7))
      result.timesIdentity(2, Dim::Block, dim);
    else
      result.timesZeros(2, Dim::Block, dim);
  }
  return result;
}

Layout Generator::blocked(unsigned rank) {
  return *Layout::make(Blocked{split(oneOf<int64_t>({1, 2, 4, 8}), rank), split(32, rank),
                               split(oneOf<int64_t>({1, 4, 8}), rank), order(rank),
                               cga(rank, oneOf<int64_t>({1, 1, 2, 4}))});
}

Layout Generator::mma(unsigned rank) {
  if (rank == 2 && chance(0.3))
    return *Layout::make(
        NvidiaMma{3, 0, {4, 1}, cga(2, oneOf<int64_t>({1, 2})), {16, oneOf({16, 64, 128}), 16}});
  Ints instr(rank, 1);
  instr[rank - 2] = 16;
  instr[rank - 1] = 8;
  return *Layout::make(NvidiaMma{2, 0, split(4, rank), cga(rank, oneOf<int64_t>({1, 2})), instr});
}

Layout Generator::mfma(unsigned rank) {
  int32_t side = oneOf({16, 32});
  return *Layout::make(
      AmdMfma{3, split(4, rank), {side, side, 8}, chance(0.5), cga(rank, 1), {}, 32});
}

Layout Generator::dotOperand(unsigned rank) {
  Layout parent = chance(0.5) ? mma(rank) : mfma(rank);
  const auto* mma = parent.as<NvidiaMma>();
  unsigned operand = mma && mma->versionMajor == 3 ? 0 : static_cast<unsigned>(upTo(1));
  return *Layout::make(DotOperand{operand, parent, oneOf({2u, 4u, 8u})});
}

Layout Generator::distributed(unsigned rank) {
  if (rank == 1 || (rank < 4 && chance(0.25))) {
    Layout parent = distributed(rank + 1);
    return *Layout::make(Slice{static_cast<unsigned>(upTo(rank)), parent});
  }
  if (rank > 3) return blocked(rank);
  switch (upTo(3)) {
  case 0:
    return mma(rank);
  case 1:
    return mfma(rank);
  case 2:
    return dotOperand(rank);
  default:
    return blocked(rank);
  }
}

Layout Generator::swizzled(unsigned rank) {
  return *Layout::make(SwizzledShared{
      oneOf({1u, 2u, 4u, 8u}), oneOf({1u, 2u}), oneOf({1u, 4u, 8u}), order(rank), {}});
}

} // namespace gluond::layout::test
