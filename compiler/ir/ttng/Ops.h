// The ops of `ttng`. Heavy: include it only in files that build or match ops.
#pragma once

#include "ir/ttg/Ops.h"
#include "ir/ttng/Dialect.h"
#include "ir/ttng/TensorMemory.h"
#include "ir/ttng/Traits.h"

namespace gluond::ttng {
// Whether several CTAs receive the same data of a buffer, so that one TMA read can serve them all.
bool hasCGABroadcast(ttg::MemDescType type);
} // namespace gluond::ttng

#include "ir/ttng/OpInterfaces.h.inc"
#define GET_OP_CLASSES
#include "ir/ttng/Ops.h.inc"

namespace gluond::ttng {

// One instruction of packed_arith: how PTX spells its types, with elements in a register pair.
struct PackedType {
  llvm::StringLiteral suffix; // "f32x2"
  unsigned lanes;
  unsigned bits;
  char kind;
};
struct PackedInstruction {
  const PackedType* result;
  llvm::SmallVector<const PackedType*, 3> operands;
  llvm::StringRef modifiers; // "rn", "rz.ftz"
  unsigned operandSuffixes;  // how many operand types the instruction's name contains
};
// Returns nullopt if no instruction has this combination. The op must be verified.
std::optional<PackedInstruction> packedInstruction(PackedArithOp op);
// Returns the dimension along which its fp4 operands are packed, if they have one and agree.
std::optional<unsigned> packedFp4Axis(PackedArithOp op);

// The order in which the MMA expects the 128 x 4 blocks of scales.
TensorMemoryScalesBlockRepOrder scalesBlockRepOrder(TCGen5MMAScaledOp op, bool isA);
// Whether an operand in shared memory is transposed for the matrix unit; nullopt if the unit cannot
// read its layout.
std::optional<bool> sharedTransposed(ttg::MemDescType type);

} // namespace gluond::ttng
