// What happened in one program, in the format of Chrome and Perfetto (the "Trace Event Format").
//
// A lane for each partition and each engine. Time is counted in steps of the simulator, a
// microsecond each: it shows the order of events, not how long they take on a GPU.
#pragma once

#include "simulate/machine/Observer.h"

#include <map>
#include <string>

namespace gluond::simulate {

class Trace : public Observer {
public:
  // Events beyond these are left out, which the trace says.
  static constexpr size_t most = 500'000;

  void executed(const State& state, const Thread& thread, const Instruction& instruction) override;
  void blocked(const State& state, const Thread& thread, const Instruction& instruction) override;
  void barrierChanged(const State& state, uint32_t address, const Barrier& barrier) override;
  void began(const State& state, const Thread& thread, const AsyncOperation& operation) override;
  void ended(const State& state, const AsyncOperation& operation) override;
  // The whole file.
  std::string text();

private:
  struct Slice {
    uint32_t lane = 0;
    uint64_t from = 0, to = 0;
    std::string name, line, what;
  };
  // A link from one moment in a lane to another one.
  struct Flow {
    uint32_t fromLane, toLane;
    uint64_t from, to;
    std::string name;
  };
  struct Lane {
    std::string name;
    bool isFree = true;
  };
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
    uint64_t from = 0;
  };
  uint32_t laneOf(const Thread& thread);
  uint32_t laneOf(Actor actor);
  bool add(Slice slice);

  std::vector<Lane> lanes_;
  std::map<uint32_t, uint32_t> threadLanes_;
  std::map<std::string, std::vector<uint32_t>> engineLanes_;
  std::map<uint32_t, PartitionState> partitions_;
  std::map<uint32_t, Phase> phases_; // by address
  std::map<uint32_t, UnderWay> underWay_;
  std::optional<uint32_t> source_; // the engine whose operation has just ended
  std::vector<Slice> slices_;
  std::vector<Flow> flows_;
  bool isCut_ = false;
};

} // namespace gluond::simulate
