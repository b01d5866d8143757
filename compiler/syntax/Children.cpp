#include "syntax/Children.h"

#include "syntax/Visitor.h"

#include <algorithm>

namespace gluond::syntax {

void forEachChild(const Node& node, llvm::function_ref<void(const Node&)> visit) {
  forEachChild(&node, [&](const Node* child) { visit(*child); });
}

text::Range rangeWithDecorators(const Node& node) {
  Exprs decorators;
  if (auto* def = llvm::dyn_cast<FunctionDef>(&node))
    decorators = def->decorators;
  else if (auto* cls = llvm::dyn_cast<ClassDef>(&node))
    decorators = cls->decorators;
  return decorators.empty() ? node.range
                            : text::Range{decorators.front()->range.begin, node.range.end};
}

llvm::SmallVector<const Node*, 16> pathTo(Stmts body, text::Offset offset) {
  llvm::SmallVector<const Node*, 16> path;
  const Node* inside = nullptr;
  // Between two that touch (`a|.b`, `f|(x)`) the one that begins there is no better than the one
  // that ends: the shorter one is what the user points at.
  auto consider = [&](const Node& node) {
    if (!rangeWithDecorators(node).touches(offset)) return;
    auto length = [](const Node& n) { return n.range.end - n.range.begin; };
    if (!inside || length(node) < length(*inside)) inside = &node;
  };
  for (const Stmt* stmt : body)
    consider(*stmt);
  while (inside) {
    path.push_back(inside);
    const Node* parent = inside;
    inside = nullptr;
    forEachChild(*parent, consider);
  }
  return path;
}

llvm::SmallVector<const Node*, 16> pathFrom(Stmts body, text::Offset offset) {
  auto path = pathTo(body, offset);
  std::reverse(path.begin(), path.end());
  return path;
}

} // namespace gluond::syntax
