// The examples that LinearLayout.h teaches with, and its corner cases.
#include "layout/linear/LinearLayout.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace gluond::layout {
namespace {

LinearLayout from(llvm::ArrayRef<LinearLayout::InBases> ins, llvm::ArrayRef<DimSize> outs) {
  auto layout = LinearLayout::fromBases(ins, outs);
  EXPECT_TRUE(layout) << layout.error();
  return layout.value_or(LinearLayout::invalid());
}

TEST(LinearLayout, TileOfTheHeader) {
  LinearLayout tile = LinearLayout::identity1D(2, Dim::Register, Dim::Dim1) *
                      LinearLayout::identity1D(4, Dim::Lane, Dim::Dim1) *
                      LinearLayout::identity1D(4, Dim::Warp, Dim::Dim0);
  tile = tile.transposeOuts({Dim::Dim0, Dim::Dim1});
  EXPECT_EQ(tile.toString(),
            "{register = [[0, 1]], lane = [[0, 2], [0, 4]], warp = [[1, 0], [2, 0]]} -> 4x8");
  EXPECT_EQ(tile.apply({{Dim::Register, 1}, {Dim::Lane, 2}, {Dim::Warp, 3}}), (Coordinates{3, 5}));
  EXPECT_TRUE(tile.isInvertible());
}

TEST(LinearLayout, SwizzleOfTheHeader) {
  Bases bases = {{0, 1}, {0, 2}, {1, 1}, {2, 2}};
  LinearLayout swizzle = from({{Dim::Offset, bases}}, {{Dim::Dim0, 4}, {Dim::Dim1, 4}});
  EXPECT_EQ(swizzle.apply({{Dim::Offset, 6}}), (Coordinates{1, 3}));
  EXPECT_EQ(swizzle.apply({{Dim::Offset, 13}}), (Coordinates{3, 2}));
  EXPECT_TRUE(swizzle.isInvertible());
  // Where is element (3, 2)?
  EXPECT_EQ(swizzle.invert().apply({{Dim::Dim0, 3}, {Dim::Dim1, 2}}), (Coordinates{13}));
}

TEST(LinearLayout, ProductsOfTheHeader) {
  auto lane = [](const LinearLayout& layout, uint64_t l) { return layout.apply({{Dim::Lane, l}}); };
  LinearLayout grid = LinearLayout::identity1D(4, Dim::Lane, Dim::Dim0) *
                      LinearLayout::identity1D(8, Dim::Lane, Dim::Dim1);
  LinearLayout copies = LinearLayout::identity1D(4, Dim::Lane, Dim::Dim0) *
                        LinearLayout::zeros1D(8, Dim::Lane, Dim::Dim0);
  LinearLayout runs = LinearLayout::zeros1D(8, Dim::Lane, Dim::Dim0) *
                      LinearLayout::identity1D(4, Dim::Lane, Dim::Dim0);
  for (int32_t l = 0; l < 32; ++l) {
    EXPECT_EQ(lane(grid, static_cast<uint64_t>(l)), (Coordinates{l % 4, l / 4}));
    EXPECT_EQ(lane(copies, static_cast<uint64_t>(l)), (Coordinates{l % 4}));
    EXPECT_EQ(lane(runs, static_cast<uint64_t>(l)), (Coordinates{l / 8}));
  }
  LinearLayout pairs = LinearLayout::identity1D(2, Dim::Register, Dim::Dim0) *
                       LinearLayout::identity1D(32, Dim::Lane, Dim::Dim0);
  EXPECT_EQ(pairs.apply({{Dim::Register, 1}, {Dim::Lane, 5}}), (Coordinates{11}));
}

TEST(LinearLayout, StridesAndZeros) {
  LinearLayout strided = LinearLayout::strided1D(4, 8, Dim::Lane, Dim::Dim0);
  EXPECT_EQ(strided.toString(), "{lane = [[8], [16]]} -> 32");
  EXPECT_FALSE(strided.isSurjective());
  EXPECT_TRUE(strided.isInjective());
  LinearLayout zeros = LinearLayout::zeros1D(4, Dim::Lane, Dim::Dim0, 2);
  EXPECT_EQ(zeros.toString(), "{lane = [[0], [0]]} -> 2");
  EXPECT_EQ(LinearLayout::identity1D(0, Dim::Lane, Dim::Dim0), LinearLayout());
}

TEST(LinearLayout, FreeMasksCountCopies) {
  Bases lanes = {{1}, {0}, {1}, {2}};
  LinearLayout layout = from({{Dim::Lane, lanes}}, {{Dim::Dim0, 4}});
  EXPECT_EQ(layout.freeMask(Dim::Lane), 0b0110u); // lane 4 repeats lane 1
}

TEST(LinearLayout, WrittenBasesAreChecked) {
  auto error = [](const Bases& bases, llvm::ArrayRef<DimSize> outs) {
    auto layout = LinearLayout::fromBases({{Dim::Lane, bases}}, outs);
    return layout ? std::string() : layout.error();
  };
  EXPECT_THAT(error({{1, 0}}, {{Dim::Dim0, 4}}),
              testing::HasSubstr("2 coordinates, but the tensor has 1"));
  EXPECT_THAT(error({{-1}}, {{Dim::Dim0, 4}}), testing::HasSubstr("negative"));
  EXPECT_THAT(error({{4}}, {{Dim::Dim0, 4}}), testing::HasSubstr("outside dim0, whose size is 4"));
  EXPECT_THAT(error({}, {{Dim::Dim0, 6}}), testing::HasSubstr("not a power of two"));
  EXPECT_THAT(error({}, {{Dim::Dim0, int64_t(1) << 40}}), testing::HasSubstr("too large"));
  EXPECT_THAT(error(Bases(65, Coordinates{0}), {{Dim::Dim0, 4}}),
              testing::HasSubstr("too many bases"));
}

TEST(LinearLayout, TooManyBitsAreInvalidAndStaySo) {
  LinearLayout big;
  for (unsigned i = 0; i < 5; ++i)
    big.timesIdentity(1 << 15, Dim::Register, tensorDim(i));
  EXPECT_FALSE(big.valid());
  EXPECT_FALSE((big * LinearLayout::identity1D(2, Dim::Lane, Dim::Dim0)).valid());
  EXPECT_FALSE((LinearLayout::identity1D(2, Dim::Lane, Dim::Dim0) * big).valid());
  EXPECT_FALSE(big.resizeOut(Dim::Dim0, 1).valid());
  EXPECT_FALSE(big.pseudoInvert());
  EXPECT_FALSE(LinearLayout::identity1D(3, Dim::Lane, Dim::Dim0).valid());
  // Exactly as many as there may be are fine.
  LinearLayout whole;
  whole.timesIdentity(1 << 14, Dim::Register, Dim::Dim0);
  for (unsigned i = 1; i < 4; ++i)
    whole.timesIdentity(1 << 16, Dim::Register, tensorDim(i));
  ASSERT_TRUE(whole.valid());
  EXPECT_TRUE(whole.isInvertible());
  EXPECT_EQ(whole.totalOutBits(), maxLayoutBits);
  uint64_t all = (uint64_t(1) << maxLayoutBits) - 1;
  EXPECT_EQ(whole.applyPacked(all), all);
  EXPECT_FALSE(LinearLayout(whole).timesIdentity(2, Dim::Lane, Dim::Dim0).valid());
  EXPECT_TRUE(whole.pseudoInvert());
}

TEST(LinearLayout, ResizedOutputsForgetCoordinatesBeyond) {
  Bases lanes = {{1, 1}, {2, 4}, {0, 2}};
  LinearLayout layout = from({{Dim::Lane, lanes}}, {{Dim::Dim0, 4}, {Dim::Dim1, 8}});
  EXPECT_EQ(layout.resizeOut(Dim::Dim1, 4).toString(), "{lane = [[1, 1], [2, 0], [0, 2]]} -> 4x4");
  EXPECT_EQ(layout.resizeOut(Dim::Dim0, 1).toString(), "{lane = [[0, 1], [0, 4], [0, 2]]} -> 1x8");
  EXPECT_EQ(layout.growOut(Dim::Dim0, 16).toString(), "{lane = [[1, 1], [2, 4], [0, 2]]} -> 16x8");
}

} // namespace
} // namespace gluond::layout
