// What a user may ask for as a target: a chip that has a row in chips/.
#pragma once

#include <llvm/ADT/StringRef.h>

#include <optional>
#include <string>

namespace gluond::codegen {

// Why a name that a user wrote is no target, as a sentence with the valid ones and the one that was
// probably meant; nullopt: it is one.
std::optional<std::string> whyNoTarget(llvm::StringRef name);

} // namespace gluond::codegen
