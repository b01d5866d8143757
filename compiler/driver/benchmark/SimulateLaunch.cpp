#include "driver/benchmark/SimulateLaunch.h"

#include "runner/data/Npy.h"
#include "runner/data/TensorData.h"
#include "simulate/trace/Trace.h"

#include <llvm/ADT/STLExtras.h>

#include <chrono>
#include <cstring>

namespace gluond::driver {

namespace {

using Error = tl::unexpected<std::string>;
using simulate::Outcome;

// Further runs of a launch: begin() gives the tensors the contents that they had before the first,
// whose results come back in the end.
class Rewound {
public:
  explicit Rewound(std::deque<SimulatedMemory>& memories) : memories_(memories) {
    for (const SimulatedMemory& memory : memories)
      results_.push_back(memory.storage);
  }
  ~Rewound() {
    for (auto [memory, result] : llvm::zip(memories_, results_))
      std::copy(result.begin(), result.end(), memory.storage.begin());
  }
  Rewound(const Rewound&) = delete;
  Rewound& operator=(const Rewound&) = delete;
  void begin() {
    for (SimulatedMemory& memory : memories_)
      std::copy(memory.before.begin(), memory.before.end(),
                memory.storage.end() - static_cast<ptrdiff_t>(memory.before.size()));
  }

private:
  std::deque<SimulatedMemory>& memories_;
  std::vector<std::string> results_;
};

bool hasNewNumbers(const std::deque<SimulatedMemory>& memories) {
  for (const SimulatedMemory& memory : memories) {
    auto strange = [&](std::string_view storage) {
      runner::TensorSummary summary =
          runner::summarize(memory.shape, runner::gather(memory.shape, storage));
      return std::pair(summary.nans, summary.infinities);
    };
    if (memory.shape.dtype->kind != runner::Dtype::Kind::Float) continue;
    std::string_view after = memory.storage;
    after.remove_prefix(memory.storage.size() - memory.before.size());
    auto [nans, infinities] = strange(after);
    auto [oldNans, oldInfinities] = strange(memory.before);
    if (nans > oldNans || infinities > oldInfinities) return true;
  }
  return false;
}

} // namespace

tl::expected<SimulatedLaunch, std::string>
simulateLaunch(const Snapshot& snapshot, const Variant& variant, const LaunchOptions& options,
               const SimulationOptions& simulation, Worker& worker, CancellationToken token) {
  SimulatedLaunch launch;
  auto prepared = prepareSimulation(snapshot, variant, options, Purpose::Run, worker, token);
  if (!prepared) return Error(prepared.error());
  PreparedSimulation& ready = **prepared;
  launch.host = ready.host;
  launch.assumptions = ready.assumptions;
  if (simulation.program)
    if (std::string why = outsideOfGrid(*simulation.program, launch.host); !why.empty())
      return Error(why);
  launch.warps = ready.program->warps;
  launch.sharedBytes = ready.program->sharedBytes;

  simulate::Options how;
  how.threads = simulation.threads;
  how.only = simulation.program;
  how.token = token;
  how.time = std::chrono::milliseconds(options.limitMs);
  simulate::Trace trace;
  if (simulation.traces) how.observer = &trace;
  bool isExploring = simulation.schedule.explored > 0;
  auto name = [&](Outcome& each, const simulate::ScheduleName& schedule) {
    using Kind = simulate::ScheduleName::Kind;
    for (simulate::Finding& finding : each.findings)
      if (isExploring || schedule.kind != Kind::Latest) finding.schedule = schedule.text();
  };
  auto start = std::chrono::steady_clock::now();
  how.schedule = isExploring ? simulate::exploredSchedule(0) : simulation.schedule.name;
  Outcome outcome = simulate::run(*ready.program, ready.setting, ready.memory, how);
  launch.result.microseconds =
      std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start).count();
  name(outcome, how.schedule);
  how.observer = nullptr;
  if (simulation.traces) launch.trace = trace.text();
  launch.schedules = 1;
  if (isExploring && outcome.isOpen) {
    Rewound rewound(ready.memories);
    for (unsigned i = 1; i < simulation.schedule.explored; ++i) {
      auto spent = std::chrono::duration_cast<std::chrono::milliseconds>(
          std::chrono::steady_clock::now() - start);
      if (spent >= how.time || outcome.end == Outcome::End::Cancelled) break;
      simulate::Options next = how;
      next.time -= spent;
      next.schedule = simulate::exploredSchedule(i);
      rewound.begin();
      Outcome other = simulate::run(*ready.program, ready.setting, ready.memory, next);
      name(other, next.schedule);
      ++launch.schedules;
      if (outcome.end == Outcome::End::Finished) outcome.end = other.end;
      for (simulate::Finding& finding : other.findings)
        if (llvm::none_of(outcome.findings, [&](const simulate::Finding& known) {
              return known.id == finding.id && known.at == finding.at;
            }))
          outcome.findings.push_back(std::move(finding));
    }
  }
  // Looking at every result costs time, so it is done only where there is something to find. The
  // same inputs give the same run.
  if (outcome.end == Outcome::End::Finished && hasNewNumbers(ready.memories)) {
    Rewound rewound(ready.memories);
    rewound.begin();
    how.watchNumbers = true;
    Outcome watched = simulate::run(*ready.program, ready.setting, ready.memory, how);
    // The first of the best guesses; where there is a NaN, infinity is a part of its story.
    auto isBetter = [](const simulate::Finding* a, const simulate::Finding* b) {
      auto key = [](const simulate::Finding& finding) {
        return std::pair(finding.rank, finding.id != simulate::Id::FirstNan);
      };
      return !b || key(*a) < key(*b);
    };
    simulate::Finding* best = nullptr;
    for (simulate::Finding& finding : watched.findings)
      if (finding.id == simulate::Id::FirstNan || finding.id == simulate::Id::FirstInfinity)
        if (isBetter(&finding, best)) best = &finding;
    if (best) outcome.findings.push_back(std::move(*best));
  }

  launch.end = outcome.end;
  launch.programs = outcome.programs;
  launch.steps = outcome.steps;
  launch.result.printed = std::move(outcome.printed);
  launch.findings = placed(std::move(outcome.findings), *ready.made.program);
  auto ran = [&] { return std::to_string(launch.programs) + " programs had run"; };
  switch (outcome.end) {
  case Outcome::End::Finished:
  case Outcome::End::Failed:
    break;
  case Outcome::End::OutOfSteps:
    launch.stopped =
        "the run was stopped after " + std::to_string(launch.steps) + " steps; " + ran();
    break;
  case Outcome::End::OutOfTime:
    launch.stopped = "the run was stopped after " + std::to_string(options.limitMs / 1000) +
                     " s; " + ran() + " (change the limit with --limit)";
    break;
  case Outcome::End::Cancelled:
    launch.stopped = "the run was stopped; " + ran();
    break;
  }
  for (SimulatedMemory& memory : ready.memories) {
    std::string_view after = memory.storage;
    after.remove_prefix(memory.storage.size() - memory.before.size());
    SimulatedTensor tensor{memory.name, runner::gather(memory.shape, after), memory.shape.dtype,
                           memory.shape.shape};
    runner::TensorSummary summary = runner::summarize(memory.shape, tensor.elements);
    summary.name = memory.name;
    summary.isChanged = after != memory.before;
    launch.result.tensors.push_back(std::move(summary));
    launch.tensors.push_back(std::move(tensor));
  }
  return launch;
}

tl::expected<runner::CompareResult, std::string>
compareTensor(const SimulatedLaunch& launch, const std::string& name, std::string_view file,
              std::optional<double> relative, std::optional<double> absolute) {
  auto tensor = llvm::find_if(launch.tensors, [&](const auto& each) { return each.name == name; });
  if (tensor == launch.tensors.end()) return Error("the launch has no tensor '" + name + "'");
  auto read = runner::readNpy(file);
  if (!read) return Error(read.error());
  auto elements = runner::elementsOf(*read, *tensor->dtype, &tensor->shape);
  if (!elements) return Error(elements.error());
  return runner::compare(*tensor->dtype, tensor->shape, tensor->elements, *elements,
                         relative.value_or(tensor->dtype->relative),
                         absolute.value_or(tensor->dtype->absolute));
}

} // namespace gluond::driver
