// Rights that a process which only reads and prints gives up before it reads a user's file: writing
// to the file system, the network, signals to other processes. Uses Landlock and seccomp if the
// kernel has them; child processes are restricted as well.
#pragma once

#include <string>

namespace gluond::cli {

// Restricts the calling thread and all threads and processes it starts from now on, permanently.
void giveUpWriting();

// Returns which of these the kernel supports, for `doctor`: "Landlock 7, seccomp"; "" if none.
std::string sandboxKinds();

} // namespace gluond::cli
