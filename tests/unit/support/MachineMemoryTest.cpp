#include "support/MachineMemory.h"

#include <cstring>
#include <gtest/gtest.h>
#include <memory>
#include <thread>
#include <vector>

// A sanitizer keeps memory that is free.
#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define GLUOND_SANITIZER_ALLOCATES
#endif
#endif

namespace gluond {
namespace {

#ifndef GLUOND_SANITIZER_ALLOCATES

TEST(MachineMemoryTest, WhatThreadsFreedGoesBack) {
  constexpr size_t blockBytes = 1000, blocks = 80'000, threads = 4; // 320 MB
  using Block = std::unique_ptr<char[]>;
  std::vector<std::vector<Block>> kept(threads); // the last block of each thread, above all others
  std::vector<std::thread> running;
  for (std::vector<Block>& last : kept)
    running.emplace_back([&last] {
      std::vector<Block> made;
      for (size_t i = 0; i < blocks; ++i) {
        made.push_back(std::make_unique<char[]>(blockBytes));
        std::memset(made.back().get(), 1, blockBytes);
      }
      last.push_back(std::move(made.back()));
    });
  for (std::thread& thread : running)
    thread.join();
  uint64_t before = occupiedBytes();
  ASSERT_GT(before, uint64_t{200} << 20) << "nothing was kept";
  returnFreeMemory();
  EXPECT_LT(occupiedBytes(), before / 4);
}
#endif

} // namespace
} // namespace gluond
