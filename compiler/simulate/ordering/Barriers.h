// mbarriers as the hardware has them: each counts the arrivals and the bytes that are still to come
// in the current phase. When both are zero, the phase completes and the next one begins with the
// count of the initialization. Threads that wait for the parity of the completed phase go on, and
// know all that the threads knew that arrived in it.
#pragma once

#include "simulate/ordering/Clock.h"

#include <mlir/IR/Operation.h>

#include <cstdint>
#include <optional>
#include <string>

namespace gluond::ordering {

struct Barrier {
  mlir::Operation* init = nullptr; // null if it was never initialized
  bool isVague = false;            // some arrivals on it are not followed: nothing is claimed
  bool wasInvalidated = false;     // it was initialized before
  int64_t count = 0;               // arrivals a phase
  int64_t pending = 0, bytes = 0;  // still to come in this phase
  int64_t phase = 0;               // how many phases are complete
  // The following belong to the current phase.
  int64_t expected = 0, issued = 0; // bytes that were expected, bytes of copies issued
  int64_t arrivals = 0;
  mlir::Operation *expect = nullptr, *copy = nullptr;
  Clock arriving;
  // The clock of all phases that are complete.
  Clock completed;
  // Uses that must be over before the barrier is invalidated: the last one of each thread, and
  // operations that arrive at the barrier when they end.
  struct Use {
    mlir::Operation* op;
    uint32_t thread, time;
  };
  llvm::SmallVector<Use, 2> uses;
  struct Telling {
    mlir::Operation* op;
    uint32_t operation;
  };
  llvm::SmallVector<Telling, 4> telling;
  // The last phase that completed with other bytes than those of the copies issued for it.
  struct Uneven {
    int64_t phase, expected, issued;
    mlir::Operation* expect;
  };
  std::optional<Uneven> uneven;

  void arrive(int64_t number, const Clock& clock) {
    pending -= number;
    arrivals += number;
    arriving.join(clock);
    advance();
  }
  void deliver(int64_t number, const Clock& clock) {
    bytes -= number;
    arriving.join(clock);
    advance();
  }
  // Whether a wait for `parity` returns.
  bool isPast(int64_t parity) const { return (phase & 1) != (parity & 1); }
  // What a hanging wait missed, if a phase that it may be for was overtaken by the next one; empty
  // otherwise. `seen` is how many phases were complete when its thread last waited.
  std::string missedSince(int64_t seen) const {
    if (phase - seen < 2) return "";
    return "phases " + std::to_string(seen) + " to " + std::to_string(phase - 1) +
           " completed before the partition waited for the first of them, and a wait knows only "
           "the latest: what arrives must wait, on another barrier, until the partition is done "
           "with each phase";
  }

private:
  void advance() {
    if (pending > 0 || bytes != 0) return;
    if (issued > expected && expect) uneven = {phase, expected, issued, expect};
    ++phase;
    pending = count;
    completed.join(arriving);
    // Copies issued ahead of the phase they belong to keep their bytes in the balance of the next
    // one.
    expected = issued = arrivals = 0;
    expect = copy = nullptr;
  }
};

// The completion of an operation as its barrier sees it: bytes, arrivals, and the clock of the
// operation.
struct Completion {
  int64_t bytes = 0, arrivals = 0;
  Clock clock;
  void tell(Barrier& barrier) const {
    if (bytes) barrier.deliver(bytes, clock);
    if (arrivals) barrier.arrive(arrivals, clock);
  }
};

} // namespace gluond::ordering
