// ldmatrix and stmatrix: how a warp moves 8x8 matrices of 16-bit elements between shared memory and
// registers, and when an access over linear layouts can use them.
//
// THE INSTRUCTION. It moves one, two or four matrices. Lane 8m+r names the address of row r of
// matrix m: 16 bytes, aligned. Lane l holds, in register m, 4 bytes of matrix m: word l%4 of row
// l/4; or, transposed, the elements (2(l%4), l/4) and (2(l%4)+1, l/4), which makes sense for 16-bit
// elements only.
//
// WHEN. In bits: lane bits 0 and 1 are offset bits within a row, after the bits within one
// register, and lane bits 2 to 4 choose rows; if transposed, the reverse: lane bits 2 to 4 are the
// element within a row, and the lowest register bit and lane bits 0 and 1 choose rows. No other bit
// may affect the bits within a row. Which rows these are, and where, does not matter.
#pragma once

#include "layout/access/Padding.h"

#include <string>

namespace gluond::layout {

struct MatrixAccess {
  bool isTransposed = false;
  unsigned matrixBits = 0; // log2 of the number of matrices per instruction
  // Register bits of the access: those within a lane's word, of the matrices, of the instructions.
  llvm::SmallVector<unsigned, 2> wordBits, matrixRegisterBits;
  llvm::SmallVector<unsigned, 8> instructionBits;
  // The addresses: register (an instruction's number), lane (that provides the address), warp ->
  // offset.
  LinearLayout rows;

  // The register of the tensor whose element is at `position` of the word of matrix `matrix`.
  unsigned registerOf(uint64_t instruction, uint64_t matrix, uint64_t position) const;
  unsigned matrices() const { return 1u << matrixBits; } // per instruction
  std::string name(bool isStore) const;                  // "ldmatrix.x4.trans"
};

// `toOffsets` maps register, lane, warp to offset, in elements of `elementBits` bits. Returns
// nullopt if the instruction does not fit, padding splits a row, or only one matrix would be moved,
// for which an ordinary access is as good.
std::optional<MatrixAccess> matrixAccess(const LinearLayout& toOffsets, unsigned elementBits,
                                         const Padding& padding = {});

// Wavefronts of one matrix after the first: its eight rows are accessed together.
int64_t bankConflicts(const MatrixAccess& access, unsigned elementBits);

} // namespace gluond::layout
