#include "support/ChildProcess.h"

#include "support/WriteAll.h"

#include <csignal>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/wait.h>

using namespace gluond;

namespace {

struct Pipe {
  Pipe() { EXPECT_EQ(::pipe2(ends, O_CLOEXEC), 0); }
  ~Pipe() {
    for (int end : ends)
      if (end >= 0) ::close(end);
  }
  std::string rest() {
    ::close(std::exchange(ends[1], -1));
    std::string text;
    char buffer[256];
    for (ssize_t got; (got = ::read(ends[0], buffer, sizeof buffer)) > 0;)
      text.append(buffer, static_cast<size_t>(got));
    return text;
  }
  int ends[2] = {-1, -1};
};

int runShell(const std::string& script, const ChildSetup& setup = {}) {
  auto child = startChild("/bin/sh", {"sh", "-c", script}, setup);
  if (!child) return -1;
  EXPECT_TRUE(hasEnded(*child, true));
  EXPECT_TRUE(hasEnded(*child, false)); // until it is reaped
  return reapChild(*child);
}

TEST(ChildProcess, TellsHowItEnded) {
  int exited = runShell("exit 3"), killed = runShell("kill -TERM $$");
  EXPECT_EQ(WEXITSTATUS(exited), 3);
  ASSERT_TRUE(WIFSIGNALED(killed));
  EXPECT_EQ(WTERMSIG(killed), SIGTERM);
}

TEST(ChildProcess, GivesDescriptors) {
  Pipe out;
  ChildSetup setup;
  setup.descriptors = {{out.ends[1], 1}, {out.ends[1], 7}};
  setup.readsNothing = true;
  EXPECT_EQ(runShell("cat; echo one; echo seven >&7", setup), 0);
  EXPECT_EQ(out.rest(), "one\nseven\n");
}

TEST(ChildProcess, ClosesTheOthers) {
  int open = ::dup2(2, 9);
  ASSERT_EQ(open, 9);
  std::string script = "echo x 2>/dev/null >&" + std::to_string(open);
  EXPECT_EQ(runShell(script), 0);
  ChildSetup setup;
  setup.closedFrom = 3;
  EXPECT_NE(runShell(script, setup), 0);
  ::close(open);
}

TEST(ChildProcess, LeadsAGroup) {
  ChildSetup setup;
  setup.isIndependent = true;
  auto child = startChild("/bin/sh", {"sh", "-c", "sleep 60 & wait"}, setup);
  ASSERT_TRUE(child);
  EXPECT_FALSE(hasEnded(*child, false));
  EXPECT_EQ(::getpgid(*child), *child);
  ::kill(-*child, SIGKILL);
  EXPECT_TRUE(WIFSIGNALED(reapChild(*child)));
  EXPECT_EQ(reapChild(*child), -1); // not ours any more
}

TEST(ChildProcess, TellsWhyThereIsNone) {
  auto child = startChild("/nowhere/program", {"program"}, {});
  ASSERT_FALSE(child);
  EXPECT_EQ(child.error(), "No such file or directory");
}

} // namespace
