// Functions of the program that are @builtin themselves.
#pragma once

#include "language/Value.h"

namespace gluond::codegen {

// Whether a Python function takes _semantic: it emits IR through Triton's own classes, which gluond cannot follow.
bool emitsIr(const language::FunctionObject& function, const Interner& names);

} // namespace gluond::codegen
