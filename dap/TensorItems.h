// The tensors of a launch, in global memory, as a debugger shows them. Elements are read when they
// are opened: a tensor may have gigabytes.
#pragma once

#include "debug/Values.h"
#include "driver/simulation/PrepareSimulation.h"

namespace gluond::dap {

// `memory` must outlive the item.
debug::Item itemOf(const driver::SimulatedMemory& memory, const debug::Look& look);

} // namespace gluond::dap
