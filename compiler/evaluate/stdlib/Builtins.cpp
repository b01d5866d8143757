// Python's builtin functions.
#include "evaluate/interpreter/Gluon.h"
#include "evaluate/interpreter/NativeArguments.h"
#include "evaluate/interpreter/NativeTables.h"
#include "evaluate/stdlib/IterableFunctions.h"
#include "evaluate/stdlib/StandardModules.h"
#include "evaluate/triton/LibraryModules.h"
#include "evaluate/values/Classes.h"
#include "evaluate/values/Containers.h"
#include "evaluate/values/NamespaceMapping.h"
#include "evaluate/values/Numbers.h"
#include "evaluate/values/PythonCoverage.h"
#include "evaluate/values/Strings.h"
#include "language/values/Integers.h"

#include <llvm/ADT/StringExtras.h>
#include <llvm/Support/ConvertUTF.h>

#include <cmath>

namespace gluond::evaluate {

namespace {

// ---------------------------------------------------------------- functions

Value len(Interpreter& in, const CallArguments& arguments) {
  GLUOND_COUNT("len", 1, 1);
  auto length = in.length(arguments.positional[0]);
  return length ? Value::integer(*length) : unknownOrRaised(in);
}

Value print(Interpreter&, const CallArguments&) {
  return Value::none();
}

Value repr(Interpreter& in, const CallArguments& arguments) {
  GLUOND_COUNT("repr", 1, 1);
  if (arguments.positional[0].isUnknown()) return Value::unknown();
  return in.textOf(arguments.positional[0], /*isRepr=*/true);
}

Value format(Interpreter& in, const CallArguments& arguments) {
  GLUOND_COUNT("format", 1, 2);
  if (arguments.positional[0].isUnknown() || at(arguments, 1).isUnknown()) return Value::unknown();
  auto* spec = at(arguments, 1).unwrapped().as<StrObject>();
  auto text = in.format(arguments.positional[0], spec ? spec->text : "");
  return text ? in.string(*text) : Value::absent();
}

Value isInstance(Interpreter& in, const CallArguments& arguments) {
  GLUOND_COUNT("isinstance", 2, 2);
  auto result = in.isInstance(arguments.positional[0], arguments.positional[1]);
  return result ? Value::boolean(*result) : unknownOrRaised(in);
}

Value isSubclass(Interpreter& in, const CallArguments& arguments) {
  GLUOND_COUNT("issubclass", 2, 2);
  auto result = in.isSubclass(arguments.positional[0], arguments.positional[1]);
  return result ? Value::boolean(*result) : unknownOrRaised(in);
}

Value getAttr(Interpreter& in, const CallArguments& arguments) {
  GLUOND_COUNT("getattr", 2, 3);
  auto* name = arguments.positional[1].unwrapped().as<StrObject>();
  if (!name)
    return arguments.positional[1].isUnknown()
               ? Value::unknown()
               : in.raise("TypeError", "attribute name must be string");
  if (arguments.positional.size() == 2)
    return in.getAttribute(arguments.positional[0], in.name(name->text));
  Value found = in.lookupAttribute(arguments.positional[0], in.name(name->text));
  if (in.failed())
    return in.catchError("AttributeError") ? arguments.positional[2] : Value::absent();
  return found.isAbsent() ? arguments.positional[2] : found;
}

Value hasAttr(Interpreter& in, const CallArguments& arguments) {
  GLUOND_COUNT("hasattr", 2, 2);
  auto* name = arguments.positional[1].unwrapped().as<StrObject>();
  if (!name) return Value::unknown();
  if (arguments.positional[0].isUnknown()) return Value::unknown();
  Value found = in.lookupAttribute(arguments.positional[0], in.name(name->text));
  if (in.failed()) return in.catchError("AttributeError") ? Value::boolean(false) : Value::absent();
  bool isOwn =
      found.isUnknown() && arguments.positional[0].is(ValueKind::Instance) &&
      arguments.positional[0].as<InstanceObject>()->attributes->contains(in.name(name->text));
  if (isOwn) return Value::unknown(); // a branch that may not have run may have set it
  auto* module = arguments.positional[0].as<ModuleObject>();
  bool isTritons = module && module->name.starts_with("triton"); // whose names are known
  bool isInPart = module ? !module->globals : isKnownInPart(in, arguments.positional[0]);
  if (found.isUnknown() && isInPart && !isTritons) return Value::unknown();
  return Value::boolean(!found.isAbsent());
}

Value setAttr(Interpreter& in, const CallArguments& arguments) {
  GLUOND_COUNT("setattr", 3, 3);
  auto* name = arguments.positional[1].unwrapped().as<StrObject>();
  Value object = arguments.positional[0];
  if (!name) {
    if (arguments.positional[1].isUnknown()) markOpen(in, object);
    return in.failed() ? Value::absent() : Value::none();
  }
  return in.setAttribute(object, in.name(name->text), arguments.positional[2]) ? Value::none()
                                                                               : Value::absent();
}

Value delAttr(Interpreter& in, const CallArguments& arguments) {
  GLUOND_COUNT("delattr", 2, 2);
  auto* name = arguments.positional[1].unwrapped().as<StrObject>();
  if (!name) return Value::none();
  return deleteAttribute(in, arguments.positional[0], in.name(name->text)) ? Value::none()
                                                                           : Value::absent();
}

Value callable(Interpreter& in, const CallArguments& arguments) {
  GLUOND_COUNT("callable", 1, 1);
  return arguments.positional[0].isUnknown()
             ? Value::unknown()
             : Value::boolean(in.isCallable(arguments.positional[0]));
}

Value abs(Interpreter& in, const CallArguments& arguments) {
  GLUOND_COUNT("abs", 1, 1);
  Value value = arguments.positional[0];
  if (value.is(ValueKind::Float)) return Value::real(std::fabs(value.asFloat()));
  if (isInteger(value))
    return toAPInt(value).isNegative() ? in.unary(syntax::UnaryOperator::USub, value)
                                       : in.unary(syntax::UnaryOperator::UAdd, value);
  if (value.isUnknown()) return value;
  Value result = in.callSpecial(value, in.names().abs, {});
  if (in.failed() || !result.isAbsent()) return result;
  if (isKnownInPart(in, value)) return Value::unknown();
  return in.raise("TypeError",
                  "bad operand type for abs(): '" + in.className(in.typeOf(value)) + "'");
}

// The positional arguments, followed by those that are given by these names. A name that is missing
// before one that is given leaves the rest to the caller's count.
llvm::SmallVector<Value, 4> byNames(Interpreter& in, const CallArguments& arguments,
                                    llvm::ArrayRef<llvm::StringLiteral> names) {
  llvm::SmallVector<Value, 4> all(arguments.positional);
  for (size_t i = all.size(); i < names.size(); ++i) {
    Value given = keyword(in, arguments, names[i]);
    if (given.isAbsent()) break;
    all.push_back(given);
  }
  return all;
}

Value round(Interpreter& in, const CallArguments& given) {
  llvm::SmallVector<Value, 4> values = byNames(in, given, {"number", "ndigits"});
  CallArguments arguments{values, given.keywords};
  GLUOND_COUNT("round", 1, 2);
  Value value = arguments.positional[0];
  Value digitsValue = at(arguments, 1);
  if (value.isUnknown() || digitsValue.isUnknown()) return Value::unknown();
  bool toInteger = digitsValue.isAbsent() || digitsValue.isNone();
  if (isInteger(value)) {
    auto digits = toInteger ? 0 : toIndex(digitsValue).value_or(0);
    if (digits >= 0) return value;
    if (digits < -30) return Value::integer(0);
    Value ten = in.binary(syntax::BinaryOp::Pow, Value::integer(10), Value::integer(-digits));
    Value remainder = in.binary(syntax::BinaryOp::Mod, value, ten);
    Value low = in.binary(syntax::BinaryOp::Sub, value, remainder);
    Value twice = in.binary(syntax::BinaryOp::Mult, remainder, Value::integer(2));
    bool up = in.truth(in.compare(syntax::CompareOp::Gt, twice, ten)).value_or(false);
    if (in.equal(twice, ten).value_or(false)) {
      Value half = in.binary(syntax::BinaryOp::FloorDiv, low, ten);
      up = toAPInt(half)[0];
    }
    return up ? in.binary(syntax::BinaryOp::Add, low, ten) : low;
  }
  if (!value.is(ValueKind::Float)) {
    Value own = in.callSpecial(value, in.name("__round__"), arguments.positional.drop_front());
    if (in.failed() || !own.isAbsent()) return own;
    if (isKnownInPart(in, value)) return Value::unknown();
    return in.raise("TypeError", "type " + llvm::Twine(in.className(in.typeOf(value))) +
                                     " doesn't define __round__ method");
  }
  double real = value.asFloat();
  if (toInteger) {
    if (std::isnan(real)) return in.raise("ValueError", "cannot convert float NaN to integer");
    if (std::isinf(real))
      return in.raise("OverflowError", "cannot convert float infinity to integer");
    double rounded = std::nearbyint(real);
    return in.call(Value::object(ValueKind::Class, in.builtinClass("int")), Value::real(rounded));
  }
  auto digits = toIndex(digitsValue).value_or(0);
  if (!std::isfinite(real) || digits > 300) return value;
  if (digits < -300) return Value::real(0);
  if (digits < 0) {
    double scale = std::pow(10.0, static_cast<double>(-digits));
    return Value::real(std::nearbyint(real / scale) * scale);
  }
  FormatSpec spec; // correctly rounded decimal digits, read back
  spec.type = 'f';
  spec.precision = digits;
  return Value::real(parseDouble(formatDouble(real, spec)).value_or(real));
}

Value pow(Interpreter& in, const CallArguments& given) {
  llvm::SmallVector<Value, 4> values = byNames(in, given, {"base", "exp", "mod"});
  CallArguments arguments{values, given.keywords};
  GLUOND_COUNT("pow", 2, 3);
  if (arguments.positional.size() == 2)
    return in.binary(syntax::BinaryOp::Pow, arguments.positional[0], arguments.positional[1]);
  Value base = arguments.positional[0], exponent = arguments.positional[1],
        modulus = arguments.positional[2];
  if (!exponent.isIntegral() || exponent.asInt() < 0 || !isInteger(base) || !isInteger(modulus))
    return Value::unknown();
  Value result = Value::integer(1);
  for (int64_t n = exponent.asInt(); n; n >>= 1) {
    if (n & 1)
      result = in.binary(syntax::BinaryOp::Mod, in.binary(syntax::BinaryOp::Mult, result, base),
                         modulus);
    if (result.isAbsent()) return result;
    base = in.binary(syntax::BinaryOp::Mod, in.binary(syntax::BinaryOp::Mult, base, base), modulus);
    if (base.isAbsent()) return base;
  }
  return in.binary(syntax::BinaryOp::Mod, result, modulus);
}

Value divmod(Interpreter& in, const CallArguments& arguments) {
  GLUOND_COUNT("divmod", 2, 2);
  for (auto [self, other, special] :
       {std::tuple(arguments.positional[0], arguments.positional[1], "__divmod__"),
        std::tuple(arguments.positional[1], arguments.positional[0], "__rdivmod__")}) {
    Value own = in.callSpecial(self, in.name(special), other);
    if (in.failed() || (!own.isAbsent() && !own.is(ValueKind::NotImplemented))) return own;
  }
  Value quotient =
      in.binary(syntax::BinaryOp::FloorDiv, arguments.positional[0], arguments.positional[1]);
  if (quotient.isAbsent()) return quotient;
  Value remainder =
      in.binary(syntax::BinaryOp::Mod, arguments.positional[0], arguments.positional[1]);
  return remainder.isAbsent() ? remainder : in.tupleOf({quotient, remainder});
}

Value hash(Interpreter& in, const CallArguments& arguments) {
  GLUOND_COUNT("hash", 1, 1);
  Value hashed = arguments.positional[0].unwrapped();
  if (Value own = in.callSpecial(hashed, in.names().hash, {}); isInteger(own))
    hashed = own;
  else if (in.failed())
    return Value::absent();
  if (auto* member = hashed.as<EnumObject>(); member && isIntegerEnum(in, member->cls))
    hashed = member->value;
  if (hashed.is(ValueKind::Float) && hashed.asFloat() == std::floor(hashed.asFloat()) &&
      std::fabs(hashed.asFloat()) < 1e15)
    hashed = Value::integer(static_cast<int64_t>(hashed.asFloat()));
  constexpr int64_t modulus = (int64_t(1) << 61) - 1; // CPython's
  if (hashed.isIntegral() && hashed.asInt() < modulus && hashed.asInt() > -modulus)
    return Value::integer(hashed.asInt() == -1 ? -2 : hashed.asInt());
  auto value = in.hash(arguments.positional[0]); // equal for equal values, but not CPython's number
  return value ? Value::integer(static_cast<int64_t>(*value >> 4)) : unknownOrRaised(in);
}

Value id(Interpreter&, const CallArguments&) {
  return Value::unknown();
}

template <char type> Value radix(Interpreter& in, const CallArguments& arguments) {
  GLUOND_COUNT(type == 'x' ? "hex" : type == 'b' ? "bin" : "oct", 1, 1);
  Value value = arguments.positional[0].unwrapped();
  if (value.isUnknown()) return value;
  if (value.is(ValueKind::Enum)) value = value.as<EnumObject>()->value;
  if (Value own = in.callSpecial(value, in.names().index, {}); in.failed() || !own.isAbsent())
    value = own;
  if (in.failed()) return value;
  if (isKnownInPart(in, value)) return Value::unknown();
  if (!isInteger(value))
    return in.raise("TypeError", "'" + llvm::Twine(in.className(in.typeOf(value))) +
                                     "' object cannot be interpreted as an integer");
  FormatSpec spec;
  spec.type = type;
  spec.alternate = true;
  std::string shown = formatInteger(in, value, spec);
  return in.failed() ? Value::absent() : in.string(shown);
}

Value chr(Interpreter& in, const CallArguments& arguments) {
  GLUOND_COUNT("chr", 1, 1);
  auto code = toIndex(arguments.positional[0].unwrapped());
  if (!code) return Value::unknown();
  char buffer[8], *end = buffer;
  if (*code < 0 || *code > 0x10ffff)
    return in.raise("ValueError", "chr() arg not in range(0x110000)");
  if (!llvm::ConvertCodePointToUTF8(static_cast<unsigned>(*code), end)) return Value::unknown();
  return in.string(llvm::StringRef(buffer, static_cast<size_t>(end - buffer)));
}

Value ord(Interpreter& in, const CallArguments& arguments) {
  GLUOND_COUNT("ord", 1, 1);
  auto* text = arguments.positional[0].unwrapped().as<StrObject>();
  if (!text) return Value::unknown();
  if (!in.spendBytes(text->text.size())) return Value::absent();
  if (textLength(text->text) != 1)
    return in.raise("TypeError", "ord() expected a character, but string of length " +
                                     llvm::Twine(textLength(text->text)) + " found");
  const auto* source = reinterpret_cast<const llvm::UTF8*>(text->text.data());
  llvm::UTF32 code = 0, *target = &code;
  if (llvm::ConvertUTF8toUTF32(&source, source + text->text.size(), &target, &code + 1,
                               llvm::strictConversion) != llvm::conversionOK)
    return Value::unknown();
  return Value::integer(code);
}

Value ascii(Interpreter& in, const CallArguments& arguments) {
  Value text = repr(in, arguments);
  auto* string = text.as<StrObject>();
  bool isPlain = !string || llvm::all_of(string->text, [](char c) { return llvm::isASCII(c); });
  return isPlain ? text : Value::unknown();
}

Value locals(Interpreter& in, const CallArguments& arguments);
Value vars(Interpreter& in, const CallArguments& arguments) {
  if (arguments.positional.empty()) return locals(in, arguments);
  return in.getAttribute(arguments.positional[0], in.names().dict);
}

Value globals(Interpreter& in, const CallArguments&) {
  return in.frame() ? namesOf(in, Value::object(ValueKind::Module, in.frame()->module))
                    : Value::unknown();
}

Value locals(Interpreter& in, const CallArguments& arguments) {
  bool isModule = in.frame() && !in.frame()->function && !in.frame()->isClass;
  if (in.frame() && in.frame()->isClass) // names set there become members
    in.frame()->locals->set(Name{}, Value::unknown());
  return isModule ? globals(in, arguments) : Value::unknown();
}

// exec(...): may define anything.
Value execute(Interpreter& in, const CallArguments& arguments) {
  if (in.frame() && arguments.positional.size() < 2)
    markOpen(in, Value::object(ValueKind::Module, in.frame()->module));
  for (Value space :
       arguments.positional.drop_front(std::min<size_t>(1, arguments.positional.size())))
    if (Value owner = namesOwner(space); !owner.isAbsent())
      markOpen(in, owner);
    else if (auto* dict = space.as<DictObject>())
      if (auto* changed = in.writable(dict)) changed->uncertain = true;
  return in.failed() ? Value::absent() : Value::none();
}

Value import(Interpreter& in, const CallArguments& arguments) {
  auto* name = at(arguments, 0).as<StrObject>();
  bool found;
  return name ? in.import(name->text, 0, found) : Value::unknown();
}

template <DescriptorObject::Flavour flavour>
Value descriptor(Interpreter& in, const CallArguments& arguments) {
  Value function = at(arguments, 0);
  return makeDescriptor(in.heap(), flavour, function.isAbsent() ? Value::unknown() : function,
                        at(arguments, 1));
}

Value super(Interpreter& in, const CallArguments& arguments) {
  return in.superOf(arguments);
}

// dir(module) of a module of the program, in the order of the names; dir() of other objects is
// unknown.
Value dir(Interpreter& in, const CallArguments& arguments) {
  auto* module =
      at(arguments, 0).is(ValueKind::Module) ? at(arguments, 0).as<ModuleObject>() : nullptr;
  if (!module || !module->globals || module->path.empty()) return Value::unknown();
  llvm::SmallVector<Value> names;
  for (auto [name, value] : module->globals->snapshot())
    if (!value.isAbsent() && name) names.push_back(in.string(in.text(name)));
  if (!in.spend(names.size()) || !in.charge(names.size(), sizeof(Value))) return Value::absent();
  llvm::sort(names,
             [](Value a, Value b) { return a.as<StrObject>()->text < b.as<StrObject>()->text; });
  return in.heap().list(names);
}

constexpr NativeRow functionRows[] = {
    {"abs", abs},
    {"all", builtins::all},
    {"any", builtins::any},
    {"ascii", ascii},
    {"bin", radix<'b'>},
    {"breakpoint", print},
    {"callable", callable},
    {"chr", chr},
    {"classmethod", descriptor<DescriptorObject::Flavour::Class>},
    {"compile", unknown},
    {"delattr", delAttr},
    {"dir", dir},
    {"divmod", divmod},
    {"enumerate", builtins::enumerate},
    {"eval", unknown},
    {"exec", execute},
    {"exit",
     [](Interpreter& in, const CallArguments& arguments) {
       return in.raiseValue(in.instantiate(in.builtinClass("SystemExit"), arguments));
     }},
    {"filter", builtins::filter},
    {"format", format},
    {"getattr", getAttr},
    {"globals", globals},
    {"hasattr", hasAttr},
    {"hash", hash},
    {"help", print},
    {"hex", radix<'x'>},
    {"id", id},
    {"input", unknown},
    {"isinstance", isInstance},
    {"issubclass", isSubclass},
    {"iter", builtins::iter},
    {"len", len},
    {"locals", locals},
    {"map", builtins::map},
    {"max", builtins::max},
    {"min", builtins::min},
    {"next", builtins::next},
    {"oct", radix<'o'>},
    {"open", openFile},
    {"ord", ord},
    {"pow", pow},
    {"print", print},
    {"property", descriptor<DescriptorObject::Flavour::Property>},
    {"quit", print},
    {"repr", repr},
    {"reversed", builtins::reversed},
    {"round", round},
    {"setattr", setAttr},
    {"sorted", builtins::sorted},
    {"staticmethod", descriptor<DescriptorObject::Flavour::Static>},
    {"sum", builtins::sum},
    {"super", super},
    {"vars", vars},
    {"zip", builtins::zip},
    {"__import__", import},
};

} // namespace

llvm::ArrayRef<NativeRow> builtinFunctions() {
  return functionRows;
}

} // namespace gluond::evaluate
