// Types of arguments whose host values are not known.
//
// The kernel's text decides between pointers, numbers and objects, whose types stay unknown
// (language/parameters/ParameterRoles.h), so these types are chosen when the evaluation is
// complete, and again when it is transferred to edited files.
#pragma once

#include "evaluate/launches/Launch.h"
#include "language/types/TypeContext.h"

namespace gluond::evaluate {

// Gives all arguments with isTypeAssumed the type and specialization that their kernels suggest.
void assumeTypes(llvm::MutableArrayRef<Launch> launches, const Interner& names,
                 language::TypeContext& types);

// Makes the argument a pointer to float32, aligned as torch's tensors are.
void assumePointer(LaunchArgument& argument, bool isConst, llvm::StringRef target,
                   language::TypeContext& types);

} // namespace gluond::evaluate
