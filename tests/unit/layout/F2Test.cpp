#include "layout/linear/F2.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <random>

namespace gluond::layout::f2 {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(F2, MultiplySelectsColumns) {
  // | 1 0 1 |   columns 0b01, 0b10, 0b11 | 0 1 1 |
  EXPECT_EQ(multiply({1, 2, 3}, 0b101), 1u ^ 3u);
  EXPECT_EQ(multiply({1, 2, 3}, 0), 0u);
}

TEST(F2, BasisExpressesInEarliestIndependentVectors) {
  Basis basis;
  EXPECT_TRUE(basis.insert(0b011));
  EXPECT_FALSE(basis.insert(0));
  EXPECT_TRUE(basis.insert(0b110));
  EXPECT_FALSE(basis.insert(0b101)); // the sum of both
  EXPECT_EQ(basis.independent(), 0b0101u);
  EXPECT_EQ(basis.express(0b101), 0b0101u); // inserts 0 and 2, not 3
  EXPECT_EQ(basis.express(0b001), std::nullopt);
}

TEST(F2, ReducedRowsAreTheCanonicalForm) {
  EXPECT_THAT(reducedRows({0b110, 0b011, 0b101}), ElementsAre(0b101, 0b110));
  EXPECT_THAT(reducedRows({0, 0}), IsEmpty());
}

TEST(F2, IntersectionOfUnitVectorsKeepsTheFirstOrder) {
  EXPECT_THAT(intersection({8, 1, 4}, {4, 2, 8}, 4), ElementsAre(8, 4));
}

// Against enumeration of all vectors.
TEST(F2, SubspacesOfRandomVectors) {
  constexpr unsigned dimension = 7;
  std::mt19937 random(1);
  auto vectors = [&] {
    ColumnVector result(random() % 6, 0);
    for (Vector& v : result)
      v = random() % (1u << dimension);
    return result;
  };
  auto span = [](Columns basis) {
    std::vector<bool> in(1u << dimension);
    for (Vector x = 0; x < Vector(1) << basis.size(); ++x)
      in[multiply(basis, x)] = true;
    return in;
  };
  for (int i = 0; i < 300; ++i) {
    ColumnVector a = vectors(), b = vectors();
    std::vector<bool> spanA = span(a), spanB = span(b);
    auto count = [](const std::vector<bool>& in) { return std::count(in.begin(), in.end(), true); };
    EXPECT_EQ(int64_t(1) << rank(a), count(spanA));

    std::vector<bool> both = spanA;
    for (size_t v = 0; v < both.size(); ++v)
      both[v] = spanA[v] && spanB[v];
    EXPECT_EQ(span(intersection(a, b, dimension)), both);

    std::vector<bool> orthogonal(1u << dimension, true);
    for (Vector v = 0; v < orthogonal.size(); ++v)
      for (Vector row : a)
        orthogonal[v] = orthogonal[v] && llvm::popcount(v & row) % 2 == 0;
    EXPECT_EQ(span(nullspace(a, dimension)), orthogonal);

    ColumnVector whole(a);
    whole.append(complement(a, dimension));
    EXPECT_EQ(rank(whole), dimension);
    EXPECT_EQ(complement(a, dimension).size(), dimension - rank(a));
  }
}

} // namespace
} // namespace gluond::layout::f2
