// The laws of the algebra, on many generated layouts.
#include "Generators.h"
#include "layout/named/Transforms.h"

#include <gtest/gtest.h>

namespace gluond::layout::test {
namespace {

constexpr int rounds = 400;
const Dims hardware = {Dim::Register, Dim::Lane, Dim::Warp};
const Dims tensor = {Dim::Dim0, Dim::Dim1, Dim::Dim2};

TEST(Laws, LinearityIsXor) {
  Generator g(1);
  for (int i = 0; i < rounds; ++i) {
    LinearLayout a = g.map(hardware, 8, g.sizes(tensor, 7), g.chance(0.5));
    uint64_t x = static_cast<uint64_t>(g.upTo(255)), y = static_cast<uint64_t>(g.upTo(255));
    EXPECT_EQ(a.applyPacked(x ^ y), a.applyPacked(x) ^ a.applyPacked(y));
    EXPECT_EQ(a.pack(a.unpack(a.applyPacked(x))), a.applyPacked(x));
  }
}

TEST(Laws, ProductIsAssociativeWithUnit) {
  Generator g(2);
  for (int i = 0; i < rounds; ++i) {
    LinearLayout a = g.map(hardware, 3, g.sizes(tensor, 4), false);
    LinearLayout b = g.map({Dim::Lane, Dim::Block}, 3, g.sizes({Dim::Dim1, Dim::Dim2}, 3), false);
    // Orders that do not contradict: only then is the order of the result the same whichever
    // product is made first.
    LinearLayout c = g.map({Dim::Warp, Dim::Block}, 4, g.sizes({Dim::Dim2}, 3), false);
    EXPECT_EQ((a * b) * c, a * (b * c));
    EXPECT_EQ(a * LinearLayout(), a);
    EXPECT_EQ(LinearLayout() * a, a);
    EXPECT_EQ((a * b).isSurjective(), a.isSurjective() && b.isSurjective());
    EXPECT_EQ((a * b).isInjective(), a.isInjective() && b.isInjective());
  }
}

TEST(Laws, ProductsCanBeDividedAgain) {
  Generator g(3);
  for (int i = 0; i < rounds; ++i) {
    LinearLayout a = g.map(hardware, 4, g.sizes(tensor, 4), false);
    LinearLayout b = g.map(hardware, 4, g.sizes(tensor, 4), false);
    LinearLayout product = a * b;
    EXPECT_EQ(product.divideLeft(a), b) << product.toString() << a.toString();
    // And a quotient, when there is one, multiplies back.
    LinearLayout other = g.map({Dim::Lane}, 2, g.sizes({Dim::Dim1}, 2), false);
    if (std::optional<LinearLayout> rest = product.divideLeft(other))
      EXPECT_EQ(other * *rest, product);
  }
}

TEST(Laws, CompositionAppliesOneAfterTheOther) {
  Generator g(4);
  for (int i = 0; i < rounds; ++i) {
    auto middle = g.sizes(tensor, 6);
    LinearLayout a = g.map(hardware, 7, middle, g.chance(0.5));
    LinearLayout b = LinearLayout();
    for (auto [dim, size] : middle)
      b = b * g.map({dim}, *exactLog2(size), g.sizes({Dim::Row, Dim::Col}, 3), false);
    LinearLayout c = g.map({Dim::Row, Dim::Col}, 0, g.sizes({Dim::Offset}, 4), false);
    for (DimBits d : b.outs()) {
      f2::ColumnVector columns(d.bits, 0);
      for (uint64_t& column : columns)
        column = static_cast<uint64_t>(g.upTo(15));
      c = c.withColumns(d.dim, columns);
    }
    LinearLayout ab = a.compose(b);
    ASSERT_TRUE(ab.valid());
    uint64_t x = static_cast<uint64_t>(g.upTo(127));
    llvm::SmallVector<LinearLayout::Place, 3> place;
    for (auto [dim, value] : llvm::zip_equal(a.outDims(), a.unpack(a.applyPacked(x))))
      place.push_back({dim, static_cast<uint64_t>(value)});
    EXPECT_EQ(ab.unpack(ab.applyPacked(x)), b.apply(place));
    EXPECT_EQ(ab.compose(c), a.compose(b.compose(c)));
  }
}

TEST(Laws, Inverses) {
  Generator g(5);
  for (int i = 0; i < rounds; ++i) {
    auto outs = g.sizes(tensor, 7);
    LinearLayout identity;
    for (auto [dim, size] : outs)
      identity.timesIdentity(size, dim, dim);
    LinearLayout square = g.invertible(hardware, outs);
    ASSERT_TRUE(square.isInvertible());
    EXPECT_EQ(square.invert().compose(square), identity);
    LinearLayout back = square.compose(square.invert());
    EXPECT_TRUE(back.isTrivialOver(hardware));

    LinearLayout onto = g.map(hardware, 10, outs, true);
    ASSERT_TRUE(onto.isSurjective());
    std::optional<LinearLayout> right = onto.pseudoInvert();
    ASSERT_TRUE(right);
    EXPECT_EQ(right->compose(onto), identity);
    // Free bits of the answer are 0.
    for (auto [dim, free] : onto.freeMasks())
      EXPECT_EQ(right->outputMask(right->inDims(), dim) & free, 0u);

    LinearLayout any = g.map(hardware, 6, outs, false);
    EXPECT_EQ(any.pseudoInvert().has_value(), any.isSurjective());
  }
}

TEST(Laws, InvertAndComposeFindsThePlace) {
  Generator g(6);
  for (int i = 0; i < rounds; ++i) {
    auto outs = g.sizes(tensor, 6);
    LinearLayout a = g.map(hardware, 7, outs, true);
    LinearLayout b =
        g.map(g.oneOf<Dims>({hardware, {Dim::Offset, Dim::Block}}), 8, outs, g.chance(0.7));
    // The same tensor with its dimensions in another order.
    LinearLayout shuffled = b.transposeOuts({Dim::Dim2, Dim::Dim0, Dim::Dim1});
    for (const LinearLayout& target : {b, shuffled}) {
      std::optional<LinearLayout> place = a.invertAndCompose(target);
      std::optional<LinearLayout> solved = LinearLayout::solve(target, a);
      EXPECT_EQ(place.has_value(), solved.has_value());
      if (!place) continue;
      EXPECT_EQ(place->compose(target).transposeOuts(a.outDims()), a);
      EXPECT_EQ(solved->compose(target).transposeOuts(a.outDims()), a);
    }
  }
}

TEST(Laws, CopiesStayWhereTheyAre) {
  Generator g(7);
  for (int i = 0; i < rounds; ++i) {
    // Warps of both layouts are copies, or step along a dimension of their own.
    LinearLayout a = g.map({Dim::Register, Dim::Lane}, 6, g.sizes({Dim::Dim0, Dim::Dim1}, 5), true);
    LinearLayout b = g.map({Dim::Register, Dim::Lane}, 6, g.sizes({Dim::Dim0, Dim::Dim1}, 5), true);
    if (a.outs() != b.outs()) continue;
    LinearLayout warps = g.chance(0.5) ? LinearLayout::zeros1D(4, Dim::Warp, Dim::Dim0)
                                       : LinearLayout::identity1D(4, Dim::Warp, Dim::Dim2);
    std::optional<LinearLayout> place = (a * warps).invertAndCompose(b * warps);
    ASSERT_TRUE(place);
    EXPECT_TRUE(place->isTrivialOver({Dim::Warp})) << place->toString();
  }
}

TEST(Laws, ReshapesAndTransposesComeBack) {
  Generator g(8);
  for (int i = 0; i < rounds; ++i) {
    auto outs = g.sizes(tensor, 8);
    LinearLayout a = g.map(hardware, 8, outs, false);
    LinearLayout flat = a.reshapeOuts({{Dim::Dim0, int64_t(1) << a.totalOutBits()}});
    EXPECT_EQ(flat.reshapeOuts(outs), a);
    EXPECT_EQ(a.transposeOuts({Dim::Dim2, Dim::Dim0, Dim::Dim1}).transposeOuts(tensor), a);
    // The tensor, reshaped and back, row major.
    llvm::SmallVector<int64_t, 4> shape = a.outSizes();
    EXPECT_EQ(reshapeTensor(reshapeTensor(a, {16, 16}), shape), a);
    EXPECT_EQ(transposeTensor(transposeTensor(a, {2, 0, 1}), {1, 2, 0}), a);
    EXPECT_EQ(a.sublayout(hardware, {Dim::Dim0})
                  .concatOuts(a.sublayout(hardware, {Dim::Dim1, Dim::Dim2})),
              a);
    EXPECT_EQ(hash_value(flat.reshapeOuts(outs)), hash_value(a));
  }
}

TEST(Laws, QuotientDropsWhatIsTrivial) {
  Generator g(9);
  for (int i = 0; i < rounds; ++i) {
    LinearLayout rest =
        g.map({Dim::Register, Dim::Lane}, 4, g.sizes({Dim::Register, Dim::Lane}, 5), false);
    LinearLayout whole = rest * LinearLayout::identity1D(8, Dim::Warp, Dim::Warp);
    EXPECT_TRUE(whole.isTrivialOver({Dim::Warp}));
    EXPECT_EQ(whole.quotient({Dim::Warp}), rest);
    f2::ColumnVector bent(whole.columns(Dim::Warp));
    bent[1] ^= 1; // now a warp bit moves something else
    if (rest.totalOutBits()) EXPECT_FALSE(whole.withColumns(Dim::Warp, bent).quotient({Dim::Warp}));
  }
}

TEST(Laws, FreeMasksAreTheKernel) {
  Generator g(10);
  for (int i = 0; i < rounds; ++i) {
    LinearLayout a = g.map(hardware, 8, g.sizes(tensor, 6), g.chance(0.5));
    unsigned free = 0;
    for (auto [dim, mask] : a.freeMasks())
      free += static_cast<unsigned>(llvm::popcount(mask));
    size_t zeros = 0;
    for (uint64_t x = 0; x < 256; ++x)
      zeros += a.applyPacked(x) == 0;
    EXPECT_EQ(zeros, size_t(1) << free);
    EXPECT_EQ(free == 0, a.isInjective());
  }
}

} // namespace
} // namespace gluond::layout::test
