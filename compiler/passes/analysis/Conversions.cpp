#include "passes/analysis/Conversions.h"

#include "ir/layouts/Layouts.h"
#include "ir/tt/Types.h"
#include "ir/ttg/ModuleTarget.h"

#include <mlir/Interfaces/LoopLikeInterface.h>

namespace gluond::passes {

std::optional<layout::ConversionPlan> planOf(ttg::ConvertLayoutOp op) {
  auto from = mlir::cast<mlir::RankedTensorType>(op.getSrc().getType());
  layout::ConversionSetting setting;
  setting.model = layout::banksOf(ttg::targetOf(op));
  setting.isInLoop = op->getParentOfType<mlir::LoopLikeOpInterface>() != nullptr;
  setting.mustShuffle = op.getForceWarpShuffle();
  setting.swappableLanes = layout::swappableLanes(setting.model.chip);
  return layout::planConversion(ir::toLinearLayout(from), ir::toLinearLayout(op.getType()),
                                tt::bitWidth(from.getElementType()), setting);
}

} // namespace gluond::passes
