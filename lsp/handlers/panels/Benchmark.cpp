#include "driver/benchmark/BenchmarkHistory.h"
#include "driver/benchmark/Sweep.h"
#include "driver/launches/ArgumentText.h"
#include "lsp/handlers/Handlers.h"
#include "lsp/handlers/SelectedVariant.h"
#include "lsp/handlers/panels/BenchmarkRuns.h"
#include "support/json/Text.h"

#include <llvm/ADT/STLExtras.h>

namespace gluond::lsp {

namespace {

std::string joined(llvm::ArrayRef<int64_t> numbers) {
  std::string text;
  for (int64_t number : numbers)
    text += (text.empty() ? "" : ",") + std::to_string(number);
  return text;
}

// As `--arg` takes it.
std::string textOf(const driver::HostArgument& argument) {
  if (argument.integer) return std::to_string(*argument.integer);
  if (argument.real) return json::compact(*argument.real);
  if (!argument.tensor) return "";
  const driver::HostTensor& tensor = *argument.tensor;
  std::string text =
      tensor.contents == "file" ? tensor.path : tensor.dtype + "[" + joined(tensor.shape);
  if (tensor.contents == "file") return text;
  if (tensor.strides != driver::denseStrides(tensor.shape)) text += ";" + joined(tensor.strides);
  return text + "]";
}

BenchmarkPast encodePast(const driver::PastResult& past, bool isEdited) {
  return {past.when, past.specialization, past.label, past.device, past.median, isEdited};
}

BenchmarkRowInfo encodeRow(size_t index, const BenchmarkRuns::Row& from) {
  const driver::BenchmarkRow& row = from.row;
  BenchmarkRowInfo info;
  info.index = static_cast<uint32_t>(index);
  info.id = row.id;
  info.label = row.label;
  info.target = row.target;
  info.state = driver::stateName(row.state).str();
  info.device = row.device;
  info.median = row.times.median;
  info.low = row.times.q20;
  info.high = row.times.q80;
  info.runs = row.times.runs;
  info.gigabytesPerSecond = row.gigabytesPerSecond;
  info.teraflops = row.teraflops;
  info.percentOfPeak = row.percentOfPeak;
  info.bound = row.bound;
  info.bytes = row.bytes;
  info.operations = row.operations;
  info.registers = row.load.registers;
  info.localBytes = row.load.localBytes;
  info.warps = row.warps;
  info.ctas = row.ctas;
  info.sharedBytes = row.allSharedBytes();
  info.occupancy = row.load.occupancy;
  info.limitedBy = row.load.limitedBy;
  info.compileMs = row.compileMs;
  info.grid.assign(row.grid.begin(), row.grid.end());
  info.notes = row.notes;
  if (row.problem)
    info.problem = BenchmarkProblem{runner::kindName(row.problem->kind), row.problem->message,
                                    row.problem->error, row.problem->log};
  if (from.before) info.before = encodePast(*from.before, from.isEdited);
  if (!from.ran) return info;
  const runner::RunResult& ran = *from.ran;
  info.median = ran.microseconds;
  info.runs = 1;
  info.printed = ran.printed;
  info.tensors.emplace();
  for (const runner::TensorSummary& tensor : ran.tensors)
    info.tensors->push_back({tensor.name, tensor.dtype, tensor.shape, tensor.isChanged,
                             llvm::is_contained(ran.overwritten, tensor.name), tensor.least,
                             tensor.most, tensor.mean, tensor.nans, tensor.infinities});
  return info;
}

} // namespace

Answer<BenchmarkPlanResult> benchmarkPlan(const BenchmarkPlanParams& params,
                                          const RequestContext& context) {
  auto chosen =
      choose(params.textDocument, params.kernel, std::nullopt, params.specialization, context);
  if (!chosen) return tl::unexpected(chosen.error());
  const driver::Variant& variant = *chosen->variant;
  const Interner& names = context.snapshot.names();
  BenchmarkPlanResult plan;
  plan.kernel = variant.kernel;
  plan.specialization = variant.id;
  plan.label = variant.label;
  plan.target = variant.target;
  plan.launches = static_cast<uint32_t>(
      llvm::count_if(chosen->kernel->variants,
                     [&](const driver::Variant& each) { return each.target == variant.target; }));
  for (driver::SweepAxis& axis : driver::sweepAxes(variant, names))
    plan.axes.push_back({std::move(axis.name), std::move(axis.value), std::move(axis.suggestions)});
  driver::HostLaunch launch = driver::hostLaunchOf(variant, names);
  std::vector<bool> isKnown;
  for (const driver::HostArgument& argument : launch.arguments)
    isKnown.push_back(argument.isKnown());
  if (launch.grid) plan.grid = joined(*launch.grid);
  std::vector<std::string> assumptions;
  driver::assumeMissing(launch, assumptions);
  for (auto [argument, known] : llvm::zip_equal(launch.arguments, isKnown))
    plan.arguments.push_back({argument.name, argument.type, textOf(argument), !known});
  auto settings = context.snapshot.settingsOf(chosen->document.file->path());
  plan.runners = driver::chosenRunnerCommands(*settings);
  uint64_t source = driver::sourceOf(context.snapshot, variant, context.worker);
  for (const driver::PastResult& past : driver::readHistory(
           driver::historyFile(*settings, chosen->document.file->path()), variant.kernel))
    plan.history.push_back(encodePast(past, past.source != source));
  constexpr size_t mostPast = 500;
  if (plan.history.size() > mostPast)
    plan.history.erase(plan.history.begin(), plan.history.end() - mostPast);
  return plan;
}

void addBenchmarks(Router& router) {
  auto runs = std::make_shared<BenchmarkRuns>();
  router.request<BenchmarkPlanParams, BenchmarkPlanResult>(method::benchmarkPlan, benchmarkPlan);
  router.request<BenchmarkParams, BenchmarkResult>(
      method::benchmark,
      std::function([runs](const BenchmarkParams& params,
                           const RequestContext& context) -> Answer<BenchmarkResult> {
        auto chosen = choose(params.textDocument, params.kernel, std::nullopt,
                             params.specialization, context);
        if (!chosen) return tl::unexpected(chosen.error());
        BenchmarkRuns::Job job;
        job.snapshot = std::make_shared<driver::Snapshot>(context.snapshot);
        if (params.what == "launch" || params.what == "run") {
          job.variants.push_back(*chosen->variant);
        } else if (params.what == "all") {
          for (const driver::Variant& variant : chosen->kernel->variants)
            if (variant.target == chosen->variant->target) job.variants.push_back(variant);
        } else if (params.what == "sweep") {
          std::vector<driver::SweepValues> axes;
          for (const BenchmarkValues& values : params.axes.value_or(std::vector<BenchmarkValues>()))
            axes.push_back({values.name, values.values});
          auto swept = driver::sweep(*chosen->variant, axes, context.snapshot.names());
          if (!swept) return fail(swept.error());
          for (driver::SweptVariant& each : *swept) {
            job.variants.push_back(std::move(each.variant));
            job.notes.push_back(std::move(each.notes));
          }
        } else {
          return tl::unexpected(
              ResponseError{ErrorCode::InvalidParams, "`what` is none of launch, all, sweep, run"});
        }
        job.runsOnce = params.what == "run";
        auto settings = context.snapshot.settingsOf(chosen->document.file->path());
        job.options.launch.arguments = params.arguments.value_or(std::vector<std::string>());
        job.options.launch.grid = params.grid.value_or("");
        job.options.launch.limitMs = settings->runnerLimit * 1000;
        job.commands = driver::runnerCommands(*settings);
        // A time with other arguments than the launch's own does not belong to its history.
        if (job.options.launch.arguments.empty() && job.options.launch.grid.empty())
          job.history = driver::historyFile(*settings, chosen->document.file->path());
        auto rows = static_cast<uint32_t>(job.variants.size());
        return BenchmarkResult{runs->start(std::move(job)), rows};
      }));
  router.request<BenchmarkRowsParams, BenchmarkRowsResult>(
      method::benchmarkRows,
      std::function([runs](const BenchmarkRowsParams& params,
                           const RequestContext&) -> Answer<BenchmarkRowsResult> {
        auto news = runs->news(params.run, params.after);
        if (!news) return fail("another benchmark ended this one");
        BenchmarkRowsResult result{news->sequence, news->isDone, {}};
        for (const auto& [index, row] : news->rows)
          result.rows.push_back(encodeRow(index, row));
        return result;
      }));
  router.request<StopBenchmarkParams, StopBenchmarkResult>(
      method::stopBenchmark,
      std::function([runs](const StopBenchmarkParams& params,
                           const RequestContext&) -> Answer<StopBenchmarkResult> {
        return StopBenchmarkResult{runs->stop(params.run)};
      }));
}

} // namespace gluond::lsp
