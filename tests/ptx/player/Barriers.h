// mbarriers: objects of 64 bits in shared memory.
#pragma once

#include "Machine.h"

namespace ptx {

// At a shared::cluster address.
void arrive(Machine& machine, Cta& cta, uint64_t address, int64_t count, int64_t expectedBytes);
void completeBytes(Machine& machine, Cta& cta, uint64_t address, int64_t bytes);

} // namespace ptx
