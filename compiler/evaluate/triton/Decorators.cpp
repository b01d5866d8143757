#include "evaluate/triton/Decorators.h"

#include "chips/Vendor.h"
#include "evaluate/interpreter/Gluon.h"
#include "evaluate/launches/Autotune.h"
#include "evaluate/triton/LibraryModules.h"
#include "evaluate/triton/TargetQueries.h"
#include "evaluate/values/Classes.h"
#include "language/types/Builtin.h"
#include "language/values/Integers.h"

namespace gluond::evaluate {

using language::BuiltinId;

// Makes a separate function object, because the plain function may still be used as such.
static FunctionObject* copyFunction(Interpreter& in, const FunctionObject* function,
                                    FunctionKind kind) {
  auto* copy = in.heap().make<FunctionObject>(*function);
  copy->function = kind;
  in.redefine(function, copy);
  return copy;
}

Value jit(Interpreter& in, const CallArguments& arguments, bool isTriton) {
  Value given = arguments.positional.empty() ? Value::none() : arguments.positional[0];
  const auto& parameters = language::builtin(BuiltinId::gluon_jit).parameters;
  for (auto& keyword : arguments.keywords)
    if (llvm::none_of(parameters, [&](const auto& parameter) {
          return llvm::StringRef(parameter.name) == in.text(keyword.name);
        }))
      return in.raise("TypeError",
                      "jit() got an unexpected keyword argument '" + in.text(keyword.name) + "'");
  if (given.isNone()) { // @jit(noinline=True): its keywords wait for the function
    Value options = in.heap().dict();
    for (auto& keyword : arguments.keywords)
      if (!in.dictSet(options.as<DictObject>(), in.string(in.text(keyword.name)), keyword.value))
        return Value::absent();
    Native apply = isTriton ? Native([](Interpreter& i, const CallArguments& later) {
      Value made = jit(i, {later.positional.drop_front(), {}}, true);
      return applyJitOptions(i, made, later.positional[0]);
    })
                            : Native([](Interpreter& i, const CallArguments& later) {
                                Value made = jit(i, {later.positional.drop_front(), {}}, false);
                                return applyJitOptions(i, made, later.positional[0]);
                              });
    return in.function("jit", apply, options);
  }
  auto* function = given.as<FunctionObject>();
  // A decorator of a decorator's result: an autotuner must be above.
  if (given.is(ValueKind::Host) && kernelOf(given))
    return in.raise("TypeError",
                    "<triton.runtime.autotuner.Autotuner object> is not a callable object");
  if (!function || !function->def)
    return given.isUnknown() || given.is(ValueKind::Host)
               ? given
               : in.raise("TypeError", "jit functions must be defined with def");
  for (const syntax::Parameter& parameter : function->def->parameters)
    if (parameter.kind == syntax::ParameterKind::KwArgs)
      return in.raise("TypeError", "JIT functions do not support **" +
                                       llvm::Twine(in.text(parameter.name.name)) + " parameters");
  auto* copy = copyFunction(in, function, FunctionKind::Jit);
  copy->isTritonJit = isTriton;
  Value made = Value::object(ValueKind::Function, copy);
  if (arguments.keywords.empty()) return made;
  Value options = in.heap().dict();
  for (auto& keyword : arguments.keywords)
    if (!in.dictSet(options.as<DictObject>(), in.string(in.text(keyword.name)), keyword.value))
      return Value::absent();
  return applyJitOptions(in, made, options);
}

Value applyJitOptions(Interpreter& in, Value made, Value options) {
  FunctionObject* function = in.writable(made.as<FunctionObject>());
  if (!function) return made;
  function->decoration = options;
  Value noinline = in.dictGet(options.as<DictObject>(), "noinline");
  function->noinline = !noinline.isAbsent() && in.truth(noinline).value_or(false);
  return made;
}

Value constexprFunction(Interpreter& in, const CallArguments& arguments) {
  auto* function =
      arguments.positional.empty() ? nullptr : arguments.positional[0].as<FunctionObject>();
  if (!function) return arguments.positional.empty() ? Value::unknown() : arguments.positional[0];
  return Value::object(ValueKind::Function, copyFunction(in, function, FunctionKind::Constexpr));
}

static Value mustUseResult(Interpreter& in, const CallArguments& arguments) {
  if (arguments.positional.empty()) return Value::unknown();
  Value given = arguments.positional[0];
  if (auto* function = given.as<FunctionObject>()) {
    FunctionObject* changed = in.writable(function);
    if (!changed) return Value::absent();
    changed->mustUseResult = Value::boolean(true);
    return given;
  }
  return in.function(
      "must_use_result",
      [](Interpreter& i, const CallArguments& later) { // with a message
        auto* function =
            later.positional.size() > 1 ? later.positional[1].as<FunctionObject>() : nullptr;
        FunctionObject* changed = function ? i.writable(function) : nullptr;
        if (function && !changed) return Value::absent();
        if (changed) changed->mustUseResult = later.positional[0];
        return later.positional.size() > 1 ? later.positional[1] : Value::unknown();
      },
      given);
}

static Value range(Interpreter& in, const CallArguments& arguments) {
  llvm::SmallVector<Value> bounds;
  for (Value value : arguments.positional)
    bounds.push_back(value.unwrapped());
  return in.call(Value::object(ValueKind::Class, in.builtinClass("range")), bounds);
}

// ---------------------------------------------------------------- triton.language.target_info

static Value currentTarget(Interpreter& in, const CallArguments&) {
  return targetObject(in);
}
static Value atLeast(Interpreter& in, const CallArguments& arguments) {
  Value bound[2];
  if (!in.bind("cuda_capability_geq", arguments, {"major", "minor"}, 1, bound))
    return Value::absent();
  auto major = toIndex(bound[0].unwrapped()),
       minor = bound[1].isAbsent() ? std::optional<int64_t>(0) : toIndex(bound[1].unwrapped());
  if (!major || !minor || in.target().empty()) return Value::unknown();
  return Value::boolean(!chips::isAmd(in.target()) &&
                        chips::capabilityOf(in.target()) >= *major * 10 + *minor);
}

static Value gluonJit(Interpreter& in, const CallArguments& arguments) {
  return jit(in, arguments, false);
}
static Value markBuiltin(Interpreter&, const CallArguments& arguments) {
  return arguments.positional.empty() ? Value::unknown() : arguments.positional[0];
}

Native decoratorOf(BuiltinId id) {
  switch (id) {
  case BuiltinId::gluon_jit:
    return gluonJit;
  case BuiltinId::gluon_constexpr_function:
    return constexprFunction;
  case BuiltinId::gluon_aggregate:
    return aggregateDecorator;
  case BuiltinId::gl_aggregate_replace:
    return aggregateReplace;
  case BuiltinId::gluon_must_use_result:
    return mustUseResult;
  case BuiltinId::gl_builtin:
    return markBuiltin;
  case BuiltinId::gl_static_range:
  case BuiltinId::tl_range:
    return range;
  case BuiltinId::host_TensorDescriptor:
    return makeTensorDescriptor;
  case BuiltinId::host_cdna5_TensorDescriptor:
    return makeTdmDescriptor;
  case BuiltinId::host_TensorDescriptorIm2Col:
    return makeIm2ColDescriptor;
  case BuiltinId::host_TensorDescriptor_from_tensor:
    return descriptorFromTensor;
  case BuiltinId::host_TensorDescriptorIm2Col_from_tensor:
    return im2ColDescriptorFromTensor;
  case BuiltinId::target_info_current_target:
    return currentTarget;
  case BuiltinId::target_info_cuda_capability_geq:
    return atLeast;
  case BuiltinId::target_info_is_cuda:
  case BuiltinId::target_info_is_hip:
  case BuiltinId::target_info_is_hip_cdna3:
  case BuiltinId::target_info_is_hip_cdna4:
  case BuiltinId::target_info_is_hip_gfx1250:
    return targetQuery(language::builtin(id).name);
  default:
    return nullptr;
  }
}

} // namespace gluond::evaluate
