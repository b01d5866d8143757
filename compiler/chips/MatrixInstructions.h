// The shapes of matrix instructions, by M, N and K: which a layout may name, which is the longest,
// and which product a group of warps asks for.
#pragma once

#include "chips/Feature.h"

#include <llvm/ADT/ArrayRef.h>
#include <llvm/ADT/StringRef.h>

#include <array>

namespace gluond::chips {

using Mnk = std::array<unsigned, 3>;

// Whether AMD's WMMA of a version (AMDWMMALayout's) has an instruction of this shape.
bool hasWmmaShape(unsigned version, Mnk shape);

// The M and N with which the shape of an AMDMFMALayout may begin.
llvm::ArrayRef<std::array<unsigned, 2>> mfmaTiles();

// The longest K of AMD's MFMA for operands of so many bits and this M; 0: not known.
unsigned longestMfmaK(unsigned version, unsigned elementBits, unsigned m);

// The product that a group of warps asks for together, which reads shared memory by itself.
struct GroupProduct {
  Feature feature; // of the chips that have it
  int64_t leastM, mostM, leastN, mostN, stepN;
  int64_t kBytes;           // of a row of A or B in one instruction
  llvm::StringLiteral call; // its function in Gluon
};
// Of Feature::WarpGroupMma or Feature::TensorMemory.
const GroupProduct& groupProduct(Feature feature);
// Null: the chip has neither.
const GroupProduct* groupProductOf(Features features);

} // namespace gluond::chips
