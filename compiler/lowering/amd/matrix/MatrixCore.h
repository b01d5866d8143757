// The matrix instructions of AMD's chips: MFMA of CDNA 1 to 4, WMMA of RDNA and CDNA 5.
#pragma once

#include "chips/MatrixInstructions.h"
#include "lowering/amd/Instructions.h"

namespace gluond::lowering::amd {

// An operand's numbers, as an instruction reads them. Fp8 and Bf8 have 4 and 5 bits of exponent;
// on CDNA 3 they are AMD's own ("fnuz").
enum class Number : uint8_t { F16, BF16, F32, XF32, F64, I8, Fp8, Bf8 };

// The order of an instruction's other arguments around A, B and C.
enum class Form : uint8_t {
  Mfma,        // A, B, C, three of broadcasts
  Plain,       // A, B, C
  Signed,      // sign, A, sign, B, C, clamp
  Modifiers,   // negate, A, negate, B, modifier, C, two of reuse
  OfC,         // A, B, modifier, C, two of reuse
  SignedReuse, // negate, A, negate, B, C, two of reuse, clamp
  // A, B, C, upper halves; C is of halves. On RDNA 3 each of them has a register of its own.
  HalfSums,
  // As Mfma, with 16 products of 4x4, whose first operand is the same: of 4 rows and 64 columns.
  // The lanes hold 16 parts of the first operand along K; an instruction takes one of them.
  Broadcast,
};
constexpr unsigned broadcastParts = 16;

// The type that LLVM gives an operand: its own numbers, 16-bit integers, words, or one long
// integer.
enum class Carrier : uint8_t { Own, Shorts, Words, Long };

struct MatrixInstruction {
  Generation generation; // the first that has it
  Number a, b;
  chips::Mnk shape;
  unsigned intrinsic;
  Form form;
  Carrier carrier = Carrier::Own;
  Generation last = Generation::Cdna4; // that has it, of CDNA 1 to 4
};
// Returns null if the chip has no such instruction. The sums have 32 bits or more, or are halves.
const MatrixInstruction* findMatrixInstruction(Generation generation, Number a, Number b,
                                               chips::Mnk shape, bool hasHalfSums = false);

// One instruction: A times B, plus C.
llvm::Value* multiply(FunctionEmitter& e, const MatrixInstruction& instruction, llvm::Value* a,
                      llvm::Value* b, llvm::Value* c);

// The number of a format in scaled instructions; nothing for those that they do not take.
std::optional<int64_t> formatOf(tt::ScaleDotElemType type);

} // namespace gluond::lowering::amd
