#include "codegen/builder/Dependencies.h"

#include "codegen/builder/UserBuiltins.h"
#include "evaluate/stdlib/StandardModules.h"
#include "evaluate/torch/LibraryClasses.h"
#include "support/Stack.h"
#include "syntax/tree/Visitor.h"

#include <llvm/ADT/STLExtras.h>

namespace gluond::codegen {

using namespace syntax;
using language::BoundMethodObject;
using language::ClassObject;
using language::FunctionKind;
using language::FunctionObject;
using language::ModuleObject;
using language::Scope;
using language::Value;
using language::ValueKind;

namespace {

// Names that Triton never checks, wherever they come from.
bool isLeftAlone(llvm::StringRef name) {
  static constexpr llvm::StringLiteral names[] = {"float", "getattr", "int", "isinstance", "len",
                                                  "list",  "max",     "min", "print",      "range"};
  return llvm::is_contained(names, name);
}

// Modules whose members are not checked.
bool isTrusted(Value value) {
  auto* module = value.as<ModuleObject>();
  static constexpr llvm::StringLiteral names[] = {"triton.experimental.gluon.language",
                                                  "triton.language", "copy", "math"};
  return module && llvm::is_contained(names, module->name);
}

} // namespace

class ReferenceWalk {
public:
  ReferenceWalk(Dependencies& all, const FunctionObject& function)
      : all_(all), in_(all.in_), function_(function) {}

  std::optional<Reference> run() {
    enter(*function_.def);
    return refused_;
  }

private:
  void enter(const FunctionDef& def) {
    locals_.clear();
    for (const Parameter& parameter : def.parameters)
      if (parameter.kind == ParameterKind::Positional ||
          parameter.kind == ParameterKind::PositionalOnly)
        locals_.insert(parameter.name.name);
    for (const Parameter& parameter : def.parameters) {
      if (parameter.annotation) visit(parameter.annotation);
      if (parameter.defaultValue) visit(parameter.defaultValue);
    }
    for (const Parameter& parameter : def.parameters)
      locals_.insert(parameter.name.name);
    for (const Stmt* stmt : def.body)
      visit(stmt);
    if (def.returns) visit(def.returns);
  }

  void assign(const Expr* target) {
    if (auto* name = llvm::dyn_cast<NameExpr>(target)) locals_.insert(name->name);
    if (auto* tuple = llvm::dyn_cast<Tuple>(target))
      for (const Expr* element : tuple->elements)
        assign(element);
  }

  // Returns the value of a name or a chain of attributes; Unknown for everything else.
  Value visit(const Node* node) {
    if (refused_) return Value::unknown();
    if (auto* name = llvm::dyn_cast<NameExpr>(node)) return visitName(*name);
    if (auto* attribute = llvm::dyn_cast<Attribute>(node)) return visitAttribute(*attribute);
    if (auto* def = llvm::dyn_cast<FunctionDef>(node)) return enter(*def), Value::unknown();
    if (auto* statement = llvm::dyn_cast<Assign>(node))
      for (const Expr* target : statement->targets)
        assign(target);
    if (auto* statement = llvm::dyn_cast<AnnAssign>(node)) assign(statement->target);
    if (auto* statement = llvm::dyn_cast<For>(node)) assign(statement->target);
    syntax::forEachChild(node, [&](const Node* child) { visit(child); });
    return Value::unknown();
  }

  Value visitName(const NameExpr& name) {
    if (locals_.contains(name.name)) return Value::unknown();
    Value found = Value::absent();
    for (const Scope* scope = function_.scope; scope && found.isAbsent(); scope = scope->parent)
      found = scope->get(name.name);
    if (found.isAbsent() && function_.module->globals)
      found = function_.module->globals->get(name.name);
    if (found.isAbsent()) return Value::unknown();
    if (!isLeftAlone(in_.text(name.name))) record(found, &name);
    return found;
  }

  Value visitAttribute(const Attribute& attribute) {
    Value object = visit(attribute.value);
    if (refused_ || object.isUnknown() || object.isNone() || object.isConstexpr() ||
        isTrusted(object))
      return Value::unknown();
    Value found = in_.lookupAttribute(object, attribute.attribute.name);
    in_.dropError();
    if (found.isAbsent()) return Value::unknown();
    record(found, &attribute);
    return found;
  }

  void record(Value value, const Node* node) {
    if (value.isConstexpr()) return;
    if (auto* cls = value.as<ClassObject>();
        cls && cls->flavour == ClassObject::Flavour::Aggregate) {
      refused_ = all_.refused(*cls);
      return;
    }
    auto* function = value.as<FunctionObject>();
    if (auto* bound = value.as<BoundMethodObject>()) {
      function = bound->function.as<FunctionObject>();
      if (!function && (bound->self.is(ValueKind::Layout) || bound->self.is(ValueKind::Type)))
        refused_ = Reference{function_.module, node, nullptr};
    }
    if (function) {
      if (function->function != FunctionKind::Python)
        refused_ = all_.refused(*function);
      else if (!isOwnBuiltin(*function, all_.names_))
        refused_ = Reference{function_.module, node, function};
    } else if (auto* native = evaluate::hostAs<evaluate::NativeFunctionObject>(
                   value, evaluate::nativeFunctionClass)) {
      if (evaluate::isFunctionOfPython(*native) || evaluate::isFunctionOfTorch(*native))
        refused_ = Reference{function_.module, node, nullptr};
    } else if (evaluate::hostAs<evaluate::PartialObject>(value, evaluate::partialClass) ||
               evaluate::isCachedFunction(value) ||
               (value.is(ValueKind::Instance) && in_.isCallable(value))) {
      refused_ = Reference{function_.module, node, nullptr};
    }
  }

  Dependencies& all_;
  evaluate::Interpreter& in_;
  const FunctionObject& function_;
  llvm::DenseSet<Name> locals_;
  std::optional<Reference> refused_;
};

template <typename Object>
std::optional<Reference> Dependencies::remembered(const Object& object, Value value, Name name) {
  if (acceptable_.contains(&object)) return std::nullopt;
  ++depth_;
  std::optional<Reference> found = walk(object);
  --depth_;
  foundAny_ |= found.has_value();
  // A nested walk may have skipped functions that the outer walk visits.
  if (depth_ != 0 || foundAny_ || isCut_ || in_.isStopped() || !object.module ||
      !object.module->globals)
    return found;
  Value global = object.module->globals->get(name);
  if (global.identical(value) && !own_.owns(&object)) acceptable_.insert(&object);
  return found;
}

std::optional<Reference> Dependencies::refused(const FunctionObject& function) {
  if (!function.def) return std::nullopt;
  return remembered(function, Value::object(ValueKind::Function, &function),
                    function.def->name.name);
}

std::optional<Reference> Dependencies::refused(const ClassObject& aggregate) {
  if (!aggregate.def) return walk(aggregate);
  return remembered(aggregate, Value::object(ValueKind::Class, &aggregate),
                    aggregate.def->name.name);
}

std::optional<Reference> Dependencies::walk(const FunctionObject& function) {
  bool isTritons = function.module && function.module->name.starts_with("triton.");
  if (!function.def || !function.module || isTritons || !visited_.insert(&function).second)
    return std::nullopt;
  if (isStackLow()) { // functions that refer to functions without end: not known to be fine
    isCut_ = true;
    return std::nullopt;
  }
  return ReferenceWalk(*this, function).run();
}

std::optional<Reference> Dependencies::walk(const ClassObject& aggregate) {
  if (!aggregate.members || !visited_.insert(&aggregate).second) return std::nullopt;
  for (auto [name, member] : *aggregate.members) {
    auto* function = member.as<FunctionObject>();
    if (!function || !function->def) continue;
    // Members that a decorator adds to the class later are not checked.
    if (aggregate.def &&
        !llvm::is_contained(aggregate.def->body, static_cast<const Stmt*>(function->def)))
      continue;
    if (function->function == FunctionKind::Python && !isOwnBuiltin(*function, names_))
      return Reference{function->module, function->def, function};
    if (auto found = refused(*function)) return found;
  }
  return std::nullopt;
}

} // namespace gluond::codegen
