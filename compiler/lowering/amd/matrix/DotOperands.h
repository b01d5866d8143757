// Where the lanes hold the operands of a matrix product, and whether its instructions can take them
// from there.
#pragma once

#include "lowering/amd/Instructions.h"
#include "lowering/tensors/FmaDot.h"

#include <optional>

namespace gluond::lowering::amd {

// A tensor's layout, and its registers.
struct Held {
  LinearLayout layout;
  RegisterList registers;
};
// Returns the tensor as each warp needs it for its part of the result. Where warps hold all batches
// and the result's have one each, the registers are those of the warp's own.
Held ofOwnBatch(FunctionEmitter& e, const LinearLayout& result, mlir::Value value);

// An operand, by the dimension that the result shares with it, and K.
struct Operand : Held {
  Dim outer, inner;
  unsigned pack = 1; // numbers in an element, along K

  uint64_t outerBasis(Dim dim, unsigned bit) const {
    return static_cast<uint32_t>(layout.basis(dim, bit, outer));
  }
  uint64_t innerBasis(Dim dim, unsigned bit) const {
    return uint64_t{pack} * static_cast<uint32_t>(layout.basis(dim, bit, inner));
  }
};
Operand operandOf(FunctionEmitter& e, const LinearLayout& result, mlir::Value value, bool isA);

// Returns whether the lanes hold rows and columns as an instruction of `size` of them wants it.
// Where there are fewer, they are repeated.
bool holdsTile(const Operand& operand, unsigned size);

// Returns whether the lanes beyond those of a tile's rows or columns divide K alike for both. Some
// may repeat others; all do if they are copies.
bool divideAlike(const Operand& a, const Operand& b, unsigned aSize, unsigned bSize,
                 bool areCopies);

// Returns the bits of the lane's number, beyond those of a tile's rows or columns, that change
// nothing.
uint64_t lanesRepeatingK(const Operand& operand, unsigned size);

// Fills the words of an instruction that takes more along K than the lanes hold once with zeros,
// also in lanes that repeat others.
void continueWithZeros(FunctionEmitter& e, RegisterList& words, size_t count,
                       uint64_t repeatingLanes);

// Returns whether warps and CTAs hold the parts of the operands that their part of the result
// needs.
bool followResult(const LinearLayout& result, const Operand& a, const Operand& b);

// Returns the registers of an operand for one instruction, as words.
std::optional<RegisterList> wordsOf(FunctionEmitter& e, const Places& places, Registers registers,
                                    bool isA, int32_t outer, llvm::ArrayRef<int32_t> ks);

} // namespace gluond::lowering::amd
