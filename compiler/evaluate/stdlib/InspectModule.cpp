// inspect.signature: programs ask which parameters the Triton that they have takes.
#include "evaluate/interpreter/NativeArguments.h"
#include "evaluate/stdlib/StandardModules.h"
#include "evaluate/triton/EarlierCalls.h"
#include "evaluate/values/Classes.h"
#include "evaluate/values/PythonCoverage.h"

namespace gluond::evaluate {

namespace {

using language::BoundMethodObject;
using language::ClassObject;
using language::FunctionKind;
using language::FunctionObject;

// The names of inspect.Parameter's kinds.
constexpr llvm::StringLiteral positionalOnly = "POSITIONAL_ONLY",
                              positional = "POSITIONAL_OR_KEYWORD",
                              varPositional = "VAR_POSITIONAL", keywordOnly = "KEYWORD_ONLY",
                              varKeyword = "VAR_KEYWORD", noValue = "empty";

struct Shown {
  llvm::StringRef name, kind;
  Value defaultValue = Value::absent(), annotation = Value::absent();
};
using Parameters = llvm::SmallVector<Shown, 8>;

llvm::StringRef kindOf(syntax::ParameterKind kind) {
  switch (kind) {
  case syntax::ParameterKind::PositionalOnly:
    return positionalOnly;
  case syntax::ParameterKind::Positional:
    return positional;
  case syntax::ParameterKind::VarArgs:
    return varPositional;
  case syntax::ParameterKind::KeywordOnly:
    return keywordOnly;
  case syntax::ParameterKind::KwArgs:
    return varKeyword;
  }
}

llvm::StringRef kindOf(language::ParameterKind kind) {
  switch (kind) {
  case language::ParameterKind::VarArgs:
    return varPositional;
  case language::ParameterKind::KwArgs:
    return varKeyword;
  case language::ParameterKind::KeywordOnly:
    return keywordOnly;
  case language::ParameterKind::Positional:
    return positional;
  }
}

// A decorator may have left another signature than the definition's.
std::optional<Parameters> parametersOf(Interpreter& in, const FunctionObject& function) {
  if (function.function != FunctionKind::Python || isOpen(&function)) return std::nullopt;
  if (function.attributes)
    for (auto [name, value] : *function.attributes)
      if (in.text(name) == "__wrapped__" || in.text(name) == "__signature__") return std::nullopt;
  auto parameters = function.def ? function.def->parameters : function.lambda->parameters;
  Parameters result;
  for (size_t i = 0; i < parameters.size(); ++i) {
    Shown shown{in.text(parameters[i].name.name), kindOf(parameters[i].kind)};
    if (i < function.defaults.size()) shown.defaultValue = function.defaults[i];
    if (parameters[i].annotation && i < function.annotations.size())
      shown.annotation = function.annotations[i];
    result.push_back(shown);
  }
  return result;
}

// Of what Triton defines; it gives its builtins the code generator as an argument.
std::optional<Parameters> parametersOf(Interpreter& in, const language::Builtin& builtin) {
  using language::BuiltinKind;
  bool isLayout = builtin.kind == BuiltinKind::Layout;
  if (!builtin.hasParameters() || (!isLayout && builtin.kind != BuiltinKind::Rule))
    return std::nullopt;
  Parameters result;
  for (const language::Parameter& each : parametersIn(in.options().release, builtin)) {
    Shown shown{in.heap().copy(llvm::StringRef(each.name)), kindOf(each.kind)};
    if (each.defaultKind != language::DefaultKind::Required) shown.defaultValue = Value::unknown();
    result.push_back(shown);
  }
  if (!isLayout) result.push_back({"_semantic", positional, Value::none()});
  return result;
}

std::optional<Parameters> parametersOf(Interpreter& in, Value callable) {
  callable = callable.unwrapped();
  if (auto* function = callable.as<FunctionObject>()) return parametersOf(in, *function);
  if (callable.is(ValueKind::Builtin)) return parametersOf(in, *callable.asBuiltin());
  std::optional<Parameters> whole;
  if (auto* method = callable.as<BoundMethodObject>())
    whole = parametersOf(in, method->function);
  else if (auto* cls = callable.as<ClassObject>(); cls && cls->def && !isKnownInPart(in, callable))
    whole = parametersOf(in, in.findInClass(cls, in.name("__init__")));
  else if (auto* initializer = hostAs<NativeFunctionObject>(callable, nativeFunctionClass);
           initializer && initializer->self.is(ValueKind::Builtin)) { // gl.BlockedLayout.__init__
    whole = parametersOf(in, initializer->self);
    if (whole) whole->insert(whole->begin(), {"self", positional});
    return whole;
  }
  if (whole && !whole->empty()) whole->erase(whole->begin());
  return whole;
}

Value memberOfParameter(Interpreter& in, llvm::StringRef name) {
  Value cls = in.lookupAttribute(in.module("inspect"), in.name("Parameter"));
  return cls.isAbsent() ? Value::unknown() : in.lookupAttribute(cls, in.name(name));
}

Value signature(Interpreter& in, const CallArguments& arguments) {
  std::optional<Parameters> parameters = parametersOf(in, given(in, arguments, 0, "obj"));
  if (in.failed()) return Value::absent();
  if (!parameters) return Value::unknown();
  Value all = in.heap().dict();
  Value empty = memberOfParameter(in, noValue);
  auto orEmpty = [&](Value value) { return value.isAbsent() ? empty : value; };
  for (const Shown& each : *parameters) {
    Value one = in.namespaceOf("Parameter", {{"name", in.string(each.name)},
                                             {"kind", memberOfParameter(in, each.kind)},
                                             {"default", orEmpty(each.defaultValue)},
                                             {"annotation", orEmpty(each.annotation)}});
    if (one.isAbsent() || !in.dictSet(all.as<language::DictObject>(), in.string(each.name), one))
      return Value::absent();
  }
  return in.namespaceOf("Signature", {{"parameters", all}});
}

constexpr NativeRow inspectRows[] = {{"signature", signature}};

} // namespace

llvm::ArrayRef<NativeRow> inspectFunctions() {
  return inspectRows;
}

Value inspectMember(Interpreter& in, llvm::StringRef name) {
  if (name == "_empty") return memberOfParameter(in, noValue);
  if (name != "Parameter") return Value::unknown();
  llvm::SmallVector<std::pair<llvm::StringRef, Value>> members;
  for (llvm::StringRef each :
       {positionalOnly, positional, varPositional, keywordOnly, varKeyword, noValue})
    members.push_back({each, in.namespaceOf(each, {})});
  return in.namespaceOf("Parameter", members);
}

} // namespace gluond::evaluate
