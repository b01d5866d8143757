// Where a bulk copy (TMA, the tensor data mover) takes its block from: the tensor its descriptor is
// of, the place of the block in it, and the pieces in which the hardware moves it. Part of the
// access view; where the elements land in shared memory is the layout of the buffer.
#pragma once

#include "driver/inspect/OperationAnatomy.h"
#include "passes/analysis/ElementValues.h"

namespace gluond::driver {

// Fills in `view.bulk`, and what bulk copies have of the rest. The tensor is as large as the launch
// says, or as `values` assumes.
void traceBulk(AccessView& view, const Anatomy& parts, passes::ElementValues& values);

// "8192 bytes, 64 rows of 128 bytes".
std::string bulkSummary(const KernelOperation& operation, const Anatomy& parts);

} // namespace gluond::driver
