#include "codegen/builder/Assignments.h"
#include "codegen/builder/KernelFixes.h"
#include "codegen/builder/Operators.h"
#include "codegen/functions/FunctionVisitor.h"
#include "codegen/functions/Rewrites.h"
#include "evaluate/interpreter/Interpreter.h"
#include "evaluate/torch/LibraryClasses.h"
#include "language/types/Builtin.h"
#include "releases/Rules.h"
#include "syntax/tree/Visitor.h"

#include <llvm/ADT/DenseSet.h>
#include <llvm/ADT/ScopeExit.h>

namespace gluond::codegen {

using diagnostics::Id;
using namespace syntax;
using language::BuiltinId;
using language::TupleObject;

bool containsReturn(const Stmt* stmt) {
  auto any = [](Stmts body) { return llvm::any_of(body, containsReturn); };
  switch (stmt->kind) {
  case NodeKind::Return:
    return true;
  case NodeKind::If:
    return any(llvm::cast<If>(stmt)->body) || any(llvm::cast<If>(stmt)->orelse);
  case NodeKind::For:
    return any(llvm::cast<For>(stmt)->body) || any(llvm::cast<For>(stmt)->orelse);
  case NodeKind::While:
    return any(llvm::cast<While>(stmt)->body) || any(llvm::cast<While>(stmt)->orelse);
  case NodeKind::With:
    return any(llvm::cast<With>(stmt)->body);
  case NodeKind::FunctionDef:
    return any(llvm::cast<FunctionDef>(stmt)->body);
  default:
    return false;
  }
}

llvm::StringRef nodeName(NodeKind kind) {
  using enum NodeKind;
  struct Row {
    NodeKind kind;
    llvm::StringLiteral name;
  };
  static constexpr Row rows[] = {{Set, "a set"},
                                 {Dict, "a dictionary"},
                                 {Comprehension, "a generator or dictionary comprehension"},
                                 {Starred, "a starred expression"},
                                 {Lambda, "a lambda"},
                                 {Await, "await"},
                                 {Yield, "yield"},
                                 {FormattedValue, "a formatted value"},
                                 {ClassDef, "a class"},
                                 {Delete, "del"},
                                 {Raise, "raise"},
                                 {Try, "try"},
                                 {Import, "import"},
                                 {ImportFrom, "import"},
                                 {Global, "global or nonlocal"},
                                 {Break, "break"},
                                 {Continue, "continue"},
                                 {Match, "match"},
                                 {TypeAlias, "a type alias"}};
  for (const Row& row : rows)
    if (row.kind == kind) return row.name;
  return "this";
}

llvm::StringRef adviceFor(NodeKind kind) {
  using enum NodeKind;
  struct Row {
    NodeKind kind;
    llvm::StringLiteral advice;
  };
  static constexpr Row rows[] = {
      {Break, "use a `while` loop with a condition"},
      {Continue, "put the rest of the body under an `if`, or use a mask"},
      {Try, "there are no run-time exceptions; check conditions with gl.static_assert or "
            "gl.device_assert"},
      {Raise, "check conditions with gl.static_assert or gl.device_assert"},
      {Delete, "remove the statement"},
      {Import, "import at the top of the file"},
      {ImportFrom, "import at the top of the file"},
      {Global, "pass the value as an argument, or make the global a gl.constexpr"},
      {ClassDef, "define it at module level, with @gluon.aggregate"},
      {Match, "use `if` and `elif`"},
      {Lambda, "define a function with @gluon.jit or @gluon.constexpr_function"},
      {Dict, "use a tuple, an aggregate, or a @gluon.constexpr_function"},
      {Set, "use a tuple"},
      {Comprehension, "use a list comprehension over a tuple"},
  };
  for (const Row& row : rows)
    if (row.kind == kind) return row.advice;
  return "compute it on the host or in a @gluon.constexpr_function";
}

static llvm::ArrayRef<Alias> importedBy(const Stmt* stmt) {
  if (auto* import = llvm::dyn_cast<Import>(stmt)) return import->names;
  if (auto* from = llvm::dyn_cast<ImportFrom>(stmt)) return from->names;
  return {};
}

void FunctionVisitor::visit(Stmts body) {
  for (const Stmt* stmt : body) {
    visit(stmt);
    if (unit_.gaveUp) return;
    // Statements after a return are dead and not visited.
    if (stmt->kind == NodeKind::Return) break;
  }
}

void FunctionVisitor::visit(const Stmt* stmt) {
  if (!unit_.step()) return;
  const Node* last = emit_.node_;
  emit_.node_ = stmt;
  if (!descend(stmt)) {
    emit_.node_ = last;
    return;
  }
  llvm::scope_exit restore([&] {
    emit_.node_ = last;
    --unit_.depth;
  });
  if (stmt->kind != NodeKind::While) markStatement(stmt); // whose test has its own
  switch (stmt->kind) {
  case NodeKind::Assign:
    return visitAssign(llvm::cast<Assign>(stmt));
  case NodeKind::AugAssign:
    return visitAugAssign(llvm::cast<AugAssign>(stmt));
  case NodeKind::AnnAssign:
    return visitAnnAssign(llvm::cast<AnnAssign>(stmt));
  case NodeKind::ExprStmt:
    return visitExprStmt(llvm::cast<ExprStmt>(stmt));
  case NodeKind::Return:
    return visitReturn(llvm::cast<Return>(stmt));
  case NodeKind::If:
    return visitIf(llvm::cast<If>(stmt));
  case NodeKind::For:
    return visitFor(llvm::cast<For>(stmt));
  case NodeKind::While:
    return visitWhile(llvm::cast<While>(stmt));
  case NodeKind::With:
    return visitWith(llvm::cast<With>(stmt));
  case NodeKind::Assert:
    return visitAssert(llvm::cast<Assert>(stmt));
  case NodeKind::Pass:
    return;
  case NodeKind::ErrorStmt: // the parser has reported it
    unit_.hadErrors = true;
    return;
  case NodeKind::FunctionDef:
    emit_.error(Id::NestedFunction, stmt);
    setValue(llvm::cast<FunctionDef>(stmt)->name.name, Value::unknown());
    return;
  default:
    emit_.error(Id::UnsupportedStatement, stmt, nodeName(stmt->kind), adviceFor(stmt->kind));
    // The names that it would import are no further mistakes.
    for (const Alias& alias : importedBy(stmt))
      if (Name bound = alias.asName.name    ? alias.asName.name
                       : alias.path.empty() ? Name()
                                            : alias.path.front().name)
        setValue(bound, Value::unknown());
    // Its body is visited for further mistakes.
    if (auto* attempt = llvm::dyn_cast<Try>(stmt)) visit(attempt->body);
    return;
  }
}

// Expressions are evaluated, but names are not assigned and a `return` does not return. The
// statements inside of an `if`, a loop or a `try` are executed, those of all its branches.
void FunctionVisitor::visitParts(const Stmt* stmt) {
  if (!unit_.step() || unit_.gaveUp) return;
  auto refuse = [&](const Node* at) { emit_.error(Id::LoopElse, at); };
  auto evaluate = [&](std::initializer_list<const Expr*> parts) {
    for (const Expr* part : parts)
      if (part) visit(part);
  };
  auto execute = [&](std::initializer_list<Stmts> blocks) {
    for (Stmts block : blocks)
      for (const Stmt* each : block)
        visit(each);
  };
  // Names that are assigned are not read; other targets are, which Triton supports for attributes.
  auto readTarget = [&](const Expr* target) {
    if (llvm::isa<Attribute>(target)) visit(target);
    bool isSupported = llvm::isa<NameExpr, Attribute>(target);
    if (!isSupported) refuse(target);
    return isSupported;
  };
  switch (stmt->kind) {
  case NodeKind::Pass:
  case NodeKind::Break:
  case NodeKind::Continue:
  case NodeKind::Global:
    return;
  case NodeKind::ExprStmt:
    return evaluate({llvm::cast<ExprStmt>(stmt)->value});
  case NodeKind::Return:
    return evaluate({llvm::cast<Return>(stmt)->value});
  case NodeKind::Assert:
    return evaluate({llvm::cast<Assert>(stmt)->test, llvm::cast<Assert>(stmt)->message});
  case NodeKind::Raise:
    return evaluate({llvm::cast<Raise>(stmt)->exception, llvm::cast<Raise>(stmt)->cause});
  case NodeKind::Delete:
    for (const Expr* target : llvm::cast<Delete>(stmt)->targets)
      visit(target);
    return;
  case NodeKind::Assign:
    if (auto* assign = llvm::cast<Assign>(stmt); llvm::all_of(assign->targets, readTarget))
      evaluate({assign->value});
    return;
  case NodeKind::AnnAssign:
    if (auto* assign = llvm::cast<AnnAssign>(stmt); readTarget(assign->target))
      evaluate({assign->annotation, assign->value});
    return;
  case NodeKind::If:
    evaluate({llvm::cast<If>(stmt)->test});
    return execute({llvm::cast<If>(stmt)->body, llvm::cast<If>(stmt)->orelse});
  case NodeKind::While:
    evaluate({llvm::cast<While>(stmt)->test});
    return execute({llvm::cast<While>(stmt)->body, llvm::cast<While>(stmt)->orelse});
  case NodeKind::For:
    if (auto* loop = llvm::cast<For>(stmt); readTarget(loop->target)) {
      evaluate({loop->iter});
      execute({loop->body, loop->orelse});
    }
    return;
  case NodeKind::Try:
    execute({llvm::cast<Try>(stmt)->body});
    if (!llvm::cast<Try>(stmt)->handlers.empty()) return refuse(stmt);
    return execute({llvm::cast<Try>(stmt)->orelse, llvm::cast<Try>(stmt)->finalbody});
  case NodeKind::FunctionDef:
  case NodeKind::ClassDef:
    return unit_.markIncomplete("a definition in the `else` of a loop");
  default:
    return refuse(stmt);
  }
}

static bool isFunction(Value value) {
  return value.is(ValueKind::Builtin) || value.is(ValueKind::Function) ||
         value.is(ValueKind::BoundMethod);
}

void FunctionVisitor::visitExprStmt(const ExprStmt* stmt) {
  if (stmt->value->kind == NodeKind::Constant) return; // a docstring: no IR comes of it
  unused_ = stmt->value;
  Value value = visit(stmt->value).unwrapped();
  unused_ = nullptr;
  if (llvm::isa<NameExpr, Attribute>(stmt->value) && isFunction(value))
    warnUncalled(stmt->value, value);
}

// A barrier that is named and not called, for one.
void FunctionVisitor::warnUncalled(const Expr* name, Value function) {
  std::string written = emit_.sourceText(name).str();
  Reported reported = emit_.warning(Id::UncalledFunction, name, written);
  auto* builtin = function.is(ValueKind::Builtin) ? function.asBuiltin() : nullptr;
  if (builtin && llvm::none_of(builtin->parameters, [](const language::Parameter& each) {
        return each.defaultKind == language::DefaultKind::Required;
      }))
    reported.fix(diagnostics::FixId::TryText, {{name->range, written + "()"}}, written + "()");
}

// ---------------------------------------------------------------- assignment

void FunctionVisitor::visitAssign(const Assign* stmt) {
  if (stmt->targets.size() != 1) {
    emit_.error(Id::MultipleTargets, stmt->targets[1]);
    Value value = visit(stmt->value);
    for (const Expr* target : stmt->targets)
      if (target->kind == NodeKind::NameExpr) assignTarget(target, value);
    return;
  }
  visitAssign(stmt->targets[0], stmt->value);
}

void FunctionVisitor::visitAssign(const Expr* target, const Expr* value) {
  assignTarget(target, sanitize(target, visit(value), value));
}

// x op= y is x = x op y.
void FunctionVisitor::visitAugAssign(const AugAssign* stmt) {
  Value lhs = visit(stmt->target);
  Value rhs = visit(stmt->value);
  Value result = binaryOperation(stmt->op, lhs, rhs, stmt, stmt->target, stmt->value);
  assignTarget(stmt->target, sanitize(stmt->target, result, stmt));
}

void FunctionVisitor::visitAnnAssign(const AnnAssign* stmt) {
  Value annotation = visit(stmt->annotation);
  auto* name = llvm::dyn_cast<NameExpr>(stmt->target);
  if (!name && visit(stmt->target).isUnknown()) {
    if (stmt->value) visit(stmt->value);
    return; // reported
  }
  if (!stmt->value) {
    if (name && is(annotation.unwrapped(), BuiltinId::gl_constexpr))
      pendingConstexpr_.push_back(name->name);
    return;
  }
  if (isTensor(annotation)) // which Triton compares with constexpr
    emit_.error(Id::BadArgument, stmt->annotation,
                "an annotation must be a type, but this is " + emit_.text(annotation));
  if (is(annotation.unwrapped(), BuiltinId::gl_constexpr) && name) {
    Value value = visit(stmt->value);
    if (const Value* old = scope_.find(name->name); old && !old->isUnknown()) {
      emit_.error(Id::ConstexprReassigned, stmt->target, text(name->name));
      return;
    }
    value = normalize(heap(), value);
    scope_.set(name->name, value);
    recordFact(stmt->target, value);
    markVariable(name->name);
    return;
  }
  // Triton evaluates the value of an ordinary annotated assignment twice.
  visit(stmt->value);
  visitAssign(stmt->target, stmt->value);
}

void FunctionVisitor::assignTarget(const Expr* target, Value value) {
  switch (target->kind) {
  case NodeKind::NameExpr:
    setValue(llvm::cast<NameExpr>(target)->name, value);
    recordFact(target, value);
    markVariable(llvm::cast<NameExpr>(target)->name);
    return;
  case NodeKind::Tuple: {
    Exprs elements = llvm::cast<syntax::Tuple>(target)->elements;
    bool fits = isTuple(value) && itemsOf(value).size() == elements.size();
    for (auto [i, element] : llvm::enumerate(elements))
      assignTarget(element, fits ? itemsOf(value)[i] : Value());
    return;
  }
  case NodeKind::Subscript:
    if (!value.isUnknown()) {
      Reported reported = emit_.error(Id::ItemAssignment, target);
      offerStore(emit_, reported, target);
    }
    return;
  case NodeKind::Attribute:
    if (!value.isUnknown()) emit_.error(Id::AttributeAssignment, target);
    return;
  case NodeKind::ErrorExpr:
    return;
  default:
    // The names in it are unknown from here on.
    if (auto* starred = llvm::dyn_cast<Starred>(target))
      return assignTarget(starred->value, Value());
    if (auto* list = llvm::dyn_cast<syntax::List>(target)) {
      emit_.error(Id::UnsupportedTarget, target);
      for (const Expr* element : list->elements)
        assignTarget(element, Value());
      return;
    }
    emit_.error(Id::UnsupportedTarget, target);
  }
}

Value FunctionVisitor::sanitizeLeaf(Value value, const Node* at) {
  if (isTuple(value)) {
    llvm::SmallVector<Value, 8> items;
    for (Value item : itemsOf(value)) {
      Value leaf = sanitizeLeaf(item, at);
      items.push_back(leaf.isNone() ? leaf.wrapped() : leaf);
    }
    auto* tuple = value.as<TupleObject>();
    return this->tuple(items, tuple->fields, tuple->namedtuple);
  }
  value = value.unwrapped();
  if (value.isUnknown() || value.isNone() || isTritonValue(value)) return value;
  if (value.is(ValueKind::Type) && isConstexprLike(value)) return value;
  return toTensor(emit_, value, at);
}

// A value assigned to a name is a tensor, unless it was declared a constexpr: numbers become
// constants in IR here.
Value FunctionVisitor::sanitize(const Expr* target, Value value, const Node* at, bool leaves) {
  if (value.isUnknown()) return value;
  if (auto* targets = llvm::dyn_cast<syntax::Tuple>(target)) {
    if (!isTuple(value)) return emit_.error(Id::NotUnpackable, at, value);
    Exprs elements = targets->elements;
    for (const Expr* element : elements)
      if (element->kind == NodeKind::Starred) return emit_.error(Id::StarredTarget, element);
    Values items = itemsOf(value);
    if (items.size() > elements.size() && emit_.follows(releases::Rule::UnpackingDropsTheRest))
      items = items.take_front(elements.size());
    if (items.size() > elements.size())
      return emit_.error(Id::TooManyToUnpack, target, elements.size(), items.size());
    if (items.size() < elements.size())
      return emit_.error(Id::NotEnoughToUnpack, target, elements.size(), items.size());
    llvm::SmallVector<Value, 8> results;
    for (auto [element, item] : llvm::zip(elements, items)) {
      Value result = sanitize(element, item, at, leaves);
      if (leaves && result.is(ValueKind::Type) && !result.isConstexpr()) {
        emit_.error(Id::BadArgument, element,
                    "a type cannot be unpacked into a name: assign it in a statement of its own");
        result = Value::unknown();
      }
      results.push_back(result.isNone() ? result.wrapped() : result);
    }
    auto* tuple = value.as<TupleObject>();
    return this->tuple(results, tuple->fields, tuple->namedtuple);
  }
  if (auto* name = llvm::dyn_cast<NameExpr>(target)) {
    auto pending = llvm::find(pendingConstexpr_, name->name);
    if (pending != pendingConstexpr_.end()) {
      pendingConstexpr_.erase(pending);
      return normalize(heap(), value);
    }
  }
  if (leaves && isLoopHead(value, at)) {
    unit_.markIncomplete("a range outside of the head of a `for`");
    return Value::unknown();
  }
  if (leaves && isCompileTimeOnly(value)) {
    auto* name = llvm::dyn_cast<NameExpr>(target);
    if (name) return unannotated(*name, value);
  }
  return leaves ? sanitizeLeaf(value, at) : value;
}

// gl.static_range(n), which Triton lets a name hold, although nothing can be done with it there.
bool FunctionVisitor::isLoopHead(Value value, const Node* at) {
  auto* call = value.is(ValueKind::Range) ? llvm::dyn_cast_if_present<Call>(at) : nullptr;
  if (!call) return false;
  Value callee = visit(call->func).unwrapped();
  return is(callee, BuiltinId::gl_static_range) || is(callee, BuiltinId::tl_range);
}

static bool isRunTimeValue(Value value) {
  if (isTuple(value)) return llvm::any_of(itemsOf(value), isRunTimeValue);
  return IrBuilder::isIr(value) && !value.isConstexpr();
}

// Values that no tensor can hold, so a plain assignment of them is refused: layouts, strings,
// objects, and tuples of these and of types, although a name can hold a type alone. Triton makes no
// run-time tuple of one that a constexpr function returns or a global holds.
bool FunctionVisitor::isCompileTimeOnly(Value value) {
  if (isTuple(value))
    return llvm::any_of(itemsOf(value), [](Value item) {
      return item.is(ValueKind::Type) || isCompileTimeOnly(item);
    });
  if (value.isConstexpr() && isTuple(value.unwrapped())) return true;
  value = value.unwrapped();
  bool stays = value.isUnknown() || value.isNone() || isTritonValue(value) ||
               (value.is(ValueKind::Type) && isConstexprLike(value));
  return !stays && !value.isIntegral() && !value.is(ValueKind::Float) &&
         !value.is(ValueKind::BigInt);
}

// A function is assigned: probably a call lacks its parentheses. A constexpr of it would fail where
// it is used.
Value FunctionVisitor::uncalled(const NameExpr& name, Value function) {
  Assignment made = lastAssignment(def_.body, name.name, name.range.end + 1);
  if (!made || !made.value)
    return emit_.error(Id::UnannotatedConstant, &name, text(name.name), function);
  std::string written = emit_.sourceText(made.value).str();
  Reported reported = emit_.error(Id::InvalidOperation, made.value,
                                  "'" + text(name.name).str() + "' becomes the function '" +
                                      written + "' itself, because nothing calls it");
  auto* builtin = function.is(ValueKind::Builtin) ? function.asBuiltin() : nullptr;
  bool hasAxis = builtin && !builtin->parameters.empty() &&
                 llvm::StringRef(builtin->parameters.front().name) == "axis";
  std::string called = written + (hasAxis ? "(0)" : "()");
  return reported.fix(diagnostics::FixId::TryText, {{made.value->range, called}}, called);
}

Value FunctionVisitor::unannotated(const NameExpr& name, Value value) {
  // A tensor that torch or NumPy makes while the kernel is compiled.
  if (evaluate::isArray(value.unwrapped())) {
    Assignment made = lastAssignment(def_.body, name.name, name.range.end + 1);
    auto* call = made ? llvm::dyn_cast_if_present<Call>(made.value) : nullptr;
    if (call) {
      Reported reported = emit_.error(Id::HostFunction, call->func, emit_.sourceText(call->func));
      offerInstead(emit_, reported, call);
      return reported;
    }
  }
  value = value.unwrapped();
  if (isFunction(value)) return uncalled(name, value);
  // A constexpr cannot hold the run-time values beside it either.
  if (isTuple(value) && llvm::any_of(itemsOf(value), isRunTimeValue))
    for (Value item : itemsOf(value))
      if (item.is(ValueKind::Type) || isCompileTimeOnly(item))
        return emit_.error(Id::BadArgument, &name,
                           "a tuple with run-time values cannot hold " +
                               emit_.text(item.unwrapped()) +
                               ", which exists only at compile time: give that a name of its own, "
                               "annotated as gl.constexpr");
  Reported reported = emit_.error(Id::UnannotatedConstant, &name, text(name.name), value);
  std::string language = emit_.languageName();
  if (value.is(ValueKind::Module)) return reported;
  if (language.empty()) return reported;
  // range(0, N), where the numbers of a block are meant; no operation of a kernel takes a range.
  if (value.as<language::RangeObject>()) {
    Assignment made = lastAssignment(def_.body, name.name, name.range.end + 1);
    auto* call = made ? llvm::dyn_cast_if_present<Call>(made.value) : nullptr;
    std::string whole = language + ".arange";
    return call ? reported.fix(diagnostics::FixId::TryText, {{call->func->range, whole}}, whole)
                : reported;
  }
  std::string annotation = language + ".constexpr";
  // A constexpr gets one value: what gets the name later needs a name of its own.
  if (lastAssignment(def_.body, name.name, name.range.begin))
    return offerOwnName(reported, name, annotation);
  return reported.fix(diagnostics::FixId::AnnotateName,
                      {{{name.range.end, name.range.end}, ": " + annotation}}, text(name.name),
                      annotation);
}

Reported FunctionVisitor::offerOwnName(Reported reported, const NameExpr& name,
                                       llvm::StringRef annotation) {
  // Reads follow in the order of the text where no branch or loop is around the assignments.
  const Stmt* stmt = nullptr;
  text::Offset end = def_.range.end;
  llvm::DenseSet<Name> taken;
  std::vector<const NameExpr*> reads;
  for (const Stmt* each : def_.body) {
    auto* assign = llvm::dyn_cast<Assign>(each);
    const Expr* target = assign && assign->targets.size() == 1 ? assign->targets.front() : nullptr;
    auto* assigned = llvm::dyn_cast_if_present<NameExpr>(target);
    if (target == &name)
      stmt = each;
    else if (stmt && assigned && assigned->name == name.name)
      end = std::min(end, target->range.begin);
    walk(each, [&](const Node* node) {
      auto* use = llvm::dyn_cast<NameExpr>(node);
      if (use) taken.insert(use->name);
      if (use && use->name == name.name) reads.push_back(use);
      return true;
    });
  }
  for (const Parameter& each : def_.parameters)
    taken.insert(each.name.name);
  if (!stmt) return reported;
  std::string own;
  for (unsigned i = 2; own.empty() || taken.contains(emit_.names().intern(own)); ++i)
    own = (text(name.name) + llvm::Twine(i)).str();
  std::vector<text::Edit> edits{{name.range, own + ": " + annotation.str()}};
  for (const NameExpr* read : reads)
    if (read->range.begin >= stmt->range.end && read->range.begin < end)
      edits.push_back({read->range, own});
  return reported.fix(diagnostics::FixId::RenameHere, std::move(edits), own);
}

// ---------------------------------------------------------------- the rest

void FunctionVisitor::visitAssert(const Assert* stmt) {
  Value test = visit(stmt->test);
  Value message = stmt->message ? visit(stmt->message) : heap().str("");
  if (test.isUnknown() || message.isUnknown()) return;
  CallSite site{stmt, {test, message}, {stmt->test, stmt->message}, {}, {}, false};
  callRule(language::builtin(BuiltinId::gl_device_assert), site);
}

void FunctionVisitor::forgetAssigned(Stmts body) {
  forEachAssigned(body, [&](Name name) { setValue(name, Value()); });
}

} // namespace gluond::codegen
