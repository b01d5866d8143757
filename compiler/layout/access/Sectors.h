// The pieces in which GPUs move global memory.
#pragma once

#include <cstdint>

namespace gluond::layout {

constexpr int64_t sectorBytes = 32; // what a load or store moves at least
constexpr int64_t lineBytes = 128;  // of the first cache, four sectors

} // namespace gluond::layout
