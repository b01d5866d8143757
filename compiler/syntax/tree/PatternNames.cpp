#include "syntax/tree/PatternNames.h"

#include "syntax/tree/Visitor.h"

namespace gluond::syntax {

void visitPattern(const Expr* pattern, llvm::function_ref<void(const NameExpr&)> binds,
                  llvm::function_ref<void(const Expr&)> evaluates) {
  auto inside = [&](const Expr* part) { visitPattern(part, binds, evaluates); };
  switch (pattern->kind) {
  case NodeKind::NameExpr:
    return binds(*llvm::cast<NameExpr>(pattern));
  case NodeKind::Attribute:
    return evaluates(*pattern);
  case NodeKind::Call:
    evaluates(*llvm::cast<Call>(pattern)->func);
    for (const Expr* argument : llvm::cast<Call>(pattern)->args)
      inside(argument);
    for (const Keyword& keyword : llvm::cast<Call>(pattern)->keywords)
      inside(keyword.value);
    return;
  default:
    forEachChild(pattern, [&](const Node* child) {
      if (auto* part = llvm::dyn_cast<Expr>(child)) inside(part);
    });
  }
}

} // namespace gluond::syntax
