#include "layout/named/Spelling.h"

#include "Goldens.h"

#include <gtest/gtest.h>

namespace gluond::layout::test {
namespace {

Layout blocked(int32_t size) {
  return *Layout::make(Blocked{{1, size}, {8, 4}, {4, 1}, {1, 0}, {}});
}

TEST(Spelling, AsUsersWrite) {
  EXPECT_EQ(spelling(blocked(2)), "gl.BlockedLayout([1, 2], [8, 4], [4, 1], [1, 0])");
  EXPECT_EQ(spelling(*Layout::make(Slice{1, blocked(2)})),
            "gl.SliceLayout(1, gl.BlockedLayout([1, 2], [8, 4], [4, 1], [1, 0]))");
  Layout clustered = *Layout::make(Blocked{{1}, {32}, {4}, {0}, *makeCga({{1}, {0}}, 1)});
  EXPECT_EQ(spelling(clustered), "gl.BlockedLayout([1], [32], [4], [0], cga_layout=[[1], [0]])");
  Layout mma = *Layout::make(NvidiaMma{2, 0, {2, 2}, {}, {16, 8}});
  EXPECT_EQ(spelling(*Layout::make(DotOperand{0, mma, 2})),
            "gl.DotOperandLayout(operand_index=0, parent=gl.NVMMADistributedLayout(version=[2, 0], "
            "warps_per_cta=[2, 2], "
            "instr_shape=[16, 8]), k_width=2)");
  EXPECT_EQ(spelling(*Layout::make(SwizzledShared{4, 1, 8, {1, 0}, {}})),
            "gl.SwizzledSharedLayout(vec=4, per_phase=1, max_phase=8, order=[1, 0])");
  EXPECT_EQ(
      spelling(*Layout::make(NvmmaShared{128, true, 16, false, oneCta(2)})),
      "gl.NVMMASharedLayout(swizzle_byte_width=128, element_bitwidth=16, rank=2, transposed=True)");
  EXPECT_EQ(spelling(*Layout::make(TensorMemory{128, 64, 1, {}, false, false})),
            "gl.nvidia.blackwell.TensorMemoryLayout(block=[128, 64], col_stride=1)");
  LinearLayout rows =
      LinearLayout::identityND(Dim::Offset, {2, 4}, {1, 0}).transposeOuts(tensorDims(2));
  rows *= *makeCga({{1, 0}}, 2);
  EXPECT_EQ(spelling(*Layout::make(PaddedShared{{4}, {2}, rows})),
            "gl.PaddedSharedLayout(interval_padding_pairs=[[4, 2]], offset_bases=[[0, 1], [0, 2], "
            "[1, 0]], cga_layout=[[1, 0]], "
            "shape=[4, 4])");
  EXPECT_EQ(spelling(Layout()), "None");
}

TEST(Spelling, DifferencesNameTheField) {
  auto one = differences(blocked(1), blocked(4));
  ASSERT_EQ(one.size(), 1u);
  EXPECT_EQ(one[0].path, "size_per_thread");
  EXPECT_EQ(one[0].left, "[1, 1]");
  EXPECT_EQ(one[0].right, "[1, 4]");
  auto nested =
      differences(*Layout::make(Slice{1, blocked(1)}), *Layout::make(Slice{0, blocked(4)}));
  ASSERT_EQ(nested.size(), 2u);
  EXPECT_EQ(nested[0].path, "dim");
  EXPECT_EQ(nested[1].path, "parent.size_per_thread");
  auto kinds = differences(
      blocked(1), *Layout::make(Slice{
                      0, *Layout::make(Blocked{{1, 1, 1}, {1, 8, 4}, {4, 1, 1}, {2, 1, 0}, {}})}));
  ASSERT_EQ(kinds.size(), 1u);
  EXPECT_EQ(kinds[0].path, "");
  EXPECT_EQ(kinds[0].left, spelling(blocked(1)));
  // A field that one of them leaves at its default.
  auto cga = differences(
      blocked(1), *Layout::make(Blocked{{1, 1}, {8, 4}, {4, 1}, {1, 0}, *makeCga({{1, 0}}, 2)}));
  ASSERT_EQ(cga.size(), 1u);
  EXPECT_EQ(cga[0].path, "cga_layout");
  EXPECT_EQ(cga[0].left, "default");
  EXPECT_TRUE(differences(blocked(2), blocked(2)).empty());
}

// Different layouts are spelled differently, equal ones alike; over all recorded layouts.
TEST(Spelling, IsFaithful) {
  std::map<std::string, Layout> seen;
  for (const Json& golden : goldens("conversions")) {
    OrError<Layout> layout = layoutFrom(golden["layout"]);
    if (!layout) continue;
    auto [it, isNew] = seen.try_emplace(spelling(*layout), *layout);
    EXPECT_EQ(it->second, *layout) << it->first;
    EXPECT_NE(it->first.find(gluonClass(*layout).str() + "("), std::string::npos);
    EXPECT_TRUE(differences(*layout, it->second).empty());
  }
  EXPECT_GT(seen.size(), 1000u);
}

} // namespace
} // namespace gluond::layout::test
