// Compares a benchmark with an earlier one that `gluond bench --save` kept.
#pragma once

#include "driver/benchmark/Benchmark.h"

#include <nlohmann/json_fwd.hpp>

namespace gluond::cli {

enum class Verdict : uint8_t { Same, Faster, Slower, NotCompared };

struct BenchComparison {
  Verdict verdict = Verdict::NotCompared;
  double before = 0; // median of the earlier one, in microseconds
  double change = 0; // of the median, relative to it
  std::string why;   // it was not compared
};

// Reads the output of `--format json` from a file. The error is a sentence.
tl::expected<nlohmann::ordered_json, std::string> readBenchmark(const std::string& path);

// Compares a row that is done with the launch of the same id. It is slower (or faster) if the 95%
// intervals of both medians are apart, and the medians differ by more than `tolerance`, a share:
// clocks and temperatures differ from run to run by more than the intervals tell.
BenchComparison compareWith(const nlohmann::ordered_json& earlier, const driver::BenchmarkRow& row,
                            double tolerance);

// "slower", "faster", "same", "not compared".
const char* verdictName(Verdict verdict);

} // namespace gluond::cli
