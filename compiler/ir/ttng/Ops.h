// The ops of `ttng`. Heavy: include it only in files that build or match ops.
#pragma once

#include "ir/ttg/Ops.h"
#include "ir/ttng/Dialect.h"
#include "ir/ttng/TensorMemory.h"
#include "ir/ttng/Traits.h"

namespace gluond::ttng {
// Whether several CTAs get the same data of a buffer: then one TMA read may serve them all.
bool hasCGABroadcast(ttg::MemDescType type);
} // namespace gluond::ttng

#include "ir/ttng/OpInterfaces.h.inc"
#define GET_OP_CLASSES
#include "ir/ttng/Ops.h.inc"

namespace gluond::ttng {

// One instruction of packed_arith: how its types are written in PTX, elements in a register pair.
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
  unsigned operandSuffixes;  // how many operand types the instruction's name carries
};
// Of a verified op; nothing for a combination that has no instruction.
std::optional<PackedInstruction> packedInstruction(PackedArithOp op);
// The dimension along which its fp4 operands are packed, if it has any that agree.
std::optional<unsigned> packedFp4Axis(PackedArithOp op);

// In which order the 128 x 4 blocks of scales must lie for the MMA.
TensorMemoryScalesBlockRepOrder scalesBlockRepOrder(TCGen5MMAScaledOp op, bool isA);
// Whether an operand in shared memory is transposed for the matrix unit; nothing where its layout
// is none that the unit reads.
std::optional<bool> sharedTransposed(ttg::MemDescType type);

} // namespace gluond::ttng
