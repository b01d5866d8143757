#include "backend/Tool.h"

#include "backend/MemoryFile.h"
#include "support/ChildProcess.h"

#include <chrono>
#include <csignal>
#include <sys/wait.h>
#include <thread>
#include <vector>

namespace gluond::backend {

namespace {

// Returns how the process ended; it is killed when cancelled or after the time limit.
int waitFor(pid_t process, const CancellationToken& token) {
  using namespace std::chrono;
  auto start = steady_clock::now();
  for (auto pause = microseconds(200); !hasEnded(process, false);) {
    if (token.isCancelled() || steady_clock::now() - start > minutes(10)) {
      ::kill(process, SIGKILL);
      reapChild(process);
      return -SIGKILL;
    }
    std::this_thread::sleep_for(pause);
    pause = std::min(pause * 2, microseconds(2000));
  }
  int status = reapChild(process);
  if (status < 0) return -SIGKILL;
  return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

} // namespace

tl::expected<ToolRun, std::string> runTool(llvm::StringRef path,
                                           llvm::ArrayRef<llvm::StringRef> arguments,
                                           llvm::StringRef input, const CancellationToken& token) {
  MemoryFile in, out, log;
  if (in.number() < 0 || out.number() < 0 || log.number() < 0 || !in.write(input))
    return tl::make_unexpected("no memory for the files of " + path.str());
  std::string program = path.str();
  std::vector<std::string> words{program};
  words.insert(words.end(), arguments.begin(), arguments.end());
  ChildSetup setup;
  setup.readsNothing = true;
  setup.descriptors = {{log.number(), 1},
                       {log.number(), 2},
                       {in.number(), inputNumber},
                       {out.number(), outputNumber}};
  auto process = startChild(program, words, setup);
  if (!process) return tl::make_unexpected("cannot run " + program + ": " + process.error());
  ToolRun run;
  run.status = waitFor(*process, token);
  run.output = out.read();
  run.log = log.read();
  return run;
}

} // namespace gluond::backend
