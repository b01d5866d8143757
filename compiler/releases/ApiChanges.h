// The differences of the releases of Triton from the newest one: names and modules that came or
// went, and parameters that changed. Everything that no row mentions is as in the newest release.
//
// The tables are made from Triton's wheels by scripts/oracle/release_facts.py;
// tables/Renames.def, which says what a name was replaced by, is written by hand.
#pragma once

#include "releases/Release.h"

#include <llvm/ADT/STLFunctionalExtras.h>

#include <string>

namespace gluond::releases {

// The releases that have something.
struct Life {
  Release first = oldest, last = newest;
  bool holds(Release release) const { return first <= release && release <= last; }
};
// "it exists since Triton 3.7", "it exists up to Triton 3.8", "only Triton 3.7 has it".
std::string textOf(const Life& life);

// The life of a module, or of a name in a module or class. `owner` is a module's dotted name, or
// the plain name of a class ("shared_memory_descriptor"). They return nullopt if no row mentions
// it.
std::optional<Life> lifeOfModule(llvm::StringRef module);
std::optional<Life> lifeOf(llvm::StringRef owner, llvm::StringRef name);
// Whether a release has a name, as far as a row says so.
std::optional<bool> has(Release release, llvm::StringRef owner, llvm::StringRef name);

// The parameters that a function or class has in a release, "(x, y=None)", if a later release
// changed them; else an empty string.
llvm::StringRef signatureIn(Release release, llvm::StringRef owner, llvm::StringRef name);

// A name that another one replaced.
struct Successor {
  llvm::StringLiteral owner, name;
  llvm::StringLiteral replacement; // in the same module or class
  // Whether a call means the same under either name, so that the old one can be compiled as the
  // new one.
  bool isSame;
};
llvm::ArrayRef<Successor> successors();
// Returns the name that replaced another one, or null if it is not known.
const Successor* successorOf(llvm::StringRef owner, llvm::StringRef name);
// Returns the name that a newer one replaced, if `release` has it.
const Successor* predecessorOf(Release release, llvm::StringRef owner, llvm::StringRef name);

// A parameter that another one replaced; the values have the same meaning.
struct RenamedParameter {
  llvm::StringLiteral function; // its plain name, or a class's
  llvm::StringLiteral before, now;
};
llvm::ArrayRef<RenamedParameter> renamedParameters();

// What to write for an argument of a parameter that another one replaced, perhaps with values of
// another form; `isGiven` says which other parameters have arguments.
struct NewArgument {
  llvm::StringRef parameter;
  std::string value;
};
std::optional<NewArgument> newArgument(llvm::StringRef function, llvm::StringRef parameter,
                                       llvm::StringRef value,
                                       llvm::function_ref<bool(llvm::StringRef)> isGiven);

} // namespace gluond::releases
