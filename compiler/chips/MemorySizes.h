// The sizes in which GPUs access memory, and the shape of tensor memory.
#pragma once

#include <llvm/ADT/ArrayRef.h>

#include <cstdint>

namespace gluond::chips {

struct Chip;

// What one lane loads or stores at most with one instruction, from global and from shared memory.
constexpr int64_t widestAccessBytes = 16;
constexpr int64_t sectorBytes = 32; // what a load or store moves at least in global memory
constexpr int64_t lineBytes = 128;  // of the first cache, four sectors
constexpr int64_t bankBytes = 4;    // what a bank of shared memory answers at a time

// What the tensor memory accelerator asks of a tensor's base and strides, in bytes.
constexpr int64_t tmaAlignment = 16;
// The most elements along a dimension of the box that one of its copies moves, and the most pixels
// of one copy in im2col mode.
constexpr int64_t tmaMostBoxSize = 256, tmaMostPixels = 1024;
// A tensor map in memory: its bytes, and the alignment of its address.
constexpr int64_t tensorMapBytes = 128;
// The widths in bytes of the swizzles of shared memory that it and the matrix units know.
constexpr unsigned swizzleWidths[] = {128, 64, 32};

// What one instruction of AMD's tensor data mover brings to the L2 cache.
constexpr int64_t tdmPrefetchBytes = 256;

// Tensor memory, where a chip has it: rows of `tensorMemoryColumns` (Chip.h) columns. A warp reads
// and writes a quarter of the rows, and its place in its warp group says which. Blocks of half as
// many rows leave the others to another block.
constexpr int64_t tensorMemoryRows = 128, halfTensorMemoryRows = tensorMemoryRows / 2,
                  tensorMemoryRowsOfWarp = 32;

// Returns how many bytes one instruction can copy for a lane from global to shared memory, the
// fewest first; empty if the chip has no such instruction.
llvm::ArrayRef<unsigned> asyncCopyBytes(const Chip& chip);

} // namespace gluond::chips
