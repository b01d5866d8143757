// What the analysis of one file may cost, in CPU time and in memory, whatever the file holds.
//
// Budgets of steps (evaluate/interpreter/Budget.h, codegen/context/Source.h) stop nearly
// everything, and stop it at the same place on every machine. An allowance is the limit behind
// them: it is measured, it is shared by all threads that work on the file, and it covers what no
// step counts (MLIR, analyses, growth in small pieces).
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
    std::chrono::milliseconds cpu{2000}; // of all threads together
    size_t bytes = size_t{512} << 20;    // held at once, of what those threads allocated
    bool operator==(const Limits&) const = default;
  };
  enum class Spent : uint8_t { No, Time, Memory };

  explicit Allowance(Limits limits) : limits_(limits) {}
  const Limits& limits() const { return limits_; }
  // Which limit was passed first. Any thread. Once spent, it stays so.
  Spent spent() const { return spent_.load(std::memory_order_relaxed); }
  bool isSpent() const { return spent() != Spent::No; }

private:
  friend class Spending;
  void add(int64_t nanoseconds, int64_t bytes);

  const Limits limits_;
  std::atomic<int64_t> nanoseconds_{0}, bytes_{0};
  std::atomic<Spent> spent_{Spent::No};
};

// While it lives, the time and the memory of this thread count for `allowance` (null: for none).
// Inside another one it changes nothing: the outer task pays for what it needs.
class Spending {
public:
  explicit Spending(Allowance* allowance);
  ~Spending();
  Spending(const Spending&) = delete;
  Spending& operator=(const Spending&) = delete;

  // Whether what this thread works for has to stop. Reads a clock (about 30 ns), so ask once in
  // some ten steps of a loop. False on a thread without a Spending.
  static bool isSpent();
  // What this thread allocated and did not free while it worked for some allowance; the difference
  // of two calls is what stayed. Below zero where it freed what others made.
  static int64_t heldBytes();
  // The allowance that this thread works for, to hand on to the threads it starts; null: none.
  static Allowance* current();

private:
  friend class Unpaid;
  static void settle();            // adds what this thread spent since the last time
  Allowance* allowance_ = nullptr; // null: an outer one counts, or none
};

// While it lives, this thread works for no allowance: for what others pay, or all have in common.
class Unpaid {
public:
  Unpaid();
  ~Unpaid();
  Unpaid(const Unpaid&) = delete;
  Unpaid& operator=(const Unpaid&) = delete;

private:
  Allowance* suspended_;
};

// Whether work has to end: nobody waits for it any more, or its allowance is spent.
inline bool mustStop(const CancellationToken& token) {
  return token.isCancelled() || Spending::isSpent();
}

} // namespace gluond
