// The tool simulate.
#include "driver/launches/ArgumentText.h"
#include "driver/simulation/SimulateLaunch.h"
#include "mcp/tools/Execution.h"
#include "mcp/tools/Findings.h"

namespace gluond::mcp {

namespace {

struct SimulateParams : LaunchParams {
  std::optional<std::string> program, schedule;
  std::optional<std::vector<Reference>> references;
  std::optional<double> relative, absolute;
  static constexpr auto fields() {
    return std::tuple_cat(
        LaunchParams::fields(),
        std::make_tuple(
            told("program", &SimulateParams::program, "Run only this program of the grid: 3,0,0."),
            told("schedule", &SimulateParams::schedule,
                 "When asynchronous operations end: latest (if left out), earliest, random:SEED, "
                 "or explore:N to try N of them, which finds races."),
            told("references", &SimulateParams::references,
                 "Compare tensors with these files after the launch."),
            told("relative", &SimulateParams::relative,
                 "Relative tolerance; if left out, it depends on the element type."),
            told("absolute", &SimulateParams::absolute, "Absolute tolerance, likewise.")));
  }
};
struct SimulateResult : Subject {
  bool ok = true, finished = true;
  std::vector<FindingInfo> findings;
  std::vector<TensorInfo> tensors;
  std::vector<ComparisonInfo> comparisons;
  std::string printed;
  std::optional<std::string> stopped;
  std::vector<std::string> assumed;
  std::vector<int64_t> grid;
  uint64_t programs = 0, steps = 0;
  uint32_t schedules = 1;
  static constexpr auto fields() {
    return std::tuple_cat(
        Subject::fields(),
        std::make_tuple(told("ok", &SimulateResult::ok,
                             "It finished, nothing was found, and all comparisons are equal."),
                        field("finished", &SimulateResult::finished),
                        told("findings", &SimulateResult::findings,
                             "Races, deadlocks, accesses out of bounds, the origin of NaN, ..."),
                        field("tensors", &SimulateResult::tensors),
                        field("comparisons", &SimulateResult::comparisons),
                        told("printed", &SimulateResult::printed, "By the kernel."),
                        told("stopped", &SimulateResult::stopped, "Why not all programs ran."),
                        told("assumed", &SimulateResult::assumed,
                             "Values that neither the host code nor the call gives."),
                        field("grid", &SimulateResult::grid),
                        told("programs", &SimulateResult::programs, "That finished."),
                        field("steps", &SimulateResult::steps),
                        told("schedules", &SimulateResult::schedules, "That were tried.")));
  }
};

Answer<SimulateResult> simulateKernel(const SimulateParams& params, const Context& context) {
  auto chosen = chooseKernel(params, context);
  if (!chosen) return tl::unexpected(std::move(chosen.error()));
  const driver::Variant& variant = *chosen->variant;
  driver::SimulationOptions simulation;
  if (params.program) {
    auto program = driver::parseProgramId(*params.program);
    if (!program) return fail("program: " + program.error());
    simulation.program = *program;
  }
  if (params.schedule) {
    auto schedule = simulate::parseSchedule(*params.schedule);
    if (!schedule) return fail("schedule: " + schedule.error());
    simulation.schedule = *schedule;
  }
  std::vector<std::string> expected; // contents of the references
  const auto references = params.references.value_or(std::vector<Reference>());
  for (const Reference& reference : references) {
    auto data = readTensorFile(reference.file, context);
    if (!data) return tl::unexpected(std::move(data.error()));
    expected.push_back(std::move(*data));
  }
  auto launch =
      driver::simulateLaunch(*context.snapshot, variant, launchOptions(params, 60, context),
                             simulation, context.worker, context.token);
  if (!launch) return tl::unexpected(std::move(launch.error()));
  if (context.token.isCancelled()) return cancelled();
  SimulateResult result;
  static_cast<Subject&>(result) = subjectOf(variant);
  result.finished = launch->end == simulate::Outcome::End::Finished;
  result.ok = result.finished;
  for (const diagnostics::Diagnostic& diagnostic : launch->findings) {
    if (diagnostic.severity <= diagnostics::Severity::Warning) result.ok = false;
    if (result.findings.size() < 50)
      result.findings.push_back(encodeFinding({diagnostic, variant.kernel, variant.id}, context));
  }
  result.tensors = encodeTensors(launch->result);
  for (size_t i = 0; i < references.size(); ++i) {
    auto compared = driver::compareTensor(*launch, references[i].name, expected[i], params.relative,
                                          params.absolute);
    if (!compared) return tl::unexpected(std::move(compared.error()));
    result.ok = result.ok && compared->isEqual;
    result.comparisons.push_back(
        encodeComparison(references[i].name, *compared, launch->variant, launch->host, context));
  }
  result.printed = bounded(launch->result.printed);
  if (!launch->stopped.empty()) result.stopped = launch->stopped;
  result.assumed = launch->assumptions;
  result.grid.assign(launch->host.grid->begin(), launch->host.grid->end());
  result.programs = launch->programs;
  result.steps = launch->steps;
  result.schedules = launch->schedules;
  return result;
}

} // namespace

Tool simulateTool() {
  return makeTool<simulateKernel>(
      "simulate", "Run on the CPU",
      "Runs a launch of a kernel in a simulator on the CPU: finds races, deadlocks, accesses out "
      "of bounds and the origin of NaN, and compares results with references. No GPU is needed. "
      "It says nothing about speed; use small shapes.",
      Cost::Run);
}

} // namespace gluond::mcp
