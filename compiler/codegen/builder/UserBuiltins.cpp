#include "codegen/builder/UserBuiltins.h"

#include "evaluate/interpreter/NativeArguments.h"
#include "language/types/Builtin.h"

namespace gluond::codegen {

using evaluate::HostClass;
using evaluate::HostObject;
using evaluate::Interpreter;
using language::CallArguments;
using language::FunctionKind;
using language::FunctionObject;
using language::Scope;
using language::Value;
using language::ValueKind;

bool isMarkedBuiltin(const Scope* attributes, const Interner& names) {
  if (!attributes) return false;
  for (auto [name, value] : *attributes)
    if (name && names.text(name) == "__triton_builtin__")
      return !value.isAbsent() && !(value.is(ValueKind::Bool) && !value.asBool());
  return false;
}

bool isOwnBuiltin(const FunctionObject& function, const Interner& names) {
  if (function.function != FunctionKind::Python || !function.def) return false;
  auto isSemantic = [&](const syntax::Parameter& parameter) {
    return names.text(parameter.name.name) == "_semantic";
  };
  return llvm::any_of(function.def->parameters, isSemantic) ||
         isMarkedBuiltin(function.attributes, names);
}

namespace {

extern const HostClass semanticClass, builderClass;

Value objectOf(Interpreter& in, const HostClass& cls) {
  auto* object = in.heap().make<HostObject>();
  object->cls = &cls;
  return Value::object(ValueKind::Host, object);
}

Value toTensor(Interpreter& in, const CallArguments& arguments) {
  if (!in.options().ir) return Value::unknown();
  auto& row = language::builtin(language::BuiltinId::gl_to_tensor);
  language::KeywordArgument semantic{in.name("_semantic"), Value::none()};
  return in.options().ir->call(Value::builtin(&row), {arguments.positional, semantic});
}

// Returns the layout of the type that a handle has.
Value layoutOf(Interpreter& in, const CallArguments& arguments) {
  return in.getAttribute(evaluate::at(arguments, 0), in.name("layout"));
}

Value unknownMember(Interpreter& in, llvm::StringRef owner, Name name) {
  return in.exhaust("gluond does not know " + owner + "." + in.text(name));
}

Value semanticAttribute(Interpreter& in, Value, Name name) {
  if (in.text(name) == "builder") return objectOf(in, builderClass);
  if (in.text(name) == "to_tensor") return in.function("to_tensor", toTensor);
  return unknownMember(in, "_semantic", name);
}

Value builderAttribute(Interpreter& in, Value, Name name) {
  for (llvm::StringRef known : {"get_gluon_layout_from_memdesc", "get_gluon_layout_from_tensor"})
    if (in.text(name) == known) return in.function(known, layoutOf);
  return unknownMember(in, "_semantic.builder", name);
}

const HostClass semanticClass = {.name = "GluonSemantic", .attribute = semanticAttribute};
const HostClass builderClass = {.name = "GluonOpBuilder", .attribute = builderAttribute};

} // namespace

static bool isSemantic(llvm::StringRef parameter) {
  return parameter == "_semantic" || parameter == "_generator";
}

void addSemantic(llvm::SmallVectorImpl<std::pair<Name, Value>>& keywords,
                 const FunctionObject& function, Interpreter& interpreter) {
  llvm::erase_if(keywords,
                 [&](const auto& keyword) { return isSemantic(interpreter.text(keyword.first)); });
  for (const syntax::Parameter& parameter : function.def->parameters)
    if (isSemantic(interpreter.text(parameter.name.name)))
      keywords.push_back({parameter.name.name, objectOf(interpreter, semanticClass)});
}

void dropSemantic(llvm::SmallVectorImpl<std::pair<Name, Value>>& keywords, const Interner& names) {
  llvm::erase_if(keywords,
                 [&](const auto& keyword) { return isSemantic(names.text(keyword.first)); });
}

} // namespace gluond::codegen
