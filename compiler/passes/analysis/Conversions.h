// How a conversion of a kernel is compiled: for lowering, lints, hovers and panels.
#pragma once

#include "ir/ttg/Ops.h"
#include "layout/exchange/ConversionPlan.h"

namespace gluond::passes {

// Returns nullopt if the layouts are not for the same tensor.
std::optional<layout::ConversionPlan> planOf(ttg::ConvertLayoutOp op);
// The same for a conversion that another operation makes; of the setting, `isInLoop` follows from
// the place.
std::optional<layout::ConversionPlan> planAt(mlir::Operation* at, mlir::RankedTensorType from,
                                             mlir::RankedTensorType to,
                                             layout::ConversionSetting setting);

} // namespace gluond::passes
