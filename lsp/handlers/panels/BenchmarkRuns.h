// Running benchmarks, for clients that poll their progress.
//
// There is one benchmark at a time, on a thread of its own, because two would disturb each other's
// times. Starting another ends the running one. GPU processes are kept for the next benchmark as
// long as the settings name the same commands. All functions may be called from any thread.
#pragma once

#include "driver/analysis/Worker.h"
#include "driver/benchmark/BenchmarkHistory.h"

#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace gluond::lsp {

class BenchmarkRuns {
public:
  // The state of a row; `sequence` counts changes of the run.
  struct Row {
    driver::BenchmarkRow row;
    uint64_t sequence = 0;
    std::optional<driver::PastResult> before;
    bool isEdited = false; // since `before`
    std::optional<runner::RunResult> ran;
  };
  struct News {
    uint64_t sequence = 0;
    bool isDone = false;
    std::vector<std::pair<size_t, Row>> rows; // changed rows with their indices
  };
  struct Job {
    std::shared_ptr<const driver::Snapshot> snapshot;
    std::vector<driver::Variant> variants;
    std::vector<std::vector<std::string>> notes; // added to the rows' own; empty, or one list each
    driver::BenchmarkOptions options;
    std::vector<std::string> commands; // of runners
    driver::HistoryFile history;       // default-constructed if no history is kept
    bool runsOnce = false;             // without timing: only shows the contents of its tensors
  };

  BenchmarkRuns() = default;
  ~BenchmarkRuns();
  BenchmarkRuns(const BenchmarkRuns&) = delete;
  BenchmarkRuns& operator=(const BenchmarkRuns&) = delete;

  // Starts a benchmark and returns its id.
  std::string start(Job job);
  // Returns null if there is no such run (any more).
  std::optional<News> news(const std::string& run, uint64_t after);
  // Returns false if it had ended, or there is no such run.
  bool stop(const std::string& run);

private:
  struct Run {
    std::string id;
    CancellationSource cancellation;
    std::mutex mutex; // guards the members below
    uint64_t sequence = 0;
    bool isDone = false;
    std::vector<Row> rows;

    template <typename Edit> void change(size_t index, Edit edit) {
      std::lock_guard lock(mutex);
      edit(rows[index]);
      rows[index].sequence = ++sequence;
    }
  };
  void work(Job job, const std::shared_ptr<Run>& run);
  void runOnce(const Job& job, const std::shared_ptr<Run>& run, remote::Runner& runner,
               driver::Worker& worker);

  std::mutex mutex_;
  std::thread thread_;
  std::shared_ptr<Run> current_;
  std::vector<std::unique_ptr<remote::Runner>> runners_; // used by the thread
  uint64_t count_ = 0;
};

} // namespace gluond::lsp
