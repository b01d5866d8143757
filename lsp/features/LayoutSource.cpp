#include "lsp/features/LayoutSource.h"

#include "lsp/features/Facts.h"
#include "lsp/features/NameIndex.h"
#include "syntax/Children.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/StringExtras.h>

namespace gluond::lsp {

using namespace syntax;

namespace {

// gl.BlockedLayout(...), hopper.x.SomeLayout(...): by its name alone, so that it works in code that
// does not run.
bool makesLayout(const Node* node, const Interner& names) {
  auto* call = llvm::dyn_cast_or_null<Call>(node);
  if (!call) return false;
  llvm::StringRef name;
  if (auto* attribute = llvm::dyn_cast<Attribute>(call->func))
    name = names.text(attribute->attribute.name);
  else if (auto* plain = llvm::dyn_cast<NameExpr>(call->func))
    name = names.text(plain->name);
  return !name.empty() && llvm::isUpper(name.front()) && name.ends_with("Layout");
}

// The value bound to a name at `range`, when that is one assignment.
const Expr* assignedAt(Stmts body, text::Range range) {
  for (const Node* node : pathTo(body, range.begin)) {
    if (auto* assign = llvm::dyn_cast<Assign>(node))
      for (const Expr* target : assign->targets)
        if (target->range.begin == range.begin && target->range.end == range.end)
          return assign->value;
    if (auto* assign = llvm::dyn_cast<AnnAssign>(node))
      if (assign->target->range.begin == range.begin) return assign->value;
  }
  return nullptr;
}

// Through gl.constexpr(...) and names, to the call that makes the layout.
const Expr* writtenBy(const Expr* expression, const SyntaxTree& tree, const NameIndex& index,
                      const Interner& names) {
  for (unsigned step = 0; expression && step < 8; ++step) {
    if (makesLayout(expression, names)) return expression;
    if (auto* call = llvm::dyn_cast<Call>(expression)) {
      expression = call->args.size() == 1 ? call->args.front() : nullptr; // gl.constexpr(layout)
      continue;
    }
    if (!llvm::isa<NameExpr>(expression)) return nullptr;
    const Occurrence* here = index.at(expression->range.begin);
    if (!here) return nullptr;
    const Expr* value = nullptr;
    for (const Occurrence& each : index.of(here->entity)) {
      if (!each.binds) continue;
      const Expr* bound = assignedAt(tree.body(), each.range);
      if (!bound || value) return nullptr; // several bindings, or one that is no assignment
      value = bound;
    }
    expression = value;
  }
  return nullptr;
}

} // namespace

std::optional<text::Range> layoutSourceAt(const driver::Snapshot& snapshot,
                                          const std::shared_ptr<const driver::File>& file,
                                          text::Offset offset, driver::Worker& worker,
                                          CancellationToken token) {
  auto tree = file->tree(snapshot.names(), token);
  if (!tree) return std::nullopt;
  const Interner& names = snapshot.names();
  NameIndex index = NameIndex::build(*tree);
  auto path = pathTo(tree->body(), offset);
  for (const Node* node : llvm::reverse(path)) {
    if (makesLayout(node, names)) return node->range;
    auto* name = llvm::dyn_cast<NameExpr>(node);
    if (const Expr* call = name ? writtenBy(name, *tree, index, names) : nullptr)
      return call->range;
  }
  // The value here has a layout: which call in this file makes it?
  auto fact = factAt(snapshot, file, offset, worker, token);
  if (!fact || fact->layout().empty()) return std::nullopt;
  for (const codegen::ExpressionFact& each : fact->facts->expressions) {
    if (each.location.file != file->id()) continue;
    const codegen::TypeFact& type = fact->facts->types[each.type];
    if (type.kind != codegen::FactKind::Constexpr || layoutExpression(type) != fact->layout())
      continue;
    for (const Node* node : llvm::reverse(pathTo(tree->body(), each.location.range.begin))) {
      if (makesLayout(node, names) && node->range.begin == each.location.range.begin)
        return node->range;
      auto* name = llvm::dyn_cast<NameExpr>(node);
      if (const Expr* call = name ? writtenBy(name, *tree, index, names) : nullptr)
        return call->range;
    }
  }
  return std::nullopt;
}

tl::expected<std::string, std::string> layoutText(const driver::Snapshot& snapshot,
                                                  const driver::File& file, text::Range range,
                                                  const std::string& expression,
                                                  CancellationToken token) {
  auto tree = file.tree(snapshot.names(), token);
  const Call* found = nullptr;
  if (tree)
    for (const Node* node : pathTo(tree->body(), range.begin))
      if (node->range.begin == range.begin && node->range.end == range.end &&
          makesLayout(node, snapshot.names()))
        found = llvm::dyn_cast<Call>(node);
  if (!found) return tl::make_unexpected("there is no layout there any more: the file was edited");
  std::string prefix; // "gl." as the file has it
  if (auto* attribute = llvm::dyn_cast<Attribute>(found->func)) {
    const Expr* base = attribute->value;
    while (auto* inner = llvm::dyn_cast<Attribute>(base))
      base = inner->value;
    prefix = file.text().slice(base->range).str() + ".";
  }
  std::string text;
  for (size_t i = 0; i < expression.size(); ++i) {
    bool begins = i == 0 || (!llvm::isAlnum(expression[i - 1]) && expression[i - 1] != '_' &&
                             expression[i - 1] != '.');
    if (begins && llvm::StringRef(expression).substr(i).starts_with("gl.")) {
      text += prefix;
      i += 2;
    } else {
      text += expression[i];
    }
  }
  return text;
}

} // namespace gluond::lsp
