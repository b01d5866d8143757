// The meaning of a name inside a kernel: a local, then a permitted global, then one of a few Python
// builtins.
#include "codegen/builder/Assignments.h"
#include "codegen/builder/KernelFixes.h"
#include "codegen/builder/UserBuiltins.h"
#include "codegen/context/WellKnown.h"
#include "codegen/functions/FunctionVisitor.h"
#include "codegen/functions/Rewrites.h"
#include "codegen/suggestions/MissingImports.h"
#include "codegen/suggestions/OtherNames.h"
#include "codegen/suggestions/Suggest.h"
#include "evaluate/values/PythonCoverage.h"
#include "language/JitDecorator.h"
#include "language/parameters/CalledFunctions.h"
#include "language/types/LayoutClass.h"
#include "language/types/Structure.h"
#include "language/types/TypeContext.h"
#include "syntax/tree/Children.h"

#include <llvm/ADT/StringExtras.h>

namespace gluond::codegen {

using diagnostics::Id;
using language::ClassObject;
using language::FunctionObject;
using language::InstanceObject;
using language::Scope;

// Whether a definition is in a module of the language itself: in a checkout of Triton, whose files
// are named by their folders alone if they are not imported.
static bool isOfTriton(const language::ModuleObject* module) {
  if (!module) return false;
  for (llvm::StringRef folder : {"triton/language/", "triton/experimental/gluon/language/"}) {
    std::string package = llvm::join(llvm::split(folder.drop_back(), '/'), ".");
    if (module->name.starts_with(package) || module->path.contains(("/" + folder).str()))
      return true;
  }
  return false;
}

// Only compile-time constants and parts of the language may be read from a module's globals;
// anything else could change between the compilation and the launch.
bool FunctionVisitor::isAllowedGlobal(Name name, Value value) const {
  if (value.isUnknown() || isConstexprLike(value)) return true;
  using enum ValueKind;
  if (value.is(Builtin) && value.asBuiltin()->kind == language::BuiltinKind::Constant) return false;
  if (llvm::is_contained({Module, Builtin, Type, Layout, Absent}, value.kind())) return true;
  if (auto* cls = value.as<ClassObject>())
    return cls->flavour == ClassObject::Flavour::Aggregate ||
           cls->flavour == ClassObject::Flavour::NamedTuple || !cls->def ||
           isOfTriton(cls->module) || isMarkedBuiltin(*cls, unit_.context.names()) ||
           evaluate::isKnownInPart(unit_.interpreter, value);
  if (auto* instance = value.as<InstanceObject>())
    return isMarkedBuiltin(*instance->cls, unit_.context.names()) ||
           evaluate::isKnownInPart(unit_.interpreter, value);
  if (auto* function = value.as<FunctionObject>();
      function && (isOfTriton(function->module) || isOwnBuiltin(*function, unit_.context.names())))
    return true;
  return unit_.context.wellKnown().isPythonBuiltin(name);
}

// Whether the scopes around the function may have any names: after `from something unknown import
// *`.
static bool mayBeBound(const FunctionObject& function) {
  for (const Scope* scope = function.scope; scope; scope = scope->parent)
    if (scope->contains(Name{})) return true;
  return function.module->globals && function.module->globals->contains(Name{});
}

Value FunctionVisitor::lookup(Name name, const syntax::Node* node) {
  if (const Value* local = scope_.find(name)) return *local;
  Value global = Value::absent();
  for (const Scope* scope = function_.scope; scope && global.isAbsent(); scope = scope->parent)
    global = scope->get(name);
  if (global.isAbsent() && function_.module->globals) global = function_.module->globals->get(name);
  if (global.isUnknown() || global.isConstexpr())
    for (const GlobalValue& recorded : unit_.specialization.globals)
      if (recorded.name == name && !recorded.value.isUnknown() &&
          text(recorded.module) == function_.module->name)
        global = recorded.value;
  if (!global.isAbsent()) {
    if (global.isUnknown()) unit_.markIncomplete("the value of '" + text(name) + "'");
    if (!isAllowedGlobal(name, global)) return plainGlobal(name, global, node);
    if (auto* cls = global.as<ClassObject>();
        cls && cls->flavour == ClassObject::Flavour::Aggregate && unit_.frames.back().isHashed)
      if (auto refused = unit_.dependencies.refused(*cls)) return refuse(*refused, node);
    // Types of the program's own context.
    if (global.is(ValueKind::Type) && !global.asType()->isScalar()) {
      Value type = Value::type(emit_.types().import(global.asType()));
      return global.isConstexpr() ? type.wrapped() : type;
    }
    return unit_.admit(global, node);
  }
  Value builtin = unit_.pythonBuiltin(name);
  if (!builtin.isAbsent()) return builtin;
  if (mayBeBound(function_)) {
    unit_.markIncomplete("the value of '" + text(name) + "'");
    return Value::unknown();
  }
  return notDefined(name, node);
}

// The name is assigned somewhere in the function, but not on every path to here; or it is not
// assigned at all, and perhaps misspelt.
Value FunctionVisitor::notDefined(Name name, const syntax::Node* node) {
  // Each name is compared with all others and looked for in the whole function, which text with
  // thousands of such names is not worth.
  constexpr unsigned mostExplained = 500;
  if (++unit_.undefinedNames > mostExplained)
    return emit_.error(Id::UndefinedName, node, text(name));
  if (Assignment assigned = lastAssignment(def_.body, name, node->range.begin)) {
    std::string where;
    for (const syntax::Stmt* block : assigned.around) {
      if (block->range.begin <= node->range.begin && node->range.end <= block->range.end)
        continue; // around both
      if (auto* branch = llvm::dyn_cast<syntax::If>(block)) {
        bool isElse = !branch->orelse.empty() &&
                      assigned.stmt->range.begin >= branch->orelse.front()->range.begin;
        where = (isElse ? "unless " : "when ") + emit_.sourceText(branch->test).str();
      } else
        where = "inside this loop";
      break;
    }
    uint32_t line = emit_.locations_
                        ? emit_.locations_->file().text->lineOf(assigned.stmt->range.begin) + 1
                        : 0;
    if (!where.empty())
      return emit_.error(Id::ConditionallyDefined, node, text(name), where, line)
          .related(diagnostics::NoteId::AssignedOnlyHere, assigned.node());
  }
  // In a method it may be an attribute of the instance.
  if (!def_.parameters.empty()) {
    const Value* self = scope_.find(def_.parameters.front().name.name);
    auto* instance = self ? self->as<InstanceObject>() : nullptr;
    if (instance && instance->attributes && !instance->attributes->get(name).isAbsent()) {
      std::string whole = (text(def_.parameters.front().name.name) + "." + text(name)).str();
      return emit_.error(Id::UndefinedName, node, text(name))
          .fix(diagnostics::FixId::TryText, {{node->range, whole}}, whole);
    }
  }
  // A function of another library, whose import is missing.
  const syntax::Attribute* member = isLibraryName(text(name)) ? memberOf(emit_, *node) : nullptr;
  bool isNumpyAxis = text(member ? member->attribute.name : name) == "newaxis";
  if (isNumpyAxis)
    return emit_.error(Id::UndefinedName, node, text(name))
        .fix(diagnostics::FixId::TryText, {{(member ? member->range : node->range), "None"}},
             "None");
  if (member) {
    std::string whole = languageTextFor(emit_, text(member->attribute.name));
    if (!whole.empty())
      return emit_.error(Id::UndefinedName, node, text(name))
          .fix(diagnostics::FixId::TryText, {{member->range, whole}}, whole);
    if (std::string advice = adviceFor(text(member->attribute.name), emit_.target());
        !advice.empty())
      return emit_.error(Id::NoSuchOperation, member, "a kernel", emit_.sourceText(member), advice);
  }
  // A name of the language that is used without its module. The number of warps or of CTAs is a
  // variable of other languages, and a function of this one: [num_warps, 1].
  std::string language = emit_.languageName(), lower = text(name).lower();
  bool isNumber = lower == "num_warps" || lower == "num_ctas";
  if (!language.empty() && isNumber && !isCalled(emit_, *node)) {
    std::string whole = language + "." + lower + "()";
    return emit_.error(Id::UndefinedName, node, text(name))
        .fix(diagnostics::FixId::TryText, {{node->range, whole}}, whole);
  }
  if (!language.empty() && language::findBuiltin(language::ModuleId::gl, text(name))) {
    std::string whole = language + "." + text(name).str();
    return emit_.error(Id::UndefinedName, node, text(name))
        .fix(diagnostics::FixId::UseText, {{node->range, whole}}, whole);
  }
  // What other languages have everywhere. A plain word may be a variable that was forgotten.
  bool isWord = text(name) == text(name).lower() && !text(name).starts_with("__");
  if (!isWord || isCalled(emit_, *node)) {
    std::string advice = adviceFor(text(name), emit_.target());
    if (!advice.empty()) {
      Reported reported = emit_.error(Id::NoSuchOperation, node, "a kernel", text(name), advice);
      offerAdvised(reported, node, advice);
      return reported;
    }
    std::string whole = languageTextFor(emit_, text(name));
    if (!whole.empty() && isCalled(emit_, *node))
      return emit_.error(Id::UndefinedName, node, text(name))
          .fix(diagnostics::FixId::TryText, {{node->range, whole}}, whole);
  }
  // A constant as other languages write it.
  for (llvm::StringRef constant : {"True", "False", "None"})
    if (text(name).equals_insensitive(constant) ||
        (constant == "None" && (text(name) == "null" || text(name) == "nullptr")))
      return emit_.error(Id::UndefinedName, node, text(name))
          .fix(diagnostics::FixId::TryText, {{node->range, constant.str()}}, constant);
  for (llvm::StringRef number : {"inf", "nan"})
    if (text(name).equals_insensitive(number)) {
      std::string whole = ("float(\"" + number + "\")").str();
      return emit_.error(Id::UndefinedName, node, text(name))
          .fix(diagnostics::FixId::TryText, {{node->range, whole}}, whole);
    }
  Nearest nearest(text(name));
  for (size_t i = 0; i < scope_.size(); ++i)
    nearest.offer(text(scope_.name(i)));
  if (function_.module->globals)
    for (auto [global, value] : *function_.module->globals)
      nearest.offer(text(global));
  Reported reported = emit_.error(Id::UndefinedName, node, text(name));
  if (emit_.locations_ && emit_.source())
    if (auto missing =
            missingImport(text(name), emit_.target().isCuda(), emit_.locations_->file().statements,
                          emit_.names(), *emit_.source()))
      reported.fix(diagnostics::FixId::AddImport, {missing->edit}, missing->statement);
  return misspelt(reported, node, text(name), nearest, false);
}

void FunctionVisitor::forEachVariable(
    llvm::function_ref<void(llvm::StringRef, Value)> visit) const {
  for (size_t i = 0; i < scope_.size(); ++i)
    visit(text(scope_.name(i)), scope_.value(i));
}

// How code outside functions with a `jit` decorator uses a global: as a number, or as what only a
// plain number can be. A constexpr has no format, and is another key of a dict than its value.
enum class HostUse : uint8_t { None, Number, PlainNumber };
static HostUse hostUseOf(syntax::Stmts body, Name name, const Interner& names) {
  auto useIn = [&](auto&& self, const syntax::Node& node) -> HostUse {
    if (auto* function = llvm::dyn_cast<syntax::FunctionDef>(&node);
        function && language::isJitFunction(*function, names))
      return HostUse::None;
    if (auto* assign = llvm::dyn_cast<syntax::Assign>(&node)) return self(self, *assign->value);
    auto isIt = [&](const syntax::Node* part) {
      auto* read = llvm::dyn_cast_if_present<syntax::NameExpr>(part);
      return read && read->name == name;
    };
    if (isIt(&node)) return HostUse::Number;
    auto* formatted = llvm::dyn_cast<syntax::FormattedValue>(&node);
    auto* item = llvm::dyn_cast<syntax::Subscript>(&node);
    if ((formatted && formatted->formatSpec && isIt(formatted->value)) ||
        (item && isIt(item->index)))
      return HostUse::PlainNumber;
    HostUse use = HostUse::None;
    syntax::forEachChild(
        node, [&](const syntax::Node& child) { use = std::max(use, self(self, child)); });
    bool isInDict = use != HostUse::None && llvm::isa<syntax::Dict>(node);
    return isInDict ? HostUse::PlainNumber : use;
  };
  HostUse use = HostUse::None;
  for (const syntax::Stmt* each : body)
    use = std::max(use, useIn(useIn, *each));
  return use;
}

// Whether kernels can compute with a value of host code: a tensor of torch's is none of them.
static bool isConstant(Value value) {
  value = value.unwrapped();
  if (language::isSequence(value)) return llvm::all_of(language::itemsOf(value), isConstant);
  return value.isUnknown() || value.isNone() || value.is(ValueKind::Bool) ||
         value.is(ValueKind::Int) || value.is(ValueKind::Float) || value.is(ValueKind::Str) ||
         value.is(ValueKind::Type) || value.as<language::LayoutObject>();
}

// Shows the definition of a function or a class of Python, and offers the decorator that makes it
// one of Gluon's.
static Reported atDefinition(IrBuilder& emit, Reported reported, llvm::StringRef name,
                             const language::ModuleObject* module, const syntax::Node* def,
                             text::Range nameRange, llvm::ArrayRef<std::string> decorators) {
  reported.relatedIn(diagnostics::NoteId::DefinedHere, module, nameRange, name);
  for (const std::string& each : decorators) {
    // Decorators are on lines of their own, with the indentation of the definition.
    const text::SourceText& source = *emit.source();
    text::Offset begin = def->range.begin, line = source.lineStart(source.lineOf(begin));
    std::string indent = source.slice({line, begin}).str(), decorator = "@" + each;
    reported.fix(diagnostics::FixId::DecorateFunction,
                 {{{begin, begin}, decorator + "\n" + indent}}, name, decorator);
  }
  return reported;
}

// Returns Python's decorator of classes that hold values, @dataclass or
// @dataclasses.dataclass(...), for which Gluon has its own; null if there is none.
static const syntax::Expr* dataclassOf(const syntax::ClassDef& def, const Interner& names) {
  for (const syntax::Expr* each : def.decorators) {
    auto* call = llvm::dyn_cast<syntax::Call>(each);
    if (language::calledName(call ? call->func : each, names) == "dataclass") return each;
  }
  return nullptr;
}

// The fix wraps the value that the module assigns, if that is in the same file.
Value FunctionVisitor::plainGlobal(Name name, Value value, const syntax::Node* node) {
  // "gluon.jit", and `gluon` if that is how this file calls it.
  auto decorator = [&](const language::ModuleObject* module) -> std::string {
    if (module != function_.module || !emit_.locations_ || !emit_.source()) return {};
    return jitDecorator(emit_.locations_->file().statements, emit_.names(), *emit_.source());
  };
  auto packageOf = [](llvm::StringRef jit) { return jit.consume_back(".jit") ? jit.str() : ""; };
  if (auto* function = value.as<FunctionObject>(); function && function->def) {
    llvm::SmallVector<std::string, 2> decorators;
    if (std::string jit = decorator(function->module); !jit.empty()) decorators.push_back(jit);
    // A function of compile-time values, such as one that makes a layout.
    if (std::string package = decorators.empty() ? "" : packageOf(decorators.front());
        !package.empty())
      decorators.push_back(package + ".constexpr_function");
    return atDefinition(emit_, emit_.error(Id::HostFunction, node, text(name)), text(name),
                        function->module, function->def, function->def->name.range, decorators);
  }
  if (auto* cls = value.as<language::ClassObject>(); cls && cls->def) {
    Reported reported = emit_.error(Id::HostClass, node, text(name));
    std::string package = packageOf(decorator(cls->module)), aggregate = package + ".aggregate";
    if (const syntax::Expr* own = dataclassOf(*cls->def, emit_.names()); own && !package.empty())
      return atDefinition(emit_, reported, text(name), cls->module, cls->def, cls->def->name.range,
                          {})
          .fix(diagnostics::FixId::TryText, {{own->range, aggregate}}, aggregate);
    return atDefinition(emit_, reported, text(name), cls->module, cls->def, cls->def->name.range,
                        package.empty() ? llvm::ArrayRef<std::string>() : aggregate);
  }
  Reported reported = emit_.error(Id::GlobalNotConstexpr, node, text(name));
  if (!emit_.locations_ || !reported.isWorthSearching()) return reported;
  Assignment assigned = lastAssignment(emit_.locations_->file().statements, name);
  if (!assigned || !assigned.value) return reported;
  reported.related(diagnostics::NoteId::AssignedHere, assigned.stmt, text(name));
  std::string language = emit_.languageName();
  text::Range range = assigned.value->range;
  // The value was not admitted to the kernel: it may contain itself.
  bool isSmall = language::fit(value) == language::Fit::Fits;
  if (language.empty() || !isSmall || !isConstant(value)) return reported;
  std::string function = language + ".constexpr";
  std::vector<text::Edit> edits{{{range.begin, range.begin}, function + "("},
                                {{range.end, range.end}, ")"}};
  // Host code that reads it gets another object, which behaves like a number but is none.
  switch (hostUseOf(emit_.locations_->file().statements, name, emit_.names())) {
  case HostUse::None:
    return reported.fix(diagnostics::FixId::WrapValue, std::move(edits), text(name), function);
  case HostUse::Number:
    return reported.fix(diagnostics::FixId::WrapForHostToo, std::move(edits), text(name), function);
  case HostUse::PlainNumber:
    return reported; // no wrapped value serves both
  }
  llvm_unreachable("no such use");
}

} // namespace gluond::codegen
