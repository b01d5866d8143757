#include "layout/picture/Picture.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace gluond::layout {
namespace {

using testing::HasSubstr;
using testing::Not;

LayoutPicture picture(const Layout& layout, std::vector<int64_t> shape,
                      std::string title = "layout", unsigned bits = 16) {
  OrError<LayoutPicture> result = makePicture(layout, shape, std::move(title), "f16", bits);
  EXPECT_TRUE(result);
  return std::move(*result);
}

Layout blocked() {
  return *Layout::make(Blocked{{1, 2}, {8, 4}, {4, 1}, {1, 0}, {}});
}

TEST(Picture, TextMapOfATile) {
  EXPECT_EQ(renderText(picture(blocked(), {4, 8}, "B")), R"(B on 4x8 f16
4 warps x 32 lanes x 2 registers, each element in 8 places (2 lanes x 4 warps)
T<thread>:<register>, thread = warp * 32 + lane; of 8 copies, the first

         0       2       4       6
0:  T0:0-1  T1:0-1  T2:0-1  T3:0-1
1:  T4:0-1  T5:0-1  T6:0-1  T7:0-1
2:  T8:0-1  T9:0-1 T10:0-1 T11:0-1
3: T12:0-1 T13:0-1 T14:0-1 T15:0-1
)");
}

TEST(Picture, TextMapOfASwizzle) {
  Layout swizzled = *Layout::make(SwizzledShared{2, 1, 4, {1, 0}, {}});
  EXPECT_EQ(renderText(picture(swizzled, {4, 8}, "S")), R"(S on 4x8 f16
32 offsets, each element once
offset in elements

       0     2     4     6
0:   0-1   2-3   4-5   6-7
1: 10-11   8-9 14-15 12-13
2: 20-21 22-23 16-17 18-19
3: 30-31 28-29 26-27 24-25
)");
}

TEST(Picture, VectorsWrapAndLargeTensorsAreCut) {
  Layout vector = *Layout::make(Slice{1, blocked()});
  std::string text = renderText(picture(vector, {64}), {.columns = 40});
  EXPECT_THAT(text, HasSubstr("each element in 4 places (4 lanes)"));
  for (llvm::StringRef rest = text; !rest.empty();) {
    auto [line, tail] = rest.split('\n');
    if (!line.starts_with("T<") && !line.contains("each"))
      EXPECT_LE(line.size(), 40u) << line.str();
    rest = tail;
  }
  text = renderText(picture(blocked(), {256, 512}), {.columns = 80, .rows = 8});
  EXPECT_THAT(text, HasSubstr("... 248 more rows and "));
  EXPECT_THAT(text, Not(HasSubstr("\n8:")));
  Layout cube = *Layout::make(SwizzledShared{1, 1, 1, {2, 1, 0}, {}});
  text = renderText(picture(cube, {8, 2, 4}), {.slices = 2});
  EXPECT_THAT(text, HasSubstr("[1, :, :]"));
  EXPECT_THAT(text, HasSubstr("... 6 more slices"));
}

TEST(Picture, ReportIsTheJsonForm) {
  LayoutReport r = report(picture(blocked(), {4, 8}));
  EXPECT_EQ(r.shape, (ShapeVector{4, 8}));
  EXPECT_EQ(r.dtype, "f16");
  EXPECT_EQ(r.dims, (Dims{Dim::Register, Dim::Lane, Dim::Warp, Dim::Block}));
  EXPECT_EQ(r.bases[0], (Bases{{0, 1}}));
  EXPECT_EQ(r.bases[2], (Bases{{0, 0}, {0, 0}}));
  EXPECT_EQ(r.replication, (llvm::SmallVector<int64_t, 4>{1, 2, 4, 1}));
}

TEST(Picture, OwnersHoldTheirElements) {
  LayoutPicture p = picture(blocked(), {64, 16});
  OwnerMap owners(p.linear);
  for (int32_t i = 0; i < 64; i += 3)
    for (int32_t j = 0; j < 16; ++j) {
      Owner owner = owners.at({i, j});
      EXPECT_EQ(p.linear.unpack(p.linear.applyPacked(owner.place)), (Coordinates{i, j}));
    }
}

TEST(Picture, CtasPartitionsAndTensorMemoryAreLabelled) {
  Layout clustered = *Layout::make(Blocked{{1, 1}, {4, 8}, {1, 1}, {1, 0}, *makeCga({{1, 0}}, 2)});
  EXPECT_THAT(renderText(picture(clustered, {8, 8})), HasSubstr("B1 T0:0"));
  Layout partitioned =
      *Layout::make(PartitionedShared{2, 1, 0, *Layout::make(SwizzledShared{1, 1, 1, {1, 0}, {}})});
  EXPECT_THAT(renderText(picture(partitioned, {4, 8})), HasSubstr("P1:0-7"));
  Layout memory = *Layout::make(TensorMemory{128, 8, 1, {}, false, false});
  EXPECT_THAT(renderText(picture(memory, {128, 8})), HasSubstr("31,0-7"));
  LinearLayout rows =
      LinearLayout::identityND(Dim::Offset, {4, 8}, {1, 0}).transposeOuts(tensorDims(2)) *
      oneCta(2);
  EXPECT_THAT(renderText(picture(*Layout::make(PaddedShared{{8}, {2}, rows}), {4, 8})),
              HasSubstr("10-17"));
}

TEST(Picture, SvgStandsAloneAndEscapes) {
  std::string svg = renderSvg(picture(blocked(), {32, 16}, "a < b & \"c\"\n"));
  EXPECT_THAT(svg, testing::StartsWith("<svg xmlns=\"http://www.w3.org/2000/svg\""));
  EXPECT_THAT(svg, HasSubstr("a &lt; b &amp; &quot;c&quot;"));
  EXPECT_THAT(svg, Not(HasSubstr("a < b")));
  EXPECT_THAT(svg, HasSubstr(">warp 3</text>"));
  EXPECT_THAT(svg, Not(HasSubstr(">warp 4</text>")));
  EXPECT_THAT(svg, HasSubstr("(0, 2): T1:0-1"));
  EXPECT_THAT(svg, Not(HasSubstr("Shown:")));
  svg = renderSvg(picture(blocked(), {256, 512}), {.rows = 4, .columns = 4});
  EXPECT_THAT(svg, HasSubstr("Shown: 4 x 8 elements, of 256 x 512."));
}

TEST(Picture, ShapesThatDoNotFitHaveNoPicture) {
  EXPECT_FALSE(makePicture(blocked(), {3, 3}, "x"));
}

} // namespace
} // namespace gluond::layout
