// Shows where the operands of a wrong call come from: for mistakes in the combination of operands,
// the places where these were assigned. Internal to driver/.
#pragma once

#include "driver/program/EvaluatedFile.h"

namespace gluond::driver {

// Adds these as related places to diagnostics of that kind in the program's own file. Of several
// with the same text and places, the first is kept.
void addOperandOrigins(std::vector<diagnostics::Diagnostic>& diagnostics,
                       const EvaluatedFile& program, const Interner& names);

} // namespace gluond::driver
