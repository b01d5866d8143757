#include "language/JitDecorator.h"

#include <llvm/ADT/STLExtras.h>

namespace gluond::language {

using namespace syntax;

bool isJitDecorator(const Expr* decorator, const Interner& names) {
  if (auto* call = llvm::dyn_cast<Call>(decorator)) decorator = call->func;
  if (auto* member = llvm::dyn_cast<Attribute>(decorator))
    return names.text(member->attribute.name) == "jit";
  auto* name = llvm::dyn_cast<NameExpr>(decorator);
  return name && names.text(name->name) == "jit";
}

bool isJitFunction(const FunctionDef& function, const Interner& names) {
  return llvm::any_of(function.decorators,
                      [&](const Expr* each) { return isJitDecorator(each, names); });
}

} // namespace gluond::language
