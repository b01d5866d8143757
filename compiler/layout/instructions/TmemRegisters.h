// Register layouts for tcgen05.ld and tcgen05.st: which distributed layouts can be moved between
// registers and tensor memory by one of the instruction's shapes, without shuffling.
//
// An instruction shape ("atom") fixes which lane and register sees which row and column of a warp's
// 32 rows. The layout that an atom gives a tensor is the atom, repeated over columns and warps,
// composed with the tensor's layout in tensor memory.
#pragma once

#include "layout/tolinear/ToLinearLayout.h"

namespace gluond::layout {

enum class TmemAtom : uint8_t { I32x32b, I16x64b, I16x128b, I16x256b, I16x32bx2 };
// "32x32b", "16x64b", ... as users write instr_variant.
std::optional<TmemAtom> tmemAtomNamed(llvm::StringRef name);

// register, lane (and warp: rows 32 and 64) -> row, col of one instruction moving 32-bit cells;
// `unpacked` moves a 16-bit element of every other column.
LinearLayout tmemAtomTile(TmemAtom atom, bool unpacked, bool withWarp);

// The layout that Gluon's get_reg_layout() gives for this atom and number of warps (a power of two,
// at least 4). Nothing when the atom cannot move this tensor.
std::optional<LinearLayout> tmemRegisterLayout(const LinearLayout& memory, TmemAtom atom,
                                               unsigned numWarps, unsigned elementBits);

// What instr_variant = "32x32b_splitn" makes of the 32x32b layout: the columns' upper half in the
// last register bit, so that the tensor can be split along N without moving. `columns` is the
// tensor's N.
OrError<LinearLayout> tmemSplitAlongN(const LinearLayout& registers, int64_t columns,
                                      unsigned elementBits);

} // namespace gluond::layout
