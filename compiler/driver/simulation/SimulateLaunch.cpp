#include "driver/simulation/SimulateLaunch.h"

#include "driver/simulation/SimulateRun.h"
#include "runner/data/Npy.h"
#include "runner/data/Results.h"
#include "simulate/trace/Trace.h"

#include <llvm/ADT/STLExtras.h>

#include <chrono>
#include <limits>

namespace gluond::driver {

namespace {

using Error = tl::unexpected<std::string>;
using simulate::Outcome;

bool hasNewNumbers(const std::deque<SimulatedMemory>& memories) {
  for (const SimulatedMemory& memory : memories) {
    if (memory.shape.dtype->kind != runner::Dtype::Kind::Float) continue;
    std::string_view after = memory.storage;
    after.remove_prefix(memory.offset);
    if (after == memory.before) continue;
    runner::TensorSummary now = runner::summarizeStorage(memory.shape, after);
    if (now.nans == 0 && now.infinities == 0) continue;
    runner::TensorSummary old = runner::summarizeStorage(memory.shape, memory.before);
    if (now.nans > old.nans || now.infinities > old.infinities) return true;
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
  launch.variant = ready.variant;
  launch.host = ready.host;
  launch.assumptions = ready.assumptions;
  if (simulation.program)
    if (std::string why = outsideOfGrid(*simulation.program, launch.host); !why.empty())
      return Error(why);
  launch.warps = ready.code->warps;
  launch.sharedBytes = ready.code->sharedBytes;

  simulate::Options how;
  how.threads = simulation.threads;
  how.only = simulation.program;
  if (launch.host.isCooperative) how.atOnce = std::numeric_limits<size_t>::max();
  how.token = token;
  how.time = std::chrono::milliseconds(options.limitMs);
  simulate::Trace trace;
  if (simulation.traces) how.observer = &trace;
  std::vector<RestorableMemory> restorable;
  for (SimulatedMemory& memory : ready.memories)
    restorable.push_back(
        {std::as_writable_bytes(std::span(memory.storage)).last(memory.before.size()),
         memory.before});
  SimulatedRun run =
      runAndExplain(*ready.code, ready.setting, ready.memory, how, simulation.schedule, restorable,
                    [&] { return hasNewNumbers(ready.memories); });
  Outcome& outcome = run.outcome;
  launch.result.microseconds = run.microseconds;
  launch.schedules = run.schedules;
  if (simulation.traces) {
    trace.close();
    launch.trace = trace.text();
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
                     " s; " + ran() + " (change the limit with --time-limit)";
    break;
  case Outcome::End::Cancelled:
    launch.stopped = "the run was stopped; " + ran();
    break;
  }
  for (SimulatedMemory& memory : ready.memories) {
    std::string_view after = memory.storage;
    after.remove_prefix(memory.offset);
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
