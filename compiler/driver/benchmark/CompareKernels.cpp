#include "driver/benchmark/CompareKernels.h"

#include "driver/benchmark/DeviceChoice.h"
#include "support/json/Text.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/Support/Format.h>
#include <llvm/Support/raw_ostream.h>

#include <algorithm>
#include <cmath>

namespace gluond::driver {

using runner::Problem;
using runner::ProblemKind;

const char* name(CompareVerdict verdict) {
  static constexpr const char* names[] = {"faster", "slower", "same", "different results"};
  return names[static_cast<size_t>(verdict)];
}

double medianOf(std::vector<double> values) {
  if (values.empty()) return 0;
  llvm::sort(values);
  size_t half = values.size() / 2;
  return values.size() % 2 ? values[half] : (values[half - 1] + values[half]) / 2;
}

// With n values, the median lies between the k-th smallest and the k-th largest unless at least
// n - k + 1 of them are on one side of it, which a fair coin decides for each.
MedianInterval medianInterval(const std::vector<double>& sorted) {
  size_t n = sorted.size();
  if (n == 0) return {};
  MedianInterval interval{sorted.front(), sorted.back(),
                          1 - std::ldexp(1.0, 1 - static_cast<int>(n))};
  double outside = std::ldexp(1.0, -static_cast<int>(n)), term = outside; // of one side
  for (size_t k = 1; 2 * (k + 1) <= n; ++k) {
    term *= static_cast<double>(n - k + 1) / static_cast<double>(k);
    outside += term;
    if (2 * outside > 0.05) break;
    interval = {sorted[k], sorted[n - 1 - k], 1 - 2 * outside};
  }
  return interval;
}

namespace {

Problem problemOf(std::string message, const std::string& kernel,
                  ProblemKind kind = ProblemKind::Request) {
  return {kind, std::move(message), kernel, {}, {}, false};
}

const runner::Argument* find(const std::vector<runner::Argument>& arguments,
                             const std::string& name) {
  auto it = llvm::find_if(arguments, [&](const auto& each) { return each.name == name; });
  return it == arguments.end() ? nullptr : &*it;
}

// Returns "fp16[4096, 4096]".
std::string describe(const runner::Tensor& tensor) {
  std::string text = tensor.dtype + "[";
  for (auto [i, extent] : llvm::enumerate(tensor.shape))
    text += (i ? ", " : "") + std::to_string(extent);
  return text + "]";
}

// Gives arguments of the same name the same values: otherwise a tensor's values depend on its
// number among the arguments and on whether the kernel reads it. Returns why that is impossible.
std::string alignInputs(PreparedLaunch& before, PreparedLaunch& after) {
  std::vector<runner::Argument>& left = before.launch.arguments;
  for (runner::Argument& argument : after.launch.arguments) {
    const runner::Argument* same = find(left, argument.name);
    if (!same) continue; // only one version has it
    if (same->tensor.has_value() != argument.tensor.has_value())
      return argument.name + " is a tensor in one version only";
    if (argument.tensor) {
      if (same->tensor->dtype != argument.tensor->dtype ||
          same->tensor->shape != argument.tensor->shape)
        return argument.name + " is " + describe(*same->tensor) + " before and " +
               describe(*argument.tensor) + " after; give it one shape with arguments";
      bool isFile = argument.tensor->fill.data.has_value();
      if (isFile != same->tensor->fill.data.has_value())
        return argument.name + " comes from a file in one version only";
      if (!isFile) argument.tensor->fill = same->tensor->fill;
    } else if (same->value != argument.value) {
      return argument.name + " is " + json::compact(same->value) + " before and " +
             json::compact(argument.value) + " after; give it one value with arguments";
    }
  }
  return "";
}

class Comparer {
public:
  Comparer(const Snapshot& snapshot, const CompareOptions& options, remote::Runner& runner,
           Worker& worker, CancellationToken token)
      : snapshot_(snapshot), options_(options), runner_(runner), worker_(worker), token_(token) {}

  tl::expected<KernelComparison, Problem> run(const Variant& before, const Variant& after,
                                              const std::function<void(unsigned)>& progress) {
    auto greeting = runner_.connect(token_);
    if (!greeting) return tl::unexpected(greeting.error());
    if (greeting->devices.empty())
      return tl::unexpected(
          problemOf(runner::whyNoDevice(greeting->drivers), before.kernel, ProblemKind::NoDevice));
    auto device =
        chooseDevice(*greeting, options_.launch.device, before.target, snapshot_.folders());
    if (!device) return tl::unexpected(device.error());
    device_ = greeting->devices[*device];
    out_.device = device_.name;
    out_.driver = device_.driver;
    out_.hasOwnTolerances = options_.relative || options_.absolute;
    for (auto [side, variant] : {std::pair(&before_, &before), std::pair(&after_, &after)})
      if (auto made = prepare(*side, *variant); !made) return tl::unexpected(made.error());
    if (std::string why = alignInputs(before_.prepared, after_.prepared); !why.empty())
      return tl::unexpected(problemOf("these launches cannot be compared: " + why, after.kernel));
    if (auto same = compareResults(); !same) return tl::unexpected(same.error());
    if (out_.verdict != CompareVerdict::Different)
      if (auto timed = takeTurns(progress); !timed) return tl::unexpected(timed.error());
    out_.before = before_.told;
    out_.after = after_.told;
    return std::move(out_);
  }

private:
  struct Side {
    PreparedLaunch prepared;
    ComparedSide told;
    uint64_t module = 0;
    std::vector<double> medians;
  };

  tl::expected<void, Problem> prepare(Side& side, const Variant& variant) {
    auto prepared = prepareLaunch(snapshot_, variant, options_.launch, device_, worker_, token_);
    if (!prepared)
      return tl::unexpected(problemOf(prepared.error(), variant.kernel, ProblemKind::Code));
    side.prepared = std::move(*prepared);
    side.told.kernel = variant.kernel;
    side.told.id = variant.id;
    side.told.label = variant.label;
    side.told.target = variant.target;
    side.told.assumptions = side.prepared.assumptions;
    side.told.grid = *side.prepared.host.grid;
    side.told.sharedBytes = side.prepared.load.sharedBytes;
    auto loaded = runner_.load(side.prepared.load, side.prepared.code, token_);
    if (!loaded) return tl::unexpected(loaded.error());
    side.told.load = *loaded;
    side.told.sharedBytes += loaded->staticSharedBytes;
    side.prepared.launch.module = loaded->module;
    return {};
  }

  tl::expected<runner::RunResult, Problem> runOnce(const Side& side, const char* keep) {
    runner::RunParams params;
    params.launch = side.prepared.launch;
    params.limitMs = options_.launch.limitMs;
    params.keep = keep;
    auto ran = runner_.run(params, side.prepared.binary, token_);
    if (!ran) return tl::unexpected(ran.error());
    if (!ran->result.overwritten.empty())
      return tl::unexpected(problemOf(side.told.kernel + " writes beside " +
                                          ran->result.overwritten.front() +
                                          ", out of bounds; mend that first",
                                      side.told.kernel, ProblemKind::Fault));
    return std::move(ran->result);
  }

  tl::expected<void, Problem> compareResults() {
    auto before = runOnce(before_, "before"), after = before ? runOnce(after_, "after") : before;
    if (!after) return tl::unexpected(after.error());
    auto named = [](const runner::RunResult& result, const std::string& name) {
      auto it = llvm::find_if(result.tensors, [&](const auto& each) { return each.name == name; });
      return it == result.tensors.end() ? nullptr : &*it;
    };
    std::vector<std::string> changed;
    for (const runner::RunResult* result : {&*before, &*after})
      for (const runner::TensorSummary& tensor : result->tensors)
        if (tensor.isChanged && !llvm::is_contained(changed, tensor.name)) {
          if (!named(*before, tensor.name) || !named(*after, tensor.name)) {
            out_.notes.push_back(tensor.name + " is an argument of one version only; what it "
                                               "holds afterwards was not compared");
            continue;
          }
          changed.push_back(tensor.name);
        }
    if (changed.empty())
      return tl::unexpected(
          problemOf("neither version changes a tensor that both have, so there is "
                    "no result to compare",
                    after_.told.kernel));
    for (const std::string& name : changed) {
      runner::CompareParams params;
      params.result = {"after", name, std::nullopt};
      params.reference = {"before", name, std::nullopt};
      params.relative = options_.relative;
      params.absolute = options_.absolute;
      auto compared = runner_.compare(params, {}, token_);
      if (!compared) return tl::unexpected(compared.error());
      if (!compared->isEqual) out_.verdict = CompareVerdict::Different;
      out_.tensors.push_back({name, std::move(*compared)});
    }
    return {};
  }

  tl::expected<double, Problem> turn(Side& side) {
    runner::TimeParams params;
    params.launch = side.prepared.launch;
    params.limitMs = options_.launch.limitMs;
    params.warmupMs = 5; // every turn, because the other version ran in between
    params.budgetMs = options_.budgetMs / (2.0 * options_.turns);
    params.leastRuns = 5;
    auto timed = runner_.time(params, side.prepared.binary, token_);
    if (!timed) return tl::unexpected(timed.error());
    side.medians.push_back(timed->times.median);
    side.told.runs += timed->times.runs;
    if (timed->conditions) {
      if (!out_.conditions) out_.conditions.emplace();
      mostClock_ = std::max(mostClock_, timed->conditions->clockMHz);
      merge(*out_.conditions, *timed->conditions);
    }
    return timed->times.median;
  }

  tl::expected<void, Problem> takeTurns(const std::function<void(unsigned)>& progress) {
    std::vector<double> ratios;
    for (unsigned i = 0; i < options_.turns; ++i) {
      // In alternating order, so that neither is always the one that finds a warm GPU.
      bool beforeFirst = i % 2 == 0;
      auto first = turn(beforeFirst ? before_ : after_);
      auto second = first ? turn(beforeFirst ? after_ : before_) : first;
      if (!second) return tl::unexpected(second.error());
      double before = beforeFirst ? *first : *second, after = beforeFirst ? *second : *first;
      if (before <= 0 || after <= 0)
        return tl::unexpected(
            problemOf("the driver measures no time", after_.told.kernel, ProblemKind::Driver));
      ratios.push_back(before / after);
      if (progress) progress(i + 1);
    }
    for (Side* side : {&before_, &after_}) {
      side->told.median = medianOf(side->medians);
      side->told.least = *llvm::min_element(side->medians);
      side->told.most = *llvm::max_element(side->medians);
    }
    judge(std::move(ratios));
    return {};
  }

  void judge(std::vector<double> ratios) {
    out_.turns = options_.turns;
    out_.speedup = medianOf(ratios);
    llvm::sort(ratios);
    MedianInterval interval = medianInterval(ratios);
    out_.low = interval.low;
    out_.high = interval.high;
    out_.confidence = interval.confidence;
    // Two turns of the same version ought to take the same time.
    std::vector<double> apart;
    for (const Side* side : {&before_, &after_})
      for (size_t i = 1; i < side->medians.size(); ++i)
        apart.push_back(std::abs(std::log(side->medians[i] / side->medians[i - 1])));
    out_.noise = medianOf(std::move(apart));
    bool isClear = std::abs(std::log(out_.speedup)) > out_.noise;
    out_.verdict = isClear && out_.low > 1    ? CompareVerdict::Faster
                   : isClear && out_.high < 1 ? CompareVerdict::Slower
                                              : CompareVerdict::Same;
    note();
  }

  void note() {
    auto percent = [](double value) {
      std::string text;
      llvm::raw_string_ostream(text) << llvm::format("%.1f%%", 100 * value);
      return text;
    };
    if (out_.noise > 0.02)
      out_.notes.push_back("turns of one version differ by " + percent(out_.noise) +
                           "; something else may use the GPU");
    if (options_.turns < 6)
      out_.notes.push_back("with fewer than 6 turns no interval of 95% exists");
    if (out_.hasOwnTolerances) out_.notes.push_back("the tolerances of the results were given");
    if (!out_.conditions) {
      out_.notes.push_back("the driver does not tell clocks and temperature");
      return;
    }
    const runner::Conditions& seen = *out_.conditions;
    for (const std::string& why : seen.slowedBy)
      out_.notes.push_back("the clock was kept down by " + why);
    if (mostClock_ > seen.clockMHz + seen.clockMHz / 20)
      out_.notes.push_back("the clock changed between " + std::to_string(seen.clockMHz) + " and " +
                           std::to_string(mostClock_) + " MHz; both versions met that, in turns");
  }

  const Snapshot& snapshot_;
  const CompareOptions& options_;
  remote::Runner& runner_;
  Worker& worker_;
  CancellationToken token_;
  runner::DeviceInfo device_;
  Side before_, after_;
  unsigned mostClock_ = 0;
  KernelComparison out_;
};

} // namespace

tl::expected<KernelComparison, Problem>
compareKernels(const Snapshot& snapshot, const Variant& before, const Variant& after,
               const CompareOptions& options, remote::Runner& runner, Worker& worker,
               const std::function<void(unsigned)>& progress, CancellationToken token) {
  return Comparer(snapshot, options, runner, worker, token).run(before, after, progress);
}

} // namespace gluond::driver
