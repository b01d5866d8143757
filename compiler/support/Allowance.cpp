#include "support/Allowance.h"

#include "support/MemoryMeter.h"
#include "support/ThreadClock.h"

namespace gluond {

namespace {

struct Account {
  Payers payers;
  int64_t nanoseconds = 0, bytes = 0; // up to where they were added
  int64_t wall = 0;                   // when isSpent() last did so; 0 if never
  bool isAbove = false;               // the ceiling charges the allowance itself
};
thread_local Account account;

// Charges `payers` from now on.
void open(Payers payers) {
  account = payers ? Account{payers, threadNanoseconds(), startMeter()} : Account();
  account.isAbove = payers.ceiling && payers.ceiling->charges(payers.allowance);
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
  for (Allowance* each : {above_.allowance, above_.ceiling})
    if (each) each->add(nanoseconds, bytes);
}

bool Allowance::charges(const Allowance* other) const {
  if (!other) return false;
  return this == other || (above_.allowance && above_.allowance->charges(other)) ||
         (above_.ceiling && above_.ceiling->charges(other));
}

bool Allowance::isAnySpent() const {
  return isSpent() || (above_.allowance && above_.allowance->isAnySpent()) ||
         (above_.ceiling && above_.ceiling->isAnySpent());
}

Spending::Spending(Allowance* allowance) {
  if (!allowance || account.payers.allowance) return;
  before_ = account.payers;
  settle();
  open({allowance, account.payers.ceiling});
}

Spending::Spending(Payers payers) {
  if (!payers || account.payers) return;
  before_ = Payers();
  open(payers);
}

Spending::~Spending() {
  if (!before_) return;
  settle();
  stopMeter();
  open(*before_);
}

void Spending::settle() {
  if (!account.payers) return;
  int64_t nanoseconds = threadNanoseconds(), bytes = meteredBytes();
  auto charge = [&](Allowance* payer) {
    if (payer) payer->add(nanoseconds - account.nanoseconds, bytes - account.bytes);
  };
  if (!account.isAbove) charge(account.payers.allowance);
  charge(account.payers.ceiling);
  account.nanoseconds = nanoseconds;
  account.bytes = bytes;
}

bool Spending::isSpent() {
  // Reading a thread's clock takes a system call; the wall clock needs none and is never slower.
  constexpr int64_t soon = 500'000, little = 256 << 10; // nanoseconds, bytes
  if (!account.payers) return false;
  int64_t wall = nanosecondsOf(CLOCK_MONOTONIC), grown = meteredBytes() - account.bytes;
  if (wall - account.wall >= soon || grown >= little || grown <= -little) {
    settle();
    account.wall = wall;
  }
  return spent() != nullptr;
}

bool Spending::isCutShort() {
  settle();
  return account.payers.ceiling && account.payers.ceiling->isAnySpent();
}

int64_t Spending::heldBytes() {
  return meteredBytes();
}

const Allowance* Spending::spent() {
  const auto& [allowance, ceiling] = account.payers;
  if (allowance && allowance->isSpent()) return allowance;
  return ceiling && ceiling->isAnySpent() ? ceiling : nullptr;
}

Allowance* Spending::current() {
  return account.payers.allowance;
}

Payers Spending::payers() {
  return account.payers;
}

Unpaid::Unpaid() : suspended_(account.payers) {
  if (!suspended_) return;
  Spending::settle();
  stopMeter();
  open({});
}

Unpaid::~Unpaid() {
  if (suspended_) open(suspended_);
}

ForOthers::ForOthers() : suspended_(account.payers) {
  if (!suspended_) return;
  Spending::settle();
  stopMeter();
  const Allowance& payer = suspended_.allowance ? *suspended_.allowance : *suspended_.ceiling;
  ceiling_.emplace(Allowance::Limits{payer.limits().cpu / 2, payer.limits().bytes / 2}, suspended_);
  open({nullptr, &*ceiling_});
}

ForOthers::~ForOthers() {
  if (!suspended_) return;
  Spending::settle();
  stopMeter();
  open(suspended_);
}

} // namespace gluond
