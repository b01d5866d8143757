// Counts what one thread allocates and frees in any code: ours, LLVM, MLIR, the standard library.
// The program defines malloc and its relatives itself (MemoryMeter.cpp) and forwards to the C
// library. Only Allowance.cpp should need this.
#pragma once

#include <cstdint>

namespace gluond {

// Counting costs about a nanosecond per allocation on a metered thread, less elsewhere.
int64_t startMeter(); // returns meteredBytes()
void stopMeter();
// Returns allocated minus freed bytes of this thread while its meter ran; negative if it freed
// older allocations.
int64_t meteredBytes();

} // namespace gluond
