// Prints IR as text, with the source places of its lines.
#pragma once

#include "driver/analysis/Analysis.h"

namespace gluond::driver {

// Prints like ir::printModule(). If `lines` is given, it receives the source place of each line on
// which an op begins.
std::string printWithPlaces(mlir::ModuleOp module, const EvaluatedFile& program,
                            std::vector<LineOrigin>* lines);

} // namespace gluond::driver
