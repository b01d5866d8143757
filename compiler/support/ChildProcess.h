// Starts a program as a child process, and waits for its end.
#pragma once

#include <tl/expected.hpp>

#include <string>
#include <sys/types.h>
#include <utility>
#include <vector>

namespace gluond {

struct ChildSetup {
  std::vector<std::pair<int, int>> descriptors; // one of ours, and its number in the child
  bool readsNothing = false;                    // its standard input is empty
  int closedFrom = -1; // it inherits no descriptor from this number on; -1: all without O_CLOEXEC
  // It leads a group of its own, so that its children end with it and Ctrl-C at a terminal is not
  // for them, and does not inherit which signals are ignored here.
  bool isIndependent = false;
};

// Runs the program at a path; its own name is the first argument. The error says why it cannot.
tl::expected<pid_t, std::string> startChild(const std::string& program,
                                            const std::vector<std::string>& arguments,
                                            const ChildSetup& setup);

// Returns whether a child has ended, after waiting for that if `waits`. Until reapChild() its
// process id and group id are not reused.
bool hasEnded(pid_t child, bool waits);

// Waits for the end of a child. Returns its status as waitpid() gives it, or -1 if it is not known.
int reapChild(pid_t child);

} // namespace gluond
