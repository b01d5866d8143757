// The shapes of matrix instructions (M, N, K): which shapes a layout may name, which is the
// longest, which lanes issue one, and which matrix product a warp group issues.
#pragma once

#include "chips/Feature.h"

#include <llvm/ADT/ArrayRef.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/ADT/StringRef.h>

#include <array>
#include <cstdint>

namespace gluond::chips {

using Mnk = std::array<unsigned, 3>;

// The lanes of the warp that issues an instruction of AMD's.
constexpr int64_t mfmaLanes = 64, wmmaLanes = 32;

// Returns whether a version of AMD's WMMA (as in AMDWMMALayout) has an instruction of this shape.
bool hasWmmaShape(unsigned version, Mnk shape);

// Returns the K of its instructions without scales, all of 16 rows and columns, for operands of
// that width; empty if there is none.
llvm::ArrayRef<unsigned> wmmaKs(unsigned version, unsigned elementBits, bool isFloat);

// Returns whether operands of that version of WMMA may have so many elements of K in a row.
bool hasWmmaKWidth(unsigned version, unsigned kWidth);

// Returns whether LLVM refuses an instruction of WMMA's `version` on a chip that has another one
// by name. It then leaves the kernel empty, which Triton does not notice. Versions 1 and 2 share
// their names but those of float8: LLVM fails to select an instruction of the other one.
bool leavesKernelEmpty(unsigned chipsVersion, unsigned version, bool isFloat8);

// Returns whether AMD's products with scales have an instruction of this shape: MFMA's, and those
// of WMMA, of which one is for operands of 4 bits alone.
bool hasScaledMfmaShape(Mnk shape);
bool hasScaledWmmaShape(Mnk shape, bool areOperandsFp4);

// Returns the M and N with which the shape of an AMDMFMALayout may begin.
llvm::ArrayRef<std::array<unsigned, 2>> mfmaTiles();

// What MFMA multiplies: the elements of A and B.
enum class MfmaOperand : uint8_t { Float64, Float32, Float16, BFloat16, Int8, Float8 };

// Returns the version of the instructions that a layout of `version` gets on a chip of
// `chipsVersion` (0 if the chip or its version is not known).
unsigned mfmaVersionOn(unsigned chipsVersion, unsigned version);
// Returns the version of the best instructions for such operands on that chip: later chips have
// those of earlier ones, too, but floats of 8 bits are others in each version.
unsigned bestMfmaVersion(unsigned chipsVersion, unsigned version, MfmaOperand operand);

// Returns the K of MFMA's instructions without scales for operands of that kind and this M and N,
// the shortest first; empty if there is none. `version` is AMDMFMALayout's. Version 3 also has
// instructions that read float32 as xf32, which are not among these.
llvm::SmallVector<unsigned, 2> mfmaKs(unsigned version, MfmaOperand operand,
                                      std::array<unsigned, 2> tile);

// A matrix product that a warp group issues together and that reads shared memory itself.
struct GroupProduct {
  Feature feature; // the feature of the chips that have it
  int64_t leastM, mostM, leastN, mostN, stepN;
  int64_t kBytes;           // bytes of a row of A or B in one instruction
  llvm::StringLiteral call; // the Gluon function that issues it
};
// Returns the product of Feature::WarpGroupMma or Feature::TensorMemory.
const GroupProduct& groupProduct(Feature feature);
// Returns null if the chip has neither.
const GroupProduct* groupProductOf(Features features);

} // namespace gluond::chips
