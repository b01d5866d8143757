// Where a bulk copy (TMA, the tensor data mover) takes its block from: the descriptor's tensor, the
// place of the block in it, and the pieces in which the hardware moves it. This is part of the
// access view; the buffer's layout says where the elements go in shared memory.
#pragma once

#include "driver/inspect/OperationParts.h"
#include "passes/analysis/ElementValues.h"

namespace gluond::driver {

// Fills in `view.bulk` and the other fields that apply to bulk copies. The size of the tensor comes
// from the launch or from the assumptions in `values`.
void traceBulk(AccessView& view, const OperationParts& parts, passes::ElementValues& values);

// "8192 bytes, 64 rows of 128 bytes".
std::string bulkSummary(const KernelOperation& operation, const OperationParts& parts);

} // namespace gluond::driver
