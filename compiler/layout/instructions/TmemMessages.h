// Moves a tensor between registers and tensor memory: the messages (tcgen05.ld, tcgen05.st) that
// move it, if they can move its layout without shuffling.
//
// A message has one of the shapes of TmemRegisters.h, repeated along the columns, and moves some
// 32-bit words of every thread of a warp. All messages of a tensor are alike, except for the cell
// where they begin.
#pragma once

#include "layout/instructions/TmemRegisters.h"

namespace gluond::layout {

struct TmemMessages {
  TmemAtom atom = TmemAtom::I32x32b;
  // Whether a word holds two 16-bit elements from neighboring 32-bit cells.
  bool unpacked = false;
  // The number of consecutive registers of the tensor that form a word. A single one of less than
  // 32 bits is the word's low part.
  unsigned perWord = 1;
  // The number of words in a message.
  unsigned words = 1;
  // The n-th word in the order of the messages is the thread's word order[n].
  llvm::SmallVector<unsigned, 0> order;
  // register (a word, in the order of the messages) and warp -> row, col of the cell where the
  // message that moves it begins. The places within the message itself are left out.
  LinearLayout places;
  // For I16x32bx2: the offset (row, col) of lanes 16 to 31 from lanes 0 to 15.
  Coordinates secondHalf;
};

// `registers` is the tensor's layout, `cells` that of tensor memory (row, col, block -> tensor,
// with columns counted in elements of `bits`); `maxRegisters` is the limit per thread.
std::optional<TmemMessages> tmemMessages(const LinearLayout& registers, const LinearLayout& cells,
                                         unsigned bits, int maxRegisters);

} // namespace gluond::layout
