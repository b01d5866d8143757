// The runner as a process: answers requests until its client goes away, a kernel hangs, or the
// GPU's context is dead.
#pragma once

namespace gluond::runner {

// Serves standard input and output until the process ends.
[[noreturn]] void serve();

} // namespace gluond::runner
