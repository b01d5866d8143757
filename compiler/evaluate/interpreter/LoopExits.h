// How a loop that runs may have been left where evaluation could not tell: a `break` under an
// unknown condition, or in the handler of an exception that may have been raised. Evaluation goes
// on as if it was not left, for some turns; an endless loop would never end this way.
#pragma once

#include "syntax/tree/Ast.h"

#include <cstdint>

namespace gluond::evaluate {

struct LoopExits {
  LoopExits* outer = nullptr; // of the loop around this one, in the same function
  bool mayBreak = false, mayReturn = false;
  uint64_t turns = 0; // turns that ended since the first possible exit

  // After a turn: whether evaluation should leave the loop, with its variables unknown.
  bool givesUp();

  // A branch that may have been taken ended in `break` or in `return`.
  void noteBreak() { mayBreak = true; }
  void noteReturn();
  // Likewise for each that stands in `body`.
  void noteAll(syntax::Stmts body);
};

} // namespace gluond::evaluate
