#include "remote/Process.h"

#include "support/ChildProcess.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <utility>

namespace gluond::remote {

namespace {

void closeFd(int& fd) {
  if (fd >= 0) ::close(fd);
  fd = -1;
}

// Appends available output without waiting, at most `most` bytes: a process that writes faster than
// it is read must not block us. Returns false at the end of the output.
bool drain(int fd, std::string& out, size_t most) {
  char buffer[1 << 16];
  while (true) {
    if (most == 0) return true;
    ssize_t got = ::read(fd, buffer, std::min(most, sizeof buffer));
    if (got > 0) {
      out.append(buffer, static_cast<size_t>(got));
      most -= static_cast<size_t>(got);
      if (static_cast<size_t>(got) < sizeof buffer) return true;
    } else if (got == 0) {
      return false;
    } else if (errno != EINTR) {
      return errno == EAGAIN;
    }
  }
}

} // namespace

tl::expected<Process, std::string> Process::start(const std::string& command) {
  // Writing to a process that ended must be an error here, not the end of this one.
  static const bool ignored = [] {
    struct sigaction now = {};
    if (sigaction(SIGPIPE, nullptr, &now) == 0 && now.sa_handler == SIG_DFL)
      std::signal(SIGPIPE, SIG_IGN);
    return true;
  }();
  (void)ignored;
  int pipes[4][2] = {{-1, -1}, {-1, -1}, {-1, -1}, {-1, -1}};
  for (auto& ends : pipes)
    if (pipe2(ends, O_CLOEXEC) != 0) {
      for (auto& made : pipes)
        closeFd(made[0]), closeFd(made[1]);
      return tl::unexpected(std::string("cannot create pipes: ") + std::strerror(errno));
    }
  ChildSetup setup;
  constexpr int lifeline = 3;
  setup.descriptors = {
      {pipes[0][0], 0}, {pipes[1][1], 1}, {pipes[2][1], 2}, {pipes[3][0], lifeline}};
  setup.isIndependent = true;
  // However this process ends, its end of a pipe that nobody writes is closed then, and the whole
  // group is ended by a member that waits for that.
  const std::string guard =
      "(exec </dev/null >/dev/null 2>&1; read never <&3; kill -9 0) & exec 3<&-; ";
  auto child = startChild("/bin/sh", {"/bin/sh", "-c", guard + command}, setup);
  Process process;
  closeFd(pipes[0][0]);
  closeFd(pipes[1][1]);
  closeFd(pipes[2][1]);
  closeFd(pipes[3][0]);
  process.lifeline_ = pipes[3][1];
  process.in_ = pipes[0][1];
  process.out_ = pipes[1][0];
  process.errors_ = pipes[2][0];
  if (!child) return tl::unexpected("'" + command + "' cannot be started: " + child.error());
  process.pid_ = *child;
  for (int fd : {process.in_, process.out_, process.errors_})
    fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK);
  return process;
}

Process::Process(Process&& other) noexcept
    : pid_(std::exchange(other.pid_, -1)), in_(std::exchange(other.in_, -1)),
      out_(std::exchange(other.out_, -1)), errors_(std::exchange(other.errors_, -1)),
      lifeline_(std::exchange(other.lifeline_, -1)) {}

Process::~Process() {
  if (pid_ > 0) finish();
  for (int* fd : {&in_, &out_, &errors_, &lifeline_})
    closeFd(*fd);
}

bool Process::pump(std::string_view& out, std::string& in, std::string& errors, int milliseconds) {
  if (out_ < 0) return false;
  pollfd waiting[] = {
      {out_, POLLIN, 0}, {errors_, POLLIN, 0}, {out.empty() ? -1 : in_, POLLOUT, 0}};
  if (::poll(waiting, 3, milliseconds) <= 0) return true;
  if (waiting[2].revents) {
    ssize_t wrote = ::write(in_, out.data(), std::min(out.size(), size_t{1} << 20));
    if (wrote > 0)
      out.remove_prefix(static_cast<size_t>(wrote));
    else if (errno != EAGAIN && errno != EINTR)
      closeFd(in_);
  }
  constexpr size_t mostOutput = size_t{8} << 20, mostErrors = size_t{64} << 10;
  if (waiting[1].revents && !drain(errors_, errors, mostErrors)) closeFd(errors_);
  if (waiting[0].revents && !drain(out_, in, mostOutput)) {
    // Its last error output may come slightly after the end of output; a flood is not waited for.
    if (errors_ >= 0) {
      pollfd last = {errors_, POLLIN, 0};
      for (int pieces = 0; pieces < 16 && ::poll(&last, 1, 100) > 0; ++pieces)
        if (!drain(errors_, errors, mostErrors)) break;
    }
    closeFd(out_);
    return false;
  }
  return true;
}

Process::Ending Process::finish() {
  if (pid_ <= 0) return {"had ended"};
  // Gives it a moment to end by itself after closing its input, which ends a runner.
  closeFd(in_);
  // It is not reaped before the group is killed: until then no other process has its ids.
  bool isDone = false;
  for (int i = 0; i < 20 && !(isDone = hasEnded(pid_, false)); ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  bool wasKilled = !isDone;
  ::kill(-pid_, SIGKILL);
  ::kill(pid_, SIGKILL);
  int status = reapChild(std::exchange(pid_, -1));
  if (wasKilled) return {"was ended"};
  // A shell reports the signal that ended its command by such a code.
  constexpr int ofSignals = 128;
  if (WIFEXITED(status))
    return {"ended with code " + std::to_string(WEXITSTATUS(status)),
            WEXITSTATUS(status) == ofSignals + SIGKILL};
  if (WIFSIGNALED(status)) return {"was ended by signal " + std::to_string(WTERMSIG(status)), true};
  return {"ended"};
}

} // namespace gluond::remote
