// The releases of Triton whose Gluon gluond knows. The newest one is what its tables of builtins,
// its code generator and its passes are made from; ApiChanges.h says what the others have instead.
#pragma once

#include <llvm/ADT/ArrayRef.h>
#include <llvm/ADT/StringRef.h>

#include <cstdint>
#include <optional>

namespace gluond::releases {

enum class Release : uint8_t { Triton36, Triton37, Triton38, Triton39 };
constexpr Release oldest = Release::Triton36, newest = Release::Triton39;

// All of them, the oldest first.
llvm::ArrayRef<Release> all();
llvm::StringRef name(Release release);    // "3.8"
llvm::StringRef version(Release release); // "3.8.0", the value of triton.__version__

// Reads "3.8", "3.8.0" or "3.8.1+git"; returns nullopt for a release that is not known.
std::optional<Release> parse(llvm::StringRef text);
// Returns the known release that is closest to an installed version: the one with the same first
// two numbers, else the oldest or the newest one. Returns nullopt if it is no version.
std::optional<Release> closest(llvm::StringRef version);
// Returns the newest release that a requirement allows, such as "triton>=3.6,<3.8" or
// "triton==3.7.*; sys_platform == 'linux'"; nullopt if it is about another package, or allows
// everything.
std::optional<Release> required(llvm::StringRef requirement);

} // namespace gluond::releases
