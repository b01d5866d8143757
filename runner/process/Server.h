// The runner as a process: reads requests, answers them in order on one worker thread, and ends
// when its client goes away, when a kernel hangs, or when the GPU's context is dead.
#pragma once

namespace gluond::runner {

// Serves standard input and output until the process ends.
[[noreturn]] void serve();

// Exit codes besides 0.
inline constexpr int exitFatal = 3; // a kernel hung or faulted: the client was told, start another

} // namespace gluond::runner
