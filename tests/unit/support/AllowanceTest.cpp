#include "support/Allowance.h"

#include "support/Stack.h"

#include <llvm/ADT/SmallVector.h>

#include <gtest/gtest.h>
#include <memory>
#include <thread>
#include <vector>

namespace gluond {
namespace {

using namespace std::chrono_literals;

Allowance::Limits limits(std::chrono::milliseconds cpu, size_t bytes) {
  return {cpu, bytes};
}

void burn(std::chrono::milliseconds time) {
  auto end = std::chrono::steady_clock::now() + time;
  while (std::chrono::steady_clock::now() < end) {
  }
}

TEST(Allowance, NothingIsSpentWhereNobodyPays) {
  EXPECT_FALSE(Spending::isSpent());
  EXPECT_EQ(Spending::current(), nullptr);
  Spending none(nullptr);
  EXPECT_FALSE(Spending::isSpent());
}

TEST(Allowance, TimeOfTheThreadCounts) {
  Allowance allowance(limits(20ms, 1u << 30));
  Spending spending(&allowance);
  EXPECT_FALSE(Spending::isSpent());
  // Wall time is no CPU time on a busy machine: burn until it counts.
  for (int i = 0; i < 1000 && !Spending::isSpent(); ++i)
    burn(10ms);
  EXPECT_TRUE(allowance.isSpent());
  EXPECT_EQ(allowance.spent(), Allowance::Spent::Time);
}

TEST(Allowance, ThreadsShareOne) {
  Allowance allowance(limits(1h, 8u << 20));
  std::vector<std::unique_ptr<char[]>> kept(2);
  for (auto& part : kept)
    std::thread([&] {
      Spending spending(&allowance);
      part = std::make_unique<char[]>(5u << 20);
      Spending::isSpent();
    }).join();
  EXPECT_EQ(allowance.spent(), Allowance::Spent::Memory);
}

TEST(Allowance, WhatIsFreedDoesNotCount) {
  Allowance allowance(limits(1h, 8u << 20));
  Spending spending(&allowance);
  for (int i = 0; i < 20; ++i) {
    auto part = std::make_unique<char[]>(4u << 20);
    part[0] = 1;
    EXPECT_FALSE(Spending::isSpent());
  }
}

TEST(Allowance, GrowthOfLlvmsContainersCounts) {
  Allowance allowance(limits(1h, 8u << 20));
  Spending spending(&allowance);
  llvm::SmallVector<uint64_t, 0> numbers;
  while (numbers.size() < (4u << 20) && !Spending::isSpent())
    for (int i = 0; i < 1024; ++i)
      numbers.push_back(1);
  EXPECT_LT(numbers.size(), 4u << 20);
}

TEST(Allowance, AnInnerTaskIsPaidForByTheOuterOne) {
  Allowance outer(limits(1h, 1u << 30)), inner(limits(0ms, 0));
  Spending first(&outer);
  {
    Spending second(&inner);
    EXPECT_EQ(Spending::current(), &outer);
    EXPECT_FALSE(Spending::isSpent());
  }
  EXPECT_EQ(Spending::current(), &outer);
}

// Files that use a file are looked at for its sake: each has an allowance, and all together a half
// of the file's.
TEST(Allowance, WorkOnOthersIsPaidByThemAndByTheOneThatWantsIt) {
  Allowance own(limits(1h, 16u << 20)), first(limits(1h, 1u << 30)), second(limits(1h, 1u << 30));
  std::vector<std::unique_ptr<char[]>> kept;
  Spending spending(&own);
  {
    ForOthers others;
    EXPECT_EQ(Spending::current(), nullptr);
    {
      Spending work(&first);
      EXPECT_EQ(Spending::current(), &first);
      kept.push_back(std::make_unique<char[]>(5u << 20));
      EXPECT_FALSE(Spending::isSpent());
    }
    EXPECT_FALSE(others.isSpent());
    {
      Spending work(&second);
      kept.push_back(std::make_unique<char[]>(5u << 20));
      EXPECT_TRUE(Spending::isSpent()) << "5 and 5 of 8 MiB";
      EXPECT_TRUE(Spending::isCutShort()) << "a whole result takes another try";
      bool isSpentInThread = false;
      std::thread([&, payers = Spending::payers()] {
        Spending helps(payers);
        isSpentInThread = Spending::isSpent();
      }).join();
      EXPECT_TRUE(isSpentInThread);
    }
    EXPECT_TRUE(others.isSpent());
    EXPECT_FALSE(first.isSpent() || second.isSpent());
    Spending work(&own); // its own file is work for its own sake
    EXPECT_LT(own.heldBytes(), 11 << 20) << "charged once";
  }
  EXPECT_FALSE(Spending::isSpent()) << "the other half";
  EXPECT_FALSE(Spending::isCutShort());
  EXPECT_GE(own.heldBytes(), 10 << 20);
  EXPECT_GE(first.heldBytes(), 5 << 20);
}

TEST(Allowance, OthersOfOthersArePaidByAll) {
  Allowance own(limits(1h, 16u << 20)), user(limits(1h, 64u << 20)), distant(limits(1h, 1u << 30));
  Spending spending(&own);
  ForOthers others;
  Spending work(&user);
  ForOthers its;
  Spending further(&distant);
  std::vector<std::unique_ptr<char[]>> kept;
  kept.push_back(std::make_unique<char[]>(10u << 20));
  EXPECT_TRUE(Spending::isCutShort());
  EXPECT_TRUE(its.isSpent()) << "of 32 MiB, but of 8 that are left";
  EXPECT_GE(user.heldBytes(), 10 << 20);
  EXPECT_LT(own.heldBytes(), 11 << 20);
}

// NOLINTNEXTLINE(misc-no-recursion)
size_t recurse(size_t depth) {
  volatile char frame[8192]; // large: ThreadSanitizer follows 65,536 nested calls at most
  volatile char& mine = frame[depth % sizeof frame];
  mine = 1;
  if (isStackLow()) return depth;
  size_t reached = recurse(depth + 1);
  return reached + mine - 1;
}

TEST(Stack, RecursionEndsBeforeTheStackDoes) {
  EXPECT_FALSE(isStackLow());
  EXPECT_GT(recurse(0), 100u);
  std::thread([] { EXPECT_GT(recurse(0), 100u); }).join();
}

} // namespace
} // namespace gluond
