// What a branch that may not run changes beside the local names: attributes of objects, classes,
// functions and modules, and the contents of lists, dicts and sets.
//
// While a branch runs, Interpreter::writable() tells the log of each object before it is changed
// for the first time. Afterwards the changes can be taken back, for the other branch to start from
// the same state, and the states that are possible then are joined: what differs between them is
// unknown.
#pragma once

#include "language/values/Value.h"

#include <llvm/ADT/DenseMap.h>

#include <cstdint>
#include <optional>
#include <variant>
#include <vector>

namespace gluond::evaluate {

class Interpreter;

struct ListContents {
  llvm::SmallVector<language::Value, 8> items;
  bool isUncertain;
};
struct DictContents {
  language::DictItems items;
  bool isUncertain;
};
using Changeable = std::variant<language::Scope*, language::ListObject*, language::DictObject*>;
using Contents = std::variant<language::Scope::State, ListContents, DictContents>;
struct StateOf {
  Changeable object;
  Contents contents;
};

// The log of one branch, or of what runs after a branch that returned. It is active as long as it
// lives, or until it is closed.
class BranchChanges {
public:
  explicit BranchChanges(Interpreter& in);
  ~BranchChanges() { close(); }
  BranchChanges(const BranchChanges&) = delete;
  BranchChanges& operator=(const BranchChanges&) = delete;
  void close();

  // Called before an object is changed. Returns the number of values that were copied.
  size_t note(Changeable object);

  // The changed objects with their contents before the branch.
  const std::vector<StateOf>& before() const { return before_; }
  bool has(Changeable object) const;
  // Puts the contents back, and returns those that the branch left.
  std::vector<StateOf> undo();

private:
  Interpreter& in_;
  uint64_t made_; // objects with a larger number were made in the branch
  bool isOpen_ = true;
  std::vector<StateOf> before_;
  llvm::DenseMap<const void*, unsigned> places_; // in before_
};

// What objects may look like at the end of a function that may have returned before.
struct PossibleReturns {
  std::vector<StateOf> states;         // at returns that may have happened
  size_t bytes = 0;                    // of them, charged to the budget until the function ends
  std::optional<BranchChanges> others; // what was changed since the first of them
};
// At the end of the function.
void settle(Interpreter& in, PossibleReturns& returns);

// The value of something that has one of two values.
language::Value either(Interpreter& in, language::Value a, language::Value b);
Contents contentsOf(Changeable object);
size_t bytesOf(const StateOf& state);
void restore(const StateOf& state);
// The object may have those contents instead of the present ones: what differs is unknown.
void join(Interpreter& in, const StateOf& other);

} // namespace gluond::evaluate
