// What kernels took before: `.gluond/history/<program>.jsonl` in the workspace, one line of JSON
// for each launch that was timed. A benchmark adds to it, so that an edit shows as faster or
// slower.
//
// Lines are only ever added, with one write each; lines that cannot be read are passed over. No
// link is followed on the way to the file: it came with the project, perhaps.
#pragma once

#include "driver/analysis/Worker.h"
#include "driver/benchmark/Benchmark.h"

#include <string>
#include <vector>

namespace gluond::driver {

struct PastResult {
  std::string when; // "2026-11-21T15:04:05Z"
  std::string kernel, specialization, label, device;
  double median = 0, low = 0, high = 0; // microseconds
  uint64_t source = 0;                  // of what the code was made from; another after an edit
};

// The file for a program: in the innermost of the workspace's roots around it, or beside it. None
// for what is not on disk: nothing is kept of it.
struct HistoryFile {
  std::string folder, name; // the name is relative to the folder
  bool isNone() const { return folder.empty(); }
};
HistoryFile historyFile(const Settings& settings, llvm::StringRef program);
// Oldest first. None where there is no file.
std::vector<PastResult> readHistory(const HistoryFile& file, llvm::StringRef kernel);
// Nothing happens where it cannot be written: the error says why.
std::string appendHistory(const HistoryFile& file, const PastResult& result);

// Of a row that is done, now.
PastResult pastResult(const BenchmarkRow& row, const Variant& variant, uint64_t source);
// The text of every definition that a variant's code is made from, as a number: the same in any
// process.
uint64_t sourceOf(const Snapshot& snapshot, const Variant& variant, Worker& worker);

} // namespace gluond::driver
