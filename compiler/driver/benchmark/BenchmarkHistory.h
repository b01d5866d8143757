// Earlier timings of kernels: `.gluond/history/<program>.jsonl` in the workspace, with one line of
// JSON for each timed launch. A benchmark appends to it, so that the effect of an edit on the time
// can be shown.
//
// Lines are only appended, with one write each; lines that cannot be read are skipped. Symbolic
// links on the way to the file are not followed, because they may have come with the project.
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
  uint64_t source = 0;                  // hash of the source; changes with an edit
};

// The history file of a program: in the innermost workspace root that contains it, or else beside
// it. There is none for programs that are not on disk.
struct HistoryFile {
  std::string folder, name; // the name is relative to the folder
  bool isNone() const { return folder.empty(); }
};
HistoryFile historyFile(const Settings& settings, llvm::StringRef program);
// Returns results, oldest first; empty if there is no file.
std::vector<PastResult> readHistory(const HistoryFile& file, llvm::StringRef kernel);
// Returns why the file could not be written, or "" on success.
std::string appendHistory(const HistoryFile& file, const PastResult& result);

// Makes a result, with the current time, of a finished row.
PastResult pastResult(const BenchmarkRow& row, const Variant& variant, uint64_t source);
// Returns a hash of the text of every definition that a variant's code is made from. It is the same
// in every process.
uint64_t sourceOf(const Snapshot& snapshot, const Variant& variant, Worker& worker);

} // namespace gluond::driver
