#include "support/ChildProcess.h"

#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

namespace gluond {

tl::expected<pid_t, std::string> startChild(const std::string& program,
                                            const std::vector<std::string>& arguments,
                                            const ChildSetup& setup) {
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  if (setup.readsNothing) ::posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  for (auto [ours, its] : setup.descriptors)
    ::posix_spawn_file_actions_adddup2(&actions, ours, its);
  if (setup.closedFrom >= 0) ::posix_spawn_file_actions_addclosefrom_np(&actions, setup.closedFrom);
  posix_spawnattr_t attributes;
  ::posix_spawnattr_init(&attributes);
  if (setup.isIndependent) {
    ::posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF);
    sigset_t defaults;
    ::sigemptyset(&defaults);
    ::sigaddset(&defaults, SIGPIPE);
    ::sigaddset(&defaults, SIGXFSZ);
    ::posix_spawnattr_setsigdefault(&attributes, &defaults);
  }
  std::vector<char*> argv;
  argv.reserve(arguments.size() + 1);
  for (const std::string& argument : arguments)
    argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  pid_t child = 0;
  int failed = ::posix_spawn(&child, program.c_str(), &actions, &attributes, argv.data(), environ);
  ::posix_spawn_file_actions_destroy(&actions);
  ::posix_spawnattr_destroy(&attributes);
  if (failed) return tl::make_unexpected(std::string(std::strerror(failed)));
  return child;
}

bool hasEnded(pid_t child, bool waits) {
  siginfo_t found{};
  int options = WEXITED | WNOWAIT | (waits ? 0 : WNOHANG);
  while (::waitid(P_PID, static_cast<id_t>(child), &found, options) < 0)
    if (errno != EINTR) return true;
  return found.si_pid == child;
}

int reapChild(pid_t child) {
  int status = 0;
  while (::waitpid(child, &status, 0) < 0)
    if (errno != EINTR) return -1;
  return status;
}

} // namespace gluond
