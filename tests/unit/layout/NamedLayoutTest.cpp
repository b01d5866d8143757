// Named layouts: what toLinearLayout promises for all of them, and what Layout::make refuses.
#include "Generators.h"
#include "layout/exchange/ConvertLayout.h"
#include "layout/named/Properties.h"
#include "layout/tolinear/ToLinearLayout.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace gluond::layout::test {
namespace {

using testing::HasSubstr;

TEST(NamedLayout, EveryElementIsSomewhere) {
  Generator g(11);
  for (int i = 0; i < 600; ++i) {
    unsigned rank = static_cast<unsigned>(1 + g.upTo(2));
    Layout layout = g.chance(0.8) ? g.distributed(rank) : g.swizzled(rank);
    std::vector<int64_t> shape = g.shape(rank);
    OrError<LinearLayout> linear = toLinearLayout(layout, shape);
    ASSERT_TRUE(linear) << linear.error().message;
    EXPECT_TRUE(linear->isSurjective()) << linear->toString();
    EXPECT_EQ(llvm::ArrayRef(linear->outSizes()), llvm::ArrayRef(shape));
    EXPECT_EQ(linear->outDims(), tensorDims(rank));
    EXPECT_EQ(linear->inDims(), layout.isShared()
                                    ? (Dims{Dim::Offset, Dim::Block})
                                    : (Dims{Dim::Register, Dim::Lane, Dim::Warp, Dim::Block}));
    EXPECT_EQ(holesOf(*linear), 0.0);
    if (layout.isShared()) EXPECT_TRUE(linear->isInvertible());
    // Threads and CTAs do not depend on the shape.
    OrError<LinearLayout> larger = toLinearLayout(layout, std::vector<int64_t>(rank, 512));
    if (layout.isDistributed()) {
      ASSERT_TRUE(larger);
      for (Dim dim : {Dim::Lane, Dim::Warp, Dim::Block})
        EXPECT_EQ(linear->inBits(dim), larger->inBits(dim));
    }
  }
}

TEST(NamedLayout, SliceIsTheParentWithOneDimensionGone) {
  Generator g(12);
  for (int i = 0; i < 400; ++i) {
    unsigned rank = static_cast<unsigned>(2 + g.upTo(1));
    Layout parent = g.distributed(rank);
    unsigned dim = static_cast<unsigned>(g.upTo(rank - 1));
    std::vector<int64_t> shape = g.shape(rank);
    shape[dim] = 1;
    std::vector<int64_t> sliced = shape;
    sliced.erase(sliced.begin() + dim);
    LinearLayout whole = *toLinearLayout(parent, shape);
    LinearLayout slice = *toLinearLayout(*Layout::make(Slice{dim, parent}), sliced);
    // Expanding the slice again gives the parent for a size of 1, but for registers that are
    // copies.
    EXPECT_EQ(insertTensorDim(slice, dim), whole.removeZeroBases(Dim::Register));
    // And no thread moves when a slice is broadcast: what a thread holds of the sliced tensor, it
    // holds of the parent.
    std::vector<int64_t> full = shape;
    full[dim] = 64;
    LinearLayout broadcast = removeTensorDim(*toLinearLayout(parent, full), dim);
    for (Dim d : {Dim::Lane, Dim::Warp})
      EXPECT_EQ(broadcast.bases(d), slice.bases(d));
  }
}

TEST(NamedLayout, ConversionsThereAndBack) {
  Generator g(13);
  int nothing = 0;
  for (int i = 0; i < 400; ++i) {
    unsigned rank = static_cast<unsigned>(1 + g.upTo(2));
    std::vector<int64_t> shape = g.shape(rank, 2, 6);
    LinearLayout a = *toLinearLayout(g.distributed(rank), shape);
    LinearLayout b = g.chance(0.2) ? a : *toLinearLayout(g.distributed(rank), shape);
    std::optional<LinearLayout> there = b.invertAndCompose(a), back = a.invertAndCompose(b);
    ASSERT_TRUE(there && back);
    // The place of the place of an element holds the element.
    EXPECT_EQ(back->compose(*there).compose(a), a);
    OrError<ConversionCost> cost = conversionCost(a, b, 16);
    ASSERT_TRUE(cost);
    EXPECT_LE(cost->bytesMoved, cost->bytes);
    EXPECT_EQ(cost->sharedBytes > 0, cost->kind >= ConversionKind::Warps);
    if (a == b) {
      EXPECT_LE(cost->kind, ConversionKind::Registers);
      nothing += cost->kind == ConversionKind::Nothing;
    }
    if (cost->kind <= ConversionKind::Registers) EXPECT_EQ(cost->bytesMoved, 0);
  }
  EXPECT_GT(nothing, 20);
}

TEST(NamedLayout, ConversionKinds) {
  auto blocked = [](Ints size, Ints threads, Ints warps) {
    return *toLinearLayout(*Layout::make(Blocked{size, threads, warps, {1, 0}, {}}), {64, 64});
  };
  LinearLayout a = blocked({1, 2}, {8, 4}, {4, 1});
  auto kind = [&](const LinearLayout& b) { return conversionCost(a, b, 32)->kind; };
  EXPECT_EQ(kind(a), ConversionKind::Nothing);
  Order columnMajor = {0, 1};
  LinearLayout registers =
      *toLinearLayout(*Layout::make(Blocked{{2, 2}, {8, 4}, {4, 1}, columnMajor, {}}), {64, 64});
  (void)registers;
  EXPECT_EQ(kind(blocked({1, 2}, {4, 8}, {4, 1})), ConversionKind::Warps);
  // The same warps, other lanes: 8x8 elements a warp either way.
  EXPECT_EQ(
      conversionCost(blocked({1, 2}, {8, 4}, {4, 1}), blocked({2, 1}, {4, 8}, {4, 1}), 32)->kind,
      ConversionKind::Lanes);
  OrError<ConversionCost> shared = conversionCost(a, blocked({1, 2}, {8, 4}, {1, 4}), 32);
  EXPECT_EQ(shared->kind, ConversionKind::Warps);
  EXPECT_EQ(shared->sharedBytes, 64 * 64 * 4);
  EXPECT_GT(shared->bytesMoved, 0);
  EXPECT_FALSE(conversionCost(
      a, *toLinearLayout(*Layout::make(Blocked{{1, 2}, {8, 4}, {4, 1}, {1, 0}, {}}), {64, 32}),
      32));
}

TEST(NamedLayout, EqualityAndHashAreStructural) {
  auto make = [](int32_t size) {
    Layout blocked = *Layout::make(Blocked{{1, size}, {8, 4}, {4, 1}, {1, 0}, {}});
    return *Layout::make(Slice{1, blocked});
  };
  EXPECT_EQ(make(2), make(2));
  EXPECT_EQ(make(2).hash(), make(2).hash());
  EXPECT_FALSE(make(2) == make(4));
  EXPECT_FALSE(make(2) == Layout());
  EXPECT_EQ(Layout(), Layout());
  // One CTA left out and one CTA written are the same layout.
  EXPECT_EQ(*Layout::make(Blocked{{1}, {32}, {4}, {0}, {}}),
            *Layout::make(Blocked{{1}, {32}, {4}, {0}, oneCta(1)}));
}

// Each mistake with the field it is reported at.
TEST(NamedLayout, MistakesAreReportedAtTheirField) {
  auto field = [](const OrError<Layout>& layout) {
    return layout ? std::string("fine") : layout.error().field;
  };
  Layout blocked = *Layout::make(Blocked{{1, 2}, {8, 4}, {4, 1}, {1, 0}, {}});
  Layout mma2 = *Layout::make(NvidiaMma{2, 0, {2, 2}, {}, {16, 8}});
  Layout mma3 = *Layout::make(NvidiaMma{3, 0, {4, 1}, {}, {16, 64, 16}});
  EXPECT_EQ(field(Layout::make(Blocked{{1}, {8, 4}, {4, 1}, {1, 0}, {}})), "sizePerThread");
  EXPECT_EQ(field(Layout::make(Blocked{{1, 2}, {8, 3}, {4, 1}, {1, 0}, {}})), "threadsPerWarp");
  EXPECT_EQ(field(Layout::make(Blocked{{1, 2}, {8, 4}, {0, 1}, {1, 0}, {}})), "warpsPerCTA");
  EXPECT_EQ(field(Layout::make(Blocked{{1, 2}, {8, 4}, {4, 1}, {1, 1}, {}})), "order");
  EXPECT_EQ(field(Layout::make(Blocked{{1, 2}, {8, 4}, {4, 1}, {2, 0}, {}})), "order");
  EXPECT_EQ(field(Layout::make(Blocked{{}, {}, {}, {}, {}})), "order");
  EXPECT_EQ(field(Layout::make(Blocked{{1, 2}, {8, 4}, {4, 1}, {1, 0}, oneCta(3)})), "CGALayout");
  EXPECT_EQ(field(Layout::make(Slice{2, blocked})), "dim");
  EXPECT_EQ(field(Layout::make(Slice{0, Layout()})), "parent");
  EXPECT_EQ(field(Layout::make(Slice{0, *Layout::make(Blocked{{1}, {32}, {4}, {0}, {}})})),
            "parent");
  EXPECT_EQ(field(Layout::make(DotOperand{2, mma2, 2})), "opIdx");
  EXPECT_EQ(field(Layout::make(DotOperand{1, mma3, 2})), "opIdx");
  EXPECT_EQ(field(Layout::make(DotOperand{0, mma2, 0})), "kWidth");
  EXPECT_EQ(field(Layout::make(DotOperand{0, mma2, 3})), "kWidth");
  EXPECT_EQ(field(Layout::make(DotOperand{0, blocked, 2})), "kWidth");
  EXPECT_EQ(field(Layout::make(NvidiaMma{1, 0, {2, 2}, {}, {16, 16}})), "versionMajor");
  EXPECT_EQ(field(Layout::make(AmdMfma{3, {2, 2}, {32, 8, 8}, false, {}, {}, 32})), "instrShape");
  EXPECT_EQ(field(Layout::make(NvidiaMma{3, 0, {4, 0}, {}, {16, 64, 16}})), "warpsPerCTA");
  EXPECT_EQ(field(Layout::make(NvidiaMma{3, 0, {4, 1}, {}, {16, -8, 16}})), "instrShape");
  EXPECT_EQ(field(Layout::make(AmdMfma{3, {4, 0}, {32, 32, 8}, false, {}, {}, 32})), "warpsPerCTA");
  EXPECT_EQ(field(Layout::make(AmdMfma{3, {4, 1}, {32, 32, 0}, false, {}, {}, 32})), "instrShape");
  EXPECT_EQ(field(Layout::make(AmdMfma{3, {4, 1}, {32, 32, 8}, false, {}, {1, 0}, 32})),
            "tilesPerWarp");
  EXPECT_EQ(field(Layout::make(SwizzledShared{1, 0, 1, {1, 0}, {}})), "perPhase");
  EXPECT_EQ(field(Layout::make(NvmmaShared{48, false, 16, false, oneCta(2)})),
            "swizzlingByteWidth");
  EXPECT_EQ(field(Layout::make(NvmmaShared{128, false, 0, false, oneCta(2)})), "elementBitWidth");
  EXPECT_EQ(field(Layout::make(NvmmaShared{128, false, 16, false, {}})), "CGALayout");
  EXPECT_EQ(field(Layout::make(TensorMemory{32, 64, 1, {}, false, false})), "blockM");
  EXPECT_EQ(field(Layout::make(TensorMemory{128, 1024, 1, {}, false, false})), "blockN");
  EXPECT_EQ(field(Layout::make(TensorMemory{128, 64, 3, {}, false, false})), "colStride");
  EXPECT_EQ(field(Layout::make(TensorMemory{128, 64, 1, {}, true, false})), "CGALayout");
  EXPECT_EQ(field(Layout::make(
                PartitionedShared{1, 1, 0, *Layout::make(SwizzledShared{1, 1, 1, {1, 0}, {}})})),
            "numPartitions");
  EXPECT_EQ(field(Layout::make(PartitionedShared{2, 1, 0, blocked})), "partitionLayout");
  LinearLayout rows =
      LinearLayout::identityND(Dim::Offset, {8, 8}, {1, 0}).transposeOuts(tensorDims(2)) *
      oneCta(2);
  EXPECT_EQ(field(Layout::make(PaddedShared{{8}, {3}, rows})), "paddings");
  EXPECT_EQ(field(Layout::make(PaddedShared{{8, 8}, {1, 2}, rows})), "intervals");
  EXPECT_EQ(field(Layout::make(PaddedShared{{8}, {1}, rows})), "fine");
  EXPECT_EQ(field(Layout::make(SharedLinear{rows, 12})), "layoutAlignment");
  EXPECT_EQ(field(Layout::make(SharedLinear{rows, 16})), "fine");
  EXPECT_FALSE(makeCga({{2, 0}}, 2)); // a gap
  EXPECT_FALSE(makeCga({{1, 0}, {1, 0}}, 2));
  EXPECT_FALSE(makeCga({{1, 0, 0}}, 2));
  EXPECT_TRUE(makeCga({{0, 0}, {1, 0}}, 2));
}

TEST(NamedLayout, ShapesThatDoNotFit) {
  Layout blocked = *Layout::make(Blocked{{1, 2}, {8, 4}, {4, 1}, {1, 0}, {}});
  auto message = [&](const Layout& layout, std::vector<int64_t> shape) {
    OrError<LinearLayout> linear = toLinearLayout(layout, shape);
    return linear ? linear->toString() : linear.error().message;
  };
  EXPECT_THAT(message(blocked, {32}), HasSubstr("2 dimensions, but the shape has 1"));
  EXPECT_THAT(message(blocked, {32, 48}), HasSubstr("48 is not"));
  EXPECT_THAT(message(blocked, {0, 32}), HasSubstr("0 is not"));
  EXPECT_THAT(message(blocked, {-4, 32}), HasSubstr("-4 is not"));
  EXPECT_THAT(message(blocked, {int64_t(1) << 30, int64_t(1) << 30}), HasSubstr("too large"));
  EXPECT_THAT(message(Layout(), {32}), HasSubstr("no layout"));
  Layout huge = *Layout::make(Blocked{{1 << 30, 1 << 30}, {1 << 30, 1}, {1, 1}, {1, 0}, {}});
  EXPECT_THAT(message(huge, {32, 32}), HasSubstr("does not fit"));
  Layout nvmma = *Layout::make(NvmmaShared{128, false, 16, false, oneCta(2)});
  EXPECT_THAT(message(nvmma, {64, 32}), HasSubstr("at least 64 elements along dimension 1"));
  EXPECT_THAT(message(nvmma, {4, 64}), HasSubstr("at least 8x64"));
  Layout memory = *Layout::make(TensorMemory{128, 64, 1, {}, false, false});
  EXPECT_THAT(message(memory, {64, 64}), HasSubstr("at least 128x64"));
}

TEST(NamedLayout, FactsOfABlockedLayout) {
  Layout blocked = *Layout::make(Blocked{{2, 4}, {4, 8}, {2, 2}, {1, 0}, {}});
  LinearLayout linear = *toLinearLayout(blocked, {64, 128});
  EXPECT_EQ(orderOf(linear), (Order{1, 0}));
  EXPECT_EQ(threadOrderOf(linear), (Order{1, 0}));
  EXPECT_EQ(contiguityPerThread(linear), (Ints{2, 4}));
  EXPECT_EQ(threadsPerWarp(linear), (Ints{4, 8}));
  EXPECT_EQ(elementsPerThread(linear), (Ints{8, 8}));
  EXPECT_EQ(totalElementsPerThread(linear), 64);
  EXPECT_EQ(*sizePerThread(linear), (Ints{2, 4}));
  // Half of the threads find nothing left along dim0.
  LinearLayout small = *toLinearLayout(blocked, {8, 64});
  llvm::SmallVector<Replication, 4> copies = replicationOf(small);
  EXPECT_EQ(copies[2].dim, Dim::Warp);
  EXPECT_EQ(copies[2].copies, 2);
}

TEST(NamedLayout, CtaLayouts) {
  LinearLayout cga = *makeCga({{1, 0}, {0, 1}, {0, 0}}, 2);
  EXPECT_EQ(ctaSplitNum(cga), (Ints{2, 2}));
  EXPECT_EQ(ctasPerCga(cga), (Ints{2, 4}));
  EXPECT_EQ(ctaOrder(cga), (Order{0, 1}));
  Layout blocked = *Layout::make(Blocked{{1, 1}, {8, 4}, {4, 1}, {1, 0}, cga});
  EXPECT_EQ(*shapePerCta(blocked, {64, 64}), (ShapeVector{32, 32}));
  EXPECT_EQ(*Layout::make(Slice{0, blocked})->cgaLayout(), *makeCga({{0}, {1}, {0}}, 1));
  Layout mma = *Layout::make(NvidiaMma{2, 0, {2, 2}, cga, {16, 8}});
  EXPECT_EQ(*Layout::make(DotOperand{0, mma, 2})->cgaLayout(),
            *makeCga({{1, 0}, {0, 0}, {0, 0}}, 2));
  // Found again in the layout of a whole tensor.
  EXPECT_EQ(*cgaOf(*toLinearLayout(blocked, {64, 64})), cga);
}

// Triton's tests give each piece a padded layout of the whole tensor: the first buffer has it all.
TEST(NamedLayout, PaddedPiecesMayHaveMoreElementsThanThePieces) {
  auto padded = [](int rows, int columns) {
    return *Layout::make(PaddedShared{{16},
                                      {4},
                                      LinearLayout::identityND(Dim::Offset, {rows, columns}, {1, 0})
                                              .transposeOuts(tensorDims(2)) *
                                          oneCta(2)});
  };
  auto inside = [&](unsigned partitions, unsigned dim, const Layout& piece) {
    return toLinearLayout(*Layout::make(PartitionedShared{partitions, 1, dim, piece}), {64, 32});
  };
  for (unsigned dim : {0u, 1u}) {
    auto whole = inside(2, dim, padded(64, 32));
    ASSERT_TRUE(whole) << whole.error().message;
    EXPECT_TRUE(whole->isSurjective());
    EXPECT_EQ(whole->outSizes(), (llvm::SmallVector<int64_t, 4>{64, 32}));
    EXPECT_EQ(whole->inSize(Dim::Partition), 2);
    EXPECT_EQ(whole->basis(Dim::Partition, 0, Dim::Dim0), 0);
    EXPECT_EQ(whole->basis(Dim::Partition, 0, Dim::Dim1), 0);
  }
  auto halves = inside(2, 0, padded(32, 32));
  ASSERT_TRUE(halves);
  EXPECT_EQ(halves->basis(Dim::Partition, 0, Dim::Dim0), 32);
  EXPECT_FALSE(inside(2, 0, padded(16, 32)));
}

} // namespace
} // namespace gluond::layout::test
