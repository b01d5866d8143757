#include "driver/benchmark/Benchmark.h"

#include "chips/GpuModels.h"
#include "driver/analysis/Worker.h"
#include "driver/benchmark/DeviceChoice.h"
#include "files/Executables.h"

#include <llvm/ADT/STLExtras.h>

#include <chrono>
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

std::vector<std::string> chosenRunnerCommands(const Settings& settings) {
  if (!settings.runnerCommands.empty()) return settings.runnerCommands;
  if (const char* command = std::getenv("GLUOND_RUNNER"); command && *command) return {command};
  return {};
}

std::vector<std::string> runnerCommands(const Settings& settings) {
  std::vector<std::string> chosen = chosenRunnerCommands(settings);
  if (!chosen.empty()) return chosen;
  std::string program = files::programBeside("gluond-runner");
  if (program.empty()) program = files::programOnPath("gluond-runner", settings.roots);
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
  const chips::GpuModel* model = chips::findGpuModel(device.name, device.target);
  // Twice the clock: memory transfers on both edges. What HIP says of the clock differs between
  // kinds of memory.
  double bandwidth = model ? model->bandwidth * 1e9
                     : device.capability
                         ? 2e6 * device.memoryClockMHz * (device.memoryBusBits / 8.0)
                         : 0;
  double memorySeconds = bandwidth > 0 ? row.bytes / bandwidth : 0, computeSeconds = 0;
  row.gigabytesPerSecond = row.bytes / seconds / 1e9;
  row.teraflops = row.operations / seconds / 1e12;
  if (model && prepared.work.matrices && row.operations > 0) {
    double counted = 0;
    for (const MatrixWork& work : *prepared.work.matrices) {
      double rate = model->matrixRate(work.type) * 1e12;
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
// that have a GPU for it. A runner that is lost gives its launch back, and is started again; a
// launch that loses runners again and again has failed.
class Sweep {
public:
  Sweep(const Snapshot& snapshot, const std::vector<Variant>& variants,
        const BenchmarkOptions& options, const std::vector<remote::Runner*>& runners,
        const OnRow& progress, CancellationToken token)
      : snapshot_(snapshot), variants_(variants), options_(options), runners_(runners),
        progress_(progress), token_(token), rows_(variants.size()), slots_(variants.size()) {
    for (size_t i = 0; i < variants.size(); ++i)
      rows_[i] = rowOf(variants[i]);
  }

  std::vector<BenchmarkRow> run() {
    std::vector<std::thread> pool;
    size_t compilers =
        std::min<size_t>(variants_.size(), std::clamp(std::thread::hardware_concurrency(), 1u, 4u));
    // Code is generated for the GPUs of the first runner that starts; runners with other chips run
    // what they can.
    std::optional<runner::InitializeResult> greeting;
    for (remote::Runner* runner : runners_) {
      auto found = runner->connect(token_);
      if (found) greeting = std::move(*found);
      if (greeting) break;
      if (!startFailure_) startFailure_ = std::move(found.error());
    }
    if (greeting) {
      greeting_ = std::move(*greeting);
      startFailure_.reset();
      std::vector<std::thread> timers;
      for (size_t i = 1; i < runners_.size() && i < variants_.size(); ++i)
        timers.emplace_back([this, i] { time(*runners_[i]); });
      for (size_t i = 0; i < compilers; ++i)
        pool.emplace_back([this] { compile(); });
      time(*runners_.front());
      for (std::thread& thread : timers)
        thread.join();
      {
        std::lock_guard lock(mutex_);
        isOver_ = true;
      }
      changed_.notify_all();
    }
    for (std::thread& thread : pool)
      thread.join();
    for (size_t i = 0; i < rows_.size(); ++i)
      if (!slots_[i].isTaken) fail(i, whyNotTaken(i));
    return std::move(rows_);
  }

  const std::vector<Problem>& lost() const { return lost_; }

private:
  static constexpr unsigned mostAttempts = 3; // of a launch that loses its runner
  static constexpr unsigned mostStarts = 6;   // of a runner, one after another
  static constexpr size_t mostCompiled = 64;  // launches that wait for a runner
  struct Taken {
    size_t index = 0;
    unsigned device = 0;
  };
  struct Slot {
    std::optional<tl::expected<PreparedLaunch, std::string>> prepared;
    bool isTaken = false; // a runner has it, or has run it
    unsigned attempts = 0;
  };

  tl::expected<unsigned, Problem> deviceFor(const runner::InitializeResult& greeting,
                                            size_t index) const {
    return chooseDevice(greeting, options_.launch.device, variants_[index].target,
                        snapshot_.folders());
  }
  Problem whyNotTaken(size_t index) const {
    if (startFailure_) return *startFailure_;
    if (auto device = deviceFor(greeting_, index); !device) return device.error();
    if (!lost_.empty()) return lost_.back();
    return problemOf(ProblemKind::Cancelled, "cancelled", variants_[index].kernel);
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
      size_t index = 0;
      {
        std::unique_lock lock(mutex_);
        // A runner that waits may wait for a launch after those that others will take.
        changed_.wait(lock, [&] { return isOver_ || compiled_ < mostCompiled || waiting_ > 0; });
        index = nextToCompile_++;
        if (isOver_ || index >= variants_.size()) return;
        ++compiled_;
      }
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

  // Returns the next launch that the runner has a GPU for. Those that lost a runner come after all
  // others: so runners that die for another reason, however often, do not die with the same launch.
  std::optional<Taken> next(const runner::InitializeResult& greeting) {
    while (firstOpen_ < slots_.size() && slots_[firstOpen_].isTaken)
      ++firstOpen_;
    for (unsigned attempts = 0; attempts < mostAttempts; ++attempts)
      for (size_t i = firstOpen_; i < slots_.size(); ++i) {
        if (slots_[i].isTaken || slots_[i].attempts != attempts) continue;
        if (auto device = deviceFor(greeting, i)) return Taken{i, *device};
      }
    return std::nullopt;
  }
  // Takes the next launch, when it is compiled. Waits as long as another runner may give one back.
  std::optional<Taken> take(const runner::InitializeResult& greeting) {
    std::unique_lock lock(mutex_);
    while (true) {
      if (auto found = next(greeting)) {
        Slot& slot = slots_[found->index];
        slot.isTaken = true;
        ++running_;
        ++waiting_;
        changed_.notify_all();
        changed_.wait(lock, [&] { return slot.prepared.has_value(); });
        --waiting_;
        return found;
      }
      if (running_ == 0) return std::nullopt;
      changed_.wait(lock);
    }
  }
  void release(size_t index, bool isDone) {
    {
      std::lock_guard lock(mutex_);
      --running_;
      if (isDone) {
        slots_[index].prepared.reset();
        --compiled_;
      } else {
        slots_[index].isTaken = false;
        firstOpen_ = std::min(firstOpen_, index);
        rows_[index] = rowOf(variants_[index]);
      }
    }
    changed_.notify_all();
  }

  // Connects to the runner, whose process may have to be started again.
  remote::Expected<runner::InitializeResult> start(remote::Runner& runner) {
    for (unsigned attempt = 1;; ++attempt) {
      auto greeting = runner.connect(token_);
      if (greeting || attempt == mostStarts || token_.isCancelled()) return greeting;
      for (unsigned i = 0; i < (1u << attempt) && !token_.isCancelled(); ++i)
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
    }
  }
  static bool isLoss(const Problem& problem) {
    return problem.kind == ProblemKind::Lost || problem.kind == ProblemKind::Start ||
           problem.kind == ProblemKind::Protocol;
  }

  void time(remote::Runner& runner) {
    auto greeting = start(runner);
    bool isNew = true; // it has run nothing
    while (greeting) {
      auto taken = take(*greeting);
      if (!taken) return;
      Slot& slot = slots_[taken->index]; // it belongs to this thread now
      bool isLoaded = false;
      auto problem = one(runner, taken->device, taken->index, *slot.prepared, isLoaded);
      bool isLost = problem && isLoss(*problem);
      // That a runner died while it was idle shows only when it is given the next launch.
      if (isLost && (isNew || isLoaded)) ++slot.attempts;
      isNew = isLost;
      bool isDone = !isLost || slot.attempts == mostAttempts || token_.isCancelled();
      if (problem && isDone) {
        if (isLost && slot.attempts > 1)
          problem->message += "; it lost " + std::to_string(slot.attempts) + " runners";
        fail(taken->index, std::move(*problem));
      }
      release(taken->index, isDone);
      if (isLost) greeting = start(runner);
    }
    std::lock_guard lock(mutex_); // the others take what it would have run
    lost_.push_back(std::move(greeting.error()));
  }

  // Runs one launch; returns why it failed. `isLoaded`: the runner has taken its code.
  std::optional<Problem> one(remote::Runner& runner, unsigned number, size_t index,
                             tl::expected<PreparedLaunch, std::string>& prepared, bool& isLoaded) {
    const std::string& kernel = variants_[index].kernel;
    if (token_.isCancelled()) return problemOf(ProblemKind::Cancelled, "cancelled", kernel);
    if (!prepared) return problemOf(ProblemKind::Code, prepared.error(), kernel);
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
    if (!greeting) return std::move(greeting.error());
    if (number >= greeting->devices.size()) // of another process than before
      return problemOf(ProblemKind::NoDevice, "there is no GPU " + std::to_string(number), kernel);
    const runner::DeviceInfo device = greeting->devices[number];
    prepared->load.device = number;
    auto loaded = runner.load(prepared->load, prepared->code, token_);
    if (!loaded) return std::move(loaded.error());
    isLoaded = true;
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
    if (!timed) return std::move(timed.error());
    runner.unload(loaded->module);
    update(index, [&](BenchmarkRow& row) {
      row.state = State::Done;
      row.times = timed->times;
      judge(row, *prepared, options_, device);
    });
    return std::nullopt;
  }

  const Snapshot& snapshot_;
  const std::vector<Variant>& variants_;
  const BenchmarkOptions& options_;
  const std::vector<remote::Runner*>& runners_;
  const OnRow& progress_;
  CancellationToken token_;

  std::optional<Problem> startFailure_; // there is no runner to compile for
  runner::InitializeResult greeting_;   // of the first runner that started
  std::mutex mutex_;                    // of all below
  std::condition_variable changed_;
  std::vector<BenchmarkRow> rows_;
  std::vector<Slot> slots_;
  std::vector<Problem> lost_; // of runners that do not start (any more)
  size_t nextToCompile_ = 0, firstOpen_ = 0;
  size_t compiled_ = 0;              // launches that are compiled, or being compiled, and not run
  size_t running_ = 0, waiting_ = 0; // launches that runners have; of them, not compiled
  bool isOver_ = false;              // there is no runner left
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
