// Records the events of one program: a lane for each partition and each engine, slices in them, and
// links between them. Time is counted in steps of the simulator: it shows the order of events, not
// how long they take on a GPU.
#pragma once

#include "simulate/machine/Observer.h"

#include <llvm/ADT/DenseMap.h>

#include <map>
#include <string>

namespace gluond::simulate {

class Trace : public Observer {
public:
  struct Slice {
    enum class Kind : uint8_t { Work, Wait, Operation } kind = Kind::Work;
    uint32_t lane = 0;
    uint64_t from = 0, to = 0;
    const Instruction* instruction = nullptr;
    std::string what;
    uint64_t bytes = 0;  // that an operation moves
    bool isOpen = false; // not over when the run ended
  };
  // A link from one moment in a lane to another one.
  struct Flow {
    uint32_t fromLane, toLane;
    uint64_t from, to;
    const char* name;
  };
  struct Lane {
    std::string name;
    bool isFree = true;
    bool isEngine = true;
  };
  struct Options {
    size_t most = 500'000; // events beyond these are left out
    bool byLine = false;   // work on one line is one slice; otherwise that on one place in it
    // The number of steps that were made before this one; null for the state's own count, in which
    // operations end without a step.
    const uint64_t* clock = nullptr;
  };

  Trace() = default;
  explicit Trace(Options options) : options_(options) {}

  void executed(const State& state, const Thread& thread, const Instruction& instruction) override;
  void blocked(const State& state, const Thread& thread, const Instruction& instruction) override;
  void barrierChanged(const State& state, uint32_t address, const Barrier& barrier) override;
  void began(const State& state, const Thread& thread, const AsyncOperation& operation) override;
  void ended(const State& state, const AsyncOperation& operation) override;
  // The run is over: what still waits or is under way ends here.
  void close();

  const std::vector<Lane>& lanes() const { return lanes_; }
  const std::vector<Slice>& slices() const { return slices_; }
  const std::vector<Flow>& flows() const { return flows_; }
  bool isCut() const { return isCut_; }
  // The whole file in the format of Chrome and Perfetto (the "Trace Event Format"), a step as a
  // microsecond.
  std::string text() const;

private:
  struct PartitionState {
    const Instruction* last = nullptr; // whose line the open slice is of
    size_t slice = 0;
    bool isWaiting = false;
    Waiting waiting;
  };
  struct Phase {
    int64_t complete = 0;
    uint32_t lane = 0; // who completed the last one, and when
    uint64_t step = 0;
  };
  struct UnderWay {
    uint32_t lane = 0, issuer = 0;
    uint64_t from = 0, bytes = 0;
    const Instruction* instruction = nullptr;
  };
  uint32_t laneOf(const Thread& thread);
  uint32_t laneOf(Actor actor);
  bool add(Slice slice);
  uint64_t at(const State& state) {
    return now_ = options_.clock ? *options_.clock + 1 : state.steps;
  }
  bool isSameWork(const Instruction& a, const Instruction& b);

  Options options_;
  uint64_t now_ = 0;
  std::vector<Lane> lanes_;
  std::map<uint32_t, uint32_t> threadLanes_;
  std::map<std::string, std::vector<uint32_t>> engineLanes_;
  std::map<uint32_t, PartitionState> partitions_;
  std::map<uint32_t, Phase> phases_; // by address
  std::map<uint32_t, UnderWay> underWay_;
  std::optional<uint32_t> source_; // the engine whose operation has just ended
  std::vector<Slice> slices_;
  std::vector<Flow> flows_;
  llvm::DenseMap<const void*, std::string> lines_; // by location
  bool isCut_ = false;
};

} // namespace gluond::simulate
