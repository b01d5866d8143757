// The tool compare.
#include "driver/benchmark/CompareKernels.h"
#include "mcp/tools/Execution.h"

namespace gluond::mcp {

namespace {

struct Version {
  std::string file;
  std::optional<std::string> kernel, launch;
  static constexpr auto fields() {
    return std::make_tuple(
        told("file", &Version::file,
             "Python file or notebook with the version, relative to the folder."),
        told("kernel", &Version::kernel, "Name of the kernel, if the file has more than one."),
        told("launch", &Version::launch, "Id of a launch; if left out, the first one."));
  }
};
struct CompareParams {
  Version before, after;
  std::optional<std::string> target, grid;
  std::optional<std::vector<std::string>> arguments;
  std::optional<uint32_t> turns, seconds;
  std::optional<double> budgetMs, relative, absolute;
  static constexpr auto fields() {
    return std::make_tuple(
        told("before", &CompareParams::before, "The first version."),
        told("after", &CompareParams::after,
             "The second version: another kernel, another file, or another launch."),
        told("target", &CompareParams::target, targetHelp),
        told("arguments", &CompareParams::arguments,
             "Values of arguments as NAME=VALUE, for both versions: n=4096, "
             "x=random:f16[4096,4096]. Arguments of one name have the same values in both."),
        told("grid", &CompareParams::grid,
             "Number of programs of both; if left out, each has the one of its host code."),
        told("turns", &CompareParams::turns,
             "How often each version is timed, in turns; 16 if left out, from 6 to 200."),
        told("budgetMs", &CompareParams::budgetMs,
             "GPU time for all turns together in milliseconds; 2000 if left out."),
        told("seconds", &CompareParams::seconds,
             "Stop a kernel that still runs after this many seconds; 10 if left out."),
        told("relative", &CompareParams::relative,
             "Relative tolerance of the results; if left out, it depends on the element type. The "
             "answer says that it was given."),
        told("absolute", &CompareParams::absolute, "Absolute tolerance, likewise."));
  }
};
struct SideInfo : Subject, ResourceInfo {
  std::optional<double> median, least, most;
  uint64_t runs = 0;
  std::vector<int64_t> grid;
  std::vector<std::string> assumed;
  static constexpr auto fields() {
    return std::tuple_cat(
        Subject::fields(),
        std::make_tuple(told("median", &SideInfo::median, "Of its turns, in microseconds."),
                        told("least", &SideInfo::least, "The shortest turn."),
                        told("most", &SideInfo::most, "The longest turn."),
                        told("runs", &SideInfo::runs, "In all turns."),
                        field("grid", &SideInfo::grid)),
        ResourceInfo::fields(),
        std::make_tuple(told("assumed", &SideInfo::assumed,
                             "Values that neither the host code nor the call gives.")));
  }
};
struct ConditionsInfo {
  uint32_t clockMHz = 0, mostClockMHz = 0, temperature = 0;
  double watts = 0;
  std::vector<std::string> slowedBy;
  static constexpr auto fields() {
    return std::make_tuple(
        told("clockMHz", &ConditionsInfo::clockMHz, "The lowest that was seen."),
        told("mostClockMHz", &ConditionsInfo::mostClockMHz, "The GPU's highest."),
        told("temperature", &ConditionsInfo::temperature, "The highest seen, degrees Celsius."),
        told("watts", &ConditionsInfo::watts, "The most that was seen."),
        told("slowedBy", &ConditionsInfo::slowedBy, "What kept the clock down: power, heat, ..."));
  }
};
struct CompareAnswer {
  std::string verdict, summary, device, driver;
  std::optional<double> speedup, low, high, confidence, noise;
  uint32_t turns = 0;
  SideInfo before, after;
  std::vector<ComparisonInfo> results;
  bool ownTolerances = false;
  std::optional<ConditionsInfo> conditions;
  std::vector<std::string> notes;
  static constexpr auto fields() {
    using A = CompareAnswer;
    return std::make_tuple(
        told("verdict", &A::verdict,
             "About the second version. same: the difference is not larger than the uncertainty. "
             "different results: nothing was timed.",
             "faster|slower|same|different results"),
        told("summary", &A::summary, "In words."),
        told("speedup", &A::speedup, "Time before divided by time after: 2 is twice as fast."),
        told("low", &A::low, "The interval of the speedup."), field("high", &A::high),
        told("confidence", &A::confidence, "Of the interval, for any distribution of times."),
        told("noise", &A::noise, "How far turns of one version are apart: 0.01 is 1%."),
        field("turns", &A::turns), field("before", &A::before), field("after", &A::after),
        told("results", &A::results, "Every tensor that either version changes."),
        told("ownTolerances", &A::ownTolerances, "The call chose the tolerances."),
        told("conditions", &A::conditions, "State of the GPU meanwhile, if its driver tells."),
        told("notes", &A::notes, "What may make the numbers worth less."),
        field("device", &A::device), field("driver", &A::driver));
  }
};

SideInfo encode(const driver::ComparedSide& side) {
  SideInfo info;
  info.kernel = side.kernel;
  info.launch = side.id;
  info.label = side.label;
  info.target = side.target;
  if (side.runs) {
    info.median = side.median;
    info.least = side.least;
    info.most = side.most;
  }
  info.runs = side.runs;
  info.grid.assign(side.grid.begin(), side.grid.end());
  static_cast<ResourceInfo&>(info) = resourcesOf(side.load, side.sharedBytes);
  info.assumed = side.assumptions;
  return info;
}

std::string rounded(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3f", value);
  return text;
}

std::string summaryOf(const driver::KernelComparison& found) {
  using Verdict = driver::CompareVerdict;
  if (found.verdict == Verdict::Different)
    return "the results differ, so nothing was timed; see results";
  std::string interval = rounded(found.speedup) + " times as fast (" + rounded(found.low) + " to " +
                         rounded(found.high) + ")";
  switch (found.verdict) {
  case Verdict::Faster:
    return "the results are equal, and the second version is faster: " + interval;
  case Verdict::Slower:
    return "the results are equal, and the second version is slower: " + interval;
  default:
    return "the results are equal, and no difference in speed is certain: " + interval;
  }
}

Answer<CompareAnswer> compareVersions(const CompareParams& params, const Context& context) {
  auto choose = [&](const Version& version) {
    return chooseKernel({version.file, version.kernel, version.launch, params.target, {}}, context);
  };
  auto before = choose(params.before);
  if (!before) return fail("before: " + before.error());
  auto after = choose(params.after);
  if (!after) return fail("after: " + after.error());
  LaunchParams launch;
  launch.arguments = params.arguments;
  launch.grid = params.grid;
  launch.seconds = params.seconds;
  driver::CompareOptions options;
  options.launch = launchOptions(launch, 10, context);
  options.turns = std::clamp<uint32_t>(params.turns.value_or(16), 6, 200);
  options.budgetMs = std::clamp(params.budgetMs.value_or(2000), 10.0, 600'000.0);
  options.relative = params.relative;
  options.absolute = params.absolute;
  std::unique_lock<std::timed_mutex> lock;
  auto* runners =
      context.gpus.take(*context.snapshot->settingsOf(before->file->path()), lock, context.token);
  if (!runners) return cancelled();
  auto found = driver::compareKernels(
      *context.snapshot, *before->variant, *after->variant, options, *runners->front(),
      context.worker,
      [&](unsigned done) { context.progress(done, options.turns, "turn " + std::to_string(done)); },
      context.token);
  if (context.token.isCancelled()) return cancelled();
  if (!found) return fail(describe(found.error()));
  CompareAnswer answer;
  answer.verdict = driver::name(found->verdict);
  answer.summary = summaryOf(*found);
  answer.device = found->device;
  answer.driver = found->driver;
  if (found->turns) {
    answer.speedup = found->speedup;
    answer.low = found->low;
    answer.high = found->high;
    answer.confidence = found->confidence;
    answer.noise = found->noise;
    answer.turns = found->turns;
  }
  answer.before = encode(found->before);
  answer.after = encode(found->after);
  for (const driver::ComparedTensor& tensor : found->tensors)
    answer.results.push_back(encodeComparison(tensor.name, tensor.result));
  answer.ownTolerances = found->hasOwnTolerances;
  if (const auto& seen = found->conditions)
    answer.conditions = {seen->clockMHz, seen->mostClockMHz, seen->temperature, seen->watts,
                         seen->slowedBy};
  answer.notes = found->notes;
  return answer;
}

} // namespace

Tool compareTool() {
  return makeTool<compareVersions>(
      "compare", "Compare two versions",
      "Decides whether the second version of a kernel is faster than the first on a GPU. It "
      "checks that both compute the same, times them in turns, and gives the speedup with an "
      "interval, the noise, and the clocks and temperature meanwhile.",
      Cost::Run);
}

} // namespace gluond::mcp
