// Compares two versions of a kernel on a GPU: first what they compute, then how long they take.
//
// A number that says "faster" must not come from anything else, so:
//   - both get the same values of all numbers and tensors, by the names of their arguments;
//   - if their results differ, nothing is timed; a version that writes nothing, or out of bounds,
//     is refused;
//   - they are timed in turns, in alternating order, so that clocks, heat and other users of the
//     GPU meet both; each turn gives one ratio of their medians;
//   - the ratio is the median over the turns with an interval that holds whatever the distribution
//     is (order statistics), and a version counts as faster only if the interval leaves out 1 and
//     the difference is larger than that between turns of one version with itself.
#pragma once

#include "driver/benchmark/Benchmark.h"

namespace gluond::driver {

struct ComparedTensor {
  std::string name;
  runner::CompareResult result; // the second version's against the first one's
};

struct ComparedSide {
  std::string kernel, id, label, target;
  std::vector<std::string> assumptions;
  runner::LoadResult load;
  uint64_t sharedBytes = 0;
  std::array<int64_t, 3> grid = {};
  double median = 0, least = 0, most = 0; // of the medians of its turns, in microseconds
  uint64_t runs = 0;
};

enum class CompareVerdict : uint8_t {
  Faster,    // the second version
  Slower,    // likewise
  Same,      // the difference is not larger than the uncertainty
  Different, // their results differ: not timed
};
const char* name(CompareVerdict verdict); // "faster", "slower", "same", "different results"

struct KernelComparison {
  CompareVerdict verdict = CompareVerdict::Same;
  std::string device, driver;
  ComparedSide before, after;
  std::vector<ComparedTensor> tensors; // those that either version changes
  bool hasOwnTolerances = false;       // the caller chose them
  // Time of the first version divided by that of the second: 2 is twice as fast.
  double speedup = 0, low = 0, high = 0; // with its interval
  double confidence = 0;                 // of the interval: 0.96
  double noise = 0; // how far turns of one version are apart, typically: 0.01 is 1%
  unsigned turns = 0;
  std::optional<runner::Conditions> conditions;
  std::vector<std::string> notes; // what may make the numbers worth less
};

struct CompareOptions {
  LaunchOptions launch;
  unsigned turns = 16;
  double budgetMs = 2000;                   // of GPU time, for all turns together
  std::optional<double> relative, absolute; // tolerances, instead of those of the dtype
};

// An interval around the median of the values that holds it with at least this probability, for any
// distribution; the values are sorted.
struct MedianInterval {
  double low = 0, high = 0, confidence = 0;
};
MedianInterval medianInterval(const std::vector<double>& sorted);
double medianOf(std::vector<double> values);

// The error says why the two cannot be compared, or what failed. `progress` gets the number of
// turns that are done.
tl::expected<KernelComparison, runner::Problem>
compareKernels(const Snapshot& snapshot, const Variant& before, const Variant& after,
               const CompareOptions& options, remote::Runner& runner, Worker& worker,
               const std::function<void(unsigned done)>& progress = {},
               CancellationToken token = {});

} // namespace gluond::driver
