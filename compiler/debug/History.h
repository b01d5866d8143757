// A run of one program that can be taken to any of its moments.
//
// A moment is the number of steps that the machine has made. Checkpoints are copies of the state,
// made on the way; what is between them is run again, which gives the same, because a state and its
// schedule are all that a step depends on. Global memory is not part of the state: between two
// checkpoints its pages are kept as they were before the first write.
//
// Where the checkpoints take more memory than allowed, some of them go, those far from the present
// first, so that the neighbourhood of the present stays quick to reach.
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
  size_t bytes = size_t{512} << 20;        // of all checkpoints, about
  std::chrono::microseconds every{10'000}; // of running, between two checkpoints
  uint64_t steps = uint64_t{1} << 16;      // and at most so many steps
};

class History : private simulate::Observer {
public:
  // All but `limits` must outlive it.
  History(const simulate::Program& program, const simulate::Setting& setting,
          const simulate::GlobalMemory& memory, simulate::Schedule& schedule,
          simulate::ProgramId id, HistoryLimits limits = {});

  uint64_t now() const { return now_; }
  // The latest moment that was ever reached.
  uint64_t reached() const { return reached_; }
  const simulate::State& state() const { return state_; }
  const simulate::Machine& machine() const { return machine_; }
  bool isFinished() const { return state_.isFinished; }

  // What the last step did: which instruction of which thread was done, none where an asynchronous
  // operation ended or all threads wait.
  struct Done {
    const simulate::Instruction* instruction = nullptr;
    uint32_t thread = 0, function = 0;
    const simulate::Instruction* ended = nullptr; // of an asynchronous operation that ended
  };
  const Done& done() const { return done_; }

  // One step; nothing once the program is finished.
  void forward();
  // Goes to a moment; one that is not there is the program's last one. False: cancelled, somewhere
  // on the way.
  bool seek(uint64_t moment, const CancellationToken& token = {});
  // Goes back from the present to the last moment at which `holds` says so, as after forward();
  // false, and where it was: there is none. Stretches are looked at from the last one on, each
  // from its beginning, which `begins` hears of.
  bool seekBack(llvm::function_ref<void()> begins, llvm::function_ref<bool()> holds,
                const CancellationToken& token = {});

  size_t checkpoints() const { return checkpoints_.size(); }
  size_t bytes() const { return bytes_; }

private:
  struct Checkpoint {
    uint64_t moment = 0;
    simulate::State state;
    size_t bytes = 0; // about, without what the one before it has, too
    // Of the stretch behind it: pages as they were at its beginning where the present is behind
    // that, else as they are at its end.
    MemoryLog log;
  };

  void executed(const simulate::State& state, const simulate::Thread& thread,
                const simulate::Instruction& instruction) override;
  void ended(const simulate::State& state, const simulate::AsyncOperation& operation) override;
  void writes(const simulate::State& state, uint64_t address, size_t bytes) override;

  void check();
  void restore(size_t index);
  size_t bytesOf(const simulate::State& state) const;
  void thin();
  size_t indexAt(uint64_t moment) const; // of the last checkpoint not behind it

  simulate::Machine machine_;
  const simulate::GlobalMemory& memory_;
  HistoryLimits limits_;
  simulate::State state_;
  uint64_t now_ = 0, reached_ = 0;
  Done done_;
  std::vector<Checkpoint> checkpoints_; // never empty
  size_t current_ = 0;                  // the last one that is not behind the present
  MemoryLog written_;                   // since then
  size_t bytes_ = 0;
  std::chrono::steady_clock::time_point since_; // when the current stretch began to run
  std::chrono::steady_clock::duration cost_{};  // of the last checkpoint
  uint64_t untilLook_ = 0;
};

} // namespace gluond::debug
