// Tensor memory: how much of it a buffer takes, and which register layouts can be loaded and stored
// there.
#pragma once

#include "ir/ttg/Types.h"

namespace gluond::ttng {

// Rows (of 128, or 64 where only half are used) and 32-bit columns that a view takes, all its
// stages together.
struct TMemAllocation {
  int64_t numRows = 0, numCols = 0;
};
TMemAllocation getTmemAllocSizes(ttg::MemDescType type);

} // namespace gluond::ttng
