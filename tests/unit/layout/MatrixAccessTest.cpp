// ldmatrix and stmatrix as plans: the instruction is played as PTX's manual describes it, and every
// register must end up with the element that the layouts say.
#include "layout/access/MatrixAccess.h"

#include "layout/tolinear/ToLinearLayout.h"

#include <gtest/gtest.h>
#include <map>
#include <random>

namespace gluond::layout {
namespace {

using Column = std::vector<uint64_t>;

LinearLayout offsets(Column registers, Column lanes, Column warps, unsigned bits = 14) {
  return LinearLayout::zeros1D(1, Dim::Register, Dim::Offset, int64_t(1) << bits)
      .sublayout({}, {Dim::Offset})
      .appendIn(Dim::Register, registers)
      .appendIn(Dim::Lane, lanes)
      .appendIn(Dim::Warp, warps);
}

// What register `number` of a lane holds after loading, when memory holds at each offset that
// offset; every register is written once. Rows must be aligned.
std::map<unsigned, int64_t> load(const MatrixAccess& access, unsigned elementBits, uint64_t lane,
                                 uint64_t warp) {
  std::map<unsigned, int64_t> registers;
  int64_t perRow = 128 / elementBits, perWord = 32 / elementBits;
  for (uint64_t instruction = 0; instruction < uint64_t(access.rows.inSize(Dim::Register));
       ++instruction) {
    auto rowOf = [&](uint64_t matrix, uint64_t row) {
      int64_t offset = access.rows.apply(
          {{Dim::Register, instruction}, {Dim::Lane, matrix * 8 + row}, {Dim::Warp, warp}})[0];
      EXPECT_EQ(offset % perRow, 0) << "a row is not aligned";
      return offset;
    };
    for (uint64_t matrix = 0; matrix < uint64_t(1) << access.matrixBits; ++matrix)
      for (int64_t position = 0; position < perWord; ++position) {
        int64_t element =
            access.isTransposed
                ? rowOf(matrix, 2 * (lane % 4) + uint64_t(position)) + int64_t(lane / 4)
                : rowOf(matrix, lane / 4) + int64_t(lane % 4) * perWord + position;
        EXPECT_TRUE(
            registers
                .try_emplace(access.registerOf(instruction, matrix, uint64_t(position)), element)
                .second);
      }
  }
  return registers;
}

// True where the instruction fits; then everything must arrive.
bool arrives(const LinearLayout& layout, unsigned elementBits) {
  auto access = matrixAccess(layout, elementBits);
  if (!access) return false;
  for (uint64_t warp = 0; warp < uint64_t(layout.inSize(Dim::Warp)); ++warp)
    for (uint64_t lane = 0; lane < 32; ++lane) {
      auto held = load(*access, elementBits, lane, warp);
      EXPECT_EQ(held.size(), size_t(layout.inSize(Dim::Register)));
      for (auto [number, element] : held)
        EXPECT_EQ(element,
                  layout.apply({{Dim::Register, number}, {Dim::Lane, lane}, {Dim::Warp, warp}})[0])
            << "register " << number << " of lane " << lane << " of warp " << warp;
    }
  return true;
}

TEST(MatrixAccess, rowsOfAMatrixUnit) {
  // Accumulators of mma.sync, 16 bits, rows of 64 elements.
  EXPECT_TRUE(arrives(offsets({1, 8 * 64, 8}, {2, 4, 64, 128, 256}, {16, 1024}), 16));
  // With a swizzle of 16-byte chunks by row.
  EXPECT_TRUE(
      arrives(offsets({1, 8 * 64, 8}, {2, 4, 64 + 8, 128 + 16, 256 + 32}, {1024, 2048}), 16));
  // Words and bytes.
  EXPECT_TRUE(arrives(offsets({4, 512, 1024}, {1, 2, 32, 64, 128}, {8, 16}), 32));
  EXPECT_TRUE(arrives(offsets({1, 2, 16, 2048}, {4, 8, 128, 256, 512}, {32}), 8));
  // Register bits in another order, more than one instruction, warps that share.
  EXPECT_TRUE(arrives(offsets({512, 1, 8, 16, 32}, {2, 4, 64, 128, 256}, {0, 1024}), 16));
  // Lanes that hold copies name the same row.
  EXPECT_TRUE(arrives(offsets({1, 512, 1024}, {2, 4, 64, 0, 0}, {2048}), 16));
}

TEST(MatrixAccess, transposed) {
  // The second operand of mma.sync from memory with rows along n.
  auto layout = offsets({64, 512, 1024, 2048}, {128, 256, 1, 2, 4}, {8, 16});
  EXPECT_TRUE(arrives(layout, 16));
  EXPECT_TRUE(matrixAccess(layout, 16)->isTransposed);
  EXPECT_TRUE(arrives(offsets({64 + 8, 512, 8, 2048}, {128 + 16, 256 + 32, 1, 2, 4}, {1024}), 16));
  EXPECT_FALSE(arrives(layout, 8)) << "bytes cannot be transposed";
  EXPECT_FALSE(arrives(layout, 32));
}

TEST(MatrixAccess, whatDoesNotFit) {
  EXPECT_FALSE(arrives(offsets({1}, {2, 4, 64, 128, 256}, {1024}), 16)) << "a single matrix";
  EXPECT_FALSE(arrives(offsets({1, 2, 4}, {8, 16, 64, 128, 256}, {1024}), 16)) << "wide anyway";
  EXPECT_FALSE(arrives(offsets({1, 512, 1024}, {2, 4, 64, 128, 4}, {2048}), 16));
  EXPECT_FALSE(arrives(offsets({1, 512, 1024}, {2, 4, 64, 128, 256}, {2}), 16));
  EXPECT_FALSE(arrives(offsets({1, 512, 2}, {2, 4, 64, 128, 256}, {2048}), 16));
  EXPECT_FALSE(arrives(offsets({8, 512, 1024}, {2, 4, 64, 128, 256}, {2048}), 16));
  EXPECT_FALSE(arrives(offsets({1, 2}, {2, 4, 64, 128, 256}, {2048}), 64));
  EXPECT_FALSE(arrives(offsets({1, 512, 1024}, {2, 4, 64, 128, 256, 8192}, {2048}), 16))
      << "64 lanes";
}

// Whatever the columns: where it fits, everything arrives.
TEST(MatrixAccess, anyLayout) {
  std::mt19937_64 random(7);
  unsigned fitted = 0;
  for (int round = 0; round < 3000; ++round) {
    unsigned elementBits = 8u << random() % 3, perWord = 32 / elementBits;
    bool transposed = elementBits == 16 && random() % 2;
    auto row = [&] { return (random() % 256) * (128 / elementBits); };
    auto within = [&](uint64_t column) { return random() % 40 ? column : column ^ random() % 16; };
    Column registers, lanes;
    if (transposed) {
      registers = {row()};
      lanes = {row(), row(), within(1), within(2), within(4)};
    } else {
      for (unsigned step = 1; step < perWord; step *= 2)
        registers.push_back(within(step));
      lanes = {within(perWord), within(perWord * 2), row(), row(), row()};
    }
    for (uint64_t more = random() % 5; more; --more)
      registers.push_back(row());
    if (!transposed) std::shuffle(registers.begin(), registers.end(), random);
    fitted += arrives(offsets(registers, lanes, {row(), row()}), elementBits);
  }
  EXPECT_GT(fitted, 1000u);
}

} // namespace
} // namespace gluond::layout
