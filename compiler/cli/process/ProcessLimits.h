// Limits of this process, for a single step that does not look at its allowance
// (support/Allowance.h), such as a pass of MLIR or LLVM.
#pragma once

#include <cstddef>

namespace gluond::cli {

// From now on the process may take this much more CPU time. Then it gets SIGXCPU.
void limitProcessTime(unsigned seconds);
// From now on the process may allocate this much more. Then allocations fail.
void limitProcessMemory(size_t bytes);
// Takes both limits back; safe in a signal handler.
void liftProcessLimits();
// Ends the process with this message, and as a failure of gluond, when it exceeds a limit that the
// functions above set. `message` is kept.
void endAtProcessLimits(const char* message);

// Sanitizers have handlers of their own, which report more, and memory of their own.
extern const bool isSanitized;

} // namespace gluond::cli
