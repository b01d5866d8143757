// Calls of builtins as earlier releases of Triton take them. The table of builtins has the
// parameters of the newest release; a call that fits those of an earlier one is rewritten for it.
#pragma once

#include "language/types/Builtin.h"
#include "releases/ApiChanges.h"

#include <llvm/ADT/SmallVector.h>

#include <optional>
#include <string>

namespace gluond::evaluate {

// The parameters of a builtin in a release, "(x, y=None)"; empty if they are those of its row.
llvm::StringRef earlierSignature(releases::Release release, const language::Builtin& builtin);

// The same, parsed; those of the row if they have not changed.
llvm::SmallVector<language::Parameter, 8> parametersIn(releases::Release release,
                                                       const language::Builtin& builtin);
// The releases that have a builtin; nullopt for all.
std::optional<releases::Life> lifeOf(const language::Builtin& builtin);

// The arguments of one call, without their values.
struct EarlierCall {
  enum class Outcome : uint8_t {
    Same,              // as in the newest release
    Rewritten,         // the same values under the names below
    Unknown,           // it means something that the newest release does not have
    TooMany,           // more positional arguments than `accepted`
    UnexpectedKeyword, // the keyword argument number `keyword` does not exist
    Missing,           // the parameter `name` has no default
  };
  Outcome outcome = Outcome::Same;
  size_t accepted = 0, keyword = 0;
  std::string name; // UnexpectedKeyword: the name that the release has instead, or ""
  // Rewritten: positional arguments from this one on become keyword arguments of these names.
  size_t firstNamed = 0;
  llvm::SmallVector<std::string, 4> named;
  llvm::SmallVector<std::string, 4> keywords; // Rewritten: the new names of the keyword arguments
  bool isRefused() const { return outcome >= Outcome::TooMany; }
};
EarlierCall callIn(releases::Release release, const language::Builtin& builtin, size_t positional,
                   llvm::ArrayRef<llvm::StringRef> keywords);

// A call that the newest release refuses, but that an earlier one takes.
struct EarlierForm {
  // What the present parameter of each argument is called, "" if it has none: first of the
  // positional ones, then of the keyword arguments.
  llvm::SmallVector<std::string, 8> names;
  // The earlier default of each argument without a parameter, as it is written.
  llvm::SmallVector<std::string, 8> defaults;
};
std::optional<EarlierForm> earlierForm(const language::Builtin& builtin, size_t positional,
                                       llvm::ArrayRef<llvm::StringRef> keywords);

} // namespace gluond::evaluate
