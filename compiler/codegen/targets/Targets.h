// The targets that exist, by name: what a user may ask for.
#pragma once

#include <llvm/ADT/ArrayRef.h>
#include <llvm/ADT/StringRef.h>

#include <optional>
#include <string>

namespace gluond::codegen {

struct KnownTarget {
  llvm::StringLiteral name;  // "cuda:90"
  llvm::StringLiteral chips; // "Hopper", for people; also what they may have written instead
};
llvm::ArrayRef<KnownTarget> knownTargets();

// Why a name that a user wrote is no target, as a sentence with the valid ones and the one that was
// probably meant; nullopt: it is one.
std::optional<std::string> whyNoTarget(llvm::StringRef name);

} // namespace gluond::codegen
