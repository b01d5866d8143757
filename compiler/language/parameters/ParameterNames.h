// What the name of a parameter says about it. These are guesses; ParameterRoles looks at the uses
// as well.
#pragma once

#include "language/parameters/ParameterRoles.h"

namespace gluond::language {

// Returns Pointer for a name such as "x_ptr" or "output", Descriptor for "a_desc"; Unknown for
// others.
ParameterRole suggestedRole(llvm::StringRef parameter);

// Whether formulas call operands so ("X", "Q"). Sizes may have the same names: "K".
bool isOperandOfFormula(llvm::StringRef parameter);

} // namespace gluond::language
