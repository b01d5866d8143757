#include "target/Tool.h"

#include "support/ChildProcess.h"
#include "support/WriteAll.h"

#include <cerrno>
#include <chrono>
#include <csignal>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

namespace gluond::target {

namespace {

class MemoryFile {
public:
  // Above the numbers that the program will see, so that moving one there closes none of them.
  MemoryFile() {
    int made = ::memfd_create("gluond", MFD_CLOEXEC);
    if (made < 0) return;
    number_ = ::fcntl(made, F_DUPFD_CLOEXEC, 10);
    ::close(made);
  }
  ~MemoryFile() {
    if (number_ >= 0) ::close(number_);
  }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;

  int number() const { return number_; }
  bool write(llvm::StringRef text) { return writeAll(number_, text); }
  std::string read() const {
    struct stat status{};
    if (::fstat(number_, &status) != 0) return {};
    std::string text(static_cast<size_t>(status.st_size), '\0');
    size_t have = 0;
    while (have < text.size()) {
      ssize_t got =
          ::pread(number_, text.data() + have, text.size() - have, static_cast<off_t>(have));
      if (got < 0 && errno == EINTR) continue;
      if (got <= 0) break;
      have += static_cast<size_t>(got);
    }
    text.resize(have);
    return text;
  }

private:
  int number_ = -1;
};

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

} // namespace gluond::target
