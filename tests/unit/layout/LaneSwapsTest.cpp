// Conversions by swapping lanes as plans: they are played for one warp, and every register must end
// up with the element that the layouts say.
#include "layout/exchange/LaneSwaps.h"

#include "Generators.h"

#include <gtest/gtest.h>
#include <map>
#include <numeric>

namespace gluond::layout {
namespace {

constexpr uint64_t lanes = 64, swappable = 16 | 32;

LinearLayout layoutOf(llvm::ArrayRef<uint64_t> registers, llvm::ArrayRef<uint64_t> laneBits,
                      unsigned bits) {
  return LinearLayout::zeros1D(1, Dim::Register, Dim::Dim0, int64_t(1) << bits)
      .sublayout({}, {Dim::Dim0})
      .appendIn(Dim::Register, registers)
      .appendIn(Dim::Lane, laneBits);
}

// Returns how many swaps there are; nothing if there is no plan.
std::optional<size_t> played(const LinearLayout& from, const LinearLayout& to,
                             unsigned elementBits) {
  auto plan = laneSwaps(from, to, elementBits, swappable);
  if (!plan) return std::nullopt;
  auto count = uint64_t(from.inSize(Dim::Register));
  auto at = [](const LinearLayout& layout, uint64_t number, uint64_t lane) {
    return layout.apply({{Dim::Register, number}, {Dim::Lane, lane}});
  };
  std::vector<std::vector<Coordinates>> now(count);
  for (uint64_t r = 0; r < count; ++r)
    for (uint64_t lane = 0; lane < lanes; ++lane)
      now[r].push_back(at(from, r, lane));
  uint64_t inWord =
      std::accumulate(plan->sourceWordBits.begin(), plan->sourceWordBits.end(), uint64_t(0));
  for (const LaneSwaps::Swap& swap : plan->swaps) {
    EXPECT_FALSE(swap.registers & inWord) << "elements of a word move together";
    for (uint64_t r = 0; r < count; ++r)
      for (uint64_t lane = 0; lane < lanes; ++lane)
        if (!(r & swap.registers) && lane & swap.lanes)
          std::swap(now[r][lane], now[r | swap.registers][lane ^ swap.lanes]);
  }
  for (uint64_t r = 0; r < count; ++r)
    for (uint64_t lane = 0; lane < lanes; ++lane)
      EXPECT_EQ(now[f2::multiply(plan->takes, r)][lane], at(to, r, lane))
          << "register " << r << " of lane " << lane;
  // A word of the result is one of the source, element by element.
  EXPECT_EQ(plan->sourceWordBits.size(), plan->resultWordBits.size());
  for (auto [source, result] : llvm::zip(plan->sourceWordBits, plan->resultWordBits))
    EXPECT_EQ(f2::multiply(plan->takes, result), source);
  return plan->swaps.size();
}

TEST(LaneSwaps, aProductBecomesAnOperand) {
  // MFMA's result of 16 x 32, four neighbors a lane; eight neighbors a lane are asked for.
  LinearLayout from = layoutOf({1, 2, 16}, {32, 64, 128, 256, 4, 8}, 9),
               to = layoutOf({1, 2, 4}, {32, 64, 128, 256, 8, 16}, 9);
  EXPECT_EQ(played(from, to, 16), 2u);
  EXPECT_EQ(played(from, to, 32), 2u);
  EXPECT_EQ(played(from, to, 8), 2u) << "four bytes a word";
  EXPECT_EQ(played(from, to, 64), std::nullopt);
  EXPECT_EQ(played(from, from, 32), 0u);
}

TEST(LaneSwaps, whatIsNotASwap) {
  LinearLayout from = layoutOf({1, 2, 4}, {8, 16, 32, 64, 128, 256}, 9);
  EXPECT_EQ(played(from, layoutOf({1, 2, 8}, {4, 16, 32, 64, 128, 256}, 9), 32), std::nullopt)
      << "lanes within a row";
  EXPECT_EQ(played(from, layoutOf({1, 2, 4}, {8, 16, 32, 64, 128, 256 + 128}, 9), 32), std::nullopt)
      << "no permutation";
  EXPECT_EQ(played(from, layoutOf({128, 256, 4}, {8, 16, 32, 64, 1, 2}, 9), 32), 2u);
  EXPECT_EQ(played(from, layoutOf({128, 256, 4}, {8, 16, 32, 64, 1, 2}, 9), 8), std::nullopt)
      << "one bit of two stays in registers";
  EXPECT_EQ(played(from, layoutOf({1, 2, 4}, {8, 16, 32, 64, 256, 128}, 9), 32), 3u)
      << "two lanes change places by a register";
}

TEST(LaneSwaps, anyPermutation) {
  unsigned found = 0;
  for (unsigned seed = 0; seed < 2000; ++seed) {
    test::Generator generator(seed);
    auto registerBits = static_cast<size_t>(generator.upTo(5));
    std::vector<uint64_t> all;
    for (size_t i = 0; i < registerBits + 6; ++i)
      all.push_back(uint64_t(1) << i);
    auto made = [&] {
      // Lanes 1 to 8 have the lowest bits; all others are anywhere.
      std::vector<uint64_t> moved(all.begin() + 4, all.end());
      for (size_t i = moved.size(); i > 1; --i)
        std::swap(moved[i - 1], moved[static_cast<size_t>(generator.upTo(int64_t(i) - 1))]);
      std::vector<uint64_t> laneBits(all.begin(), all.begin() + 4);
      laneBits.insert(laneBits.end(), moved.begin(), moved.begin() + 2);
      return layoutOf(llvm::ArrayRef(moved).drop_front(2), laneBits,
                      static_cast<unsigned>(all.size()));
    };
    LinearLayout from = made(), to = made();
    found += played(from, to, generator.oneOf({8u, 16u, 32u})).has_value();
    if (HasFailure()) return;
  }
  EXPECT_GT(found, 800u);
}

} // namespace
} // namespace gluond::layout
