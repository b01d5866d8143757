// The lanes that shared memory serves together.
#pragma once

#include "layout/access/SharedAccess.h"

namespace gluond::layout {

// The bits of the lane's number whose values one phase of an access runs over.
llvm::SmallVector<unsigned, 6> phaseLanes(const BankModel& model, unsigned laneBits,
                                          int64_t elements, unsigned elementBits);

} // namespace gluond::layout
