// What statements bind: names, targets of assignments, and the names that a statement would have
// bound that did not run to its end.
#include "evaluate/execution/Binding.h"

#include "evaluate/values/Classes.h"
#include "evaluate/values/Containers.h"
#include "syntax/tree/BoundNames.h"
#include "syntax/tree/Visitor.h"

#include <llvm/ADT/STLExtras.h>

namespace gluond::evaluate {

using namespace syntax;

// ---------------------------------------------------------------- binding

void Interpreter::bindName(Name bound, Value value) {
  if (frame_->info) {
    if (llvm::is_contained(frame_->info->globals, bound)) {
      if (Scope* globals = writable(frame_->module->globals)) globals->set(bound, value);
      return;
    }
    if (llvm::is_contained(frame_->info->nonlocals, bound)) {
      for (const Scope* scope = frame_->function ? frame_->function->scope : nullptr; scope;
           scope = scope->parent)
        if (scope->contains(bound)) {
          if (Scope* changed = writable(scope)) changed->set(bound, value);
          return;
        }
      return;
    }
  }
  const Scope* scope = frame_->locals;
  for (unsigned i = 0; i < frame_->comprehensions; ++i)
    scope = scope->parent; // only := binds outside a clause
  if (scope == frame_->locals)
    frame_->locals->set(bound, value);
  else if (Scope* changed = writable(scope))
    changed->set(bound, value);
}

bool Interpreter::assign(const Expr* target, Value value) {
  switch (target->kind) {
  case NodeKind::NameExpr: {
    Name bound = static_cast<const NameExpr*>(target)->name;
    if (frame_->comprehensions)
      frame_->locals->set(bound, value);
    else
      bindName(bound, value);
    return !failed();
  }
  case NodeKind::Tuple:
    return assignSequence(static_cast<const Tuple*>(target)->elements, value);
  case NodeKind::List:
    return assignSequence(static_cast<const List*>(target)->elements, value);
  case NodeKind::Attribute: {
    auto* attribute = static_cast<const Attribute*>(target);
    Value object = eval(attribute->value);
    if (object.isAbsent()) return false;
    frame_->node = target;
    return setAttribute(object, attribute->attribute.name, value);
  }
  case NodeKind::Subscript: {
    Value object, index;
    return evalOperands(static_cast<const Subscript*>(target), object, index) &&
           setItem(object, index, value);
  }
  case NodeKind::Starred:
    return assign(static_cast<const Starred*>(target)->value, value);
  default:
    return true;
  }
}

bool Interpreter::assignSequence(Exprs targets, Value value) {
  llvm::SmallVector<Value, 8> items;
  frame_->node = targets.empty() ? frame_->node : targets[0];
  if (!unpack(value, items)) {
    if (failed()) {
      if (!value.is(ValueKind::Instance) && !isExhausted() && catchError("TypeError"))
        raise("TypeError",
              "cannot unpack non-iterable " + llvm::Twine(className(typeOf(value))) + " object");
      return false;
    }
    for (auto* target : targets)
      if (!assign(target, Value::unknown())) return false;
    return true;
  }
  auto* star =
      llvm::find_if(targets, [](const Expr* target) { return llvm::isa<Starred>(target); });
  if (star == targets.end()) {
    if (items.size() != targets.size()) {
      if (items.size() < targets.size())
        raise("ValueError", "not enough values to unpack (expected " + llvm::Twine(targets.size()) +
                                ", got " + llvm::Twine(items.size()) + ")");
      else
        raise("ValueError",
              "too many values to unpack (expected " + llvm::Twine(targets.size()) + ")");
      return false;
    }
    for (size_t i = 0; i < items.size(); ++i)
      if (!assign(targets[i], items[i])) return false;
    return true;
  }
  auto before = static_cast<size_t>(star - targets.begin()), after = targets.size() - before - 1;
  if (items.size() < before + after) {
    raise("ValueError", "not enough values to unpack (expected at least " +
                            llvm::Twine(before + after) + ", got " + llvm::Twine(items.size()) +
                            ")");
    return false;
  }
  Values all = items;
  for (size_t i = 0; i < before; ++i)
    if (!assign(targets[i], all[i])) return false;
  if (!assign(*star, heap().list(all.slice(before, all.size() - before - after)))) return false;
  for (size_t i = 0; i < after; ++i)
    if (!assign(targets[before + 1 + i], all[all.size() - after + i])) return false;
  return true;
}

bool Interpreter::remove(const Expr* target) {
  switch (target->kind) {
  case NodeKind::NameExpr:
    bindName(static_cast<const NameExpr*>(target)->name, Value::absent());
    return !failed();
  case NodeKind::Tuple:
    return llvm::all_of(static_cast<const Tuple*>(target)->elements,
                        [&](const Expr* element) { return remove(element); });
  case NodeKind::Subscript: {
    Value object, index;
    return evalOperands(static_cast<const Subscript*>(target), object, index) &&
           deleteItem(object, index);
  }
  case NodeKind::Attribute: {
    auto* attribute = static_cast<const Attribute*>(target);
    Value object = eval(attribute->value);
    if (object.isAbsent()) return false;
    return deleteAttribute(*this, object, attribute->attribute.name);
  }
  default:
    return true;
  }
}

namespace {

// Visits the names that a statement binds, including those of statements inside it, for when their
// values are no longer known. An annotation alone and a handler leave none behind.
void boundNames(const Stmt* stmt, llvm::function_ref<void(Name)> found) {
  walk(stmt, [&](const Node* node) {
    auto* annotated = llvm::dyn_cast<AnnAssign>(node);
    bool leavesNone = (annotated && !annotated->value) || llvm::isa<Try>(node);
    if (!leavesNone) forEachBoundName(*node, found);
    return !llvm::isa<FunctionDef, ClassDef, Lambda>(node);
  });
}

} // namespace

void forgetVariables(Scope& locals, Stmts body) {
  for (auto* stmt : body)
    boundNames(stmt, [&](Name bound) {
      Value found = locals.get(bound);
      if (!found.isAbsent() && !found.is(ValueKind::Function)) locals.set(bound, Value::unknown());
    });
}

void forEachBound(Stmts body, llvm::function_ref<void(Name)> visit) {
  for (auto* stmt : body)
    boundNames(stmt, visit);
}

void Interpreter::forget(const Stmt* stmt) {
  // Names bound before the statement failed keep their values; names it would have bound are
  // unknown. After an interrupted loop or branch all names that it binds are unknown.
  bool whole = stmt->kind == NodeKind::For || stmt->kind == NodeKind::While ||
               stmt->kind == NodeKind::If || stmt->kind == NodeKind::With ||
               stmt->kind == NodeKind::Try || stmt->kind == NodeKind::Match;
  boundNames(stmt, [&](Name bound) {
    if (!bound) return;
    Value old = frame_->locals->get(bound);
    bool keep =
        (old.is(ValueKind::Function) || old.is(ValueKind::Class) || old.is(ValueKind::Module)) &&
        whole;
    if (!keep) frame_->locals->set(bound, Value::unknown());
  });
  walk(stmt, [&](const Node* node) { // it would have bound any name
    auto* import = llvm::dyn_cast<ImportFrom>(node);
    if (import && import->isStar) frame_->locals->set(Name{}, Value::unknown());
    return !llvm::isa<FunctionDef, ClassDef>(node);
  });
}

} // namespace gluond::evaluate
