// Running and timing kernels, for the benchmark panel and the lenses "Run" and "Benchmark".
//
// A benchmark continues while the client requests its rows: `gluond/benchmark` starts it and
// returns at once, `gluond/benchmarkRows` returns changed rows, `gluond/stopBenchmark` ends it.
// Times are in microseconds; values of a row that are not known yet are 0.
#pragma once

#include "lsp/protocol/Messages.h"

namespace gluond::lsp {

// ---------------------------------------------------------------- gluond/benchmarkPlan

struct BenchmarkPlanParams {
  TextDocumentIdentifier textDocument;
  std::string kernel;
  std::optional<std::string> specialization; // if absent, the selected one
  GLUOND_FIELDS(field("textDocument", &BenchmarkPlanParams::textDocument),
                field("kernel", &BenchmarkPlanParams::kernel),
                field("specialization", &BenchmarkPlanParams::specialization))
};

// Something that a sweep can vary: an option, a constexpr integer, a constexpr layout.
struct BenchmarkAxis {
  std::string name, value; // of the specialization
  std::vector<std::string> suggestions;
  GLUOND_FIELDS(field("name", &BenchmarkAxis::name), field("value", &BenchmarkAxis::value),
                field("suggestions", &BenchmarkAxis::suggestions))
};

// The value of a run-time argument.
struct BenchmarkArgument {
  std::string name, type, text; // "fp32[4096,4096]", "4096"
  bool assumed = false;         // not given by host code, record or user
  GLUOND_FIELDS(field("name", &BenchmarkArgument::name), field("type", &BenchmarkArgument::type),
                field("text", &BenchmarkArgument::text),
                field("assumed", &BenchmarkArgument::assumed))
};

// An earlier result from the workspace's history.
struct BenchmarkPast {
  std::string when; // "2026-11-21T15:04:05Z"
  std::string specialization, label, device;
  double median = 0;
  bool edited = false; // the kernel has changed since then
  GLUOND_FIELDS(field("when", &BenchmarkPast::when),
                field("specialization", &BenchmarkPast::specialization),
                field("label", &BenchmarkPast::label), field("device", &BenchmarkPast::device),
                field("median", &BenchmarkPast::median), field("edited", &BenchmarkPast::edited))
};

struct BenchmarkPlanResult {
  std::string kernel, specialization, label, target;
  uint32_t launches = 0; // number of specializations that can be timed, for `all`
  std::vector<BenchmarkAxis> axes;
  std::vector<BenchmarkArgument> arguments;
  std::string grid;                   // "128,1,1"; empty if it is not known
  std::vector<std::string> runners;   // chosen commands that start GPU processes
  std::vector<BenchmarkPast> history; // of the kernel, oldest first
  GLUOND_FIELDS(field("kernel", &BenchmarkPlanResult::kernel),
                field("specialization", &BenchmarkPlanResult::specialization),
                field("label", &BenchmarkPlanResult::label),
                field("target", &BenchmarkPlanResult::target),
                field("launches", &BenchmarkPlanResult::launches),
                field("axes", &BenchmarkPlanResult::axes),
                field("arguments", &BenchmarkPlanResult::arguments),
                field("grid", &BenchmarkPlanResult::grid),
                field("runners", &BenchmarkPlanResult::runners),
                field("history", &BenchmarkPlanResult::history))
};

// ---------------------------------------------------------------- gluond/benchmark

struct BenchmarkValues {
  std::string name; // of an axis
  std::vector<std::string> values;
  GLUOND_FIELDS(field("name", &BenchmarkValues::name), field("values", &BenchmarkValues::values))
};

struct BenchmarkParams {
  TextDocumentIdentifier textDocument;
  std::string kernel;
  std::optional<std::string> specialization;
  // "launch" times the specialization; "all" every one; "sweep" varies `axes`; "run" executes the
  // specialization once and returns the contents of its tensors.
  std::string what;
  std::optional<std::vector<BenchmarkValues>> axes;
  std::optional<std::vector<std::string>> arguments; // "NAME=VALUE", as in `gluond bench --arg`
  std::optional<std::string> grid;
  GLUOND_FIELDS(field("textDocument", &BenchmarkParams::textDocument),
                field("kernel", &BenchmarkParams::kernel),
                field("specialization", &BenchmarkParams::specialization),
                field("what", &BenchmarkParams::what), field("axes", &BenchmarkParams::axes),
                field("arguments", &BenchmarkParams::arguments),
                field("grid", &BenchmarkParams::grid))
};

struct BenchmarkResult {
  std::string run; // identifies it in the other requests
  uint32_t rows = 0;
  GLUOND_FIELDS(field("run", &BenchmarkResult::run), field("rows", &BenchmarkResult::rows))
};

// ---------------------------------------------------------------- gluond/benchmarkRows

struct BenchmarkRowsParams {
  std::string run;
  uint64_t after = 0; // only rows that changed after this; 0 for all
  GLUOND_FIELDS(field("run", &BenchmarkRowsParams::run),
                field("after", &BenchmarkRowsParams::after))
};

struct BenchmarkProblem {
  std::string kind; // "noDevice", "fault", "hang", ...: docs/runner.md
  std::string message, error, log;
  GLUOND_FIELDS(field("kind", &BenchmarkProblem::kind),
                field("message", &BenchmarkProblem::message),
                field("error", &BenchmarkProblem::error), field("log", &BenchmarkProblem::log))
};

// A tensor after `run`.
struct BenchmarkTensor {
  std::string name, dtype;
  std::vector<int64_t> shape;
  bool changed = false, overwritten = false; // overwritten: the kernel wrote outside of it
  double least = 0, most = 0, mean = 0;      // over the finite elements
  uint64_t nans = 0, infinities = 0;
  GLUOND_FIELDS(field("name", &BenchmarkTensor::name), field("dtype", &BenchmarkTensor::dtype),
                field("shape", &BenchmarkTensor::shape),
                field("changed", &BenchmarkTensor::changed),
                field("overwritten", &BenchmarkTensor::overwritten),
                field("least", &BenchmarkTensor::least), field("most", &BenchmarkTensor::most),
                field("mean", &BenchmarkTensor::mean), field("nans", &BenchmarkTensor::nans),
                field("infinities", &BenchmarkTensor::infinities))
};

struct BenchmarkRowInfo {
  uint32_t index = 0;
  std::string id, label, target;
  std::string state; // "waiting", "compiling", "running", "done", "failed"
  std::string device;
  double median = 0, low = 0, high = 0; // median, and the quantiles 0.2 and 0.8
  uint64_t runs = 0;
  double gigabytesPerSecond = 0, teraflops = 0, percentOfPeak = 0;
  std::string bound; // what limits the time: "memory", "compute"; empty if not known
  double bytes = 0, operations = 0;
  uint32_t registers = 0, localBytes = 0, warps = 0, ctas = 1;
  uint64_t sharedBytes = 0;
  double occupancy = 0; // 0 to 1
  std::string limitedBy;
  double compileMs = 0;
  std::vector<int64_t> grid;
  std::vector<std::string> notes;
  std::optional<BenchmarkProblem> problem;
  std::optional<BenchmarkPast> before; // the last result of this specialization on this device
  std::optional<std::vector<BenchmarkTensor>> tensors; // for `run`
  std::string printed;                                 // for `run`: printed by the kernel
  GLUOND_FIELDS(
      field("index", &BenchmarkRowInfo::index), field("id", &BenchmarkRowInfo::id),
      field("label", &BenchmarkRowInfo::label), field("target", &BenchmarkRowInfo::target),
      field("state", &BenchmarkRowInfo::state), field("device", &BenchmarkRowInfo::device),
      field("median", &BenchmarkRowInfo::median), field("low", &BenchmarkRowInfo::low),
      field("high", &BenchmarkRowInfo::high), field("runs", &BenchmarkRowInfo::runs),
      field("gigabytesPerSecond", &BenchmarkRowInfo::gigabytesPerSecond),
      field("teraflops", &BenchmarkRowInfo::teraflops),
      field("percentOfPeak", &BenchmarkRowInfo::percentOfPeak),
      field("bound", &BenchmarkRowInfo::bound), field("bytes", &BenchmarkRowInfo::bytes),
      field("operations", &BenchmarkRowInfo::operations),
      field("registers", &BenchmarkRowInfo::registers),
      field("localBytes", &BenchmarkRowInfo::localBytes), field("warps", &BenchmarkRowInfo::warps),
      field("ctas", &BenchmarkRowInfo::ctas), field("sharedBytes", &BenchmarkRowInfo::sharedBytes),
      field("occupancy", &BenchmarkRowInfo::occupancy),
      field("limitedBy", &BenchmarkRowInfo::limitedBy),
      field("compileMs", &BenchmarkRowInfo::compileMs), field("grid", &BenchmarkRowInfo::grid),
      field("notes", &BenchmarkRowInfo::notes), field("problem", &BenchmarkRowInfo::problem),
      field("before", &BenchmarkRowInfo::before), field("tensors", &BenchmarkRowInfo::tensors),
      field("printed", &BenchmarkRowInfo::printed))
};

struct BenchmarkRowsResult {
  uint64_t sequence = 0; // value for the next `after`
  bool done = false;     // there will be no more changes
  std::vector<BenchmarkRowInfo> rows;
  GLUOND_FIELDS(field("sequence", &BenchmarkRowsResult::sequence),
                field("done", &BenchmarkRowsResult::done),
                field("rows", &BenchmarkRowsResult::rows))
};

// ---------------------------------------------------------------- gluond/stopBenchmark

struct StopBenchmarkParams {
  std::string run;
  GLUOND_FIELDS(field("run", &StopBenchmarkParams::run))
};

struct StopBenchmarkResult {
  bool stopped = false; // false if it had ended already
  GLUOND_FIELDS(field("stopped", &StopBenchmarkResult::stopped))
};

} // namespace gluond::lsp
