#include "backend/amd/CompilerProcess.h"

#include "backend/Installations.h"
#include "backend/MemoryFile.h"
#include "backend/amd/GluondAmdgpuJobs.h"
#include "backend/amd/Messages.h"
#include "support/ChildProcess.h"

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <mutex>
#include <optional>
#include <poll.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

namespace gluond::backend::amd {

namespace {

using Text = tl::expected<std::string, std::string>;

class Process {
public:
  // The error says why it did not start.
  static tl::expected<std::unique_ptr<Process>, std::string> start(const std::string& path);
  ~Process() {
    ::close(socket_);
    if (id_ > 0) kill();
  }
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

  // Whether it is still there, and runs the program that is installed now.
  bool isUsable() const {
    return identityOf(path_) == identity_ && !hasEnded(id_, /*waits=*/false);
  }

  // Nothing if it had decided to end before it got the job.
  std::optional<Text> run(llvm::StringRef words, llvm::StringRef input,
                          const CancellationToken& token);
  bool hasFailed() const { return id_ <= 0; }

private:
  Process(std::string path, int socket)
      : path_(std::move(path)), identity_(identityOf(path_)), socket_(socket) {}

  // Returns its status as Tool.h's: negative for a signal.
  int kill() {
    ::kill(id_, SIGKILL);
    return reap();
  }
  int reap() {
    int status = reapChild(id_);
    id_ = -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
  }

  bool waitForAnswer(const CancellationToken& token) const;
  std::string howItEnded(int status) const;

  std::string path_, identity_;
  int socket_;
  pid_t id_ = -1;
  MemoryFile log_; // what it says on standard error when it ends in the middle of a job
};

tl::expected<std::unique_ptr<Process>, std::string> Process::start(const std::string& path) {
  int ends[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
    return tl::make_unexpected("cannot run " + path + ": " + std::strerror(errno));
  std::unique_ptr<Process> process(new Process(path, ends[0]));
  ChildSetup setup;
  setup.readsNothing = true;
  setup.descriptors = {
      {process->log_.number(), 1}, {process->log_.number(), 2}, {ends[1], jobs::connection}};
  setup.closedFrom = jobs::connection + 1;
  auto child = process->log_.number() < 0
                   ? tl::make_unexpected(std::string("no memory for its files"))
                   : startChild(path, {path}, setup);
  ::close(ends[1]);
  if (!child) return tl::make_unexpected("cannot run " + path + ": " + child.error());
  process->id_ = *child;
  return process;
}

bool Process::waitForAnswer(const CancellationToken& token) const {
  using namespace std::chrono;
  auto start = steady_clock::now();
  constexpr int milliseconds = 10; // between two looks at the token
  pollfd answer{socket_, POLLIN, 0};
  while (::poll(&answer, 1, milliseconds) <= 0)
    if (token.isCancelled() || steady_clock::now() - start > minutes(10)) return false;
  return true;
}

std::string Process::howItEnded(int status) const {
  std::string said = llvm::StringRef(log_.read()).trim().str();
  if (status > 0 && !said.empty()) return said;
  return "LLVM's back end for AMD's GPUs failed on this kernel (" +
         (status < 0 ? std::string(::strsignal(-status))
                     : "exit status " + std::to_string(status)) +
         ")" + (said.empty() ? "" : ": " + said);
}

std::optional<Text> Process::run(llvm::StringRef words, llvm::StringRef input,
                                 const CancellationToken& token) {
  log_.clear();
  bool isSent = sendMessage(socket_, words) && sendMessage(socket_, input);
  if (isSent && !waitForAnswer(token)) return tl::make_unexpected(howItEnded(kill()));
  std::optional<std::string> answer = isSent ? receiveMessage(socket_) : std::nullopt;
  if (!answer || answer->empty()) {
    int status = reap();
    if (status == 0) return std::nullopt;
    return tl::make_unexpected(howItEnded(status));
  }
  char kind = answer->front();
  answer->erase(0, 1);
  if (kind == jobs::made) return std::move(*answer);
  return tl::make_unexpected(std::move(*answer));
}

// Those that wait for a job. They end with gluond, some of whose threads may still give one back
// then: therefore the list itself is never destroyed.
class IdleProcesses {
public:
  static IdleProcesses& ofGluond() {
    static IdleProcesses& all = []() -> IdleProcesses& {
      std::atexit([] { ofGluond().end(); });
      std::at_quick_exit([] { ofGluond().end(); });
      return *new IdleProcesses;
    }();
    return all;
  }

  std::unique_ptr<Process> take() {
    std::unique_ptr<Process> process;
    do {
      std::lock_guard lock(mutex_);
      if (idle_.empty()) return nullptr;
      process = std::move(idle_.back());
      idle_.pop_back();
    } while (!process->isUsable());
    return process;
  }

  void give(std::unique_ptr<Process> process) {
    std::lock_guard lock(mutex_);
    idle_.push_back(std::move(process));
  }

private:
  void end() {
    std::lock_guard lock(mutex_);
    idle_.clear();
  }

  std::mutex mutex_;
  std::vector<std::unique_ptr<Process>> idle_;
};

} // namespace

Text doJob(const std::string& path, llvm::ArrayRef<llvm::StringRef> words, llvm::StringRef input,
           const CancellationToken& token) {
  std::string first;
  for (llvm::StringRef word : words)
    (first += word) += jobs::endOfWord;
  IdleProcesses& idle = IdleProcesses::ofGluond();
  while (true) {
    std::unique_ptr<Process> process = idle.take();
    bool isNew = !process;
    if (isNew) {
      auto started = Process::start(path);
      if (!started) return tl::make_unexpected(started.error());
      process = std::move(*started);
    }
    std::optional<Text> result = process->run(first, input, token);
    if (!result && isNew)
      return tl::make_unexpected(path + " does not answer: install gluond again");
    if (!result) continue;
    if (!process->hasFailed()) idle.give(std::move(process));
    return std::move(*result);
  }
}

} // namespace gluond::backend::amd
