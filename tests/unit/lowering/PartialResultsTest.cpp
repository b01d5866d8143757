#include "lowering/tensors/PartialResults.h"

#include <gmock/gmock.h>

namespace gluond::test {
namespace {

using namespace lowering;

// The 32-bit banks that a group of eight lanes, each with 16 bytes from its place on, uses.
size_t banksOfEightLanes(llvm::ArrayRef<uint64_t> ofLanes, llvm::ArrayRef<unsigned> order) {
  std::set<uint64_t> banks;
  for (unsigned lane = 0; lane < 8; ++lane) {
    uint64_t number = 0;
    for (auto [bit, column] : llvm::enumerate(ofLanes))
      if (lane >> bit & 1) number ^= column;
    for (uint64_t word = 0; word < 4; ++word)
      banks.insert((inMemoryOrder(number, order) + word) % 32);
  }
  return banks.size();
}

TEST(PartialResultsTest, lanesUseAllBanks) {
  // A sum along the middle axis: four results next to each other and four more in a thread, the
  // eight lanes differ in bits above those of an outer axis.
  const uint64_t registers[] = {16, 32, 4, 8}, lanes[] = {64, 128, 256};
  PartialResults parts{
      .bits = 10, .warpBits = 1, .accessBits = 2, .ofRegisters = registers, .ofLanes = lanes};
  auto order = memoryOrder(parts);
  EXPECT_EQ(resultsTogether(parts), 2u);
  EXPECT_THAT(llvm::ArrayRef(order).take_front(5), testing::ElementsAre(4, 5, 6, 7, 8));
  EXPECT_EQ(banksOfEightLanes(lanes, order), 32u);
}

TEST(PartialResultsTest, manyWarpsOfOneResultAreReadAtOnce) {
  const uint64_t lanes[] = {8, 16, 32};
  PartialResults parts{
      .bits = 6, .warpBits = 3, .accessBits = 2, .ofRegisters = {}, .ofLanes = lanes};
  auto order = memoryOrder(parts);
  EXPECT_EQ(resultsTogether(parts), 0u);
  EXPECT_THAT(order, testing::ElementsAre(0, 1, 3, 4, 5, 2));
  EXPECT_EQ(banksOfEightLanes(lanes, order), 32u);
}

TEST(PartialResultsTest, resultsNeededInTurnAreTogetherOnlyWhereLanesWouldMeet) {
  // Of eight results, from two warps each. Eight lanes have 16 bytes each in one row of banks;
  // sixteen that wrote four bytes each, 16 apart, would write twice.
  const uint64_t registers[] = {2, 4, 8}, lanes[] = {16, 32, 64, 128};
  PartialResults parts{.bits = 8,
                       .warpBits = 1,
                       .accessBits = 2,
                       .ofRegisters = registers,
                       .ofLanes = lanes,
                       .inTurn = true};
  EXPECT_EQ(resultsTogether(parts), 2u);
  EXPECT_THAT(memoryOrder(parts), testing::ElementsAre(1, 2, 4, 5, 6, 7, 0, 3));
  // Four warps of each result fill an access by themselves, two warps only half of it.
  parts.ofLanes = llvm::ArrayRef(lanes).take_front(3);
  EXPECT_EQ(resultsTogether(parts), 1u);
  EXPECT_THAT(memoryOrder(parts), testing::ElementsAre(1, 0, 4, 5, 6, 2, 3, 7));
  parts.warpBits = 2;
  EXPECT_EQ(resultsTogether(parts), 0u);
}

TEST(PartialResultsTest, everyPartHasItsPlace) {
  // Columns may move in several bits at once, and registers may be none of their own.
  const uint64_t registers[] = {12, 16}, lanes[] = {4, 0, 24};
  for (unsigned accessBits = 0; accessBits < 5; ++accessBits)
    for (unsigned warpBits = 0; warpBits < 3; ++warpBits) {
      auto order = memoryOrder({.bits = 6,
                                .warpBits = warpBits,
                                .accessBits = accessBits,
                                .ofRegisters = registers,
                                .ofLanes = lanes});
      EXPECT_THAT(order, testing::UnorderedElementsAre(0, 1, 2, 3, 4, 5));
    }
}

} // namespace
} // namespace gluond::test
