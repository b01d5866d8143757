// How a conversion of a kernel is compiled: for lints, hovers and panels.
#pragma once

#include "ir/ttg/Ops.h"
#include "layout/exchange/ConversionPlan.h"

namespace gluond::passes {

// Returns nullopt if the layouts are not for the same tensor.
std::optional<layout::ConversionPlan> planOf(ttg::ConvertLayoutOp op);

} // namespace gluond::passes
