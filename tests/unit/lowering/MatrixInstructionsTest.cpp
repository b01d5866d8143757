// What `check` says of MFMA's shapes (chips/) is what the back end has instructions for.
#include "chips/MatrixInstructions.h"

#include "lowering/amd/matrix/MatrixCore.h"

#include <llvm/ADT/STLExtras.h>

#include <gtest/gtest.h>

namespace gluond::lowering::amd {
namespace {

TEST(MatrixInstructions, mfmaOfTheTablesIsMfmaOfTheBackEnd) {
  using chips::MfmaOperand;
  struct Pair {
    MfmaOperand operand;
    Number number;
  };
  constexpr Pair pairs[] = {
      {MfmaOperand::Float64, Number::F64}, {MfmaOperand::Float32, Number::F32},
      {MfmaOperand::Float16, Number::F16}, {MfmaOperand::BFloat16, Number::BF16},
      {MfmaOperand::Int8, Number::I8},     {MfmaOperand::Float8, Number::Fp8},
  };
  constexpr Generation versions[] = {Generation::Cdna1, Generation::Cdna2, Generation::Cdna3,
                                     Generation::Cdna4};
  unsigned found = 0;
  for (const Pair& pair : pairs)
    for (auto [i, generation] : llvm::enumerate(versions))
      for (std::array<unsigned, 2> tile : chips::mfmaTiles())
        for (unsigned k = 1; k <= 256; ++k) {
          bool isTold = llvm::is_contained(
              chips::mfmaKs(static_cast<unsigned>(i) + 1, pair.operand, tile), k);
          bool isThere = findMatrixInstruction(generation, pair.number, pair.number,
                                               {tile[0], tile[1], k}) != nullptr;
          EXPECT_EQ(isTold, isThere)
              << "version " << i + 1 << ", operand " << static_cast<unsigned>(pair.operand) << ", "
              << tile[0] << " x " << tile[1] << " x " << k;
          found += isThere;
        }
  EXPECT_GT(found, 60u);
}

} // namespace
} // namespace gluond::lowering::amd
