#include "codegen/builder/UserBuiltins.h"

#include "codegen/builder/IrBridge.h"
#include "evaluate/interpreter/Gluon.h"
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

// Whether attributes of a function, or members of a class, say that it is a part of the language.
static bool isMarked(const Scope* attributes, const Interner& names) {
  if (!attributes) return false;
  return llvm::any_of(*attributes, [&](const auto& attribute) {
    auto [name, value] = attribute;
    llvm::StringRef text = name ? names.text(name) : llvm::StringRef();
    return (text == "__triton_builtin__" || text == "__triton_aggregate__") && !value.isAbsent() &&
           !(value.is(ValueKind::Bool) && !value.asBool());
  });
}

bool isMarkedBuiltin(const language::ClassObject& cls, const Interner& names) {
  return llvm::any_of(cls.mro, [&](Value ancestor) {
    auto* each = ancestor.as<language::ClassObject>();
    return each && isMarked(each->members, names);
  });
}

bool isOwnBuiltin(const FunctionObject& function, const Interner& names) {
  if (function.function != FunctionKind::Python || !function.def) return false;
  auto isSemantic = [&](const syntax::Parameter& parameter) {
    return names.text(parameter.name.name) == "_semantic";
  };
  return llvm::any_of(function.def->parameters, isSemantic) || isMarked(function.attributes, names);
}

namespace {

extern const HostClass semanticClass, generatorClass, builderClass, optionsClass, moduleClass,
    attributeClass;

// The result of builder.get_bool_attr(True) and its like.
struct AttributeObject : HostObject {
  Value value; // a bool, an integer or a text; None for a unit attribute
};

// Only codegen runs such functions, with its own bridge; null outside of kernels.
IrBridge* bridgeOf(Interpreter& in) {
  return static_cast<IrBridge*>(in.options().ir);
}

Value objectOf(Interpreter& in, const HostClass& cls) {
  auto* object = in.heap().make<HostObject>();
  object->cls = &cls;
  return Value::object(ValueKind::Host, object);
}

// Calls gl.`id`, which takes the same arguments as the method of Triton's semantic.
template <language::BuiltinId id>
Value callBuiltin(Interpreter& in, const CallArguments& arguments) {
  if (!in.options().ir) return Value::unknown();
  llvm::SmallVector<language::KeywordArgument, 4> keywords(arguments.keywords);
  keywords.push_back({in.name("_semantic"), Value::none()});
  return in.options().ir->call(Value::builtin(&language::builtin(id)),
                               {arguments.positional, keywords});
}

// _generator.call_JitFunction(function, args, kwargs)
Value callJitFunction(Interpreter& in, const CallArguments& arguments) {
  Value function = evaluate::given(in, arguments, 0, "fn");
  Value positional = evaluate::given(in, arguments, 1, "args");
  Value named = evaluate::given(in, arguments, 2, "kwargs");
  llvm::SmallVector<Value, 8> values;
  llvm::SmallVector<language::KeywordArgument, 4> keywords;
  if (!in.options().ir || function.isAbsent() || positional.isAbsent() ||
      !in.unpack(positional, values))
    return evaluate::unknownOrRaised(in);
  if (auto* dict = named.as<language::DictObject>())
    for (auto [key, value] : dict->items) {
      auto* name = key.as<language::StrObject>();
      if (!name) return Value::unknown();
      keywords.push_back({in.name(name->text), value});
    }
  keywords.push_back({in.name("_semantic"), Value::none()});
  return in.options().ir->call(function, {values, keywords});
}

// Returns the layout of the type that a handle has.
Value layoutOf(Interpreter& in, const CallArguments& arguments) {
  return in.getAttribute(evaluate::at(arguments, 0), in.name("layout"));
}

Value makeAttribute(Interpreter& in, const CallArguments& arguments) {
  auto* object = in.heap().make<AttributeObject>();
  object->cls = &attributeClass;
  object->value = evaluate::at(arguments, 0).unwrapped();
  if (object->value.isAbsent()) object->value = Value::none();
  return Value::object(ValueKind::Host, object);
}

Value setModuleAttribute(Interpreter& in, const CallArguments& arguments) {
  auto* name = evaluate::at(arguments, 0).as<language::StrObject>();
  auto* attribute = evaluate::hostAs<AttributeObject>(evaluate::at(arguments, 1), attributeClass);
  if (!in.options().ir || !name || !attribute || attribute->value.isUnknown())
    return in.exhaust("an attribute of the module is unknown");
  bridgeOf(in)->setModuleAttribute(name->text, attribute->value);
  return Value::none();
}

Value unknownMember(Interpreter& in, llvm::StringRef owner, Name name) {
  return in.exhaust("gluond does not know " + owner + "." + in.text(name));
}

// A member of one of the code generator's objects: an object that it holds, or a method.
struct Member {
  llvm::StringLiteral name;
  const HostClass* object;
  evaluate::Native method;
};

using language::BuiltinId;
const Member semanticMembers[] = {
    {"builder", &builderClass, nullptr},
    {"arange", nullptr, callBuiltin<BuiltinId::gl_arange>},
    {"cast", nullptr, callBuiltin<BuiltinId::gl_cast>},
    {"convert_layout", nullptr, callBuiltin<BuiltinId::gl_convert_layout>},
    {"expand_dims", nullptr, callBuiltin<BuiltinId::gl_expand_dims>},
    {"full", nullptr, callBuiltin<BuiltinId::gl_full>},
    {"num_ctas", nullptr, callBuiltin<BuiltinId::gl_num_ctas>},
    {"to_tensor", nullptr, callBuiltin<BuiltinId::gl_to_tensor>},
    {"and_", nullptr, callBuiltin<BuiltinId::tensor_and>},
    {"or_", nullptr, callBuiltin<BuiltinId::tensor_or>},
    {"xor_", nullptr, callBuiltin<BuiltinId::tensor_xor>},
    {"shl", nullptr, callBuiltin<BuiltinId::tensor_lshift>},
    {"truediv", nullptr, callBuiltin<BuiltinId::tensor_truediv>},
    {"floordiv", nullptr, callBuiltin<BuiltinId::tensor_floordiv>},
    {"mod", nullptr, callBuiltin<BuiltinId::tensor_mod>},
    {"equal", nullptr, callBuiltin<BuiltinId::tensor_eq>},
    {"not_equal", nullptr, callBuiltin<BuiltinId::tensor_ne>},
    {"less_than", nullptr, callBuiltin<BuiltinId::tensor_lt>},
    {"less_equal", nullptr, callBuiltin<BuiltinId::tensor_le>},
    {"greater_than", nullptr, callBuiltin<BuiltinId::tensor_gt>},
    {"greater_equal", nullptr, callBuiltin<BuiltinId::tensor_ge>},
    {"minus", nullptr, callBuiltin<BuiltinId::tensor_neg>},
    {"invert", nullptr, callBuiltin<BuiltinId::tensor_invert>},
    {"not_", nullptr, callBuiltin<BuiltinId::tensor_not>},
    {"where", nullptr, callBuiltin<BuiltinId::gl_where>},
    {"program_id", nullptr, callBuiltin<BuiltinId::gl_program_id>},
    {"num_programs", nullptr, callBuiltin<BuiltinId::gl_num_programs>},
    {"device_assert", nullptr, callBuiltin<BuiltinId::gl_device_assert>}};
const Member generatorMembers[] = {{"builder", &builderClass, nullptr},
                                   {"semantic", &semanticClass, nullptr},
                                   {"module", &moduleClass, nullptr},
                                   {"call_JitFunction", nullptr, callJitFunction}};
const Member builderMembers[] = {{"options", &optionsClass, nullptr},
                                 {"get_bool_attr", nullptr, makeAttribute},
                                 {"get_int32_attr", nullptr, makeAttribute},
                                 {"get_string_attr", nullptr, makeAttribute},
                                 {"get_unit_attr", nullptr, makeAttribute},
                                 {"get_gluon_layout_from_memdesc", nullptr, layoutOf},
                                 {"get_gluon_layout_from_tensor", nullptr, layoutOf}};
const Member moduleMembers[] = {{"set_attr", nullptr, setModuleAttribute}};

Value memberOf(Interpreter& in, llvm::ArrayRef<Member> members, llvm::StringRef owner, Name name) {
  for (const Member& member : members)
    if (in.text(name) == member.name)
      return member.object ? objectOf(in, *member.object) : in.function(member.name, member.method);
  return unknownMember(in, owner, name);
}

Value semanticAttribute(Interpreter& in, Value, Name name) {
  return memberOf(in, semanticMembers, "_semantic", name);
}
Value generatorAttribute(Interpreter& in, Value, Name name) {
  if (in.text(name) == "caller_context" && in.options().ir) {
    std::optional<unsigned> warps = bridgeOf(in)->callerWarps();
    if (!warps) return Value::none();
    return in.namespaceOf("GluonCallerContext", {{"num_warps", Value::integer(*warps)}});
  }
  return memberOf(in, generatorMembers, "_generator", name);
}
Value builderAttribute(Interpreter& in, Value, Name name) {
  return memberOf(in, builderMembers, "_semantic.builder", name);
}
Value moduleAttribute(Interpreter& in, Value, Name name) {
  return memberOf(in, moduleMembers, "_generator.module", name);
}
Value optionsAttribute(Interpreter& in, Value, Name name) {
  Value option = in.options().ir ? bridgeOf(in)->option(in.text(name)) : Value::unknown();
  return option.isAbsent() ? unknownMember(in, "_semantic.builder.options", name) : option;
}

const HostClass semanticClass = {.name = evaluate::semanticClassName,
                                 .attribute = semanticAttribute};
const HostClass generatorClass = {.name = "CodeGenerator", .attribute = generatorAttribute};
const HostClass builderClass = {.name = "GluonOpBuilder", .attribute = builderAttribute};
const HostClass optionsClass = {.name = "Options", .attribute = optionsAttribute};
const HostClass moduleClass = {.name = "module", .attribute = moduleAttribute};
const HostClass attributeClass = {.name = "attribute"};

} // namespace

static bool isSemantic(llvm::StringRef parameter) {
  return parameter == "_semantic" || parameter == "_generator";
}

Value semanticFor(Interpreter& interpreter) {
  return objectOf(interpreter, semanticClass);
}

void addSemantic(llvm::SmallVectorImpl<std::pair<Name, Value>>& keywords,
                 const FunctionObject& function, Interpreter& interpreter) {
  llvm::erase_if(keywords,
                 [&](const auto& keyword) { return isSemantic(interpreter.text(keyword.first)); });
  for (const syntax::Parameter& parameter : function.def->parameters)
    if (isSemantic(interpreter.text(parameter.name.name)))
      keywords.push_back({parameter.name.name,
                          objectOf(interpreter, interpreter.text(parameter.name.name) == "_semantic"
                                                    ? semanticClass
                                                    : generatorClass)});
}

void dropSemantic(llvm::SmallVectorImpl<std::pair<Name, Value>>& keywords, const Interner& names) {
  llvm::erase_if(keywords,
                 [&](const auto& keyword) { return isSemantic(names.text(keyword.first)); });
}

} // namespace gluond::codegen
