// What a name means inside a kernel: a local, then a global that may be used here, then one of a few of Python's builtins.
#include "codegen/FunctionVisitor.h"
#include "codegen/OwnBuiltins.h"
#include "codegen/Suggest.h"
#include "codegen/WellKnown.h"
#include "language/TypeContext.h"

namespace gluond::codegen {

using diagnostics::Id;
using language::ClassObject;
using language::FunctionKind;
using language::FunctionObject;
using language::Scope;

// Only compile-time constants and what belongs to the language may be read from a module's globals; anything else
// could change between the compilation and the launch.
bool FunctionVisitor::isAllowedGlobal(Name name, Value value) const {
  if (value.isUnknown() || isConstexprLike(value)) return true;
  using enum ValueKind;
  if (llvm::is_contained({Module, Builtin, Type, Layout, Absent}, value.kind())) return true;
  if (auto* cls = value.as<ClassObject>())
    return cls->flavour == ClassObject::Flavour::Aggregate || cls->flavour == ClassObject::Flavour::NamedTuple ||
           !cls->def;
  if (auto* function = value.as<FunctionObject>(); function && emitsIr(*function, unit_.context.names())) return true;
  return unit_.context.wellKnown().isPythonBuiltin(name);
}

Value FunctionVisitor::lookup(Name name, const syntax::Node* node) {
  if (const Value* local = scope_.find(name)) return *local;
  const Value* global = nullptr;
  for (const Scope* scope = function_.scope; scope && !global; scope = scope->parent) global = scope->find(name);
  if (!global && function_.module->globals) global = function_.module->globals->find(name);
  if (global && (global->isUnknown() || global->isConstexpr()))
    for (const GlobalValue& recorded : unit_.specialization.globals)
      if (recorded.name == name && !recorded.value.isUnknown() && text(recorded.module) == function_.module->name)
        global = &recorded.value;
  if (global) {
    if (global->isUnknown()) unit_.markIncomplete("the value of '" + text(name) + "'");
    if (!isAllowedGlobal(name, *global)) return emit_.error(Id::GlobalNotConstexpr, node, text(name));
    // Types of the program's own context.
    if (global->is(ValueKind::Type) && !global->asType()->isScalar()) {
      Value type = Value::type(emit_.types().import(global->asType()));
      return global->isConstexpr() ? type.wrapped() : type;
    }
    return *global;
  }
  Value builtin = unit_.pythonBuiltin(name);
  if (!builtin.isAbsent()) return builtin;
  Nearest nearest(text(name));
  for (size_t i = 0; i < scope_.size(); ++i) nearest.offer(text(scope_.name(i)));
  if (function_.module->globals)
    for (const auto& entry : function_.module->globals->entries) nearest.offer(text(entry.first));
  return misspelt(emit_.error(Id::UndefinedName, node, text(name)), node, nearest);
}

} // namespace gluond::codegen
