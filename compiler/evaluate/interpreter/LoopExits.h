// How a loop that runs may have been left where evaluation could not tell: a `break` under an
// unknown condition, or in the handler of an exception that may have been raised. Evaluation goes
// on as if it was not left, for some turns; an endless loop would never end this way. Afterwards
// the variables may have the values of each place where it may have been left.
#pragma once

#include "language/values/Value.h"
#include "syntax/tree/Ast.h"

#include <llvm/ADT/MapVector.h>

#include <cstdint>

namespace gluond::evaluate {

class Interpreter;

// The values that variables have at one of several places: what differs between these is Unknown.
class PossibleValues {
public:
  bool empty() const { return values_.empty(); }
  void clear() { values_.clear(); }
  void add(Interpreter& in, const language::Scope::State& state);
  // The variables have these values, or those that they have now.
  void joinInto(Interpreter& in, language::Scope& locals) const;
  // The variables have these values.
  void replace(language::Scope& locals) const;

private:
  llvm::MapVector<Name, language::Value> values_; // of those that have one somewhere
};

struct LoopExits {
  LoopExits* outer = nullptr; // of the loop around this one, in the same function
  bool mayBreak = false, mayReturn = false;
  uint64_t turns = 0;         // turns that ended since the first possible exit
  PossibleValues atBreaks;    // at those `break`s that evaluation came to
  PossibleValues atContinues; // likewise, in the present turn

  // After a turn: whether evaluation should leave the loop, with its variables unknown.
  bool givesUp();

  // A branch that may have been taken ended in `break` or in `return`.
  void noteBreak() { mayBreak = true; }
  void noteReturn();
  // Likewise for each that stands in `body`.
  void noteAll(syntax::Stmts body);
};

} // namespace gluond::evaluate
