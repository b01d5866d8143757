// Register layouts for tcgen05.ld and tcgen05.st: the distributed layouts that one of the
// instruction's shapes can move between registers and tensor memory without shuffling.
//
// An instruction shape ("atom") fixes which lane and register accesses which row and column of a
// warp's 32 rows. The layout of a tensor for an atom is the atom, repeated over columns and warps,
// composed with the tensor's layout in tensor memory.
#pragma once

#include "layout/tolinear/ToLinearLayout.h"

namespace gluond::layout {

enum class TmemAtom : uint8_t { I32x32b, I16x64b, I16x128b, I16x256b, I16x32bx2 };
// Parses "32x32b", "16x64b", ... as users write instr_variant.
std::optional<TmemAtom> tmemAtomNamed(llvm::StringRef name);

// register, lane (and warp: rows 32 and 64) -> row, col of one instruction moving 32-bit cells;
// `unpacked` moves a 16-bit element of every other column.
LinearLayout tmemAtomTile(TmemAtom atom, bool unpacked, bool withWarp);

// Returns the layout that Gluon's get_reg_layout() gives for this atom and number of warps (a power
// of two, at least 4), or nullopt if the atom cannot move this tensor.
std::optional<LinearLayout> tmemRegisterLayout(const LinearLayout& memory, TmemAtom atom,
                                               unsigned numWarps, unsigned elementBits);

// Transforms the 32x32b layout for instr_variant = "32x32b_splitn": the columns' upper half is in
// the last register bit, so that the tensor can be split along N without moving elements. `columns`
// is the tensor's N.
OrError<LinearLayout> tmemSplitAlongN(const LinearLayout& registers, int64_t columns,
                                      unsigned elementBits);

} // namespace gluond::layout
