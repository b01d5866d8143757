#include "syntax/tree/FreeNames.h"

#include "syntax/tree/BoundNames.h"
#include "syntax/tree/Visitor.h"

#include <llvm/ADT/DenseSet.h>
#include <llvm/ADT/SetVector.h>

namespace gluond::syntax {

namespace {

using Names = llvm::DenseSet<Name>;
using Used = llvm::SmallSetVector<Name, 8>;

// Adds the names that statements of one function bind, without those of nested definitions.
void bindStatement(const Node* node, Names& bound, Names& outer) {
  walk(node, [&](const Node* node) {
    forEachBoundName(*node, [&](Name name) { bound.insert(name); });
    if (auto* global = llvm::dyn_cast<Global>(node))
      for (const Identifier& name : global->names)
        outer.insert(name.name);
    return !llvm::isa<FunctionDef, ClassDef, Lambda>(node);
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
      forEachTargetName(generator.target, [&](Name name) { inner.insert(name); });
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
