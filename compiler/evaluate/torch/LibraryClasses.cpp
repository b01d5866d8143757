#include "evaluate/torch/LibraryClasses.h"

#include "evaluate/interpreter/Rebinding.h"
#include "evaluate/torch/Torch.h"
#include "evaluate/values/PythonCoverage.h"

#include <llvm/ADT/STLExtras.h>

namespace gluond::evaluate {

// ---------------------------------------------------------------- numpy

namespace {

Value array(Interpreter& in, const CallArguments&) {
  return makeArray(in);
}
// numpy.random.rand() is a number, numpy.random.rand(8) an array.
Value arrayOfSize(Interpreter& in, const CallArguments& arguments) {
  return arguments.positional.empty() ? Value::unknown() : makeArray(in);
}
Value arrayIfSize(Interpreter& in, const CallArguments& arguments) {
  bool hasSize = llvm::any_of(arguments.keywords, [&](const KeywordArgument& keyword) {
    return in.text(keyword.name) == "size" && !keyword.value.isNone();
  });
  return hasSize ? makeArray(in) : Value::unknown();
}

Value arrayAttribute(Interpreter& in, Value self, Name name) {
  for (llvm::StringRef method : {"astype", "copy", "flatten", "ravel", "reshape", "transpose"})
    if (in.text(name) == method) return in.function(method, array, self);
  return in.text(name) == "T" ? self : Value::unknown();
}
Value arrayItem(Interpreter&, Value, Value) {
  return Value::unknown();
}
bool arrayUnpack(Interpreter&, Value, llvm::SmallVectorImpl<Value>&) {
  return false;
}
bool arraySet(Interpreter&, Value, Name, Value) {
  return true;
}
Value arrayBinary(Interpreter&, int, bool, Value, Value) {
  return Value::unknown();
}
std::optional<int64_t> arrayLength(Interpreter&, Value) {
  return std::nullopt;
}
std::optional<bool> arrayEqual(Interpreter&, Value, Value) {
  return std::nullopt;
}

constexpr NativeRow numpyRows[] = {{"arange", array},      {"array", array},
                                   {"asarray", array},     {"ascontiguousarray", array},
                                   {"concatenate", array}, {"empty", array},
                                   {"empty_like", array},  {"eye", array},
                                   {"full", array},        {"full_like", array},
                                   {"linspace", array},    {"ones", array},
                                   {"ones_like", array},   {"stack", array},
                                   {"zeros", array},       {"zeros_like", array}};
constexpr NativeRow numpyRandomRows[] = {{"normal", arrayIfSize},  {"rand", arrayOfSize},
                                         {"randint", arrayIfSize}, {"randn", arrayOfSize},
                                         {"random", arrayOfSize},  {"standard_normal", arrayOfSize},
                                         {"uniform", arrayIfSize}};

} // namespace

const HostClass arrayClass = {.name = "ndarray",
                              .attribute = arrayAttribute,
                              .item = arrayItem,
                              .unpack = arrayUnpack,
                              .setAttribute = arraySet,
                              .binary = arrayBinary,
                              .length = arrayLength,
                              .equal = arrayEqual,
                              .rebinding = &copiedHost<HostObject>};

Value makeArray(Interpreter& in) {
  auto* object = in.heap().make<HostObject>();
  object->cls = &arrayClass;
  return Value::object(ValueKind::Host, object);
}
bool isArray(Value value) {
  return hostAs<HostObject>(value, arrayClass) || hostAs<TensorObject>(value, tensorClass);
}
llvm::ArrayRef<NativeRow> numpyFunctions() {
  return numpyRows;
}
llvm::ArrayRef<NativeRow> numpyRandomFunctions() {
  return numpyRandomRows;
}

// ---------------------------------------------------------------- torch.nn

namespace {

Value itself(Interpreter&, const CallArguments& arguments) {
  return arguments.positional.empty() ? Value::unknown() : arguments.positional[0];
}
// module(x) is module.forward(x).
Value callForward(Interpreter& in, const CallArguments& arguments) {
  if (arguments.positional.empty()) return Value::unknown();
  return in.callMethod(arguments.positional[0], in.name("forward"),
                       {arguments.positional.drop_front(), arguments.keywords});
}

// Attributes that are not set in `__init__` may be anything.
Value anyAttribute(Interpreter&, const CallArguments&) {
  return Value::unknown();
}

} // namespace

Value closedClass(Interpreter& in, llvm::StringLiteral name) {
  auto* cls = in.heap().make<ClassObject>();
  cls->qualname = name;
  cls->members = in.newScope();
  llvm::SmallVector<Value> mro{Value::object(ValueKind::Class, cls)};
  const ClassObject* base = in.builtinClass("object");
  mro.append(base->mro.begin(), base->mro.end());
  cls->mro = in.heap().copy(mro);
  return mro[0];
}
Value openClass(Interpreter& in, llvm::StringLiteral name) {
  Value cls = closedClass(in, name);
  markOpen(in, cls);
  return cls;
}

Value layerModule(Interpreter& in, llvm::StringRef name) {
  if (name != "Module") return Value::absent();
  Value cls = openClass(in, "torch.nn.Module");
  Scope* members = in.writable(cls.as<ClassObject>()->members);
  if (!members) return Value::absent();
  members->set(in.names().call, nativeMethod<callForward>(in, "__call__"));
  members->set(in.names().getattr, nativeMethod<anyAttribute>(in, "__getattr__"));
  for (llvm::StringRef method : {"bfloat16", "cpu", "cuda", "double", "eval", "float", "half",
                                 "requires_grad_", "to", "train"})
    members->set(in.name(method), nativeMethod<itself>(in, "to"));
  return cls;
}

bool isFunctionOfTorch(const NativeFunctionObject& native) {
  if (isFunctionByOutcome(native)) return true;
  return llvm::any_of(torchModules(), [&](const NativeModule& module) {
    return llvm::any_of(module.functions, [&](const NativeRow& row) {
      return row.name == native.name && row.function == native.function;
    });
  });
}

} // namespace gluond::evaluate
