// How a tensor travels between registers and tensor memory: the messages (tcgen05.ld, tcgen05.st)
// that move it, if its layout is one that they can move without shuffling.
//
// A message has one of the shapes of TmemRegisters.h, repeated along the columns, and moves some
// words of 32 bits of every thread of a warp. All messages of a tensor are alike; they differ in
// the cell where they begin.
#pragma once

#include "layout/instructions/TmemRegisters.h"

namespace gluond::layout {

struct TmemMessages {
  TmemAtom atom = TmemAtom::I32x32b;
  // A word holds two elements of 16 bits that lie in neighbouring cells of 32 bits.
  bool unpacked = false;
  // So many registers of the tensor, one after another, make a word. One of less than 32 bits that
  // is alone is the word's low part.
  unsigned perWord = 1;
  // Words of a message.
  unsigned words = 1;
  // The word with this number in the order of the messages is number order[i] of the thread.
  llvm::SmallVector<unsigned, 0> order;
  // register (a word, in the order of the messages) and warp -> row, col of the cell where the
  // message begins that moves it. The places that the message itself covers are left out.
  LinearLayout places;
  // Of I16x32bx2: where lanes 16 to 31 begin, from where lanes 0 to 15 do: row, col.
  Coordinates secondHalf;
};

// `registers` is the tensor's layout, `cells` that of tensor memory (row, col, block -> tensor,
// columns counted in elements of `bits`); `maxRegisters` of a thread.
std::optional<TmemMessages> tmemMessages(const LinearLayout& registers, const LinearLayout& cells,
                                         unsigned bits, int maxRegisters);

} // namespace gluond::layout
