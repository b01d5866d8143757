#include "syntax/tree/FreeNames.h"

#include "syntax/tree/PatternNames.h"
#include "syntax/tree/Visitor.h"

#include <llvm/ADT/DenseSet.h>
#include <llvm/ADT/SetVector.h>

namespace gluond::syntax {

namespace {

using Names = llvm::DenseSet<Name>;
using Used = llvm::SmallSetVector<Name, 8>;

void bindTarget(const Expr* target, Names& bound) {
  if (!target) return;
  if (auto* name = llvm::dyn_cast<NameExpr>(target))
    bound.insert(name->name);
  else if (auto* starred = llvm::dyn_cast<Starred>(target))
    bindTarget(starred->value, bound);
  else if (auto* tuple = llvm::dyn_cast<Tuple>(target))
    for (const Expr* element : tuple->elements)
      bindTarget(element, bound);
  else if (auto* list = llvm::dyn_cast<List>(target))
    for (const Expr* element : list->elements)
      bindTarget(element, bound);
}

void bindAliases(llvm::ArrayRef<Alias> aliases, Names& bound) {
  for (const Alias& alias : aliases)
    if (alias.asName.name)
      bound.insert(alias.asName.name);
    else if (!alias.path.empty())
      bound.insert(alias.path.front().name);
}

// Adds the names that statements of one function bind, without those of nested definitions.
void bindStatement(const Node* node, Names& bound, Names& outer) {
  walk(node, [&](const Node* node) {
    switch (node->kind) {
    case NodeKind::FunctionDef:
      bound.insert(llvm::cast<FunctionDef>(node)->name.name);
      return false;
    case NodeKind::ClassDef:
      bound.insert(llvm::cast<ClassDef>(node)->name.name);
      return false;
    case NodeKind::Lambda:
      return false;
    case NodeKind::Assign:
      for (const Expr* target : llvm::cast<Assign>(node)->targets)
        bindTarget(target, bound);
      return true;
    case NodeKind::AugAssign:
      bindTarget(llvm::cast<AugAssign>(node)->target, bound);
      return true;
    case NodeKind::AnnAssign:
      bindTarget(llvm::cast<AnnAssign>(node)->target, bound);
      return true;
    case NodeKind::NamedExpr:
      bindTarget(llvm::cast<NamedExpr>(node)->target, bound);
      return true;
    case NodeKind::For:
      bindTarget(llvm::cast<For>(node)->target, bound);
      return true;
    case NodeKind::With:
      for (const WithItem& item : llvm::cast<With>(node)->items)
        bindTarget(item.target, bound);
      return true;
    case NodeKind::Try:
      for (const ExceptHandler& handler : llvm::cast<Try>(node)->handlers)
        if (handler.name.name) bound.insert(handler.name.name);
      return true;
    case NodeKind::Match:
      for (const MatchCase& one : llvm::cast<Match>(node)->cases)
        forEachCapture(one.pattern, [&](const NameExpr& name) { bound.insert(name.name); });
      return true;
    case NodeKind::Import:
      bindAliases(llvm::cast<Import>(node)->names, bound);
      return true;
    case NodeKind::ImportFrom:
      bindAliases(llvm::cast<ImportFrom>(node)->names, bound);
      return true;
    case NodeKind::Global:
      for (const Identifier& name : llvm::cast<Global>(node)->names)
        outer.insert(name.name);
      return true;
    default:
      return true;
    }
  });
}

void use(const Node* node, const Names& bound, Used& used);

// The parameters and statements of a nested scope bind names of their own.
void useScope(llvm::ArrayRef<Parameter> parameters, Stmts body, const Expr* expression,
              const Names& around, Used& used) {
  Names bound, outer;
  for (const Parameter& parameter : parameters)
    if (parameter.name.name) bound.insert(parameter.name.name);
  for (const Stmt* stmt : body)
    bindStatement(stmt, bound, outer);
  for (Name name : outer)
    bound.erase(name);
  for (Name name : around)
    bound.insert(name);
  for (const Stmt* stmt : body)
    use(stmt, bound, used);
  if (expression) use(expression, bound, used);
}

// The expressions that a definition evaluates in place: decorators, annotations and defaults.
void useHeader(Exprs decorators, llvm::ArrayRef<Parameter> parameters, const Names& bound,
               Used& used) {
  for (const Expr* decorator : decorators)
    use(decorator, bound, used);
  for (const Parameter& parameter : parameters) {
    if (parameter.annotation) use(parameter.annotation, bound, used);
    if (parameter.defaultValue) use(parameter.defaultValue, bound, used);
  }
}

void use(const Node* node, const Names& bound, Used& used) {
  if (auto* name = llvm::dyn_cast<NameExpr>(node)) {
    if (!bound.contains(name->name)) used.insert(name->name);
  } else if (auto* def = llvm::dyn_cast<FunctionDef>(node)) {
    useHeader(def->decorators, def->parameters, bound, used);
    if (def->returns) use(def->returns, bound, used);
    useScope(def->parameters, def->body, nullptr, bound, used);
  } else if (auto* lambda = llvm::dyn_cast<Lambda>(node)) {
    useHeader({}, lambda->parameters, bound, used);
    useScope(lambda->parameters, {}, lambda->body, bound, used);
  } else if (auto* comprehension = llvm::dyn_cast<Comprehension>(node)) {
    Names inner = bound;
    for (const Generator& generator : comprehension->generators)
      bindTarget(generator.target, inner);
    forEachChild(node, [&](const Node* child) { use(child, inner, used); });
  } else {
    forEachChild(node, [&](const Node* child) { use(child, bound, used); });
  }
}

} // namespace

llvm::SmallVector<Name, 8> freeNames(const FunctionDef& def) {
  Used used;
  useScope(def.parameters, def.body, nullptr, {}, used);
  return used.takeVector();
}

} // namespace gluond::syntax
