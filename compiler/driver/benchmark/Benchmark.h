// Runs and times the launches of a kernel on a GPU process: the kernel is compiled by gluond,
// launched with the arguments given by host code, records or the user, and compared with the peak
// rates of the chip.
//
// These are free functions over a snapshot. They block, so call them on a thread of their own. The
// command line (gluond run, gluond bench) and the editor show the same rows.
#pragma once

#include "driver/analysis/Worker.h"
#include "driver/benchmark/KernelWork.h"
#include "driver/launches/HostLaunch.h"
#include "remote/Runner.h"
#include "support/Cancellation.h"

#include <tl/expected.hpp>

#include <functional>

namespace gluond::driver {

// The parts of a launch that a variant does not contain.
struct LaunchOptions {
  std::vector<std::string> arguments; // "NAME=VALUE" (ArgumentText.h)
  std::string grid;                   // "128,1,1"; empty for the known grid
  std::optional<unsigned> device;     // empty for the GPU that fits the launch
  uint64_t limitMs = 10'000;          // a kernel that takes longer is taken to hang
};

// A compiled launch, with everything a runner needs.
struct PreparedLaunch {
  Variant variant; // with the types that the arguments give
  HostLaunch host; // complete
  KernelWork work;
  std::string kernel, code; // `code` is of the stage that the device loads (Toolchain::loaded)
  unsigned warps = 0;       // of a program
  runner::LoadParams load;
  runner::Launch launch; // complete but for its module
  std::string binary;    // the data that slices of `launch` refer to
  std::vector<std::string> assumptions;
  double compileMs = 0;
  // The shared memory of a program once the kernel is loaded: what the launch asks for and what the
  // code itself declares.
  uint64_t sharedBytesOf(const runner::LoadResult& loaded) const {
    return load.sharedBytes + loaded.staticSharedBytes;
  }
};
// Prepares a launch for a device. The error is a sentence about the user's input, an unreadable
// file, or what gluond cannot compile. `token` may be null.
tl::expected<PreparedLaunch, std::string>
prepareLaunch(const Snapshot& snapshot, const Variant& variant, const LaunchOptions& options,
              const runner::DeviceInfo& device, Worker& worker, CancellationToken token = {});

struct BenchmarkOptions {
  LaunchOptions launch;
  double warmupMs = 25, budgetMs = 500; // of each launch
  double precision = 0.005;
  bool flushL2 = true;
  std::optional<double> bytes, operations; // instead of the counted ones
};

// The row of one launch. `state` says how far it is; values not measured yet are zero.
struct BenchmarkRow {
  enum class State : uint8_t { Waiting, Compiling, Running, Done, Failed } state = State::Waiting;
  std::string id, label, target;
  runner::LoadResult load; // registers, local memory, occupancy
  uint64_t sharedBytes = 0;
  unsigned warps = 0, ctas = 1;
  std::array<int64_t, 3> grid = {};
  runner::Times times; // preliminary while Running
  double compileMs = 0;
  double bytes = 0, operations = 0; // zero if not known
  double gigabytesPerSecond = 0, teraflops = 0;
  // The least time that the chip would need, limited by memory or by matrix units (whichever takes
  // longer), as a percentage of the measured time; 0 if not known.
  double percentOfPeak = 0;
  std::string bound;                      // "memory" or "compute"; empty if not known
  std::string device;                     // name of the GPU
  std::string operandType;                // operand type of the matrix products: "fp16"
  std::vector<std::string> notes;         // assumptions, and how bytes were counted
  std::optional<runner::Problem> problem; // set if the row Failed

  uint64_t allSharedBytes() const { return sharedBytes + load.staticSharedBytes; }
  // Absent if it is not known.
  std::optional<double> knownGigabytesPerSecond() const {
    return bytes > 0 ? std::optional(gigabytesPerSecond) : std::nullopt;
  }
  std::optional<double> knownTeraflops() const {
    return operations > 0 ? std::optional(teraflops) : std::nullopt;
  }
  std::optional<double> knownPercentOfPeak() const {
    return percentOfPeak > 0 ? std::optional(percentOfPeak) : std::nullopt;
  }
};
// Returns the row of a launch before anything is known about it.
BenchmarkRow rowOf(const Variant& variant);
// Records that a launch is compiled and about to run.
void begin(BenchmarkRow& row, const PreparedLaunch& prepared);
llvm::StringRef stateName(BenchmarkRow::State state); // "waiting", "compiling", ...

// Times every variant on one of the runners, compiling ahead. Several share the work: each takes
// what it has a GPU for, and one that does not start takes nothing (`lost` says why). `progress`
// is called with the index and the row whenever a row changes, from one thread at a time. Rows are
// returned in the order of the variants; a cancelled one is Failed with that problem.
using OnRow = std::function<void(size_t index, const BenchmarkRow& row)>;
std::vector<BenchmarkRow> benchmark(const Snapshot& snapshot, const std::vector<Variant>& variants,
                                    const BenchmarkOptions& options,
                                    const std::vector<remote::Runner*>& runners,
                                    const OnRow& progress = {}, CancellationToken token = {},
                                    std::vector<runner::Problem>* lost = nullptr);

// Returns the commands that start runners: from the settings, or the gluond-runner beside gluond.
std::vector<std::string> runnerCommands(const Settings& settings);
// Those of them that a user has chosen.
std::vector<std::string> chosenRunnerCommands(const Settings& settings);

} // namespace gluond::driver
