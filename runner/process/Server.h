// The runner as a process: answers requests until its client disconnects, a kernel hangs, or the
// GPU's context is unusable.
#pragma once

namespace gluond::runner {

// Serves standard input and output until the process ends.
[[noreturn]] void serve();

} // namespace gluond::runner
