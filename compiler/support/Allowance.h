// A limit for the analysis of one file, in CPU time and in memory, whatever the file contains.
//
// Budgets of steps (evaluate/interpreter/Budget.h, codegen/context/Source.h) stop nearly
// everything, and at the same place on every machine. An allowance is the second limit: it is
// measured, it is shared by all threads that work on the file, and it covers what no step counts
// (MLIR, analyses, growth in small pieces).
//
//   auto allowance = std::make_shared<Allowance>(Allowance::Limits{});
//   // on every thread that works for it:
//   Spending spending(allowance.get());
//   ... if (Spending::isSpent()) stop, and say where ...
#pragma once

#include "support/Cancellation.h"

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>

namespace gluond {

class Allowance {
public:
  struct Limits {
    std::chrono::milliseconds cpu{2000}; // for all threads together
    size_t bytes = size_t{512} << 20;    // allocated by those threads and not freed
    bool operator==(const Limits&) const = default;
  };
  enum class Spent : uint8_t { No, Time, Memory };

  explicit Allowance(Limits limits) : limits_(limits) {}
  const Limits& limits() const { return limits_; }
  // The limit that was exceeded first, which does not change. May be called from any thread.
  Spent spent() const { return spent_.load(std::memory_order_relaxed); }
  bool isSpent() const { return spent() != Spent::No; }
  // What its work allocated and has not freed so far.
  int64_t heldBytes() const { return bytes_.load(std::memory_order_relaxed); }

private:
  friend class Spending;
  void add(int64_t nanoseconds, int64_t bytes);

  const Limits limits_;
  std::atomic<int64_t> nanoseconds_{0}, bytes_{0};
  std::atomic<Spent> spent_{Spent::No};
};

// During its lifetime, time and memory of this thread are charged to `allowance` (null for none).
// Inside another Spending it has no effect: the outer task is charged.
class Spending {
public:
  explicit Spending(Allowance* allowance);
  ~Spending();
  Spending(const Spending&) = delete;
  Spending& operator=(const Spending&) = delete;

  // Returns whether this thread's task must stop; false on a thread without a Spending. It reads a
  // clock (about 30 ns), so call it once in some ten steps of a loop.
  static bool isSpent();
  // Returns the memory that this thread allocated and did not free while it was charged to an
  // allowance; take the difference of two calls. Negative if it freed memory of others.
  static int64_t heldBytes();
  // Returns this thread's allowance, to pass on to threads that it starts; null if there is none.
  static Allowance* current();

private:
  friend class Unpaid;
  static void settle();            // charges what this thread used since the last call
  Allowance* allowance_ = nullptr; // null if an outer one is charged, or none
};

// During its lifetime, this thread is charged to no allowance: for shared work and shared data.
class Unpaid {
public:
  Unpaid();
  ~Unpaid();
  Unpaid(const Unpaid&) = delete;
  Unpaid& operator=(const Unpaid&) = delete;

private:
  Allowance* suspended_;
};

// Returns whether work must end: it was cancelled, or its allowance is spent.
inline bool mustStop(const CancellationToken& token) {
  return token.isCancelled() || Spending::isSpent();
}

} // namespace gluond
