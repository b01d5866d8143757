// The targets that a user may name: chips that have a row in chips/.
#pragma once

#include <llvm/ADT/StringRef.h>

#include <optional>
#include <string>

namespace gluond::codegen {

// Returns why a name is no target, as a sentence with the valid names and the one that was probably
// meant, or nullopt if it is a target.
std::optional<std::string> whyNoTarget(llvm::StringRef name);

} // namespace gluond::codegen
