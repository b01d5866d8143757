// A fix for a value whose layout cannot be inferred: the layout is given where the value is made.
#pragma once

#include "diagnostics/Diagnostic.h"
#include "driver/program/EvaluatedFile.h"

namespace gluond::driver {

// Offers the layouts that have a name where a refused call stands, gl.arange(0, N): parameters of
// the kernel, and names that get a layout before the call or in the module.
void offerLayoutArgument(diagnostics::Diagnostic& refusal, const EvaluatedFile& program);

} // namespace gluond::driver
