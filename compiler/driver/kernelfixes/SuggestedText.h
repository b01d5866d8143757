// Fills the placeholders of a lint's suggestion with the source's own expressions.
//
//   {module}      what is before the function's name in the call at the suggestion's place:
//                 "mbarrier." of mbarrier.wait(..), "" of wait(..)
//   {0}           its first argument; {1:phase} its second one, or the keyword argument `phase`
//   {group.0}     the same in parentheses, unless it is a name or a call; no number
//   {other.0}     the same of the suggestion's other call (Suggestion::argumentsAt)
//   {bytes}       the bytes that the calls of Suggestion::copies transfer
#pragma once

#include "syntax/SyntaxTree.h"

#include <llvm/ADT/ArrayRef.h>

#include <optional>
#include <string>

namespace gluond::driver {

struct SuggestedCalls {
  const syntax::Call *here = nullptr, *other = nullptr;
  llvm::ArrayRef<const syntax::Call*> copies;
  const syntax::Stmt* statement = nullptr; // where the text goes
  bool isAfter = false;                    // after the statement
};

// Returns nullopt if a call does not have what a placeholder names, or if the names in it are not
// known where the text goes.
std::optional<std::string> fillSuggestion(llvm::StringRef text, const SuggestedCalls& calls,
                                          const syntax::SyntaxTree& tree);

} // namespace gluond::driver
