// Types in the names of functions. Internal to TypeContext, which keeps the names.
#pragma once

#include "language/types/TypeContext.h"

#include <llvm/ADT/STLFunctionalExtras.h>

#include <string>

namespace gluond::language {

// Returns what Triton puts into the name of a function for a parameter of this type, which is no
// scalar. `addressOf` numbers the objects whose text is their address.
std::string mangledName(TypeContext& types, const Type* type, const Interner& names,
                        llvm::function_ref<unsigned(const void*)> addressOf);

} // namespace gluond::language
