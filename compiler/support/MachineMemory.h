// How much memory the program may hope for, and what it need not keep.
#pragma once

#include <cstdint>

namespace gluond {

// The memory of the machine, or of the container if that has less; 0 if it is not known.
uint64_t machineBytes();

// Returns the bytes of memory that the process occupies; 0 if they are not known.
uint64_t occupiedBytes();

// Gives memory that is free again back to the system, if the process has become large since the
// last time. The C library keeps what a thread frees for that thread: after large results on some
// threads this is several times of what is in use. Cheap if there is nothing to do; call it after
// each task.
void returnFreeMemory();

} // namespace gluond
