// Finds kernels that are written in Gluon and decorated with @triton.jit, as one that was copied
// from a Triton program is.
#pragma once

#include "driver/program/Program.h"

namespace gluond::driver {

// Reports, for each kernel of the program's own file that the program launches, the first call of
// an operation that @triton.jit functions do not have. A function that is not launched is not
// reported: a Gluon kernel may call it.
void tellDecoratorProblems(const Program& program, Interner& names,
                           std::vector<diagnostics::Diagnostic>& out);

} // namespace gluond::driver
