// Python's builtin classes: int, str, list, the exceptions, ...; type() and isinstance().
#include "evaluate/interpreter/Gluon.h"
#include "evaluate/interpreter/NativeArguments.h"
#include "evaluate/interpreter/NativeTables.h"
#include "evaluate/stdlib/Builtins.h"
#include "evaluate/stdlib/StandardModules.h"
#include "evaluate/torch/Torch.h"
#include "evaluate/values/Classes.h"
#include "evaluate/values/Containers.h"
#include "evaluate/values/Numbers.h"
#include "evaluate/values/PythonCoverage.h"
#include "evaluate/values/Strings.h"
#include "language/types/Text.h"
#include "language/values/Integers.h"

#include <llvm/ADT/StringExtras.h>
#include <llvm/Support/ConvertUTF.h>

#include <cmath>

namespace gluond::evaluate {

namespace {

// A builtin function bound as a method of an object.
Value objectRepr(Interpreter& in, const CallArguments& arguments) {
  // super().__repr__() has an address in it, or is what a built-in class makes of its contents.
  if (at(arguments, 0).is(ValueKind::Instance)) return Value::unknown();
  return in.call(in.builtinFunction("repr"), arguments);
}
Value objectGetattribute(Interpreter& in, const CallArguments& arguments) {
  return in.call(in.builtinFunction("getattr"), arguments);
}

// ---------------------------------------------------------------- classes

Value makeInt(Interpreter& in, const CallArguments& arguments) {
  if (arguments.positional.empty()) return Value::integer(0);
  GLUOND_COUNT("int", 1, 2);
  Value value = arguments.positional[0].unwrapped();
  if (value.isUnknown()) return value;
  Value baseValue = at(arguments, 1);
  if (baseValue.isAbsent()) baseValue = keyword(in, arguments, "base");
  if (auto* text = value.as<StrObject>()) {
    auto base = baseValue.isAbsent() ? 10 : toIndex(baseValue.unwrapped()).value_or(10);
    if (base != 0 && (base < 2 || base > 36))
      return in.raise("ValueError", "int() base must be >= 2 and <= 36, or 0");
    auto parsed = parseInteger(in, text->text, static_cast<int>(base));
    if (!parsed)
      return in.raise("ValueError", "invalid literal for int() with base " + llvm::Twine(base) +
                                        ": " + language::reprString(text->text));
    return *parsed;
  }
  if (!baseValue.isAbsent() && (isInteger(value) || value.is(ValueKind::Float)))
    return in.raise("TypeError", "int() can't convert non-string with explicit base");
  if (value.is(ValueKind::Bool)) return Value::integer(value.asInt());
  if (isInteger(value)) return value;
  if (value.is(ValueKind::Float)) {
    double real = value.asFloat();
    if (std::isnan(real)) return in.raise("ValueError", "cannot convert float NaN to integer");
    if (std::isinf(real))
      return in.raise("OverflowError", "cannot convert float infinity to integer");
    if (std::fabs(real) < 9e18) return Value::integer(static_cast<int64_t>(real));
    int exponent;
    double mantissa = std::frexp(real, &exponent);
    return in.binary(syntax::BinaryOp::LShift,
                     Value::integer(static_cast<int64_t>(std::ldexp(mantissa, 53))),
                     Value::integer(exponent - 53));
  }
  if (auto* member = value.as<EnumObject>(); member && isInteger(member->value))
    return member->value;
  for (Name special : {in.names().int_, in.names().index}) {
    Value result = in.callSpecial(value, special, {});
    if (in.failed() || !result.isAbsent()) return result;
  }
  if (isKnownInPart(in, value) || value.is(ValueKind::Bytes)) return Value::unknown();
  return in.raise("TypeError",
                  "int() argument must be a string, a bytes-like object or a real number, not '" +
                      in.className(in.typeOf(value)) + "'");
}

Value makeFloat(Interpreter& in, const CallArguments& arguments) {
  if (arguments.positional.empty()) return Value::real(0);
  GLUOND_COUNT("float", 1, 1);
  Value value = arguments.positional[0].unwrapped();
  if (value.isUnknown() || value.is(ValueKind::Float)) return value;
  if (auto* text = value.as<StrObject>()) {
    auto parsed = parseDouble(text->text);
    return parsed ? Value::real(*parsed)
                  : in.raise("ValueError", "could not convert string to float: " +
                                               language::reprString(text->text));
  }
  if (isInteger(value)) {
    auto real = toDouble(value);
    return real ? Value::real(*real)
                : in.raise("OverflowError", "int too large to convert to float");
  }
  Value result = in.callSpecial(value, in.names().float_, {});
  if (in.failed() || !result.isAbsent()) return result;
  Value index = in.callSpecial(value, in.names().index, {});
  if (in.failed()) return index;
  if (isInteger(index)) return Value::real(toDouble(index).value_or(0));
  if (isKnownInPart(in, value) || value.is(ValueKind::Enum) || value.is(ValueKind::Bytes))
    return Value::unknown();
  return in.raise("TypeError", "float() argument must be a string or a real number, not '" +
                                   in.className(in.typeOf(value)) + "'");
}

Value makeBool(Interpreter& in, const CallArguments& arguments) {
  if (arguments.positional.empty()) return Value::boolean(false);
  auto known = in.truth(arguments.positional[0]);
  return known ? Value::boolean(*known) : unknownOrRaised(in);
}

Value makeStr(Interpreter& in, const CallArguments& arguments) {
  if (arguments.positional.empty()) {
    Value object = keyword(in, arguments, "object");
    if (object.isAbsent()) return in.string("");
    return object.isUnknown() || object.is(ValueKind::Bytes) ? Value::unknown() : in.textOf(object);
  }
  if (arguments.positional[0].isUnknown()) return Value::unknown();
  if (arguments.positional[0].is(ValueKind::Bytes) &&
      (arguments.positional.size() > 1 || !keyword(in, arguments, "encoding").isAbsent()))
    return Value::object(ValueKind::Str, arguments.positional[0].as<StrObject>());
  return in.textOf(arguments.positional[0]);
}

Value makeBytes(Interpreter&, const CallArguments&) {
  return Value::unknown();
}

Value makeTuple(Interpreter& in, const CallArguments& arguments) {
  if (arguments.positional.empty()) return in.tupleOf({});
  if (auto* tuple = arguments.positional[0].unwrapped().as<TupleObject>();
      tuple && !tuple->namedtuple)
    return arguments.positional[0].unwrapped();
  llvm::SmallVector<Value> items;
  if (!in.unpack(arguments.positional[0], items)) return unknownOrRaised(in);
  return in.charge(items.size() * sizeof(Value)) ? in.tupleOf(items) : Value::absent();
}

Value makeList(Interpreter& in, const CallArguments& arguments) {
  llvm::SmallVector<Value> items;
  if (!arguments.positional.empty() && !in.unpack(arguments.positional[0], items))
    return unknownOrRaised(in);
  return in.charge(items.size() * sizeof(Value)) ? in.heap().list(items) : Value::absent();
}

Value makeDict(Interpreter& in, const CallArguments& arguments) {
  GLUOND_COUNT("dict", 0, 1);
  Value dict = in.heap().dict();
  if (!arguments.positional.empty() &&
      !updateDict(in, dict.as<DictObject>(), arguments.positional[0]))
    return Value::absent();
  for (auto& one : arguments.keywords)
    if (!in.dictSet(dict.as<DictObject>(), in.string(in.text(one.name)), one.value))
      return Value::absent();
  return dict;
}

// A TypedDict is a dict when the program runs. TypedDict("Name", {...}) makes another such class.
Value typedDict(Interpreter& in, const CallArguments& arguments) {
  if (at(arguments, 0).is(ValueKind::Str))
    return Value::object(ValueKind::Class, in.builtinClass("TypedDict"));
  return makeDict(in, arguments);
}

template <bool frozen> Value makeSet(Interpreter& in, const CallArguments& arguments) {
  auto* set = in.heap().make<DictObject>();
  llvm::SmallVector<Value> items;
  bool uncertain = false;
  if (!arguments.positional.empty() && !in.unpack(arguments.positional[0], items, uncertain)) {
    if (in.failed()) return Value::absent();
    uncertain = true;
  }
  for (Value item : items)
    if (!in.dictSet(set, item, Value::none())) return Value::absent();
  set->uncertain |= uncertain;
  set->frozen = frozen;
  return Value::object(ValueKind::Set, set);
}

Value makeRange(Interpreter& in, const CallArguments& arguments) {
  GLUOND_COUNT("range", 1, 3);
  int64_t bounds[3] = {0, 0, 1};
  size_t given = arguments.positional.size();
  for (size_t i = 0; i < given; ++i) {
    Value value = arguments.positional[i].unwrapped();
    if (value.isUnknown()) return value;
    if (!isInteger(value)) {
      Value asIndex = in.callSpecial(value, in.names().index, {});
      if (in.failed()) return asIndex;
      if (auto* member = value.as<EnumObject>()) asIndex = member->value;
      if (!isInteger(asIndex) && isKnownInPart(in, value)) return Value::unknown();
      if (!isInteger(asIndex))
        return in.raise("TypeError", "'" + llvm::Twine(in.className(in.typeOf(value))) +
                                         "' object cannot be interpreted as an integer");
      value = asIndex;
    }
    bounds[given == 1 ? 1 : i] = *toIndex(value);
  }
  if (bounds[2] == 0) return in.raise("ValueError", "range() arg 3 must not be zero");
  return Value::object(ValueKind::Range, in.heap().make<RangeObject>(language::Object{}, bounds[0],
                                                                     bounds[1], bounds[2]));
}

Value makeSlice(Interpreter& in, const CallArguments& arguments) {
  GLUOND_COUNT("slice", 1, 3);
  size_t given = arguments.positional.size();
  Value start = given > 1 ? arguments.positional[0] : Value::none(),
        stop = arguments.positional[given > 1 ? 1 : 0];
  Value step = given > 2 ? arguments.positional[2] : Value::none();
  return Value::object(ValueKind::Slice,
                       in.heap().make<SliceObject>(language::Object{}, start, stop, step));
}

Value makeType(Interpreter& in, const CallArguments& arguments) {
  if (arguments.positional.size() == 1) return in.typeOf(arguments.positional[0]);
  GLUOND_COUNT("type", 3, 3);
  Value given[] = {Value::object(ValueKind::Class, in.builtinClass("type")),
                   arguments.positional[0], arguments.positional[1], arguments.positional[2]};
  return newClass(in, {given, arguments.keywords});
}

Value makeObject(Interpreter& in, const CallArguments&) {
  return in.instance(in.builtinClass("object"));
}

Value fromKeys(Interpreter& in, const CallArguments& arguments) {
  GLUOND_COUNT("fromkeys", 1, 2);
  Value dict = in.heap().dict();
  llvm::SmallVector<Value> keys;
  if (!in.unpack(arguments.positional[0], keys)) return unknownOrRaised(in);
  for (Value key : keys)
    if (!in.dictSet(dict.as<DictObject>(), key,
                    arguments.positional.size() == 2 ? arguments.positional[1] : Value::none()))
      return Value::absent();
  return dict;
}
Value ignore(Interpreter&, const CallArguments&) {
  return Value::none();
}
Value objectNew(Interpreter& in, const CallArguments& arguments) {
  auto* cls = at(arguments, 0).as<ClassObject>();
  return cls && hasPlainInstances(cls) ? in.instance(cls) : Value::unknown();
}
Value objectSetattr(Interpreter& in, const CallArguments& arguments) {
  GLUOND_COUNT("__setattr__", 3, 3);
  auto* name = arguments.positional[1].as<StrObject>();
  if (auto* instance = arguments.positional[0].as<InstanceObject>(); instance && name) {
    if (!in.charge(name->text.size() + 64)) return Value::absent();
    return setUnrestricted(in, instance, in.name(name->text), arguments.positional[2])
               ? Value::none()
               : Value::absent();
  }
  return in.call(in.builtinFunction("setattr"), arguments);
}
Value objectDelattr(Interpreter& in, const CallArguments& arguments) {
  GLUOND_COUNT("__delattr__", 2, 2);
  auto* name = arguments.positional[1].as<StrObject>();
  auto* instance = arguments.positional[0].as<InstanceObject>();
  if (!instance || !name) return Value::unknown();
  Scope* attributes = in.writable(instance->attributes);
  if (!attributes) return Value::absent();
  Name key = in.name(name->text);
  if (attributes->get(key).isAbsent() && !isKnownInPart(in, arguments.positional[0]))
    return in.raise("AttributeError", name->text);
  attributes->set(key, Value::absent());
  return Value::none();
}
Value exceptionInit(Interpreter& in, const CallArguments& arguments) {
  if (auto* object = at(arguments, 0).as<InstanceObject>()) {
    Scope* attributes = in.writable(object->attributes);
    if (!attributes) return Value::absent();
    attributes->set(in.names().args, in.tupleOf(arguments.positional.drop_front()));
  }
  return Value::none();
}

constexpr NativeRow dictStatics[] = {{"fromkeys", fromKeys}};
constexpr NativeRow intStatics[] = {{"from_bytes", unknown}};
constexpr NativeRow strStatics[] = {{"maketrans", unknown}};
constexpr NativeRow objectMethods[] = {{"__init__", ignore},
                                       {"__init_subclass__", ignore},
                                       {"__delattr__", objectDelattr},
                                       {"__new__", objectNew},
                                       {"__setattr__", objectSetattr},
                                       {"__repr__", objectRepr},
                                       {"__getattribute__", objectGetattribute}};
constexpr NativeRow exceptionMethods[] = {{"__init__", exceptionInit}};

#define GLUOND_EXCEPTION(name, base)                                                               \
  NativeClass {                                                                                    \
    name, base, nullptr, exceptionMethods, {}, true, true                                          \
  }

} // namespace

llvm::ArrayRef<NativeClass> nativeClasses() {
  static const NativeClass rows[] = {
      {"object", "", makeObject, objectMethods, {}, true},
      {"type", "object", makeType, typeMethods(), typeStatics(), true},
      {"int", "object", makeInt, integerMethods(), intStatics},
      {"bool", "int", makeBool},
      {"float", "object", makeFloat, floatMethods()},
      {"complex", "object", unknown},
      {"str", "object", makeStr, stringMethods(), strStatics},
      {"bytes", "object", makeBytes, bytesMethods()},
      {"bytearray", "object", unknown},
      {"memoryview", "object", unknown},
      {"tuple", "object", makeTuple, tupleMethods()},
      {"list", "object", makeList, listMethods()},
      {"dict", "object", makeDict, dictMethods(), dictStatics},
      {.name = "TypedDict", .base = "dict", .construct = typedDict, .makesItsBase = true},
      {"set", "object", makeSet<false>, setMethods()},
      {"frozenset", "object", makeSet<true>, setMethods()},
      {"range", "object", makeRange},
      {"slice", "object", makeSlice},
      {"NoneType", "object", unknown},
      {"ellipsis", "object", unknown},
      {"NotImplementedType", "object", unknown},
      {"function", "object", unknown},
      {"method", "object", unknown},
      {"builtin_function_or_method", "object", unknown},
      {"module", "object", newModule},
      {"generator", "object", unknown},
      {"Enum", "object", nullptr, {}, {}, true},
      {"ABCMeta", "type", nullptr, {}, {}, true},
      {"EnumType", "type", nullptr, {}, {}, true},
      {"IntEnum", "Enum", nullptr, {}, {}, true},
      {"StrEnum", "Enum", nullptr, {}, {}, true},
      {"Flag", "Enum", nullptr, {}, {}, true},
      {"IntFlag", "Flag", nullptr, {}, {}, true},
      {"ABC", "object", nullptr, {}, {}, true},
      {"Generic", "object", nullptr, {}, {}, true},
      {"Protocol", "object", nullptr, {}, {}, true},
      {"Any", "object", nullptr, {}, {}, true},
      {"JITFunction", "object", unknown},
      {"ConstexprFunction", "object", unknown},
      GLUOND_EXCEPTION("BaseException", "object"),
      GLUOND_EXCEPTION("Exception", "BaseException"),
      GLUOND_EXCEPTION("SystemExit", "BaseException"),
      GLUOND_EXCEPTION("KeyboardInterrupt", "BaseException"),
      GLUOND_EXCEPTION("GeneratorExit", "BaseException"),
      GLUOND_EXCEPTION("StopIteration", "Exception"),
      GLUOND_EXCEPTION("ArithmeticError", "Exception"),
      GLUOND_EXCEPTION("OverflowError", "ArithmeticError"),
      GLUOND_EXCEPTION("ZeroDivisionError", "ArithmeticError"),
      GLUOND_EXCEPTION("FloatingPointError", "ArithmeticError"),
      GLUOND_EXCEPTION("AssertionError", "Exception"),
      GLUOND_EXCEPTION("AttributeError", "Exception"),
      GLUOND_EXCEPTION("FrozenInstanceError", "AttributeError"),
      GLUOND_EXCEPTION("BufferError", "Exception"),
      GLUOND_EXCEPTION("EOFError", "Exception"),
      GLUOND_EXCEPTION("ImportError", "Exception"),
      GLUOND_EXCEPTION("ModuleNotFoundError", "ImportError"),
      GLUOND_EXCEPTION("LookupError", "Exception"),
      GLUOND_EXCEPTION("IndexError", "LookupError"),
      GLUOND_EXCEPTION("KeyError", "LookupError"),
      GLUOND_EXCEPTION("MemoryError", "Exception"),
      GLUOND_EXCEPTION("NameError", "Exception"),
      GLUOND_EXCEPTION("UnboundLocalError", "NameError"),
      GLUOND_EXCEPTION("OSError", "Exception"),
      GLUOND_EXCEPTION("IOError", "OSError"),
      GLUOND_EXCEPTION("FileNotFoundError", "OSError"),
      GLUOND_EXCEPTION("TimeoutError", "OSError"),
      GLUOND_EXCEPTION("EnvironmentError", "OSError"),
      GLUOND_EXCEPTION("BlockingIOError", "OSError"),
      GLUOND_EXCEPTION("ChildProcessError", "OSError"),
      GLUOND_EXCEPTION("ConnectionError", "OSError"),
      GLUOND_EXCEPTION("BrokenPipeError", "ConnectionError"),
      GLUOND_EXCEPTION("ConnectionAbortedError", "ConnectionError"),
      GLUOND_EXCEPTION("ConnectionRefusedError", "ConnectionError"),
      GLUOND_EXCEPTION("ConnectionResetError", "ConnectionError"),
      GLUOND_EXCEPTION("FileExistsError", "OSError"),
      GLUOND_EXCEPTION("InterruptedError", "OSError"),
      GLUOND_EXCEPTION("IsADirectoryError", "OSError"),
      GLUOND_EXCEPTION("NotADirectoryError", "OSError"),
      GLUOND_EXCEPTION("PermissionError", "OSError"),
      GLUOND_EXCEPTION("ProcessLookupError", "OSError"),
      GLUOND_EXCEPTION("StopAsyncIteration", "Exception"),
      GLUOND_EXCEPTION("IndentationError", "SyntaxError"),
      GLUOND_EXCEPTION("TabError", "IndentationError"),
      GLUOND_EXCEPTION("UnicodeEncodeError", "UnicodeError"),
      GLUOND_EXCEPTION("UnicodeTranslateError", "UnicodeError"),
      GLUOND_EXCEPTION("BytesWarning", "Warning"),
      GLUOND_EXCEPTION("EncodingWarning", "Warning"),
      GLUOND_EXCEPTION("ImportWarning", "Warning"),
      GLUOND_EXCEPTION("PendingDeprecationWarning", "Warning"),
      GLUOND_EXCEPTION("ResourceWarning", "Warning"),
      GLUOND_EXCEPTION("SyntaxWarning", "Warning"),
      GLUOND_EXCEPTION("UnicodeWarning", "Warning"),
      GLUOND_EXCEPTION("ReferenceError", "Exception"),
      GLUOND_EXCEPTION("RuntimeError", "Exception"),
      GLUOND_EXCEPTION("NotImplementedError", "RuntimeError"),
      GLUOND_EXCEPTION("RecursionError", "RuntimeError"),
      GLUOND_EXCEPTION("SyntaxError", "Exception"),
      GLUOND_EXCEPTION("SystemError", "Exception"),
      GLUOND_EXCEPTION("TypeError", "Exception"),
      GLUOND_EXCEPTION("ValueError", "Exception"),
      GLUOND_EXCEPTION("UnicodeError", "ValueError"),
      GLUOND_EXCEPTION("UnicodeDecodeError", "UnicodeError"),
      GLUOND_EXCEPTION("Warning", "Exception"),
      GLUOND_EXCEPTION("UserWarning", "Warning"),
      GLUOND_EXCEPTION("DeprecationWarning", "Warning"),
      GLUOND_EXCEPTION("RuntimeWarning", "Warning"),
      GLUOND_EXCEPTION("FutureWarning", "Warning"),
      GLUOND_EXCEPTION("Skipped", "BaseException"),
      GLUOND_EXCEPTION("Failed", "BaseException"), // pytest's, as the one before
  };
  return rows;
}

// ---------------------------------------------------------------- types of values

Value Interpreter::typeOf(Value value) {
  auto cls = [&](llvm::StringRef name) {
    return Value::object(ValueKind::Class, builtinClass(name));
  };
  if (value.isConstexpr() && !value.isUnknown()) {
    Value constexprClass = gluonMember(*this, "triton.language", name("constexpr"));
    return constexprClass.isAbsent() ? Value::unknown() : constexprClass;
  }
  switch (value.kind()) {
  case ValueKind::Unknown:
  case ValueKind::Absent:
    return Value::unknown();
  case ValueKind::None:
    return cls("NoneType");
  case ValueKind::NotImplemented:
    return cls("NotImplementedType");
  case ValueKind::Ellipsis:
    return cls("ellipsis");
  case ValueKind::Bool:
    return cls("bool");
  case ValueKind::Int:
  case ValueKind::BigInt:
    return cls("int");
  case ValueKind::Float:
    return cls("float");
  case ValueKind::Str:
    return cls("str");
  case ValueKind::Bytes:
    return cls("bytes");
  case ValueKind::Tuple:
    if (auto* named = value.as<TupleObject>()->namedtuple)
      return Value::object(ValueKind::Class, named);
    return cls("tuple");
  case ValueKind::List:
    return cls("list");
  case ValueKind::Dict:
    return cls("dict");
  case ValueKind::Set:
    return cls(value.as<DictObject>()->frozen ? "frozenset" : "set");
  case ValueKind::Range:
    return cls("range");
  case ValueKind::Slice:
    return cls("slice");
  case ValueKind::Function:
    switch (value.as<FunctionObject>()->function) {
    case FunctionKind::Python:
      return cls("function");
    case FunctionKind::Jit:
      return cls("JITFunction");
    case FunctionKind::Constexpr:
      return cls("ConstexprFunction");
    }
    return Value::unknown();
  case ValueKind::BoundMethod:
    return cls("method");
  case ValueKind::Class: {
    Value metaclass = metaclassOf(*this, value.as<ClassObject>());
    return metaclass.isAbsent() ? cls("type") : metaclass;
  }
  case ValueKind::Instance:
    return Value::object(ValueKind::Class, value.as<InstanceObject>()->cls);
  case ValueKind::Module:
    return cls("module");
  case ValueKind::Enum:
    return Value::object(ValueKind::Class, value.as<EnumObject>()->cls);
  case ValueKind::Host: {
    auto* host = value.as<HostObject>();
    if (host->cls == &nativeFunctionClass) return cls("builtin_function_or_method");
    if (host->cls == &iteratorClass) return cls("generator");
    Value own = hostType(*this, value);
    return own;
  }
  case ValueKind::Builtin:
  case ValueKind::Type:
  case ValueKind::Layout:
  case ValueKind::Ir:
    return gluonTypeOf(*this, value);
  }
  return Value::unknown();
}

// Whether a test holds for one of a tuple of classes; nullopt if not known, or raised.
static std::optional<bool> anyOf(Interpreter& in, Values classes,
                                 llvm::function_ref<std::optional<bool>(Value)> holds) {
  bool unknown = false;
  Nesting nesting(in); // tuples in tuples
  if (!nesting) return std::nullopt;
  for (Value one : classes) {
    auto result = holds(one);
    if (in.failed() || !in.spend(1)) return std::nullopt;
    if (!result)
      unknown = true;
    else if (*result)
      return true;
  }
  return unknown ? std::nullopt : std::optional(false);
}

// Whether classes that do not name `super` among their bases may still count as its subclasses:
// those of protocols, of abstract classes with registered subclasses, and those that a metaclass
// decides.
static bool mayHaveVirtualSubclasses(Interpreter& in, const ClassObject* super, Value cls) {
  if (super->native && super->qualname == "Any") return true;
  for (Value base : super->mro)
    if (auto* ancestor = base.as<ClassObject>();
        !ancestor || (ancestor->native && !super->native &&
                      (ancestor->qualname == "Protocol" || ancestor->qualname == "ABC")))
      return true;
  return !super->native && (!metaclassOf(in, super).isAbsent() || isKnownInPart(in, cls));
}

std::optional<bool> Interpreter::isSubclass(Value value, Value classes) {
  value = value.unwrapped();
  classes = classes.unwrapped();
  if (value.isUnknown() || classes.isUnknown()) return std::nullopt;
  if (auto* tuple = classes.as<TupleObject>())
    return anyOf(*this, tuple->items, [&](Value one) { return isSubclass(value, one); });
  auto *sub = value.as<ClassObject>(), *super = classes.as<ClassObject>();
  if (!sub || !super) return std::nullopt;
  if (super->qualname == "object" && super->native) return true;
  if (super->native && super->qualname == "Any") return std::nullopt;
  bool unknown = false;
  for (Value base : sub->mro) {
    if (base.as<ClassObject>() == super) return true;
    auto* ancestor = base.as<ClassObject>();
    if (!ancestor) unknown = true;
    if (ancestor && ancestor->native &&
        (ancestor->qualname == "IntEnum" || ancestor->qualname == "IntFlag") && super->native &&
        super->qualname == "int")
      return true;
    if (ancestor && ancestor->native && ancestor->qualname == "IOError" && super->native &&
        super->qualname == "OSError")
      return true;
  }
  if (sub->flavour == ClassObject::Flavour::NamedTuple && super->native &&
      super->qualname == "tuple")
    return true;
  unknown |= mayHaveVirtualSubclasses(*this, super, classes);
  return unknown ? std::nullopt : std::optional(false);
}

std::optional<bool> Interpreter::isInstance(Value value, Value classes) {
  classes = classes.unwrapped();
  if (auto* tuple = classes.as<TupleObject>())
    return anyOf(*this, tuple->items, [&](Value one) { return isInstance(value, one); });
  if (classes.isUnknown()) return std::nullopt;
  if (classes.isNone())
    return value.isUnknown() ? std::nullopt : std::optional(value.isNone() && !value.isConstexpr());
  if (auto* gluonClass = classes.is(ValueKind::Builtin) ? classes.asBuiltin() : nullptr)
    return isInstanceOfGluon(*this, value, *gluonClass);
  if (value.isUnknown()) return std::nullopt;
  if (auto* cls = classes.as<ClassObject>()) {
    Value own = typeOf(value);
    // Gluon's own classes, those of values in kernels among them, derive from none of Python's.
    if (value.is(ValueKind::Ir) || own.is(ValueKind::Builtin)) {
      if (cls->native && cls->qualname == "object") return true;
      return mayHaveVirtualSubclasses(*this, cls, classes) ? std::nullopt : std::optional(false);
    }
    return isSubclass(own, classes);
  }
  if (classes.is(ValueKind::Host)) return hostIsInstance(*this, value, classes);
  if (classes.is(ValueKind::Type)) return std::nullopt;
  raise("TypeError", "isinstance() arg 2 must be a type, a tuple of types, or a union");
  return std::nullopt;
}

} // namespace gluond::evaluate
