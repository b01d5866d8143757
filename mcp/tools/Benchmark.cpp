// The tool benchmark.
#include "driver/benchmark/Sweep.h"
#include "mcp/tools/Execution.h"

#include <llvm/ADT/STLExtras.h>

namespace gluond::mcp {

namespace {

struct Axis {
  std::string name;
  std::vector<std::string> values;
  static constexpr auto fields() {
    return std::make_tuple(
        told("name", &Axis::name,
             "An option (num_warps), a constexpr that is a number, or one that is a layout."),
        told("values", &Axis::values, "As texts: \"64\", \"True\", \"gl.BlockedLayout(...)\"."));
  }
};
struct BenchmarkParams : LaunchParams {
  std::optional<bool> all;
  std::optional<std::vector<Axis>> axes;
  std::optional<double> budgetMs;
  static constexpr auto fields() {
    return std::tuple_cat(
        LaunchParams::fields(),
        std::make_tuple(
            told("all", &BenchmarkParams::all, "Time every launch of the kernel."),
            told("axes", &BenchmarkParams::axes,
                 "Vary the launch: every combination of these values is timed, at most 128."),
            told("budgetMs", &BenchmarkParams::budgetMs,
                 "GPU time for each row in milliseconds; 500 if left out.")));
  }
};
struct BenchmarkRowInfo {
  std::string launch, label, target;
  bool ok = false;
  std::optional<std::string> problem;
  std::optional<double> median, low, high, precision, gigabytesPerSecond, teraflops, percentOfPeak;
  std::optional<uint64_t> runs;
  std::optional<std::string> bound, limitedBy;
  std::optional<uint32_t> registers, localBytes;
  std::optional<uint64_t> sharedBytes;
  std::optional<double> occupancy;
  std::vector<std::string> notes;
  static constexpr auto fields() {
    using R = BenchmarkRowInfo;
    return std::make_tuple(
        field("launch", &R::launch), field("label", &R::label), field("target", &R::target),
        field("ok", &R::ok), told("problem", &R::problem, "Why it was not timed."),
        told("median", &R::median, "Microseconds."),
        told("low", &R::low, "A fifth of the runs is shorter."),
        told("high", &R::high, "A fifth of the runs is longer."),
        told("precision", &R::precision, "Half the 95% interval of the median, relative."),
        field("runs", &R::runs), field("gigabytesPerSecond", &R::gigabytesPerSecond),
        field("teraflops", &R::teraflops),
        told("percentOfPeak", &R::percentOfPeak,
             "The least time that the GPU would need, as a share of the measured one."),
        told("bound", &R::bound, "What limits it: memory or compute."),
        field("registers", &R::registers),
        told("localBytes", &R::localBytes, "Of a thread: spilled registers."),
        field("sharedBytes", &R::sharedBytes),
        told("occupancy", &R::occupancy, "Share of a multiprocessor's warps, 0 to 1."),
        told("limitedBy", &R::limitedBy, "What keeps the occupancy down."),
        told("notes", &R::notes, "What was assumed and how bytes were counted."));
  }
};
struct BenchmarkAnswer {
  std::string kernel, device;
  std::vector<BenchmarkRowInfo> rows;
  static constexpr auto fields() {
    return std::make_tuple(field("kernel", &BenchmarkAnswer::kernel),
                           told("device", &BenchmarkAnswer::device, "The GPU."),
                           told("rows", &BenchmarkAnswer::rows,
                                "The fastest first. Rows are timed one after another; to decide "
                                "between two versions, use the tool compare."));
  }
};

using driver::BenchmarkRow;

BenchmarkRowInfo encode(const BenchmarkRow& row) {
  BenchmarkRowInfo info;
  info.launch = row.id;
  info.label = row.label;
  info.target = row.target;
  info.notes = row.notes;
  info.ok = row.state == BenchmarkRow::State::Done;
  if (row.problem) info.problem = describe(*row.problem);
  if (!info.ok) return info;
  info.median = row.times.median;
  info.low = row.times.q20;
  info.high = row.times.q80;
  info.precision = row.times.precision;
  info.runs = row.times.runs;
  info.gigabytesPerSecond = row.knownGigabytesPerSecond();
  info.teraflops = row.knownTeraflops();
  info.percentOfPeak = row.knownPercentOfPeak();
  if (!row.bound.empty()) info.bound = row.bound;
  info.registers = row.load.registers;
  info.localBytes = row.load.localBytes;
  info.sharedBytes = row.allSharedBytes();
  info.occupancy = row.load.occupancy;
  if (!row.load.limitedBy.empty()) info.limitedBy = row.load.limitedBy;
  return info;
}

Answer<BenchmarkAnswer> benchmarkKernel(const BenchmarkParams& params, const Context& context) {
  auto chosen = chooseKernel(params, context);
  if (!chosen) return tl::unexpected(std::move(chosen.error()));
  if (params.axes && params.all.value_or(false)) return fail("give either all or axes");
  std::vector<driver::Variant> variants;
  std::vector<std::vector<std::string>> notes;
  if (params.axes) {
    std::vector<driver::SweepValues> axes;
    for (const Axis& axis : *params.axes)
      axes.push_back({axis.name, axis.values});
    constexpr size_t most = 128;
    auto swept = driver::sweep(*chosen->variant, axes, context.snapshot->names(), most);
    if (!swept) return fail("axes: " + swept.error());
    for (driver::SweptVariant& each : *swept) {
      variants.push_back(std::move(each.variant));
      notes.push_back(std::move(each.notes));
    }
  } else if (params.all.value_or(false)) {
    variants = chosen->kernel->variants;
  } else {
    variants.push_back(*chosen->variant);
  }
  driver::BenchmarkOptions options;
  options.launch = launchOptions(params, 10, context);
  options.budgetMs = std::clamp(params.budgetMs.value_or(500), 1.0, 60'000.0);
  std::unique_lock<std::timed_mutex> lock;
  auto* runners =
      context.gpus.take(*context.snapshot->settingsOf(chosen->file->path()), lock, context.token);
  if (!runners) return cancelled();
  std::vector<remote::Runner*> pointers;
  for (const auto& each : *runners)
    pointers.push_back(each.get());
  size_t finished = 0;
  auto progress = [&](size_t, const BenchmarkRow& row) {
    using State = BenchmarkRow::State;
    if (row.state != State::Done && row.state != State::Failed) return;
    context.progress(static_cast<double>(++finished), static_cast<double>(variants.size()),
                     row.label);
  };
  auto rows =
      driver::benchmark(*context.snapshot, variants, options, pointers, progress, context.token);
  if (context.token.isCancelled()) return cancelled();
  BenchmarkAnswer answer;
  answer.kernel = chosen->kernel->qualname;
  for (auto [i, row] : llvm::enumerate(rows)) {
    if (i < notes.size()) row.notes.insert(row.notes.begin(), notes[i].begin(), notes[i].end());
    if (!row.device.empty()) answer.device = row.device;
  }
  if (rows.size() == 1 && rows.front().problem) return fail(describe(*rows.front().problem));
  llvm::sort(rows, [](const BenchmarkRow& a, const BenchmarkRow& b) {
    auto key = [](const BenchmarkRow& each) {
      return std::tuple(each.state != BenchmarkRow::State::Done, each.times.median,
                        llvm::StringRef(each.id), llvm::StringRef(each.label));
    };
    return key(a) < key(b);
  });
  for (const BenchmarkRow& row : rows)
    answer.rows.push_back(encode(row));
  return answer;
}

} // namespace

Tool benchmarkTool() {
  return makeTool<benchmarkKernel>(
      "benchmark", "Benchmark",
      "Times a launch on a GPU, all launches of a kernel, or variations of one (num_warps, block "
      "sizes, layouts), with flushed caches, and relates the time to the peak of the chip.",
      Cost::Run);
}

} // namespace gluond::mcp
