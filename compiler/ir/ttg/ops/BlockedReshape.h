// The blocked layout that makes a reshape free, where there is one.
#pragma once

#include "ir/ttg/Attributes.h"

namespace gluond::ttg {

// A blocked layout of `to` under which every thread holds what it holds of `from` under `source`;
// null if no blocked layout does that (a linear one always does). Symmetric: from the result back
// gives `source`.
BlockedEncodingAttr inferBlockedReshape(BlockedEncodingAttr source, llvm::ArrayRef<int64_t> from,
                                        llvm::ArrayRef<int64_t> to);

} // namespace gluond::ttg
