// What a process that only reads and prints gives up before it looks at a file of anybody's:
// writing to the file system, the network, signals to others. By Landlock and seccomp, where the
// kernel has them; a process that is started by this one is bound as well.
#pragma once

#include <string>

namespace gluond::cli {

// Of the calling thread and the threads and processes that it starts from now on. For good.
void giveUpWriting();

// What of it the kernel has, for `doctor`: "Landlock 7, seccomp"; empty: nothing.
std::string sandboxKinds();

} // namespace gluond::cli
