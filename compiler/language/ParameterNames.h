// What the name of a parameter says about it, where nothing else is known. These are guesses, for
// types that are shown as assumed and for kernels that only have to compile.
#pragma once

#include <llvm/ADT/StringRef.h>

namespace gluond::language {

// Whether people call pointers so: "x_ptr", "ptr", "X", "output".
bool suggestsPointer(llvm::StringRef parameter);

// Whether people call descriptors so: "a_desc", "desc".
bool suggestsDescriptor(llvm::StringRef parameter);

} // namespace gluond::language
