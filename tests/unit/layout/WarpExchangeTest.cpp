// Exchanges by shuffles as plans: the three steps are played for one warp, and every register must
// end up with the element that the layouts say.
#include "layout/exchange/WarpExchange.h"

#include "Generators.h"

#include <gtest/gtest.h>
#include <numeric>

namespace gluond::layout {
namespace {

using Lanes = std::vector<uint64_t>; // a register of each lane

uint64_t chosen(llvm::ArrayRef<WarpExchange::Selection> selections, uint64_t number,
                uint64_t lane) {
  for (const auto& selection : selections)
    if (llvm::popcount(lane & selection.lanes) % 2) number ^= selection.registers;
  return number;
}

// True where elements stay in their warps; then everything must arrive.
bool arrives(const LinearLayout& from, const LinearLayout& to, unsigned elementBits,
             uint64_t exchangedLanes = 0) {
  auto exchange = warpExchange(from, to, elementBits, exchangedLanes);
  if (!exchange) return false;
  uint64_t lanes = uint64_t(to.inSize(Dim::Lane));
  // A word travels whole: the elements of a word of the result are those of one of the source.
  for (uint64_t r = 0; r < uint64_t(to.inSize(Dim::Register)); ++r) {
    uint64_t element = exchange->elementOf(f2::multiply(exchange->takes, r));
    uint64_t word = exchange->resultWord(r);
    EXPECT_EQ(exchange->elementOf(f2::multiply(exchange->takes, word)), 0u);
    for (uint64_t lane = 0; lane < lanes; ++lane) {
      uint64_t shuffled = chosen(exchange->after, word, lane);
      EXPECT_EQ(exchange->resultWord(shuffled), shuffled) << "selections keep to words";
      uint64_t source =
          f2::multiply(exchange->lanes, lane) ^ f2::multiply(exchange->fromLanes, shuffled);
      uint64_t given = chosen(exchange->before, f2::multiply(exchange->takes, shuffled), source);
      EXPECT_EQ(exchange->elementOf(given), 0u);
      given ^= f2::multiply(exchange->packedFrom, element);
      auto at = [](const LinearLayout& layout, uint64_t number, uint64_t place) {
        return layout.apply({{Dim::Register, number}, {Dim::Lane, place}});
      };
      EXPECT_EQ(at(from, given, source), at(to, r, lane))
          << "register " << r << " of lane " << lane;
      if (testing::Test::HasFailure()) return true;
    }
  }
  return true;
}

LinearLayout layoutOf(std::vector<uint64_t> registers, std::vector<uint64_t> lanes, unsigned bits) {
  return LinearLayout::zeros1D(1, Dim::Register, Dim::Dim0, int64_t(1) << bits)
      .sublayout({}, {Dim::Dim0})
      .appendIn(Dim::Register, registers)
      .appendIn(Dim::Lane, lanes);
}

TEST(WarpExchange, oneBitChangesPlaces) {
  LinearLayout from = layoutOf({1, 2}, {4, 8, 16, 32, 64}, 7);
  LinearLayout to = layoutOf({1, 4}, {2, 8, 16, 32, 64}, 7);
  ASSERT_TRUE(arrives(from, to, 32));
  auto exchange = warpExchange(from, to, 32);
  EXPECT_TRUE(exchange->isOwnLane);
  EXPECT_EQ(exchange->shuffles(32), 2) << "half of the elements stay in their lanes";
  EXPECT_EQ(exchange->shuffles(64), 4);
  EXPECT_EQ(exchange->before.size(), 1u);
  EXPECT_EQ(exchange->after.size(), 1u);
  EXPECT_TRUE(isFasterThanSharedMemory(*exchange, from, to, 32));
  // The first register bit moves nowhere: two elements of 16 bits are one word.
  EXPECT_TRUE(arrives(from, to, 16));
  EXPECT_EQ(warpExchange(from, to, 16)->shuffles(16), 1);
}

TEST(WarpExchange, lanesAlone) {
  LinearLayout from = layoutOf({1, 2}, {4, 8, 16, 32, 64}, 7);
  LinearLayout to = layoutOf({1, 2}, {8, 4, 16, 64 + 4, 32}, 7);
  ASSERT_TRUE(arrives(from, to, 8));
  auto exchange = warpExchange(from, to, 8);
  EXPECT_EQ(exchange->shuffles(8), 1) << "four bytes are a word";
  EXPECT_TRUE(exchange->before.empty());
  EXPECT_TRUE(exchange->after.empty());
}

TEST(WarpExchange, copiesAreRead) {
  // Every lane has all; then each keeps its own.
  LinearLayout all = layoutOf({1, 2, 4, 8, 16}, {0, 0, 0, 0, 0}, 5);
  LinearLayout spread = layoutOf({}, {1, 2, 4, 8, 16}, 5);
  ASSERT_TRUE(arrives(all, spread, 32));
  EXPECT_EQ(warpExchange(all, spread, 32)->shuffles(32), 0) << "selections are enough";
  ASSERT_TRUE(arrives(spread, all, 32));
  EXPECT_EQ(warpExchange(spread, all, 32)->shuffles(32), 32);
}

// As an operand of RDNA 3's products: both rows of a warp hold elements of both in turn. Rows that
// an instruction exchanges need a shuffle for two words of the result, and a selection.
TEST(WarpExchange, rowsThatBothHaveAll) {
  LinearLayout from = layoutOf({2, 4, 8}, {16, 32, 64, 128, 1}, 8);
  LinearLayout to = layoutOf({1, 2, 4, 8}, {16, 32, 64, 128, 0}, 8);
  ASSERT_TRUE(arrives(from, to, 16));
  auto reads = warpExchange(from, to, 16);
  EXPECT_FALSE(reads->isOwnLane);
  EXPECT_EQ(reads->shuffles(16), 8);
  ASSERT_TRUE(arrives(from, to, 16, 16));
  auto exchanges = warpExchange(from, to, 16, 16);
  EXPECT_TRUE(exchanges->isOwnLane);
  EXPECT_EQ(exchanges->shuffles(16), 4);
  ASSERT_EQ(exchanges->after.size(), 1u);
  EXPECT_EQ(exchanges->after[0].lanes, 16u);
  EXPECT_TRUE(isFasterThanSharedMemory(*exchanges, from, to, 16, 16));
}

// A select takes a wave of 64 lanes as long as memory takes for a word of each of them.
TEST(WarpExchange, wideWavesSelectLess) {
  LinearLayout from = layoutOf({1, 2, 4}, {8, 16, 32, 64, 128}, 8);
  LinearLayout to = layoutOf({8, 16, 4}, {1, 2, 32, 64, 128}, 8);
  EXPECT_TRUE(isFasterThanSharedMemory(*warpExchange(from, to, 32), from, to, 32));
  from = layoutOf({1, 2, 4}, {8, 16, 32, 64, 128, 256}, 9);
  to = layoutOf({8, 16, 4}, {1, 2, 32, 64, 128, 256}, 9);
  EXPECT_FALSE(isFasterThanSharedMemory(*warpExchange(from, to, 32), from, to, 32));
}

TEST(WarpExchange, manyBitsGoThroughSharedMemory) {
  LinearLayout from = layoutOf({1, 2, 4, 8, 16}, {32, 64, 128, 256, 512}, 10);
  LinearLayout to = layoutOf({32, 64, 128, 256, 512}, {1, 2, 4, 8, 16}, 10);
  ASSERT_TRUE(arrives(from, to, 32));
  EXPECT_FALSE(isFasterThanSharedMemory(*warpExchange(from, to, 32), from, to, 32));
}

TEST(WarpExchange, anyTwoLayoutsOfAWarp) {
  unsigned within = 0;
  for (unsigned seed = 0; seed < 4000; ++seed) {
    test::Generator generator(seed);
    unsigned bits = static_cast<unsigned>(generator.upTo(8));
    DimSize out{Dim::Dim0, int64_t(1) << bits};
    auto any = [&] {
      // Onto, with some copies; permutations of bits half of the time.
      f2::ColumnVector columns;
      for (unsigned i = 0; i < std::max(bits, 5u) + static_cast<unsigned>(generator.upTo(2)); ++i)
        columns.push_back(i < bits ? uint64_t(1) << i : 0);
      for (size_t i = columns.size(); i > 1; --i)
        std::swap(columns[i - 1], columns[static_cast<size_t>(generator.upTo(int64_t(i) - 1))]);
      if (generator.chance(0.5))
        for (int i = 0; i < 8; ++i) {
          size_t a = static_cast<size_t>(generator.upTo(int64_t(columns.size()) - 1));
          size_t b = static_cast<size_t>(generator.upTo(int64_t(columns.size()) - 1));
          if (a != b) columns[a] ^= columns[b];
        }
      LinearLayout layout = LinearLayout::zeros1D(1, Dim::Register, out.dim, out.size)
                                .sublayout({}, {out.dim})
                                .appendIn(Dim::Register, llvm::ArrayRef(columns).drop_front(5))
                                .appendIn(Dim::Lane, llvm::ArrayRef(columns).take_front(5));
      return layout.removeZeroBases(Dim::Register);
    };
    LinearLayout from = any(), to = any();
    for (unsigned elementBits : {8u, 16u, 32u}) {
      EXPECT_TRUE(arrives(from, to, elementBits)) << seed;
      EXPECT_TRUE(arrives(from, to, elementBits, 16)) << seed;
      if (HasFailure()) {
        FAIL() << "seed " << seed << "\n" << from.toString() << "\n" << to.toString();
      }
    }
    ++within;
  }
  EXPECT_EQ(within, 4000u);
}

TEST(WarpExchange, elementsThatLeaveTheirWarpDoNot) {
  LinearLayout from = layoutOf({1}, {2, 4, 8, 16, 32}, 7).appendIn(Dim::Warp, {64});
  LinearLayout to = layoutOf({64}, {2, 4, 8, 16, 32}, 7).appendIn(Dim::Warp, {1});
  EXPECT_FALSE(warpExchange(from, to, 32));
}

} // namespace
} // namespace gluond::layout
