// Makes the descriptors that tell wgmma and tcgen05 where an operand lies in shared memory.
//
// The unit reads core matrices, 8 rows of 16 bytes, that the swizzle arranges in tiles of 8 rows by
// 16, 32, 64 or 128 bytes. A descriptor holds the address of the first tile and two strides between
// tiles, all in units of 16 bytes (PTX ISA, "matrix descriptor"):
//     bits 0-13 address, 16-29 leading dimension's stride, 32-45 other dimension's stride, 49-51
//     base offset, 62-63 swizzle; tcgen05 wants bit 46 besides
#pragma once

#include "lowering/FunctionEmitter.h"

namespace gluond::lowering::nvidia {

struct MatrixOperand {
  uint64_t fixed = 0; // the descriptor without its address
  unsigned swizzleBytes = 0;
  bool transposed = false; // dimension 0 is contiguous
  bool fp4Padded = false;
  unsigned elementBits = 16;
  unsigned tileBits[2] = {};   // of a tile's coordinates along the two dimensions
  LinearLayout offsets;        // dim0, dim1 -> offset in elements
  llvm::Value* base = nullptr; // address / 16, of this warp group's part
};

// Describes operand `opIdx` (0: M x K, 1: K x N) of an instruction of that shape. `warps` says how
// the warps divide the result; `isComputedHere` keeps LLVM from moving the address out of a loop.
// Returns nullopt for a layout that the unit cannot read.
std::optional<MatrixOperand> matrixOperand(FunctionEmitter& e, mlir::Value buffer,
                                           llvm::ArrayRef<unsigned> instruction, unsigned opIdx,
                                           const LinearLayout& result, bool isComputedHere);
// The same for tcgen05, whose operands are read by one thread for all warps. `elementBits` is 4
// where bytes hold two elements each.
std::optional<MatrixOperand> tensorCoreOperand(FunctionEmitter& e, mlir::Value buffer,
                                               llvm::ArrayRef<unsigned> instruction, unsigned opIdx,
                                               unsigned elementBits);
// The same for a buffer whose elements lie at other offsets (dim0, dim1 -> offset, block) from its
// beginning than its layout says.
std::optional<MatrixOperand> tensorCoreOperand(FunctionEmitter& e, mlir::Value buffer,
                                               const std::optional<LinearLayout>& offsets,
                                               llvm::ArrayRef<unsigned> instruction, unsigned opIdx,
                                               unsigned elementBits);
// Returns the descriptor of the part that begins at these coordinates.
llvm::Value* descriptorAt(FunctionEmitter& e, const MatrixOperand& operand, int32_t row,
                          int32_t column);

} // namespace gluond::lowering::nvidia
