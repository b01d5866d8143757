// IR as text, with the places that made its lines.
#pragma once

#include "driver/analysis/Analysis.h"

namespace gluond::driver {

// As ir::printModule() prints it; `lines`, where wanted, gets what made each line on which an op
// begins.
std::string printWithPlaces(mlir::ModuleOp module, const Program& program,
                            std::vector<LineOrigin>* lines);

} // namespace gluond::driver
