#include "syntax/tree/Children.h"

#include "syntax/tree/Visitor.h"

#include <llvm/ADT/STLExtras.h>

#include <algorithm>

namespace gluond::syntax {

namespace {

// Visits the children that may touch a place.
struct Near {
  text::Offset offset;
  llvm::function_ref<void(const Node&)> found;
  void operator()(const Node* node) const {
    if (rangeWithDecorators(*node).touches(offset)) found(*node);
  }
};
// For sorted lists, only visits nearby nodes: forEachChild() prefers these overloads to its own.
template <typename Nodes> void eachNear(Nodes nodes, const Near& near) {
  auto isBefore = [&](const Node* node) { return node->range.end < near.offset; };
  for (const Node* node : nodes.drop_front(
           static_cast<size_t>(llvm::partition_point(nodes, isBefore) - nodes.begin()))) {
    if (rangeWithDecorators(*node).begin > near.offset) return;
    near(node);
  }
}
void each(Exprs exprs, Near& near) {
  eachNear(exprs, near);
}
void each(Stmts stmts, Near& near) {
  eachNear(stmts, near);
}

// Of items in the order of the text, visits those that may touch a place.
template <typename Item>
void itemsNear(llvm::ArrayRef<Item> items, text::Offset offset,
               llvm::function_ref<text::Offset(const Item&)> endOf,
               llvm::function_ref<void(const Item&)> visit) {
  auto* first =
      llvm::partition_point(items, [&](const Item& each) { return endOf(each) < offset; });
  for (const Item& each : llvm::make_range(first, items.end())) {
    visit(each);
    if (endOf(each) > offset) return;
  }
}

// The children of a node that may touch a place. Of nodes that have thousands, not all are looked
// at: callers ask for the path to each of many places.
void childrenNear(const Node* node, Near& near) {
  auto maybe = [&](const Node* child) {
    if (child) near(child);
  };
  if (auto* dict = llvm::dyn_cast<Dict>(node)) {
    itemsNear<DictItem>(
        dict->items, near.offset, [](const DictItem& item) { return item.value->range.end; },
        [&](const DictItem& item) { maybe(item.key), near(item.value); });
  } else if (auto* with = llvm::dyn_cast<With>(node)) {
    itemsNear<WithItem>(
        with->items, near.offset,
        [](const WithItem& item) { return (item.target ? item.target : item.context)->range.end; },
        [&](const WithItem& item) { near(item.context), maybe(item.target); });
    each(with->body, near);
  } else if (auto* attempt = llvm::dyn_cast<Try>(node)) {
    each(attempt->body, near);
    itemsNear<ExceptHandler>(
        attempt->handlers, near.offset,
        [](const ExceptHandler& handler) { return handler.range.end; },
        [&](const ExceptHandler& handler) { maybe(handler.type), each(handler.body, near); });
    each(attempt->orelse, near);
    each(attempt->finalbody, near);
  } else if (auto* match = llvm::dyn_cast<Match>(node)) {
    near(match->subject);
    itemsNear<MatchCase>(
        match->cases, near.offset,
        [](const MatchCase& one) {
          return one.body.empty() ? one.pattern->range.end : one.body.back()->range.end;
        },
        [&](const MatchCase& one) { near(one.pattern), maybe(one.guard), each(one.body, near); });
  } else if (auto* call = llvm::dyn_cast<Call>(node)) {
    near(call->func);
    each(call->args, near);
    itemsNear<Keyword>(
        call->keywords, near.offset, [](const Keyword& one) { return one.value->range.end; },
        [&](const Keyword& one) { near(one.value); });
  } else {
    forEachChild(node, near);
  }
}

} // namespace

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
  // If two nodes touch here (`a|.b`, `f|(x)`), the one that begins is no better than the one that
  // ends: the shorter one is what the user points at.
  auto consider = [&](const Node& node) {
    auto length = [](const Node& n) { return n.range.end - n.range.begin; };
    if (!inside || length(node) < length(*inside)) inside = &node;
  };
  Near near{offset, consider};
  each(body, near);
  while (inside) {
    path.push_back(inside);
    const Node* parent = inside;
    inside = nullptr;
    childrenNear(parent, near);
  }
  return path;
}

llvm::SmallVector<const Node*, 16> pathFrom(Stmts body, text::Offset offset) {
  auto path = pathTo(body, offset);
  std::reverse(path.begin(), path.end());
  return path;
}

const NameExpr* ownerOf(const Expr* expr) {
  while (expr) {
    if (auto* call = llvm::dyn_cast<Call>(expr))
      expr = llvm::dyn_cast<Attribute>(call->func);
    else if (auto* attribute = llvm::dyn_cast<Attribute>(expr))
      expr = attribute->value;
    else if (auto* subscript = llvm::dyn_cast<Subscript>(expr))
      expr = subscript->value;
    else
      break;
  }
  return llvm::dyn_cast_if_present<NameExpr>(expr);
}

} // namespace gluond::syntax
