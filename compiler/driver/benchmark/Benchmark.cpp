#include "driver/benchmark/Benchmark.h"

#include "chips/Products.h"
#include "driver/analysis/Worker.h"
#include "driver/benchmark/DeviceChoice.h"
#include "files/Programs.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/Support/FileSystem.h>
#include <llvm/Support/Path.h>

#include <atomic>
#include <condition_variable>
#include <cstdlib>
#include <mutex>
#include <thread>

namespace gluond::driver {

using runner::Problem;
using runner::ProblemKind;
using State = BenchmarkRow::State;

llvm::StringRef stateName(State state) {
  static constexpr llvm::StringLiteral names[] = {"waiting", "compiling", "running", "done",
                                                  "failed"};
  return names[static_cast<size_t>(state)];
}

BenchmarkRow rowOf(const Variant& variant) {
  BenchmarkRow row;
  row.id = variant.id;
  row.label = variant.label;
  row.target = variant.target;
  return row;
}

void begin(BenchmarkRow& row, const PreparedLaunch& prepared) {
  row.state = State::Running;
  row.compileMs = prepared.compileMs;
  row.sharedBytes = prepared.load.sharedBytes;
  row.warps = prepared.warps;
  row.ctas = prepared.load.cluster;
  row.grid = *prepared.host.grid;
  row.notes = prepared.assumptions;
}

std::vector<std::string> runnerCommands(const Settings& settings) {
  if (!settings.runnerCommands.empty()) return settings.runnerCommands;
  if (const char* command = std::getenv("GLUOND_RUNNER"); command && *command) return {command};
  static int anchor;
  llvm::SmallString<256> beside(
      llvm::sys::path::parent_path(llvm::sys::fs::getMainExecutable("gluond", &anchor)));
  llvm::sys::path::append(beside, "gluond-runner");
  std::string program = beside.str().str();
  if (!llvm::sys::fs::can_execute(program))
    program = files::programOnPath("gluond-runner", settings.roots);
  // The shell must not search for it, because PATH may contain folders of the project.
  if (program.empty()) program = "/usr/local/bin/gluond-runner";
  std::string quoted = "exec '";
  for (char c : program) {
    if (c == '\'') quoted += "'\\'";
    quoted += c;
  }
  return {quoted + "'"};
}

namespace {

Problem problemOf(ProblemKind kind, std::string message, std::string kernel) {
  return {kind, std::move(message), std::move(kernel), {}, {}, false};
}

// A row's numbers, once its time is known.
void judge(BenchmarkRow& row, const PreparedLaunch& prepared, const BenchmarkOptions& options,
           const runner::DeviceInfo& device) {
  double seconds = row.times.median * 1e-6;
  if (seconds <= 0) return;
  const chips::Product* product = chips::findProduct(device.name, device.target);
  // Twice the clock: memory transfers on both edges. What HIP says of the clock differs between
  // kinds of memory.
  double bandwidth = product ? product->bandwidth * 1e9
                     : device.capability
                         ? 2e6 * device.memoryClockMHz * (device.memoryBusBits / 8.0)
                         : 0;
  double memorySeconds = bandwidth > 0 ? row.bytes / bandwidth : 0, computeSeconds = 0;
  row.gigabytesPerSecond = row.bytes / seconds / 1e9;
  row.teraflops = row.operations / seconds / 1e12;
  if (product && prepared.work.matrices && row.operations > 0) {
    double counted = 0;
    for (const MatrixWork& work : *prepared.work.matrices) {
      double rate = product->matrixRate(work.type) * 1e12;
      if (rate <= 0) {
        computeSeconds = counted = 0;
        break;
      }
      computeSeconds += work.operations / rate;
      counted += work.operations;
    }
    // The user's own number of operations is of the same kind as the counted ones.
    if (options.operations && counted > 0) computeSeconds *= row.operations / counted;
  }
  double least = std::max(memorySeconds, computeSeconds);
  row.percentOfPeak = 100 * least / seconds;
  if (least > 0) row.bound = computeSeconds > memorySeconds ? "compute" : "memory";
}

// Compiles ahead of the runners, and hands each launch to the one that is free first, among those
// that have a GPU for it.
class Sweep {
public:
  Sweep(const Snapshot& snapshot, const std::vector<Variant>& variants,
        const BenchmarkOptions& options, const std::vector<remote::Runner*>& runners,
        const OnRow& progress, CancellationToken token)
      : snapshot_(snapshot), variants_(variants), options_(options), runners_(runners),
        progress_(progress), token_(token), rows_(variants.size()), slots_(variants.size()),
        isTaken_(variants.size()) {
    for (size_t i = 0; i < variants.size(); ++i)
      rows_[i] = rowOf(variants[i]);
  }

  std::vector<BenchmarkRow> run() {
    std::vector<std::thread> pool;
    size_t compilers =
        std::min<size_t>(variants_.size(), std::clamp(std::thread::hardware_concurrency(), 1u, 4u));
    for (size_t i = 1; i < runners_.size() && i < variants_.size(); ++i)
      pool.emplace_back([this, i] { time(*runners_[i]); });
    // Code is generated for the first runner's GPUs; runners with other chips run what they can.
    auto greeting = runners_.front()->connect(token_);
    {
      std::lock_guard lock(mutex_);
      if (greeting)
        greeting_ = std::move(*greeting);
      else
        startFailure_ = std::move(greeting.error());
      isReady_ = true;
    }
    changed_.notify_all();
    for (size_t i = 0; i < compilers && !startFailure_; ++i)
      pool.emplace_back([this] { compile(); });
    time(*runners_.front());
    for (std::thread& thread : pool)
      thread.join();
    for (size_t i = 0; i < rows_.size(); ++i)
      if (!isTaken_[i]) fail(i, startFailure_ ? *startFailure_ : deviceFor(greeting_, i).error());
    return std::move(rows_);
  }

  const std::vector<Problem>& lost() const { return lost_; }

private:
  struct Slot {
    std::optional<tl::expected<PreparedLaunch, std::string>> prepared;
  };

  tl::expected<unsigned, Problem> deviceFor(const runner::InitializeResult& greeting,
                                            size_t index) const {
    return chooseDevice(greeting, options_.launch.device, variants_[index].target,
                        snapshot_.folders());
  }

  template <typename Change> void update(size_t index, Change change) {
    std::lock_guard lock(mutex_);
    change(rows_[index]);
    if (progress_) progress_(index, rows_[index]);
  }
  void fail(size_t index, Problem problem) {
    update(index, [&](BenchmarkRow& row) {
      row.state = State::Failed;
      row.problem = std::move(problem);
    });
  }

  void compile() {
    Worker worker;
    while (true) {
      size_t index = nextToCompile_++;
      if (index >= variants_.size()) return;
      auto chosen = deviceFor(greeting_, index);
      if (!chosen && runners_.size() == 1) continue; // nobody takes it
      runner::DeviceInfo device;
      device.target = variants_[index].target;
      if (chosen) device = greeting_.devices[*chosen];
      update(index, [](BenchmarkRow& row) { row.state = State::Compiling; });
      auto prepared =
          prepareLaunch(snapshot_, variants_[index], options_.launch, device, worker, token_);
      {
        std::lock_guard lock(mutex_);
        slots_[index].prepared.emplace(std::move(prepared));
      }
      changed_.notify_all();
    }
  }

  void time(remote::Runner& runner) {
    {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [&] { return isReady_; });
      if (startFailure_) return;
    }
    auto greeting = runner.connect(token_);
    if (!greeting) { // the others take what it would have run
      std::lock_guard lock(mutex_);
      lost_.push_back(std::move(greeting.error()));
      return;
    }
    for (size_t index = 0; index < variants_.size(); ++index) {
      auto device = deviceFor(*greeting, index);
      if (!device) continue;
      {
        std::unique_lock lock(mutex_);
        if (isTaken_[index]) continue;
        isTaken_[index] = true;
        changed_.wait(lock, [&] { return slots_[index].prepared.has_value(); });
      }
      // The slot now belongs to this thread.
      one(runner, *device, index, *slots_[index].prepared);
      slots_[index].prepared.reset();
    }
  }

  void one(remote::Runner& runner, unsigned number, size_t index,
           tl::expected<PreparedLaunch, std::string>& prepared) {
    const std::string& kernel = variants_[index].kernel;
    if (token_.isCancelled())
      return fail(index, problemOf(ProblemKind::Cancelled, "cancelled", kernel));
    if (!prepared) return fail(index, problemOf(ProblemKind::Code, prepared.error(), kernel));
    update(index, [&](BenchmarkRow& row) {
      begin(row, *prepared);
      row.bytes = options_.bytes.value_or(bytesMoved(prepared->host, prepared->work));
      if (prepared->work.matrices)
        for (const MatrixWork& work : *prepared->work.matrices) {
          row.operations += work.operations;
          row.operandType += (row.operandType.empty() ? "" : "+") + work.type;
        }
      else
        row.notes.push_back(
            "the number of operations of the matrix products does not follow from the launch");
      if (options_.operations) row.operations = *options_.operations;
    });
    auto greeting = runner.connect(token_);
    if (!greeting) return fail(index, std::move(greeting.error()));
    if (number >= greeting->devices.size()) // of another process than before
      return fail(index, problemOf(ProblemKind::NoDevice,
                                   "there is no GPU " + std::to_string(number), kernel));
    const runner::DeviceInfo device = greeting->devices[number];
    prepared->load.device = number;
    auto loaded = runner.load(prepared->load, prepared->code, token_);
    if (!loaded) return fail(index, std::move(loaded.error()));
    update(index, [&](BenchmarkRow& row) {
      row.load = *loaded;
      row.device = device.name;
    });
    runner::TimeParams params;
    params.launch = prepared->launch;
    params.launch.module = loaded->module;
    params.limitMs = options_.launch.limitMs;
    params.warmupMs = options_.warmupMs;
    params.budgetMs = options_.budgetMs;
    params.precision = options_.precision;
    params.flushL2 = options_.flushL2;
    auto timed = runner.time(params, prepared->binary, token_, [&](const runner::Times& times) {
      update(index, [&](BenchmarkRow& row) {
        row.times = times;
        judge(row, *prepared, options_, device);
      });
    });
    if (!timed) return fail(index, std::move(timed.error()));
    runner.unload(loaded->module);
    update(index, [&](BenchmarkRow& row) {
      row.state = State::Done;
      row.times = timed->times;
      judge(row, *prepared, options_, device);
    });
  }

  const Snapshot& snapshot_;
  const std::vector<Variant>& variants_;
  const BenchmarkOptions& options_;
  const std::vector<remote::Runner*>& runners_;
  const OnRow& progress_;
  CancellationToken token_;

  std::mutex mutex_; // of all below
  std::condition_variable changed_;
  std::vector<BenchmarkRow> rows_;
  std::vector<Slot> slots_;
  std::vector<Problem> lost_;           // of runners that do not start, but for the first one
  std::vector<bool> isTaken_;           // by index: a runner has the row
  std::optional<Problem> startFailure_; // there is no runner to compile for
  runner::InitializeResult greeting_;   // of the first runner
  bool isReady_ = false;                // the greeting is known, or that there is none
  std::atomic<size_t> nextToCompile_ = 0;
};

} // namespace

std::vector<BenchmarkRow> benchmark(const Snapshot& snapshot, const std::vector<Variant>& variants,
                                    const BenchmarkOptions& options,
                                    const std::vector<remote::Runner*>& runners,
                                    const OnRow& progress, CancellationToken token,
                                    std::vector<Problem>* lost) {
  if (variants.empty() || runners.empty()) return {};
  Sweep sweep(snapshot, variants, options, runners, progress, token);
  std::vector<BenchmarkRow> rows = sweep.run();
  if (lost) *lost = sweep.lost();
  return rows;
}

} // namespace gluond::driver
