// The names that a function called by a kernel refers to. Triton hashes such a function together
// with everything its body names, taken or not, and refuses what it cannot hash: plain Python
// functions and bound methods.
//
// The walk follows Triton's, with its notion of a local name: parameters, and targets of
// assignments and `for` from there on. An unknown name is not treated as a mistake.
#pragma once

#include "evaluate/interpreter/Interpreter.h"

#include <llvm/ADT/DenseSet.h>

#include <optional>

namespace gluond::codegen {

struct Reference {
  const language::ModuleObject* module = nullptr; // the module that contains it
  const syntax::Node* node = nullptr;
  const language::FunctionObject* target = nullptr; // null if the function is not the program's
};

class Dependencies {
public:
  // `own` is the heap of the run; other objects, and globals of modules, belong to the program.
  // `acceptable` belongs to the program and persists from one run to the next.
  Dependencies(evaluate::Interpreter& interpreter, const Interner& names, language::Heap& own,
               llvm::DenseSet<const void*>& acceptable)
      : in_(interpreter), names_(names), own_(own), acceptable_(acceptable) {}

  // Returns the first reference that Triton refuses in a jit or constexpr function or in one that
  // it refers to.
  std::optional<Reference> refused(const language::FunctionObject& function);
  // The same for what Triton hashes with an aggregate: its constructor and its methods.
  std::optional<Reference> refused(const language::ClassObject& aggregate);
  // Returns true the first time it is called for a function.
  bool isNew(const language::FunctionObject* function) { return asked_.insert(function).second; }

private:
  friend class ReferenceWalk;
  std::optional<Reference> walk(const language::FunctionObject& function);
  std::optional<Reference> walk(const language::ClassObject& aggregate);
  // The answer for a global of the program is cached if nothing is refused.
  template <typename Object>
  std::optional<Reference> remembered(const Object& object, language::Value value, Name name);
  evaluate::Interpreter& in_;
  const Interner& names_;
  language::Heap& own_;
  llvm::DenseSet<const void*>& acceptable_;
  llvm::DenseSet<const void*> visited_;
  unsigned depth_ = 0; // of nested walks
  bool foundAny_ = false, isCut_ = false;
  llvm::DenseSet<const language::FunctionObject*> asked_;
};

} // namespace gluond::codegen
