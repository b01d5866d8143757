#include "layout/instructions/TmemRegisters.h"

#include "chips/MemorySizes.h"
#include "chips/Occupancy.h"
#include "layout/tolinear/FamilyConversions.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/StringSwitch.h>

namespace gluond::layout {

std::optional<TmemAtom> tmemAtomNamed(llvm::StringRef name) {
  return llvm::StringSwitch<std::optional<TmemAtom>>(name)
      .Case("32x32b", TmemAtom::I32x32b)
      .Case("16x64b", TmemAtom::I16x64b)
      .Case("16x128b", TmemAtom::I16x128b)
      .Case("16x256b", TmemAtom::I16x256b)
      .Case("16x32bx2", TmemAtom::I16x32bx2)
      .Default(std::nullopt);
}

LinearLayout tmemAtomTile(TmemAtom atom, bool unpacked, bool withWarp) {
  LinearLayout tile;
  tile.timesIdentity(1, Dim::Register, Dim::Row);
  tile.timesIdentity(1, Dim::Lane, Dim::Col);
  if (unpacked) tile = tile.growOut(Dim::Col, 2);
  switch (atom) {
  case TmemAtom::I32x32b:
    tile.timesIdentity(32, Dim::Lane, Dim::Row);
    break;
  case TmemAtom::I16x32bx2:
    tile.timesIdentity(16, Dim::Lane, Dim::Row);
    break;
  case TmemAtom::I16x64b: {
    // The lowest lane bit is the upper half of the rows.
    LinearLayout lanes;
    lanes.timesIdentity(16, Dim::Lane, Dim::Row);
    lanes.timesIdentity(2, Dim::Lane, Dim::Col);
    tile *= lanes.selectBits(Dim::Lane, {3, 4, 0, 1, 2});
    break;
  }
  case TmemAtom::I16x256b:
    tile.timesIdentity(2, Dim::Register, Dim::Col);
    [[fallthrough]];
  case TmemAtom::I16x128b:
    tile.timesIdentity(4, Dim::Lane, Dim::Col);
    tile.timesIdentity(8, Dim::Lane, Dim::Row);
    tile.timesIdentity(2, Dim::Register, Dim::Row);
    break;
  }
  if (withWarp) {
    tile = tile.growOut(Dim::Row, chips::tensorMemoryRows);
    tile = tile.appendIn(Dim::Warp, {tile.pack({32, 0}), tile.pack({64, 0})});
  }
  return tile;
}

namespace {

constexpr Dim rowDim = Dim::Row, colDim = Dim::Col;

// The same for 32-bit elements, one per cell.
std::optional<LinearLayout> layoutOfCells(const LinearLayout& memory, TmemAtom atom,
                                          unsigned numWarps) {
  LinearLayout tile = tmemAtomTile(atom, /*unpacked=*/false, /*withWarp=*/false);
  int64_t columnsLeft = memory.inSize(colDim) / tile.outSize(colDim);
  if (columnsLeft == 0 || memory.inBits(rowDim) < 5) return std::nullopt;
  bool allRows = atom == TmemAtom::I32x32b; // of a warp's 32
  bool row16IsCopy = memory.columns(rowDim)[4] == 0;

  // Going back from registers to cells must be possible, so no register or lane of the atom may be
  // a copy. (A lane bit 16 that is a copy is dealt with below.)
  LinearLayout seen = tile * LinearLayout::identity1D(1, Dim::Block, Dim::Block);
  seen = seen.compose(memory).sublayout({Dim::Register, Dim::Lane}, memory.outDims());
  if (!seen.valid()) return std::nullopt;
  if (allRows) seen = seen.resizeIn(Dim::Lane, seen.inSize(Dim::Lane) / 2);
  if (!seen.isInjective()) return std::nullopt;

  // Rows 16..31 of a warp that a 16-row atom does not reach go to further warps, if there are any,
  // else to registers.
  std::optional<Dim> row16;
  if (!allRows && !row16IsCopy) row16 = numWarps > 4 ? Dim::Warp : Dim::Register;

  // Warps beyond the first four divide the columns; those that find none left repeat.
  int64_t warpsAlongColumns = numWarps / (row16 == Dim::Warp ? 8 : 4);
  int64_t warpCopies = warpsAlongColumns / std::min(columnsLeft, warpsAlongColumns);
  warpsAlongColumns /= warpCopies;
  columnsLeft /= warpsAlongColumns;
  if (columnsLeft > 1) {
    if (allRows && row16IsCopy) {
      // Lanes 16..31 would read the same as lanes 0..15: they take the upper half of the columns
      // (16x32bx2).
      std::optional<LinearLayout> half =
          tile.divideLeft(LinearLayout::identity1D(2, Dim::Lane, rowDim));
      if (!half) return std::nullopt;
      tile = std::move(*half);
      tile.timesIdentity(columnsLeft / 2, Dim::Register, colDim);
      tile.timesIdentity(2, Dim::Lane, colDim);
    } else {
      tile.timesIdentity(columnsLeft, Dim::Register, colDim);
    }
  }

  tile = tile.growOut(rowDim, chips::tensorMemoryRows);
  f2::ColumnVector warps = {tile.pack({32, 0}), tile.pack({64, 0})};
  uint64_t sixteen = tile.pack({16, 0});
  if (row16 == Dim::Warp) warps.push_back(sixteen);
  if (row16 == Dim::Register) {
    f2::ColumnVector registers(tile.columns(Dim::Register));
    registers.push_back(sixteen);
    tile = tile.withColumns(Dim::Register, registers);
  }
  tile = tile.appendIn(Dim::Warp, warps);
  tile.timesIdentity(warpsAlongColumns, Dim::Warp, colDim);
  tile.timesZeros(warpCopies, Dim::Warp, colDim);
  tile.timesIdentity(memory.inSize(Dim::Block), Dim::Block, Dim::Block);
  LinearLayout result = tile.compose(memory);
  if (!result.valid()) return std::nullopt;
  return result;
}

} // namespace

std::optional<LinearLayout> tmemRegisterLayout(const LinearLayout& memory, TmemAtom atom,
                                               unsigned numWarps, unsigned elementBits) {
  if (!memory.valid() || memory.outs().size() != 2 || !memory.hasIn(rowDim) ||
      !memory.hasIn(colDim) || !memory.hasIn(Dim::Block) || numWarps < chips::warpsOfGroup ||
      !exactLog2(numWarps) || elementBits == 0 || elementBits > 32 || !exactLog2(elementBits))
    return std::nullopt;
  if (elementBits == 32) return layoutOfCells(memory, atom, numWarps);

  Dim n = memory.outs()[1].dim;
  int64_t perCell = 32 / elementBits;
  auto prepend = [&](int64_t registers, std::optional<LinearLayout> rest) {
    if (rest) rest = LinearLayout::identity1D(registers, Dim::Register, n) * *rest;
    return rest;
  };
  // Neighbours in a cell: one register of twice (four times) the width.
  IdentityPrefix packed = divideIdentityPrefix(memory, colDim, n, perCell);
  if (packed.size > 1)
    return prepend(packed.size,
                   tmemRegisterLayout(packed.rest, atom, numWarps,
                                      elementBits * static_cast<unsigned>(packed.size)));
  // One element a cell: the instruction can pack two of 16 bits into a register.
  LinearLayout spread = LinearLayout::zeros1D(perCell, colDim, n);
  if (elementBits == 16)
    if (std::optional<LinearLayout> rest =
            memory.divideLeft(spread * LinearLayout::identity1D(2, colDim, n)))
      return prepend(2, layoutOfCells(*rest, atom, numWarps));
  // Otherwise a whole register carries each element.
  if (std::optional<LinearLayout> rest = memory.divideLeft(spread))
    return layoutOfCells(*rest, atom, numWarps);
  if (memory.inSize(colDim) == 1) return layoutOfCells(memory, atom, numWarps);
  return std::nullopt;
}

OrError<LinearLayout> tmemSplitAlongN(const LinearLayout& registers, int64_t columns,
                                      unsigned elementBits) {
  if (!registers.valid() || registers.outs().size() != 2 || columns < 2 ||
      registers.outSize(tensorDim(1)) < columns)
    return misfit("instr_variant", "splitting along N needs at least two columns");
  uint64_t half = registers.pack({0, static_cast<int32_t>(columns / 2)});
  f2::ColumnVector regs(registers.columns(Dim::Register)), lanes(registers.columns(Dim::Lane)),
      warps(registers.columns(Dim::Warp));
  if (regs.empty()) {
    if (lanes.back() != half)
      return misfit("instr_variant",
                    "with one register, lane 16 must hold the upper half of the columns");
    regs.push_back(half);
    lanes.back() = 0;
  } else if (regs.back() != half) {
    if ((int64_t(1) << regs.size()) <= 32 / static_cast<int64_t>(elementBits))
      return misfit("instr_variant", "splitting along N needs more than ", 32 / elementBits,
                    " registers of ", elementBits, " bits per thread");
    // The first four warps have rows of their own; any other bit that holds the upper half can be
    // swapped for the last register bit.
    auto swapFrom = [&](f2::ColumnVector& columnsOf, size_t first) {
      for (size_t i = first; i < columnsOf.size(); ++i)
        if (columnsOf[i] == half) {
          std::swap(columnsOf[i], regs.back());
          return true;
        }
      return false;
    };
    if (!swapFrom(lanes, 0) && !swapFrom(warps, 2))
      return misfit("instr_variant",
                    "no lane or warp beyond the fourth holds the upper half of the columns");
  }
  return registers.withColumns(Dim::Register, regs)
      .withColumns(Dim::Lane, lanes)
      .withColumns(Dim::Warp, warps);
}

} // namespace gluond::layout
