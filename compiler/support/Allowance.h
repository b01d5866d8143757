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
#include <optional>

namespace gluond {

class Allowance;

// Those that a thread's work is charged to.
struct Payers {
  Allowance* allowance = nullptr; // null if the work has none
  Allowance* ceiling = nullptr;   // of ForOthers; null outside of it
  explicit operator bool() const { return allowance || ceiling; }
};

class Allowance {
public:
  struct Limits {
    std::chrono::milliseconds cpu{2000}; // for all threads together
    size_t bytes = size_t{512} << 20;    // allocated by those threads and not freed
    bool operator==(const Limits&) const = default;
  };
  enum class Spent : uint8_t { No, Time, Memory };

  // What is charged to it is charged to `above` as well, which live longer.
  explicit Allowance(Limits limits, Payers above = {}) : limits_(limits), above_(above) {}
  const Limits& limits() const { return limits_; }
  // The limit that was exceeded first, which does not change. May be called from any thread.
  Spent spent() const { return spent_.load(std::memory_order_relaxed); }
  bool isSpent() const { return spent() != Spent::No; }
  // Whether it, or one above it, is spent.
  bool isAnySpent() const;
  // Whether what is charged to it is charged to `other`.
  bool charges(const Allowance* other) const;
  std::chrono::nanoseconds cpu() const { // that its work took so far
    return std::chrono::nanoseconds(nanoseconds_.load(std::memory_order_relaxed));
  }
  // What its work allocated and has not freed so far.
  int64_t heldBytes() const { return bytes_.load(std::memory_order_relaxed); }

private:
  friend class Spending;
  void add(int64_t nanoseconds, int64_t bytes);

  const Limits limits_;
  const Payers above_;
  std::atomic<int64_t> nanoseconds_{0}, bytes_{0};
  std::atomic<Spent> spent_{Spent::No};
};

// During its lifetime, time and memory of this thread are charged to `allowance` (null for none).
// Inside another Spending it has no effect: the outer task is charged.
class Spending {
public:
  explicit Spending(Allowance* allowance);
  // For a thread that works for the task of another thread, and is charged as that.
  explicit Spending(Payers payers);
  ~Spending();
  Spending(const Spending&) = delete;
  Spending& operator=(const Spending&) = delete;

  // Returns whether this thread's task must stop; false on a thread without a Spending. It reads a
  // clock (about 30 ns), so call it once in some ten steps of a loop.
  static bool isSpent();
  // Returns whether it must stop for reasons that are not its own: a ceiling (ForOthers) is spent.
  // What it made is not whole, and another task may make the whole of it: do not keep it.
  static bool isCutShort();
  // Returns the memory that this thread allocated and did not free while it was charged to an
  // allowance; take the difference of two calls. Negative if it freed memory of others.
  static int64_t heldBytes();
  // Returns the one because of which this thread's task must stop; null if it need not.
  static const Allowance* spent();
  // Returns this thread's allowance; null if there is none.
  static Allowance* current();
  // Returns all that this thread's work is charged to, to pass on to threads that it starts.
  static Payers payers();

private:
  friend class Unpaid;
  friend class ForOthers;
  static void settle();          // charges what this thread used since the last call
  std::optional<Payers> before_; // nullopt if an outer one is charged, or none
};

// During its lifetime, this thread is charged to no allowance: for shared work and shared data.
class Unpaid {
public:
  Unpaid();
  ~Unpaid();
  Unpaid(const Unpaid&) = delete;
  Unpaid& operator=(const Unpaid&) = delete;

private:
  Payers suspended_;
};

// During its lifetime, work of this thread on other files is charged to these, each with an
// allowance of its own, and everything together also to those who pay now: half of what they have
// at most, so that however many others there are, and whatever they contain, the rest is left.
class ForOthers {
public:
  ForOthers();
  ~ForOthers();
  ForOthers(const ForOthers&) = delete;
  ForOthers& operator=(const ForOthers&) = delete;

  // Whether the rest of the others must be left out.
  bool isSpent() const { return ceiling_ && ceiling_->isAnySpent(); }

private:
  Payers suspended_;
  std::optional<Allowance> ceiling_; // nullopt if nobody pays
};

// Returns whether work must end: it was cancelled, or its allowance is spent.
inline bool mustStop(const CancellationToken& token) {
  return token.isCancelled() || Spending::isSpent();
}

} // namespace gluond
