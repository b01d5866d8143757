// How much memory the program may hope for.
#pragma once

#include <cstdint>

namespace gluond {

// The memory of the machine, or of the container if that has less; 0 if it is not known.
uint64_t machineBytes();

} // namespace gluond
