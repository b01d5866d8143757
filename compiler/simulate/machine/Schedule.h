// In which order things happen that the kernel leaves open. A schedule is asked by the machine at
// every such point, so that the same schedule gives the same run.
#pragma once

#include "simulate/machine/State.h"

#include <tl/expected.hpp>

namespace gluond::simulate {

// The default is `latest`: nothing ends before somebody needs it, so that what is read without
// waiting for it is seen to be missing.
class Schedule {
public:
  virtual ~Schedule() = default;
  // Which thread goes on when the current one waits or ends, or is interrupted: the next in turn.
  // One that cannot is passed over.
  virtual uint32_t nextThread(const State& state) {
    return (state.current + 1) % static_cast<uint32_t>(state.threads.size());
  }
  // Whether another thread goes on although the current one can. From time to time one has to:
  // threads may look at memory again and again until another one has written it.
  virtual bool interrupts(const State& state) { return state.steps % 16384 == 0; }
  // Which operation under way ends when no thread can go on: the first that a barrier hears of.
  // If operations end in order, the machine first ends those that were issued before it.
  virtual size_t nextCompletion(const State& state);
  // Whether an operation under way ends now, although threads can go on.
  virtual bool completesEarly(const State&) { return false; }
};

// A schedule as the user names it: `latest`, `earliest`, `random:17`.
struct ScheduleName {
  enum class Kind : uint8_t { Latest, Earliest, Random } kind = Kind::Latest;
  uint64_t seed = 0;
  std::string text() const;
  // Makes the schedule of one program. Programs of a launch have different ones, but each has the
  // same one in every run.
  std::unique_ptr<Schedule> make(ProgramId program) const;
};

// What `--schedule` says: one schedule, or how many to explore.
struct ScheduleChoice {
  ScheduleName name;
  unsigned explored = 0; // 0 for `name` alone
};
tl::expected<ScheduleChoice, std::string> parseSchedule(std::string_view text);
// The schedules to explore, one after the other: latest, earliest, random ones.
ScheduleName exploredSchedule(unsigned number);

} // namespace gluond::simulate
