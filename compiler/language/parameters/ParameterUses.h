// Finds how a kernel's text uses its parameters, as far as it is certain enough to report mistakes
// (GuessedMistakes.h). ParameterRoles infers more, also from the functions that a kernel calls, for
// kernels that only have to compile.
#pragma once

#include "syntax/tree/Ast.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/DenseSet.h>

#include <vector>

namespace gluond::language {

class ParameterUses {
public:
  ParameterUses(const syntax::FunctionDef& def, const Interner& names);

  bool isPointer(Name name) const { return pointers_.contains(name); }
  bool isNumber(Name name) const { return numbers_.contains(name) || counts_.contains(name); }
  bool isCount(Name name) const { return counts_.contains(name); } // of an unrolled loop
  // Whether it may be anything: an object, None, a dtype.
  bool isOpaque(Name name) const {
    return opaque_.contains(name) || (handedOn_.contains(name) && !isPointer(name));
  }
  // Whether its text suggests that it is only called with scalars and pointers.
  bool looksLikeKernel() const { return !returns_ && !pointers_.empty(); }
  // Returns the innermost statement without a body around a place, or the place itself if it is
  // outside of the kernel.
  text::Range statementAt(text::Range place) const;
  // Whether a string literal, an argument of a call, stands there.
  bool isStringArgument(text::Range place) const;
  // Whether the attribute there is one of a call's result.
  bool isOfCall(text::Range attribute) const;

private:
  Name parameter(const syntax::Expr* expr) const;
  void note(llvm::DenseSet<Name>& in, const syntax::Expr* expr);
  const syntax::NameExpr* base(const syntax::Expr* expr) const;
  void pointer(const syntax::Expr* expr);
  void assign(const syntax::Expr* target, const syntax::Expr* value);
  void numbersIn(const syntax::Expr* expr, llvm::DenseSet<Name>& in);
  void visit(const syntax::Node* node);
  void visitCompare(const syntax::Compare& compare);
  void visitCall(const syntax::Call& call);

  const Interner& names_;
  llvm::DenseSet<Name> parameters_, pointers_, numbers_, counts_, opaque_, handedOn_, called_,
      uncalled_;
  llvm::DenseMap<Name, const syntax::NameExpr*> sums_;
  llvm::DenseMap<text::Offset, const syntax::Attribute*> attributes_;
  std::vector<text::Range> statements_, strings_;
  bool returns_ = false;
};

} // namespace gluond::language
