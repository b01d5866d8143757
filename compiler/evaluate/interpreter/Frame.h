// What the interpreter keeps of each function, class body or module that it is in.
#pragma once

#include "evaluate/interpreter/BranchChanges.h"
#include "evaluate/interpreter/HostObjects.h"
#include "evaluate/interpreter/LoopExits.h"
#include "language/values/Value.h"
#include "syntax/tree/Ast.h"

#include <llvm/ADT/DenseSet.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/ADT/SmallVector.h>

#include <optional>

namespace gluond::evaluate {

using language::FunctionObject;
using language::ModuleObject;

// Facts computed once per function: names declared global, where it yields.
struct FunctionInfo {
  llvm::SmallVector<Name, 2> globals, nonlocals;
  bool isGenerator = false;
  llvm::SmallPtrSet<const syntax::Stmt*, 4> yielding; // its statements that contain a `yield`
  bool hasNested = false;                             // it contains a def or a class
  mutable std::optional<llvm::SmallDenseSet<Name>>
      bound; // its local names, once they are asked for
};

enum class Flow : uint8_t { Next, Break, Continue, Return, Raise };

// One activation: a function, a class body or a module. Lives on the C++ stack.
struct Frame {
  Frame* caller = nullptr;
  const ModuleObject* module = nullptr;
  Scope* locals = nullptr; // the scope in which names are bound
  const FunctionObject* function = nullptr;
  const FunctionInfo* info = nullptr;
  llvm::StringRef prefix;             // prefix of qualnames defined here: "f.<locals>.", "C."
  const syntax::Node* node = nullptr; // the node being evaluated
  bool isClass = false;
  bool captured = false; // a closure holds `locals`, so it must not be recycled
  Value returned;
  bool mayHaveReturned = false; // under an unknown condition, with `returned`
  // The states that objects may have had then; null where they do not matter.
  PossibleReturns* possibleReturns = nullptr;
  // For a statement of a generator that cannot be interrupted: receives the members that it yields.
  llvm::SmallVector<Value, 0>* yields = nullptr;
  bool stoppedEarly = false;         // such a statement was cut off because it does not end
  Value handled = Value::absent();   // the exception being handled, for a bare raise
  const Scope* classScope = nullptr; // for a class body: where its methods look up names
  LoopExits* exits = nullptr;        // of the innermost loop that runs in it
  unsigned comprehensions = 0;       // scopes of comprehensions inside the frame's own scope
  llvm::SmallVectorImpl<std::pair<Name, Value>>* annotated =
      nullptr; // for a class body: `x: T`, in order
};

} // namespace gluond::evaluate
