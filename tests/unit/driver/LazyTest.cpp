#include "driver/workspace/Lazy.h"

#include <atomic>
#include <gtest/gtest.h>
#include <thread>
#include <vector>

namespace gluond::driver {
namespace {

TEST(Lazy, computesOnceForAll) {
  Lazy<int> lazy;
  std::atomic<int> computed = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i)
    threads.emplace_back([&] {
      auto result = lazy.get({}, [&] {
        ++computed;
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
        return std::make_shared<const int>(7);
      });
      EXPECT_EQ(*result, 7);
    });
  for (std::thread& thread : threads)
    thread.join();
  EXPECT_EQ(computed, 1);
  EXPECT_EQ(*lazy.peek(), 7);
}

TEST(Lazy, cancelledLeavesNothing) {
  Lazy<int> lazy;
  EXPECT_FALSE(lazy.get({}, [] { return std::shared_ptr<const int>(); }));
  EXPECT_FALSE(lazy.peek());
  EXPECT_EQ(*lazy.get({}, [] { return std::make_shared<const int>(3); }), 3);
}

TEST(Lazy, cancelledWaiterDoesNotWait) {
  Lazy<int> lazy;
  std::atomic<bool> entered = false, release = false;
  std::thread slow([&] {
    lazy.get({}, [&] {
      entered = true;
      while (!release)
        std::this_thread::yield();
      return std::make_shared<const int>(1);
    });
  });
  while (!entered)
    std::this_thread::yield();
  CancellationSource source;
  source.cancel();
  EXPECT_FALSE(lazy.get(source.token(), [] { return std::make_shared<const int>(2); }));
  release = true;
  slow.join();
  EXPECT_EQ(*lazy.peek(), 1);
}

} // namespace
} // namespace gluond::driver
