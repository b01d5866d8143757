// The client side of a GPU process: starts it, sends it requests, restarts it after a crash.
//
// Every failure is returned as a Problem: those that the runner reports, and those that it cannot
// report: it did not start, the connection broke, or it does not answer.
#pragma once

#include "remote/Process.h"
#include "runner/protocol/Framing.h"
#include "runner/protocol/Messages.h"
#include "support/Cancellation.h"

#include <functional>
#include <memory>
#include <optional>

namespace gluond::remote {

template <typename T> using Expected = tl::expected<T, runner::Problem>;

struct RunnerOptions {
  std::string command;       // for /bin/sh: "gluond-runner", "ssh box gluond-runner"
  uint64_t startMs = 60'000; // limit until the first answer
  uint64_t patienceMs =
      150'000; // in addition to a request's own limit, until the runner counts as lost
};

// For one thread at a time. The process is started with the first request.
class Runner {
public:
  explicit Runner(RunnerOptions options) : options_(std::move(options)) {}

  const std::string& command() const { return options_.command; }
  // Returns the name and version of the process, and its GPUs.
  Expected<runner::InitializeResult> connect(CancellationToken token = {});

  Expected<runner::LoadResult> load(const runner::LoadParams& params, std::string_view binary,
                                    CancellationToken token = {});
  Expected<bool> unload(uint64_t module);
  struct Ran {
    runner::RunResult result;
    std::string binary; // the data that slices of the summaries refer to
  };
  Expected<Ran> run(const runner::RunParams& params, std::string_view binary,
                    CancellationToken token = {});
  using OnTimes = std::function<void(const runner::Times&)>;
  Expected<runner::TimeResult> time(const runner::TimeParams& params, std::string_view binary,
                                    CancellationToken token = {}, const OnTimes& progress = {});
  Expected<runner::CompareResult> compare(const runner::CompareParams& params,
                                          std::string_view binary, CancellationToken token = {});

  // Counts processes: modules and kept results of earlier ones are gone.
  uint64_t generation() const { return generation_; }
  // Ends the process; the next request starts a new one.
  void stop();

private:
  struct Reply {
    runner::Json result;
    std::string binary;
  };
  struct Connection {
    Process process;
    runner::FrameDecoder decoder;
    std::string errors; // the end of its error output
    uint64_t nextId = 1;
  };

  Expected<Reply> ask(const char* method, const runner::Json& params, std::string_view binary,
                      uint64_t limitMs, CancellationToken token, const OnTimes& progress = {});
  Expected<Reply> talk(const char* method, const runner::Json& params, std::string_view binary,
                       uint64_t limitMs, CancellationToken token, const OnTimes& progress);
  template <typename Result, typename Params>
  Expected<Result> call(const char* method, const Params& params, std::string_view binary,
                        uint64_t limitMs, CancellationToken token, const OnTimes& progress = {},
                        std::string* out = nullptr);
  Expected<runner::InitializeResult> start(CancellationToken token);
  // Ends a process that is no longer usable, and reports why, with the end of its error output.
  runner::Problem lost(runner::ProblemKind kind, std::string what);

  RunnerOptions options_;
  std::unique_ptr<Connection> connection_;
  std::optional<runner::InitializeResult> greeting_;
  uint64_t generation_ = 0;
  bool wasEndedBySignal_ = false; // the last process that was lost
};

} // namespace gluond::remote
