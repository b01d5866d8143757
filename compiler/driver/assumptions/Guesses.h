// What is wrong with a kernel whatever it is launched with, where that shows only once its
// arguments have types.
//
// Of a kernel that nobody launches, names, keywords and what is made of constants alone can be
// judged with unknown arguments; behind the first load nothing is known any more. So the kernel is
// compiled under several guesses: pointers to different element types, different numbers for
// compile-time integers. A mistake counts when every guess makes it, in the same words, and when
// it is of a kind that element types, numbers and the launch have no part in: layouts and ranks;
// and where no number was guessed, shapes. Arguments that may be anything but scalars and pointers
// (something is read off them, they are compared with None) stay unknown.
#pragma once

#include "codegen/context/Source.h"
#include "driver/launches/Kernels.h"

namespace gluond::driver {

std::vector<diagnostics::Diagnostic> commonMistakes(const Variant& variant,
                                                    codegen::CodegenContext& context,
                                                    const codegen::Specialization& specialization,
                                                    const Program& program,
                                                    CancellationToken token);

} // namespace gluond::driver
