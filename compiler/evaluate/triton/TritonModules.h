// The names of all modules of Triton; importing any other module of Triton fails. They are those of
// the newest release, corrected by what the releases have instead (releases/ApiChanges.h).
#pragma once

#include "releases/Release.h"

#include <llvm/ADT/ArrayRef.h>
#include <llvm/ADT/StringRef.h>

#include <optional>

namespace gluond::evaluate {

// Dotted names, sorted.
llvm::ArrayRef<llvm::StringRef> tritonModules();
// Returns whether Triton has a module of that name, or nullopt if it is not a name of Triton, is
// inside its compiled part, or may be a package that another back end installs into Triton.
std::optional<bool> isTritonModule(llvm::StringRef dottedName,
                                   releases::Release release = releases::newest);
// Whether a file is one of Triton's own, in a copy or a fork of its sources: what it imports from
// Triton is what that copy has.
bool isFileOfTriton(llvm::StringRef path);
// Returns whether a package that was not found is Triton with a slip in its name, as `tritn` is.
bool isMisspeltTriton(llvm::StringRef package);
// Returns the names in a module, or an empty list if they are not known.
llvm::ArrayRef<llvm::StringRef> tritonNames(llvm::StringRef dottedName);
// The names in a module of Triton's host side that programs use, or an empty list for a module of
// Gluon's language.
llvm::ArrayRef<llvm::StringRef> hostNames(llvm::StringRef dottedName);
bool hasHostName(llvm::StringRef dottedName, llvm::StringRef name);
// Returns whether a module has a name, or nullopt if that is not known.
std::optional<bool> tritonHas(llvm::StringRef dottedName, llvm::StringRef name,
                              releases::Release release = releases::newest);

} // namespace gluond::evaluate
