#include "simulate/machine/Schedule.h"

#include <charconv>

namespace gluond::simulate {

size_t Schedule::nextCompletion(const State& state) {
  for (size_t i = 0; i < state.underWay.size(); ++i)
    if (state.underWay[i].barrier) return i;
  return 0;
}

namespace {

// Every operation ends as soon as it is issued.
class Earliest : public Schedule {
public:
  bool completesEarly(const State&) override { return true; }
  size_t nextCompletion(const State&) override { return 0; }
};

// Answers follow from the seed and the state alone, so that a run that goes on from a checkpoint
// is the same. How often operations end early and threads are interrupted differs from seed to
// seed: a few seeds show more than many that are alike.
class Random : public Schedule {
public:
  explicit Random(uint64_t seed) : seed_(mixed(seed)) {
    constexpr uint64_t rates[] = {2, 8, 64, 1024};
    early_ = rates[seed_ % 4];
    interruptions_ = 4 * rates[seed_ / 4 % 4];
    prefersOld_ = seed_ / 16 % 2;
  }
  uint32_t nextThread(const State& state) override {
    return static_cast<uint32_t>(number(state, 1) % state.threads.size());
  }
  bool interrupts(const State& state) override { return number(state, 2) % interruptions_ == 0; }
  size_t nextCompletion(const State& state) override {
    size_t count = state.underWay.size(), chosen = number(state, 3) % count;
    return prefersOld_ ? std::min(chosen, size_t(number(state, 4) % count)) : chosen;
  }
  bool completesEarly(const State& state) override { return number(state, 5) % early_ == 0; }

private:
  static uint64_t mixed(uint64_t z) { // splitmix64
    z += 0x9e3779b97f4a7c15;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }
  // Returns the number that answers a question in this state.
  uint64_t number(const State& state, uint64_t question) const {
    return mixed(mixed(seed_ + state.steps) + state.underWay.size() * 8 + question);
  }
  uint64_t seed_, early_ = 1, interruptions_ = 1;
  bool prefersOld_ = false;
};

// Returns the number after `word:`.
std::optional<uint64_t> numberAfter(std::string_view word, std::string_view text) {
  if (!text.starts_with(word) || text.size() == word.size()) return std::nullopt;
  uint64_t number = 0;
  auto [end, error] = std::from_chars(text.data() + word.size(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

} // namespace

std::string ScheduleName::text() const {
  switch (kind) {
  case Kind::Latest:
    return "latest";
  case Kind::Earliest:
    return "earliest";
  case Kind::Random:
    break;
  }
  return "random:" + std::to_string(seed);
}

std::unique_ptr<Schedule> ScheduleName::make(ProgramId program) const {
  if (kind == Kind::Latest) return std::make_unique<Schedule>();
  if (kind == Kind::Earliest) return std::make_unique<Earliest>();
  uint64_t mixed = seed;
  for (int64_t each : program)
    mixed = (mixed + static_cast<uint64_t>(each)) * 0xd1342543de82ef95 + 1;
  return std::make_unique<Random>(mixed);
}

tl::expected<ScheduleChoice, std::string> parseSchedule(std::string_view text) {
  constexpr unsigned most = 100'000;
  ScheduleChoice choice;
  if (text == "latest") return choice;
  if (text == "earliest") {
    choice.name.kind = ScheduleName::Kind::Earliest;
    return choice;
  }
  if (auto seed = numberAfter("random:", text)) {
    choice.name = {ScheduleName::Kind::Random, *seed};
    return choice;
  }
  if (auto count = numberAfter("explore:", text); count && *count && *count <= most) {
    choice.explored = static_cast<unsigned>(*count);
    return choice;
  }
  return tl::unexpected(
      "'" + std::string(text) +
      "' is no schedule: use latest, earliest, random:SEED or explore:N (N from 1 "
      "to " +
      std::to_string(most) + ")");
}

ScheduleName exploredSchedule(unsigned number) {
  using Kind = ScheduleName::Kind;
  if (number == 0) return {Kind::Latest, 0};
  if (number == 1) return {Kind::Earliest, 0};
  return {Kind::Random, number - 1};
}

} // namespace gluond::simulate
