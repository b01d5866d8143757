// The ops of `amdg`. Heavy: include it only in files that build or match ops.
#pragma once

#include "ir/amdg/Dialect.h"
#include "ir/ttg/Ops.h"

#define GET_OP_CLASSES
#include "ir/amdg/Ops.h.inc"

namespace gluond::amdg {

// Returns the layout of scales for values with layout `values`, if `perScale` consecutive values
// along `axis` share one scale: the low bits of that coordinate are dropped. Returns nullopt if
// `perScale` does not divide the size.
std::optional<layout::LinearLayout> scaleLayout(const layout::LinearLayout& values, unsigned axis,
                                                int64_t perScale);

} // namespace gluond::amdg
