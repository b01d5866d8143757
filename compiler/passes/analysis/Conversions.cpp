#include "passes/analysis/Conversions.h"

#include "ir/layouts/Layouts.h"
#include "ir/tt/Types.h"
#include "ir/ttg/ModuleTarget.h"

#include <mlir/Interfaces/LoopLikeInterface.h>

namespace gluond::passes {

std::optional<layout::ConversionPlan> planAt(mlir::Operation* at, mlir::RankedTensorType from,
                                             mlir::RankedTensorType to,
                                             layout::ConversionSetting setting) {
  setting.isInLoop = at->getParentOfType<mlir::LoopLikeOpInterface>() != nullptr;
  return layout::planConversion(ir::toLinearLayout(from), ir::toLinearLayout(to),
                                tt::bitWidth(from.getElementType()), setting);
}

std::optional<layout::ConversionPlan> planOf(ttg::ConvertLayoutOp op) {
  layout::ConversionSetting setting;
  setting.model = layout::banksOf(ttg::targetOf(op));
  setting.mustShuffle = op.getForceWarpShuffle();
  return planAt(op, mlir::cast<mlir::RankedTensorType>(op.getSrc().getType()), op.getType(),
                setting);
}

} // namespace gluond::passes
