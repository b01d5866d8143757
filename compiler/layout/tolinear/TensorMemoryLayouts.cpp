// Tensor memory of Blackwell: 128 rows (lanes), 512 columns of 32 bits. row, col, block -> tensor.
//
// Columns count elements of the tensor's type, not cells. A zero basis of row bit 5 or 6 (32, 64)
// is a real copy: each of the four warps that own 32 rows has its own. Any other zero basis means
// that the cell holds nothing.
#include "chips/MemorySizes.h"
#include "layout/named/Properties.h"
#include "layout/tolinear/FamilyConversions.h"

namespace gluond::layout {

Converted tensorMemoryToLinear(const TensorMemory& memory, Shape shape) {
  constexpr Dim m = tensorDim(0), n = tensorDim(1);
  ShapeVector perCta = shapePerCta(ctaSplitNum(memory.CGALayout), shape);
  int64_t blockM = memory.blockM, blockN = std::min<int64_t>(memory.blockN, perCta[1]);

  auto addColumns = [&](LinearLayout& tile) {
    if (memory.fp4Padded) tile.timesZeros(2, Dim::Col, n); // real and padded half
    tile.timesIdentity(blockN, Dim::Col, n);
  };
  LinearLayout tile;
  tile.timesIdentity(1, Dim::Row, m); // fixes the order of the dimensions
  tile.timesZeros(memory.colStride, Dim::Col, n);
  if (blockM == chips::halfTensorMemoryRows && !memory.twoCTAs) {
    // A block of 64 rows uses rows 0..15 of each warp's 32. Rows 16..31 are for the next block:
    // first down, then across.
    tile.timesIdentity(blockM, Dim::Row, m);
    addColumns(tile);
    Coordinates nextBlock = {0, 0};
    if (perCta[0] > blockM) {
      tile = tile.growOut(m, chips::tensorMemoryRows);
      nextBlock = {static_cast<int32_t>(blockM), 0};
    } else if (perCta[1] > blockN) {
      tile = tile.growOut(n, 2 * blockN);
      nextBlock = {0, static_cast<int32_t>(blockN)};
    }
    f2::ColumnVector rows(tile.columns(Dim::Row));
    rows.insert(rows.begin() + 4, tile.pack(nextBlock));
    tile = tile.withColumns(Dim::Row, rows);
  } else {
    tile.timesIdentity(blockM, Dim::Row, m);
    addColumns(tile);
    if (blockM == chips::halfTensorMemoryRows) {
      // The pair's second half of the columns is in rows 64..127.
      f2::ColumnVector rows(tile.columns(Dim::Row)), columns(tile.columns(Dim::Col));
      if (columns.empty())
        return misfit("blockN", "must be at least 2 when two CTAs share blocks of 64 rows");
      rows.push_back(columns.pop_back_val());
      tile = tile.withColumns(Dim::Row, rows).withColumns(Dim::Col, columns);
    }
  }
  int64_t repeatM = perCta[0] / tile.outSize(m), repeatN = perCta[1] / tile.outSize(n);
  if (repeatM < 1 || repeatN < 1)
    return misfit("shape", "a CTA must hold at least ", tile.outSize(m), "x", tile.outSize(n),
                  " elements, but it holds ", perCta[0], "x", perCta[1]);
  tile.timesIdentity(repeatM, Dim::Col, m);
  tile.timesIdentity(repeatN, Dim::Col, n);
  return tile * memory.CGALayout;
}

Converted tensorMemoryScalesToLinear(const TensorMemoryScales& memory, Shape shape) {
  constexpr Dim mn = tensorDim(0), k = tensorDim(1);
  ShapeVector perCta = shapePerCta(ctaSplitNum(memory.CGALayout), shape);
  // 32 rows by 4 scales along K, the same for all four warps; then a second 32 rows next to it.
  LinearLayout tile;
  tile.timesIdentity(32, Dim::Row, mn);
  tile.timesZeros(4, Dim::Row, mn);
  tile.timesIdentity(4, Dim::Col, k);
  tile.timesIdentity(2, Dim::Col, mn);
  int64_t repeatMn = std::max<int64_t>(1, perCta[0] / 64),
          repeatK = std::max<int64_t>(1, perCta[1] / 4);
  if (repeatMn > 1) {
    tile.timesIdentity(2, Dim::Col, mn);
    repeatMn /= 2;
  }
  if (memory.kThenMn) tile.timesIdentity(repeatK, Dim::Col, k);
  tile.timesIdentity(repeatMn, Dim::Col, mn);
  if (!memory.kThenMn) tile.timesIdentity(repeatK, Dim::Col, k);
  tile.timesIdentity(1, Dim::Block, mn);
  return ensureNotLargerThan(tile, perCta) * memory.CGALayout;
}

} // namespace gluond::layout
