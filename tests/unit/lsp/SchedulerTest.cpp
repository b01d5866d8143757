#include "lsp/server/Scheduler.h"

#include <atomic>
#include <gtest/gtest.h>
#include <latch>

namespace gluond::lsp {
namespace {

using namespace std::chrono_literals;

TEST(Scheduler, urgentFirstThenInOrderAndNotBeforeTime) {
  ManualClock clock;
  Scheduler scheduler(clock);
  std::string order;
  auto add = [&](char c) { return [&order, c](unsigned) { order += c; }; };
  scheduler.post(Priority::Background, add('d'));
  scheduler.post(Priority::Diagnostics, add('b'));
  scheduler.post(Priority::Diagnostics, add('c'));
  scheduler.post(Priority::Interactive, add('a'));
  scheduler.post(Priority::Interactive, clock.now() + 10ms, add('e'));
  EXPECT_EQ(scheduler.runDue(), 4u);
  EXPECT_EQ(order, "abcd");
  clock.advance(9ms);
  EXPECT_EQ(scheduler.runDue(), 0u);
  clock.advance(1ms);
  EXPECT_EQ(scheduler.runDue(), 1u);
  EXPECT_EQ(order, "abcde");
}

TEST(Scheduler, tasksMayPostTasks) {
  ManualClock clock;
  Scheduler scheduler(clock);
  int ran = 0;
  scheduler.post(Priority::Interactive, [&](unsigned) {
    ++ran;
    scheduler.post(Priority::Interactive, [&](unsigned) { ++ran; });
  });
  EXPECT_EQ(scheduler.runDue(), 2u);
  EXPECT_EQ(ran, 2);
}

TEST(Scheduler, threadsRunAllAndEachWorkerOneAtATime) {
  Clock clock;
  Scheduler scheduler(clock);
  scheduler.start(3);
  constexpr int count = 200;
  std::latch done(count);
  std::atomic<int> busy[Scheduler::workers(3)] = {}, overlaps = 0;
  for (int i = 0; i < count; ++i)
    scheduler.post(Priority::Background, clock.now() + (i % 5) * 1ms, [&](unsigned worker) {
      if (busy[worker]++ != 0) ++overlaps;
      std::this_thread::yield();
      --busy[worker];
      done.count_down();
    });
  done.wait();
  EXPECT_EQ(overlaps, 0);
}

class AtomicClock : public Clock {
public:
  TimePoint now() const override { return TimePoint(Duration(ticks_.load())); }
  void advance(Duration by) { ticks_ += by.count(); }

private:
  std::atomic<Duration::rep> ticks_{0};
};

TEST(Scheduler, slowTasksDoNotHoldUpTheOthers) {
  AtomicClock clock;
  Scheduler scheduler(clock);
  scheduler.start(1);
  std::latch started(1), finish(1), done(1);
  std::atomic<bool> hasRun = false;
  scheduler.post(Priority::Background, [&](unsigned) {
    started.count_down();
    finish.wait();
  });
  started.wait();
  scheduler.post(Priority::Interactive, [&](unsigned) {
    hasRun = true;
    done.count_down();
  });
  EXPECT_FALSE(hasRun) << "one at a time, as long as it is not slow";
  clock.advance(Scheduler::slowAfter);
  done.wait();
  finish.count_down();
}

TEST(Scheduler, aSlowSubjectLeavesTheThreadsToOthers) {
  Clock clock;
  Scheduler scheduler(clock);
  scheduler.start(2);
  std::mutex finish; // all of the slow subject's tasks wait for the same
  std::atomic<unsigned> running = 0, most = 0, ran = 0;
  constexpr unsigned count = 3 * Scheduler::workers(2);
  std::latch done(count);
  finish.lock();
  for (unsigned i = 0; i < count; ++i)
    scheduler.post(
        Priority::Interactive,
        [&](unsigned) {
          unsigned now = ++running;
          if (now > most) most = now;
          finish.lock();
          finish.unlock();
          --running;
          ++ran;
          done.count_down();
        },
        "slow");
  std::this_thread::sleep_for(3 * Scheduler::slowAfter);
  for (const char* subject : {"quick", "", "quick", "other"}) {
    std::latch answered(1);
    scheduler.post(Priority::Background, [&](unsigned) { answered.count_down(); }, subject);
    answered.wait(); // else this test never ends
  }
  EXPECT_EQ(ran, 0u);
  EXPECT_LE(most, 3u) << "two, and one that began before they were slow";
  finish.unlock();
  done.wait();
  EXPECT_EQ(ran, count);
}

TEST(Scheduler, stopDropsWhatHasNotStarted) {
  Clock clock;
  Scheduler scheduler(clock);
  scheduler.start(1);
  scheduler.post(Priority::Interactive, clock.now() + 1h, [](unsigned) { FAIL(); });
  scheduler.stop();
  scheduler.post(Priority::Interactive, [](unsigned) { FAIL(); });
}

} // namespace
} // namespace gluond::lsp
