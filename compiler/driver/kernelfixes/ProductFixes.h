// Fixes for matrix products that a pass refuses.
#pragma once

#include "diagnostics/Diagnostic.h"
#include "driver/program/EvaluatedFile.h"

namespace gluond::driver {

// "... but the accumulator is f16": offers the types that products have, where it is made.
void offerAccumulator(diagnostics::Diagnostic& refusal, const EvaluatedFile& program);

} // namespace gluond::driver
