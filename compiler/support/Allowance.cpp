#include "support/Allowance.h"

#include "support/MemoryMeter.h"

#include <ctime>

namespace gluond {

namespace {

struct Account {
  Allowance* allowance = nullptr;
  int64_t nanoseconds = 0, bytes = 0; // up to where they were added
};
thread_local Account account;

int64_t threadNanoseconds() {
  timespec time;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
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
  account = {allowance, threadNanoseconds(), startMeter()};
}

Spending::~Spending() {
  if (!allowance_) return;
  isSpent();
  account = {};
  stopMeter();
}

bool Spending::isSpent() {
  if (!account.allowance) return false;
  int64_t nanoseconds = threadNanoseconds(), bytes = meteredBytes();
  account.allowance->add(nanoseconds - account.nanoseconds, bytes - account.bytes);
  account.nanoseconds = nanoseconds;
  account.bytes = bytes;
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
  Spending::isSpent();
  account = {};
  stopMeter();
}

Unpaid::~Unpaid() {
  if (suspended_) account = {suspended_, threadNanoseconds(), startMeter()};
}

} // namespace gluond
