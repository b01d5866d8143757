// A run of one program that can be taken to any of its moments.
//
// A moment is the number of steps that the machine has made. Checkpoints are copies of the state
// that are made on the way. The stretch after a checkpoint is run again to reach a moment in it;
// the result is the same, because a step depends on nothing but the state and the schedule. Global
// memory is not part of the state: for each stretch, a log has its pages as they were before the
// first write.
//
// If the checkpoints take more memory than is allowed, some are removed. Those far from the present
// are removed first, so that moments near the present stay quick to reach.
#pragma once

#include "debug/MemoryLog.h"
#include "simulate/machine/Machine.h"
#include "support/Cancellation.h"

#include <llvm/ADT/STLFunctionalExtras.h>

#include <chrono>
#include <memory>
#include <vector>

namespace gluond::debug {

struct HistoryLimits {
  size_t bytes = size_t{512} << 20;        // approximate size of all checkpoints
  std::chrono::microseconds every{10'000}; // time that the run takes between two checkpoints
  uint64_t steps = uint64_t{1} << 16;      // the most steps between two checkpoints
};

class History : private simulate::Observer {
public:
  // The arguments must outlive the history, except for `limits`.
  History(const simulate::KernelCode& code, const simulate::Setting& setting,
          const simulate::GlobalMemory& memory, simulate::Schedule& schedule,
          simulate::ProgramId id, HistoryLimits limits = {});

  uint64_t now() const { return now_; }
  // Returns the latest moment that was ever reached.
  uint64_t reached() const { return reached_; }
  const simulate::State& state() const { return state_; }
  const simulate::Machine& machine() const { return machine_; }
  bool isFinished() const { return state_.isFinished; }

  // The effect of the last step: the instruction that was executed, and its thread. There is none
  // if an asynchronous operation ended instead, or if all threads wait.
  struct Done {
    const simulate::Instruction* instruction = nullptr;
    uint32_t thread = 0, function = 0;
    const simulate::Instruction* ended = nullptr; // started the asynchronous operation that ended
  };
  const Done& done() const { return done_; }

  // Another observer, which is called too; may be null.
  void watch(simulate::Observer* observer) { watcher_ = observer; }
  // Counts the steps. It is the same as now(), for code that runs during a step.
  const uint64_t& clock() const { return now_; }

  // Makes one step. Does nothing once the program is finished.
  void forward();
  // Goes to a moment, or to the last one if the program has fewer. Returns false if it was
  // cancelled on the way.
  bool seek(uint64_t moment, const CancellationToken& token = {});
  // Goes back to the last moment before the present at which `holds` returns true; `holds` is
  // called after each step. Returns false and stays at the present if there is no such moment. The
  // stretches are searched from the last one to the first; `begins` is called at the beginning of
  // each.
  bool seekBack(llvm::function_ref<void()> begins, llvm::function_ref<bool()> holds,
                const CancellationToken& token = {});

  size_t checkpoints() const { return checkpoints_.size(); }
  size_t bytes() const { return bytes_; }

private:
  struct Checkpoint {
    uint64_t moment = 0;
    simulate::State state;
    size_t bytes = 0; // approximate size, without values that the previous checkpoint shares
    // The pages that are written in the stretch after it. While the present is after the stretch,
    // they are as at its beginning; otherwise they are as at its end.
    MemoryLog log;
  };

  void executed(const simulate::State& state, const simulate::Thread& thread,
                const simulate::Instruction& instruction) override;
  void ended(const simulate::State& state, const simulate::AsyncOperation& operation) override;
  void blocked(const simulate::State& state, const simulate::Thread& thread,
               const simulate::Instruction& instruction) override;
  void barrierChanged(const simulate::State& state, uint32_t address,
                      const simulate::Barrier& barrier) override;
  void accessed(const simulate::State& state, const simulate::Access& access) override;
  void began(const simulate::State& state, const simulate::Thread& thread,
             const simulate::AsyncOperation& operation) override;
  void writes(const simulate::State& state, uint64_t address, size_t bytes) override;

  void check();
  void restore(size_t index);
  size_t bytesOf(const simulate::State& state) const;
  void thin();
  size_t indexAt(uint64_t moment) const; // of the last checkpoint that is not after it

  simulate::Machine machine_;
  simulate::Observer* watcher_ = nullptr;
  const simulate::GlobalMemory& memory_;
  HistoryLimits limits_;
  simulate::State state_;
  uint64_t now_ = 0, reached_ = 0;
  Done done_;
  std::vector<Checkpoint> checkpoints_; // never empty
  size_t current_ = 0;                  // the last checkpoint that is not after the present
  MemoryLog written_;                   // of the stretch that the present is in
  size_t bytes_ = 0;
  std::chrono::steady_clock::time_point
      since_; // the time at which the run of the current stretch began
  std::chrono::steady_clock::duration cost_{}; // of making the last checkpoint
  uint64_t untilLook_ = 0;                     // steps until the clock is read again
};

} // namespace gluond::debug
