// Calls: which values are called with which arguments. JitCalls.cpp, BuiltinCalls.cpp and
// HostCalls.cpp make the calls of each kind.
#include "codegen/builder/Assignments.h"
#include "codegen/builder/KernelFixes.h"
#include "codegen/builder/OperandFixes.h"
#include "codegen/builder/UserBuiltins.h"
#include "codegen/builder/Values.h"
#include "codegen/context/Prelude.h"
#include "codegen/context/WellKnown.h"
#include "codegen/functions/ArgumentFixes.h"
#include "codegen/functions/FunctionVisitor.h"
#include "codegen/suggestions/OtherNames.h"
#include "evaluate/torch/LibraryClasses.h"
#include "evaluate/values/PythonCoverage.h"
#include "language/types/Builtin.h"
#include "language/types/Text.h"
#include "syntax/tree/Unparse.h"

namespace gluond::codegen {

using diagnostics::Id;
using namespace syntax;
using language::BoundMethodObject;
using language::Builtin;
using language::BuiltinId;
using language::BuiltinKind;
using language::ClassObject;
using language::FunctionKind;
using language::FunctionObject;
using language::StrObject;

// A value that cannot be called, by the expression for it and its kind: "'exp', a value of type
// float32,".
static std::string calleeWords(const IrBuilder& emit, const Expr* function, Value callee) {
  std::string kind = isTensor(callee)                  ? "a value of type " + emit.text(callee)
                     : callee.is(ValueKind::Module)    ? "a module"
                     : callee.is(ValueKind::Type)      ? "a type"
                     : callee.unwrapped().isIntegral() ? "an integer"
                                                       : emit.text(callee);
  if (!function) return kind;
  std::string written = emit.sourceText(function).str();
  return written == kind ? written : "'" + written + "', " + kind + ",";
}

// The user's expression for the `self` of a method call.
static const Expr* receiverOf(const Node* node) {
  auto* call = llvm::dyn_cast_if_present<Call>(node);
  auto* attribute = call ? llvm::dyn_cast<Attribute>(call->func) : nullptr;
  return attribute ? attribute->value : nullptr;
}

Value FunctionVisitor::visitCall(const Call* expr) {
  bool unused = std::exchange(unused_, nullptr) == expr;
  Value callee = visit(expr->func).unwrapped();
  const WellKnown& known = unit_.context.wellKnown();
  if (is(callee, BuiltinId::gl_static_assert)) return visitStaticAssert(expr);
  bool isStatic = is(callee, BuiltinId::gl_static_print) || unit_.isPython(callee, known.int_) ||
                  unit_.isPython(callee, known.len);

  // Keywords are evaluated before positional arguments.
  CallSite site{expr, {}, {}, {}, {}, unused};
  bool unknown = callee.isUnknown();
  for (const Keyword& keyword : expr->keywords) {
    Value value = visit(keyword.value);
    unknown |= hasUnknown(value);
    if (!keyword.name.name) {
      if (!unknown)
        emit_.error(Id::UnsupportedExpression, keyword.value, "a ** argument",
                    "pass the arguments by name");
      unknown = true;
      continue;
    }
    site.keywords.push_back({keyword.name.name, value});
    site.keywordNodes.push_back(keyword.value);
  }
  for (const Expr* arg : expr->args) {
    auto* starred = llvm::dyn_cast<Starred>(arg);
    if (!starred) {
      // Only Python's own functions take generators: it is the function that is wrong.
      auto* generator = callee.isUnknown() ? llvm::dyn_cast<Comprehension>(arg) : nullptr;
      if (generator && generator->comprehension == ComprehensionKind::Generator) continue;
      site.args.push_back(visit(arg));
      site.nodes.push_back(arg);
      unknown |= hasUnknown(site.args.back());
      continue;
    }
    Value spread = visit(starred->value);
    if (spread.isUnknown()) {
      unknown = true;
      continue;
    }
    if (!spread.is(ValueKind::Tuple)) {
      emit_.error(Id::StarredNonTuple, starred->value, spread);
      unknown = true;
      continue;
    }
    for (Value item : codegen::itemsOf(spread)) {
      site.args.push_back(item);
      site.nodes.push_back(starred);
      unknown |= hasUnknown(item);
    }
  }
  if (Value reported = callOfLibrary(expr, callee, site); !reported.isAbsent()) return reported;
  if (unknown)
    if (Value reported = dtypeOfLibrary(callee, site); !reported.isAbsent()) return reported;
  if (unknown) {
    // The result is Unknown without a mistake, because the evaluator gave up. The module lacks
    // functions that are not called.
    if (unit_.hadErrors || unit_.options.assumesNothing)
      checkUnknownCall(callee, site);
    else
      unit_.markIncomplete("the function or an argument of the call '" +
                           syntax::unparse(expr, emit_.names()) + "'");
    return Value::unknown();
  }
  if (isStatic) return callStatic(callee, site);
  return callAny(callee, site);
}

// Functions of torch and NumPy take no values of a kernel. Those that Gluon has under the same name
// are meant; of others nothing is known.
Value FunctionVisitor::callOfLibrary(const Call* expr, Value callee, const CallSite& site) {
  auto* attribute = callee.isUnknown() ? llvm::dyn_cast<Attribute>(expr->func) : nullptr;
  if (!attribute || !llvm::isa<NameExpr>(attribute->value) || llvm::none_of(site.args, holdsIr))
    return Value::absent();
  auto* module = visit(attribute->value).unwrapped().as<language::ModuleObject>();
  llvm::StringRef name = text(attribute->attribute.name);
  const Builtin* meant = language::findBuiltin(language::ModuleId::gl, name);
  bool isLibrary = module && (module->name == "torch" || module->name == "numpy");
  if (!isLibrary || !meant || !meant->hasParameters()) return Value::absent();
  Reported reported = emit_.error(Id::HostFunction, attribute, emit_.sourceText(attribute));
  std::string language = emit_.languageName();
  if (!language.empty())
    reported.fix(diagnostics::FixId::TryText, {{attribute->range, language + "." + name.str()}},
                 language + "." + name.str());
  return reported;
}

// The type of a library's numbers where Gluon's own functions take a dtype: x.to(np.float16).
Value FunctionVisitor::dtypeOfLibrary(Value callee, const CallSite& site) {
  auto* method = callee.as<BoundMethodObject>();
  Value function = method ? method->function : callee;
  const Builtin* builtin = function.is(ValueKind::Builtin) ? function.asBuiltin() : nullptr;
  if (!builtin) return Value::absent();
  size_t skipped = method && !method->self.isAbsent();
  auto lookAt = [&](const Expr* written, llvm::StringRef parameter) -> Value {
    auto* member = llvm::dyn_cast_if_present<Attribute>(written);
    if (!member || (parameter != "dtype" && parameter != "element_ty")) return Value::absent();
    auto* module = visit(member->value).unwrapped().as<language::ModuleObject>();
    llvm::StringRef name = text(member->attribute.name);
    const Builtin* meant = language::findBuiltin(language::ModuleId::gl, name);
    bool isDtype = module && module->name == "numpy" && meant && meant->kind == BuiltinKind::Dtype;
    if (!isDtype) return Value::absent();
    Reported reported = emit_.error(Id::NotADtype, written, parameter, "numpy." + name.str());
    if (std::string language = emit_.languageName(); !language.empty())
      reported.fix(diagnostics::FixId::UseText, {{written->range, language + "." + name.str()}},
                   language + "." + name.str());
    return reported;
  };
  for (auto [i, written] : llvm::enumerate(site.nodes))
    if (i + skipped < builtin->parameters.size())
      if (Value reported = lookAt(written, builtin->parameters[i + skipped].name);
          !reported.isAbsent())
        return reported;
  for (auto [keyword, written] : llvm::zip(site.keywords, site.keywordNodes))
    if (Value reported = lookAt(written, text(keyword.first)); !reported.isAbsent())
      return reported;
  return Value::absent();
}

Value FunctionVisitor::callAny(Value callee, CallSite& site) {
  size_t told = unit_.result.diagnostics.size();
  bool isGluon = callee.is(ValueKind::Builtin) || callee.as<BoundMethodObject>();
  Value result = callAnything(callee, site);
  if (isGluon && unit_.result.diagnostics.size() != told) [[unlikely]]
    offerOtherArguments(site, told);
  return result;
}

// For the mistakes that a call of Gluon's own functions found, from the one numbered `first` on.
void FunctionVisitor::offerOtherArguments(const CallSite& site, size_t first) {
  auto* call = llvm::dyn_cast<Call>(site.node);
  if (!call || !emit_.source()) return;
  std::vector<diagnostics::Fix> fixes =
      otherArguments(emit_, *call, llvm::ArrayRef(site.args).drop_front(site.isBound));
  for (size_t i = first; i < unit_.result.diagnostics.size(); ++i) {
    diagnostics::Diagnostic& each = unit_.result.diagnostics[i];
    if (each.severity != diagnostics::Severity::Error ||
        each.location.file != emit_.locations_->file().id ||
        each.location.range.begin < call->range.begin || call->range.end < each.location.range.end)
      continue;
    for (const diagnostics::Fix& fix : fixes)
      if (llvm::none_of(each.fixes, [&](const auto& other) { return other.edits == fix.edits; }))
        each.fixes.push_back(fix);
  }
}

Value FunctionVisitor::unbound(Value callee, CallSite& site) {
  auto* bound = callee.as<BoundMethodObject>();
  if (!bound) return callee;
  if (!bound->self.isAbsent()) {
    site.args.insert(site.args.begin(), bound->self);
    site.nodes.insert(site.nodes.begin(), receiverOf(site.node));
    site.isBound = true;
  }
  return bound->function;
}

Value FunctionVisitor::callAnything(Value callee, CallSite& site) {
  callee = unbound(callee, site);
  if (const Builtin* builtin = callee.is(ValueKind::Builtin) ? callee.asBuiltin() : nullptr)
    if (builtin->kind == BuiltinKind::Prelude) {
      callee = unit_.context.prelude().function(*builtin, unit_.specialization.release);
      if (callee.isUnknown()) return emit_.unsupported(site.node, builtin->name);
    }
  if (auto* function = callee.as<FunctionObject>()) {
    if (site.unused && !checkMustUse(function->mustUseResult, site)) return Value::unknown();
    if (function->function == FunctionKind::Jit) return callJit(function, site, std::nullopt);
    if (function->function == FunctionKind::Constexpr) {
      if (auto refused = unit_.dependencies.refused(*function)) return refuse(*refused, site.node);
      for (Value& arg : site.args)
        arg = unwrapDeep(heap(), arg);
      for (auto& [name, value] : site.keywords)
        value = unwrapDeep(heap(), value);
      Value result = callConstexpr(*function, site);
      return result.isUnknown() ? result : result.wrapped();
    }
    if (isOwnBuiltin(*function, unit_.context.names())) {
      addSemantic(site.keywords, *function, unit_.interpreter);
      const Node* last = std::exchange(emit_.node_, site.node);
      Value result = callHost(callee, site);
      emit_.node_ = last;
      // A Python tuple becomes a gl.tuple; everything else is returned unchanged.
      return result.is(ValueKind::Tuple) && !result.isConstexpr() ? tuple(codegen::itemsOf(result))
                                                                  : result;
    }
    return normalize(heap(), callHost(callee, site));
  }
  if (callee.is(ValueKind::Builtin)) return callBuiltin(*callee.asBuiltin(), site);
  if (auto python = unit_.pythonBuiltinName(callee)) return callPython(*python, callee, site);
  if (auto* cls = callee.as<ClassObject>()) {
    Value result = callHost(callee, site);
    if (isAggregate(result)) return result;
    // A value of the IR as the program's own class has it: what it is in the IR, methods decide.
    if (result.is(ValueKind::Instance) && (isMarkedBuiltin(*cls, unit_.context.names()) ||
                                           evaluate::isKnownInPart(unit_.interpreter, callee))) {
      unit_.markIncomplete("a value of the class '" + cls->qualname + "'");
      return Value::unknown();
    }
    return normalize(heap(), result);
  }
  if (callee.is(ValueKind::Host) || callee.is(ValueKind::Instance)) {
    auto* native =
        evaluate::hostAs<evaluate::NativeFunctionObject>(callee, evaluate::nativeFunctionClass);
    auto* call = llvm::dyn_cast<Call>(site.node);
    if (native && call && llvm::any_of(site.args, holdsIr) &&
        evaluate::isFunctionOfTorch(*native)) {
      auto* member = llvm::dyn_cast<Attribute>(call->func);
      std::string advice = member ? adviceFor(text(member->attribute.name), emit_.target()) : "";
      if (!advice.empty())
        return emit_.error(Id::NoSuchOperation, call->func, "a kernel",
                           emit_.sourceText(call->func), advice);
      Reported reported = emit_.error(Id::HostFunction, call->func, emit_.sourceText(call->func));
      offerInstead(emit_, reported, call);
      return reported;
    }
    for (Value& arg : site.args)
      arg = unwrapDeep(heap(), arg);
    for (auto& [name, value] : site.keywords)
      value = unwrapDeep(heap(), value);
    return normalize(heap(), callHost(callee, site));
  }
  auto* call = llvm::dyn_cast<Call>(site.node);
  auto* read = call ? llvm::dyn_cast<Attribute>(call->func) : nullptr;
  if (read && (text(read->attribute.name) == "numel" || text(read->attribute.name) == "shape"))
    if (Value owner = visit(read->value); isTensor(owner) && !irTypeOf(owner)->isTensor())
      return noSize(read, call);
  Reported reported = emit_.error(Id::NotCallable, site.node,
                                  calleeWords(emit_, call ? call->func : nullptr, callee));
  if (auto* name = call ? llvm::dyn_cast<NameExpr>(call->func) : nullptr)
    if (auto made = lastAssignment(function_.def->body, name->name, name->range.begin))
      reported.related(diagnostics::NoteId::AssignedHere, made.node(), text(name->name));
  // x.shape(0) for x.shape[0]
  if (call && isTuple(callee) && call->args.size() == 1 && call->keywords.empty() &&
      site.args.front().isIntegral()) {
    std::string item =
        emit_.sourceText(call->func).str() + "[" + emit_.sourceText(call->args.front()).str() + "]";
    reported.fix(diagnostics::FixId::TryText, {{call->range, item}}, item);
  }
  if (call && callee.is(ValueKind::Type) && call->args.size() == 1 && call->keywords.empty()) {
    // gl.float32(x), as numpy and C++ convert, or x.type(gl.float32), as torch does
    const Expr *value = call->args.front(), *dtype = call->func;
    auto* member = llvm::dyn_cast<Attribute>(call->func);
    if (member && site.args.front().unwrapped().is(ValueKind::Type)) {
      dtype = value;
      value = member->value;
    }
    std::string text = primaryText(emit_, value) + ".to(" + emit_.sourceText(dtype).str() + ")";
    reported.fix(diagnostics::FixId::TryText, {{call->range, text}}, text);
  }
  offerUncalled(emit_, reported, site.node);
  return reported;
}

void FunctionVisitor::offerDecorator(Reported& reported, const FunctionObject& function,
                                     bool isForCompileTime) {
  const FileLocations* file = unit_.locationsOf(function.module);
  if (!file || !function.def || !function.def->decorators.empty()) return;
  const FunctionDef& def = *function.def;
  const text::SourceText& source = *file->file().text;
  std::string decorator = jitDecorator(file->file().statements, emit_.names(), source);
  llvm::StringRef package = decorator;
  if (!package.consume_back(".jit")) return;
  if (isForCompileTime) decorator = package.str() + ".constexpr_function";
  text::Offset begin = def.range.begin;
  std::string indent = source.slice({source.lineStart(source.lineOf(begin)), begin}).str();
  decorator = "@" + decorator;
  reported.fixWritten(diagnostics::FixId::DecorateFunction,
                      {{{begin, begin}, decorator + "\n" + indent}}, text(def.name.name),
                      decorator);
}

Value FunctionVisitor::refuse(const Reference& to, const Node* at) {
  const FileLocations* file = unit_.locationsOf(to.module);
  if (!file) return Value::unknown();
  llvm::StringRef what = to.target ? to.target->qualname : file->file().text->slice(to.node->range);
  Reported reported = emit_.errorAt(Id::HostFunction, {file->file().id, to.node->range}, what);
  auto* member = to.target ? nullptr : llvm::dyn_cast<Attribute>(to.node);
  std::string language = emit_.languageName();
  if (member && !language.empty() &&
      language::findBuiltin(language::ModuleId::gl, text(member->attribute.name))) {
    std::string meant = language + "." + text(member->attribute.name).str();
    reported.fixWritten(diagnostics::FixId::TryText, {{to.node->range, meant}}, meant);
  }
  // A method of an aggregate, or a function that a constexpr function calls.
  if (to.target && to.target->def && to.target->module == to.module)
    offerDecorator(reported, *to.target, to.target->def != to.node);
  reported.related(diagnostics::NoteId::CalledFrom, at);
  if (to.target && to.target->def && to.target->def != to.node)
    reported.relatedIn(diagnostics::NoteId::DefinedHere, to.target->module,
                       to.target->def->name.range, what);
  return reported;
}

Value FunctionVisitor::callBuiltin(const Builtin& builtin, CallSite& site) {
  switch (builtin.kind) {
  case BuiltinKind::Rule:
    return callRule(builtin, site);
  case BuiltinKind::Removed:
    return removed(builtin.name, builtin.text, site.node);
  case BuiltinKind::Native: {
    Value result = callHost(Value::builtin(&builtin), site);
    return normalize(heap(), result);
  }
  case BuiltinKind::Layout:
  case BuiltinKind::Class:
  case BuiltinKind::Python:
    return normalize(heap(), callHost(Value::builtin(&builtin), site));
  default:
    return emit_.error(Id::NotCallable, site.node, Value::builtin(&builtin));
  }
}

bool FunctionVisitor::checkMustUse(Value mustUse, const CallSite& site) {
  bool message = mustUse.is(ValueKind::Str);
  if (!message && !(mustUse.is(ValueKind::Bool) && mustUse.asBool())) return true;
  auto* call = llvm::dyn_cast<Call>(site.node);
  emit_.error(Id::MustUseResult, site.node,
              call ? emit_.sourceText(call->func) : llvm::StringRef("this call"),
              message ? mustUse.as<StrObject>()->text
                      : llvm::StringRef("the function requires it to be used"));
  return false;
}

Value FunctionVisitor::callBuiltin(const Builtin& builtin, Values args, const Node* node) {
  CallSite site{node, {}, {}, {}, {}, false};
  site.args.append(args.begin(), args.end());
  site.nodes.assign(args.size(), nullptr);
  if (llvm::any_of(args, hasUnknown)) return Value::unknown();
  return callAny(Value::builtin(&builtin), site);
}

Value FunctionVisitor::call(Value callee, Values args, Keywords keywords, const Node* node,
                            const Expr* argNode) {
  CallSite site{node, {}, {}, {}, {}, false};
  site.args.append(args.begin(), args.end());
  site.nodes.assign(args.size(), nullptr);
  if (!site.nodes.empty()) site.nodes[0] = argNode;
  site.keywords.append(keywords.begin(), keywords.end());
  if (callee.isUnknown() || llvm::any_of(args, hasUnknown)) return Value::unknown();
  return callAny(callee.unwrapped(), site);
}

} // namespace gluond::codegen
