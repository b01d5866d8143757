// Names of the simulator's elements, in Triton's words.
#pragma once

#include "simulate/values/Element.h"

#include <llvm/ADT/StringRef.h>

namespace gluond::simulate {

// Returns "fp16", "int32".
llvm::StringRef nameOf(Element element);

// Finds an element by its name, or by that of its type in signatures ("i32", "u8"); nullopt if the
// simulator has no such type.
std::optional<Element> elementNamed(llvm::StringRef name);

} // namespace gluond::simulate
