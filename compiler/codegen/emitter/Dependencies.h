// What a function that a kernel calls refers to. Triton hashes such a function together with
// everything its body names, taken or not, and refuses what it cannot hash: plain Python functions
// and bound methods.
//
// The walk is Triton's own, with its notion of a local name: parameters, and targets of assignments
// and `for` from there on. Not knowing what a name is stands for nothing wrong.
#pragma once

#include "evaluate/interpreter/Interpreter.h"

#include <llvm/ADT/DenseSet.h>

#include <optional>

namespace gluond::codegen {

struct Reference {
  const language::ModuleObject* module = nullptr; // where it stands
  const syntax::Node* node = nullptr;
  const language::FunctionObject* target = nullptr; // null for a function that is not the program's
};

class Dependencies {
public:
  // `own`: of the run; what is not in there, and a global of its module, is the program's.
  // `acceptable`: of the program, from one run to the next.
  Dependencies(evaluate::Interpreter& interpreter, const Interner& names, language::Heap& own,
               llvm::DenseSet<const void*>& acceptable)
      : in_(interpreter), names_(names), own_(own), acceptable_(acceptable) {}

  // The first reference of a jit or constexpr function, or of one that it refers to, that Triton
  // refuses.
  std::optional<Reference> refused(const language::FunctionObject& function);
  // Of what Triton hashes with an aggregate: its constructor and its methods.
  std::optional<Reference> refused(const language::ClassObject& aggregate);
  // Each function is asked once.
  bool isNew(const language::FunctionObject* function) { return asked_.insert(function).second; }

private:
  friend class ReferenceWalk;
  std::optional<Reference> walk(const language::FunctionObject& function);
  std::optional<Reference> walk(const language::ClassObject& aggregate);
  // The answer for a global of the program is kept when it is no.
  template <typename Object>
  std::optional<Reference> remembered(const Object& object, language::Value value, Name name);
  evaluate::Interpreter& in_;
  const Interner& names_;
  language::Heap& own_;
  llvm::DenseSet<const void*>& acceptable_;
  llvm::DenseSet<const void*> visited_;
  unsigned depth_ = 0; // of walks inside each other
  bool foundAny_ = false, isCut_ = false;
  llvm::DenseSet<const language::FunctionObject*> asked_;
};

} // namespace gluond::codegen
