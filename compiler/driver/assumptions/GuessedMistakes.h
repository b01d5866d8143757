// Finds mistakes in a kernel that hold for any launch but show only once its arguments have
// types.
//
// Without a launch, names, keywords and values made of constants can be checked with unknown
// arguments, but after the first load nothing is known any more. So the kernel is compiled under
// several guesses: pointers to different element types, different numbers for compile-time
// integers. A mistake counts if every guess makes it, in the same words, and if it does not depend
// on element types, numbers or the launch: one of layouts and ranks, of shapes if no number was
// guessed, of the kind of a value ("'axis' must be an integer"), or a string among the arguments.
// Arguments that may be something other than scalars and pointers (their attributes are read, or
// they are compared with None) stay unknown.
#pragma once

#include "codegen/context/Source.h"
#include "driver/launches/Kernels.h"

namespace gluond::driver {

std::vector<diagnostics::Diagnostic> commonMistakes(const Variant& variant,
                                                    codegen::CodegenContext& context,
                                                    const codegen::Specialization& specialization,
                                                    const EvaluatedFile& program,
                                                    CancellationToken token);

} // namespace gluond::driver
