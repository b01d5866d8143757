// Counts what one thread allocates and frees, whoever does it: our code, LLVM, MLIR, the standard
// library. malloc and its relatives are this program's own (MemoryMeter.cpp), and hand on to the C
// library's. Only Allowance.cpp should need this.
#pragma once

#include <cstdint>

namespace gluond {

// Counting costs about a nanosecond an allocation while it runs on a thread, less elsewhere.
int64_t startMeter(); // what meteredBytes() says now
void stopMeter();
// Allocated minus freed by this thread while its meter ran; below zero where it freed what is
// older.
int64_t meteredBytes();

} // namespace gluond
