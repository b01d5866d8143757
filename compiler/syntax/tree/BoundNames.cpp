#include "syntax/tree/BoundNames.h"

#include "syntax/tree/PatternNames.h"

namespace gluond::syntax {

using Found = llvm::function_ref<void(Name)>;

void forEachTargetName(const Expr* target, Found found) {
  if (!target) return;
  if (auto* name = llvm::dyn_cast<NameExpr>(target))
    found(name->name);
  else if (auto* starred = llvm::dyn_cast<Starred>(target))
    forEachTargetName(starred->value, found);
  else if (auto* tuple = llvm::dyn_cast<Tuple>(target))
    for (const Expr* element : tuple->elements)
      forEachTargetName(element, found);
  else if (auto* list = llvm::dyn_cast<List>(target))
    for (const Expr* element : list->elements)
      forEachTargetName(element, found);
}

static void forEachAlias(llvm::ArrayRef<Alias> aliases, Found found) {
  for (const Alias& alias : aliases)
    if (alias.asName.name)
      found(alias.asName.name);
    else if (!alias.path.empty())
      found(alias.path.front().name);
}

void forEachBoundName(const Node& node, Found found) {
  switch (node.kind) {
  case NodeKind::FunctionDef:
    return found(llvm::cast<FunctionDef>(node).name.name);
  case NodeKind::ClassDef:
    return found(llvm::cast<ClassDef>(node).name.name);
  case NodeKind::Assign:
    for (const Expr* target : llvm::cast<Assign>(node).targets)
      forEachTargetName(target, found);
    return;
  case NodeKind::AugAssign:
    return forEachTargetName(llvm::cast<AugAssign>(node).target, found);
  case NodeKind::AnnAssign:
    return forEachTargetName(llvm::cast<AnnAssign>(node).target, found);
  case NodeKind::NamedExpr:
    return forEachTargetName(llvm::cast<NamedExpr>(node).target, found);
  case NodeKind::For:
    return forEachTargetName(llvm::cast<For>(node).target, found);
  case NodeKind::With:
    for (const WithItem& item : llvm::cast<With>(node).items)
      forEachTargetName(item.target, found);
    return;
  case NodeKind::Try:
    for (const ExceptHandler& handler : llvm::cast<Try>(node).handlers)
      if (handler.name.name) found(handler.name.name);
    return;
  case NodeKind::Match:
    for (const MatchCase& one : llvm::cast<Match>(node).cases)
      forEachCapture(one.pattern, [&](const NameExpr& name) { found(name.name); });
    return;
  case NodeKind::Import:
    return forEachAlias(llvm::cast<Import>(node).names, found);
  case NodeKind::ImportFrom:
    return forEachAlias(llvm::cast<ImportFrom>(node).names, found);
  default:
    return;
  }
}

} // namespace gluond::syntax
