// Whether a call's text says how many arguments it gives.
#pragma once

#include "syntax/tree/Ast.h"

#include <llvm/ADT/STLExtras.h>

namespace gluond::syntax {

// Whether some of the call's positional arguments are the members of an iterable: f(a, *rest).
inline bool spreadsArguments(const Call& call) {
  return llvm::any_of(call.args, [](const Expr* each) { return llvm::isa<Starred>(each); });
}

// The same, or some of its keywords are those of a mapping: f(a, **options).
inline bool spreadsAny(const Call& call) {
  return spreadsArguments(call) ||
         llvm::any_of(call.keywords, [](const Keyword& each) { return !each.name.name; });
}

} // namespace gluond::syntax
