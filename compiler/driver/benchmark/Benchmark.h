// Runs and times the launches of a kernel on a GPU process: compiled by gluond, launched with what
// the host code, the records or the user say they are launched with, and held against what the chip
// can do.
//
// Free functions over a snapshot; they block, and belong on a thread of their own. The command line
// (gluond run, gluond bench) and the editor show the same rows.
#pragma once

#include "driver/analysis/Worker.h"
#include "driver/benchmark/KernelWork.h"
#include "driver/launches/HostLaunch.h"
#include "remote/Runner.h"
#include "support/Cancellation.h"

#include <tl/expected.hpp>

#include <functional>

namespace gluond::driver {

// How to launch, beyond what is known of a variant.
struct LaunchOptions {
  std::vector<std::string> arguments; // "NAME=VALUE" (ArgumentText.h)
  std::string grid;                   // "128,1,1"; empty: as found
  unsigned device = 0;
  uint64_t limitMs = 10'000; // a kernel that takes longer hangs
};

// A launch, compiled, with everything a runner needs.
struct PreparedLaunch {
  HostLaunch host; // nothing missing
  KernelWork work;
  std::string kernel, code; // code: of the stage that the device is given (Toolchain::loaded)
  unsigned warps = 0;       // of a program
  runner::LoadParams load;
  runner::Launch launch; // its module is to be set
  std::string binary;    // what the slices of `launch` point into
  std::vector<std::string> assumptions;
  double compileMs = 0;
};
// For a device of that compute capability. The error is a sentence; of what the user wrote, of what
// gluond cannot compile, or of files that cannot be read. Null token: not cancellable.
tl::expected<PreparedLaunch, std::string>
prepareLaunch(const Snapshot& snapshot, const Variant& variant, const LaunchOptions& options,
              unsigned capability, Worker& worker, CancellationToken token = {});

struct BenchmarkOptions {
  LaunchOptions launch;
  double warmupMs = 25, budgetMs = 500; // of each launch
  double precision = 0.005;
  bool flushL2 = true;
  std::optional<double> bytes, operations; // instead of what is counted
};

// One launch's row. State says how far it is; what is not reached yet is zero.
struct BenchmarkRow {
  enum class State : uint8_t { Waiting, Compiling, Running, Done, Failed } state = State::Waiting;
  std::string id, label, target;
  runner::LoadResult load; // registers, local memory, occupancy
  uint64_t sharedBytes = 0;
  unsigned warps = 0, ctas = 1;
  std::array<int64_t, 3> grid = {};
  runner::Times times; // preliminary while Running
  double compileMs = 0;
  double bytes = 0, operations = 0; // zero: not known
  double gigabytesPerSecond = 0, teraflops = 0;
  // Of the time that the chip would need at least, by its memory or by its matrix units, whichever
  // is longer; 0: not known.
  double percentOfPeak = 0;
  std::string bound;                      // "memory", "compute"; empty: not known
  std::string device;                     // the GPU's name
  std::string operandType;                // of the matrix products: "fp16"
  std::vector<std::string> notes;         // what was assumed, how bytes were counted
  std::optional<runner::Problem> problem; // of a Failed row
};
// What a row is called before anything is known.
BenchmarkRow rowOf(const Variant& variant);
// A launch is compiled and about to run.
void begin(BenchmarkRow& row, const PreparedLaunch& prepared);
llvm::StringRef stateName(BenchmarkRow::State state); // "waiting", "compiling", ...

// Times every variant, each on one of the runners (several share the work), compiling ahead.
// `progress` is called with the index and the row whenever a row changes, from one thread at a
// time. Rows come back in the order of the variants; a cancelled one is Failed with that problem.
using OnRow = std::function<void(size_t index, const BenchmarkRow& row)>;
std::vector<BenchmarkRow> benchmark(const Snapshot& snapshot, const std::vector<Variant>& variants,
                                    const BenchmarkOptions& options,
                                    const std::vector<remote::Runner*>& runners,
                                    const OnRow& progress = {}, CancellationToken token = {});

// What the runners' GPU is called in targets: "cuda:90".
std::string targetOf(const runner::DeviceInfo& device);
// The commands that start runners: as the settings say, else the gluond-runner beside this program.
std::vector<std::string> runnerCommands(const Settings& settings);

} // namespace gluond::driver
