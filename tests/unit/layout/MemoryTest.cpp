// Memory descriptors: what they accept, what they reserve.
#include "layout/access/MemoryCheck.h"
#include "layout/instructions/TmemRegisters.h"

#include <gtest/gtest.h>

namespace gluond::layout {
namespace {

LinearLayout rowMajor(int32_t rows, int32_t columns) {
  return LinearLayout::identityND(Dim::Offset, {rows, columns}, {1, 0})
             .transposeOuts(tensorDims(2)) *
         oneCta(2);
}

std::string field(const Layout& layout, std::vector<int64_t> shape, std::vector<int64_t> alloc,
                  unsigned bits) {
  std::optional<LayoutError> error = checkMemory(layout, {shape, alloc, bits});
  return error ? error->field : "fine";
}

TEST(Memory, SharedDescriptors) {
  Layout swizzled = *Layout::make(SwizzledShared{1, 1, 1, {1, 0}, {}});
  EXPECT_EQ(field(swizzled, {64, 64}, {64, 64}, 16), "fine");
  EXPECT_EQ(field(swizzled, {3, 64, 64}, {3, 64, 64}, 16), "fine"); // three stages
  EXPECT_EQ(field(swizzled, {48, 64}, {64, 64}, 16), "shape");
  EXPECT_EQ(field(swizzled, {64, 64}, {64, 96}, 16), "allocShape");
  EXPECT_EQ(field(swizzled, {64}, {64}, 16), "shape");
  EXPECT_EQ(field(swizzled, {64, 128}, {64, 64}, 16), "shape");
  EXPECT_EQ(field(swizzled, {0, 64}, {64, 64}, 16), "shape");
  EXPECT_EQ(field(swizzled, {64, 64}, {64, 64}, 4), "elementType");
  Layout nvmma = *Layout::make(NvmmaShared{128, false, 16, false, oneCta(2)});
  EXPECT_EQ(field(nvmma, {64, 32}, {64, 32}, 16), "swizzlingByteWidth");
  EXPECT_EQ(field(nvmma, {64, 64}, {64, 64}, 16), "fine");
  Layout padded = *Layout::make(PaddedShared{{32}, {4}, rowMajor(32, 32)});
  EXPECT_EQ(field(padded, {32, 32}, {32, 32}, 16), "fine");
  EXPECT_EQ(field(padded, {32, 16}, {32, 16}, 16), "shape");
}

TEST(Memory, TensorMemoryDescriptors) {
  Layout memory = *Layout::make(TensorMemory{128, 64, 1, {}, false, false});
  EXPECT_EQ(field(memory, {128, 64}, {128, 64}, 32), "fine");
  EXPECT_EQ(field(memory, {2, 128, 64}, {2, 128, 64}, 32), "fine");
  EXPECT_EQ(field(memory, {64, 64}, {64, 64}, 32), "shape");
  EXPECT_EQ(field(memory, {128, 64}, {128, 64}, 64), "colStride");
  EXPECT_EQ(
      field(*Layout::make(TensorMemory{128, 64, 2, {}, false, false}), {128, 64}, {128, 64}, 32),
      "colStride");
  Layout scales = *Layout::make(TensorMemoryScales{});
  EXPECT_EQ(field(scales, {128, 4}, {128, 4}, 8), "fine");
  EXPECT_EQ(field(scales, {128, 4}, {128, 4}, 16), "elementType");
}

TEST(Memory, PaddedPlaces) {
  // After every 2 elements 1 more place, after every 4 elements 2 more.
  Layout layout = *Layout::make(PaddedShared{{2, 4}, {1, 2}, rowMajor(1, 8)});
  const auto& padded = *layout.as<PaddedShared>();
  std::vector<int64_t> places;
  for (int64_t offset = 0; offset < 8; ++offset)
    places.push_back(paddedOffset(padded, offset));
  EXPECT_EQ(places, (std::vector<int64_t>{0, 1, 3, 4, 8, 9, 11, 12}));
}

TEST(Memory, Alignments) {
  EXPECT_EQ(Layout::make(SwizzledShared{1, 1, 1, {1, 0}, {}})->alignment(), 16u);
  EXPECT_EQ(Layout::make(NvmmaShared{128, false, 8, true, oneCta(2)})->alignment(), 1024u);
}

TEST(Memory, TensorMemorySizes) {
  auto size = [](const Layout& layout, std::vector<int64_t> shape, unsigned bits) {
    TensorMemorySize s = *tensorMemorySize(layout, {shape, shape, bits});
    return std::pair(s.rows, s.columns);
  };
  Layout memory = *Layout::make(TensorMemory{128, 64, 1, {}, false, false});
  EXPECT_EQ(size(memory, {128, 64}, 32), std::pair(int64_t(128), int64_t(64)));
  EXPECT_EQ(size(memory, {128, 64}, 16), std::pair(int64_t(128), int64_t(32)));
  EXPECT_EQ(size(memory, {2, 128, 64}, 32), std::pair(int64_t(128), int64_t(128)));
  EXPECT_EQ(size(memory, {256, 64}, 32), std::pair(int64_t(128), int64_t(128)));
  // One block of 64 rows uses half of each warp's rows.
  Layout half = *Layout::make(TensorMemory{64, 64, 1, {}, false, false});
  EXPECT_EQ(size(half, {64, 64}, 32), std::pair(int64_t(64), int64_t(64)));
}

TEST(Memory, SplitAlongN) {
  Layout memory = *Layout::make(TensorMemory{128, 64, 1, {}, false, false});
  std::vector<int64_t> shape = {128, 64};
  LinearLayout linear = *viewToLinearLayout(memory, {shape, shape, 32});
  // With eight warps the upper half of the columns belongs to warps 4..7; splitting brings it into
  // registers.
  LinearLayout registers = *tmemRegisterLayout(linear, TmemAtom::I32x32b, 8, 32);
  EXPECT_EQ(registers.basis(Dim::Warp, 2), (Coordinates{0, 32}));
  LinearLayout split = *tmemSplitAlongN(registers, 64, 32);
  EXPECT_EQ(split.basis(Dim::Register, split.inBits(Dim::Register) - 1), (Coordinates{0, 32}));
  EXPECT_EQ(split.basis(Dim::Warp, 2), (Coordinates{0, 16}));
  EXPECT_TRUE(split.isInvertible());
  EXPECT_FALSE(tmemSplitAlongN(registers, 1, 32));
}

} // namespace
} // namespace gluond::layout
