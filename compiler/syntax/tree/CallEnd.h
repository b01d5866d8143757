// Where an argument is added to a call. For fixes.
#pragma once

#include "syntax/tree/Ast.h"

#include <algorithm>

namespace gluond::syntax {

// Returns the end of a call's last argument, or of the opening parenthesis if it has none.
inline text::Offset endOfArguments(const Call& call) {
  text::Offset end = call.func->range.end + 1;
  if (!call.args.empty()) end = std::max(end, call.args.back()->range.end);
  if (!call.keywords.empty()) end = std::max(end, call.keywords.back().value->range.end);
  return end;
}

} // namespace gluond::syntax
