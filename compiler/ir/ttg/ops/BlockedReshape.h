// Infers the blocked layout that makes a reshape free, if there is one.
#pragma once

#include "ir/ttg/Attributes.h"

namespace gluond::ttg {

// Returns a blocked layout of `to` under which every thread holds the same elements as of `from`
// under `source`, or null if there is none (a linear one always exists). It is symmetric: inferring
// back from the result gives `source`.
BlockedEncodingAttr inferBlockedReshape(BlockedEncodingAttr source, llvm::ArrayRef<int64_t> from,
                                        llvm::ArrayRef<int64_t> to);

} // namespace gluond::ttg
