// Where what is wrong with a call comes from: of mistakes that lie in how operands go together,
// the places where these were assigned. Internal to driver/.
#pragma once

#include "driver/program/Program.h"

namespace gluond::driver {

// Adds them as related places to those diagnostics in the program's own file that tell of such a
// mistake. Of several that say the same and have the same places, the first stays.
void addOperandOrigins(std::vector<diagnostics::Diagnostic>& diagnostics, const Program& program,
                       const Interner& names);

} // namespace gluond::driver
