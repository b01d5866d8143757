#include "support/Allowance.h"

#include "support/MemoryMeter.h"
#include "support/ThreadClock.h"

namespace gluond {

namespace {

struct Account {
  Allowance* allowance = nullptr;
  int64_t nanoseconds = 0, bytes = 0; // up to where they were added
  int64_t wall = 0;                   // when isSpent() last did so; 0 if never
};
thread_local Account account;

Account accountFor(Allowance* allowance) {
  return {allowance, threadNanoseconds(), startMeter()};
}

} // namespace

void Allowance::add(int64_t nanoseconds, int64_t bytes) {
  auto total = nanoseconds_.fetch_add(nanoseconds, std::memory_order_relaxed) + nanoseconds;
  auto held = bytes_.fetch_add(bytes, std::memory_order_relaxed) + bytes;
  auto expected = Spent::No;
  if (total > std::chrono::nanoseconds(limits_.cpu).count())
    spent_.compare_exchange_strong(expected, Spent::Time, std::memory_order_relaxed);
  else if (held > static_cast<int64_t>(limits_.bytes))
    spent_.compare_exchange_strong(expected, Spent::Memory, std::memory_order_relaxed);
}

Spending::Spending(Allowance* allowance) {
  if (!allowance || account.allowance) return;
  allowance_ = allowance;
  account = accountFor(allowance);
}

Spending::~Spending() {
  if (!allowance_) return;
  settle();
  account = {};
  stopMeter();
}

void Spending::settle() {
  int64_t nanoseconds = threadNanoseconds(), bytes = meteredBytes();
  account.allowance->add(nanoseconds - account.nanoseconds, bytes - account.bytes);
  account.nanoseconds = nanoseconds;
  account.bytes = bytes;
}

bool Spending::isSpent() {
  // Reading a thread's clock takes a system call; the wall clock needs none and is never slower.
  constexpr int64_t soon = 500'000, little = 256 << 10; // nanoseconds, bytes
  if (!account.allowance) return false;
  int64_t wall = nanosecondsOf(CLOCK_MONOTONIC), grown = meteredBytes() - account.bytes;
  if (wall - account.wall >= soon || grown >= little || grown <= -little) {
    settle();
    account.wall = wall;
  }
  return account.allowance->isSpent();
}

int64_t Spending::heldBytes() {
  return meteredBytes();
}

Allowance* Spending::current() {
  return account.allowance;
}

Unpaid::Unpaid() : suspended_(account.allowance) {
  if (!suspended_) return;
  Spending::settle();
  account = {};
  stopMeter();
}

Unpaid::~Unpaid() {
  if (suspended_) account = accountFor(suspended_);
}

} // namespace gluond
