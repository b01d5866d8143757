// Python's builtin functions and classes.
#include "evaluate/stdlib/Builtins.h"

#include "evaluate/interpreter/Gluon.h"
#include "evaluate/interpreter/Iterators.h"
#include "evaluate/interpreter/NativeArguments.h"
#include "evaluate/interpreter/NativeTables.h"
#include "evaluate/stdlib/StandardModules.h"
#include "evaluate/triton/LibraryModules.h"
#include "evaluate/values/Classes.h"
#include "evaluate/values/Containers.h"
#include "evaluate/values/NamespaceMapping.h"
#include "evaluate/values/PythonCoverage.h"
#include "evaluate/values/Strings.h"

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
  if (found.isUnknown() && isKnownInPart(in, arguments.positional[0]) && !isTritons)
    return Value::unknown();
  return Value::boolean(!found.isAbsent());
}

Value setAttr(Interpreter& in, const CallArguments& arguments) {
  GLUOND_COUNT("setattr", 3, 3);
  auto* name = arguments.positional[1].unwrapped().as<StrObject>();
  if (!name) return Value::none();
  Value object = arguments.positional[0];
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

template <syntax::CompareOp better> Value extreme(Interpreter& in, const CallArguments& arguments) {
  llvm::StringRef function = better == syntax::CompareOp::Lt ? "min" : "max";
  llvm::SmallVector<Value> items;
  Value key = keyword(in, arguments, "key"), missing = keyword(in, arguments, "default");
  if (arguments.positional.empty())
    return in.raise("TypeError", function + " expected at least 1 argument, got 0");
  if (arguments.positional.size() == 1) {
    if (!in.unpack(arguments.positional[0], items)) return unknownOrRaised(in);
    if (items.empty())
      return missing.isAbsent() ? in.raise("ValueError", function + "() arg is an empty sequence")
                                : missing;
  } else {
    items.append(arguments.positional.begin(), arguments.positional.end());
  }
  auto keyOf = [&](Value value) {
    return key.isAbsent() || key.isNone() ? value : in.call(key, value);
  };
  Value best = items[0], bestKey = keyOf(best);
  if (bestKey.isAbsent()) return bestKey;
  bool unknown = best.isUnknown();
  for (Value item : llvm::drop_begin(items)) {
    Value itemKey = keyOf(item);
    if (itemKey.isAbsent() || !in.spend(1)) return Value::absent();
    Value wins = in.compare(better, itemKey, bestKey);
    if (wins.isAbsent()) return wins;
    auto known = in.truth(wins);
    if (in.failed()) return Value::absent();
    unknown |= !known;
    if (known.value_or(false)) {
      best = item;
      bestKey = itemKey;
    }
  }
  return unknown ? Value::unknown() : best;
}

Value sum(Interpreter& in, const CallArguments& arguments) {
  GLUOND_COUNT("sum", 1, 2);
  Value total = at(arguments, 1);
  if (total.isAbsent()) total = keyword(in, arguments, "start");
  if (total.isAbsent()) total = Value::integer(0);
  llvm::SmallVector<Value> items;
  if (!in.unpack(arguments.positional[0], items)) return unknownOrRaised(in);
  for (Value item : items)
    if (!in.spend(1) || (total = in.binary(syntax::BinaryOp::Add, total, item)).isAbsent())
      return Value::absent();
  return total;
}

template <bool isAll> Value anyAll(Interpreter& in, const CallArguments& arguments) {
  GLUOND_COUNT(isAll ? "all" : "any", 1, 1);
  Value iterator = in.iterate(arguments.positional[0]);
  if (iterator.isAbsent() || iterator.isUnknown()) return iterator;
  bool unknown = false;
  while (true) {
    Value item = in.advance(iterator, unknown);
    if (in.failed()) return Value::absent();
    if (item.isAbsent()) return unknown ? Value::unknown() : Value::boolean(isAll);
    auto known = in.truth(item);
    if (in.failed() || !in.spend(1)) return Value::absent();
    if (!known)
      unknown = true;
    else if (*known != isAll)
      return Value::boolean(!isAll);
  }
}

Value sorted(Interpreter& in, const CallArguments& arguments) {
  GLUOND_COUNT("sorted", 1, 1);
  llvm::SmallVector<Value> items;
  if (!in.unpack(arguments.positional[0], items)) return unknownOrRaised(in);
  Value reverse = keyword(in, arguments, "reverse");
  bool unknown = false;
  bool isReversed = !reverse.isAbsent() && in.truth(reverse).value_or(false);
  if (in.failed() || !in.charge(items.size() * sizeof(Value)) ||
      !sortValues(in, items, keyword(in, arguments, "key"), isReversed, unknown))
    return Value::absent();
  return unknown ? Value::unknown() : in.heap().list(items);
}

Value reversed(Interpreter& in, const CallArguments& arguments) {
  GLUOND_COUNT("reversed", 1, 1);
  if (arguments.positional[0].is(ValueKind::Instance)) {
    Value own = in.callSpecial(arguments.positional[0], in.name("__reversed__"), {});
    if (in.failed() || !own.isAbsent()) return own;
  }
  llvm::SmallVector<Value> items;
  if (!in.unpack(arguments.positional[0], items)) return unknownOrRaised(in);
  if (!in.charge(items.size() * sizeof(Value))) return Value::absent();
  std::reverse(items.begin(), items.end());
  return in.iterator(items);
}

Value enumerate(Interpreter& in, const CallArguments& arguments) {
  GLUOND_COUNT("enumerate", 1, 2);
  Value start = at(arguments, 1);
  if (start.isAbsent()) start = keyword(in, arguments, "start");
  if (start.isAbsent()) start = Value::integer(0);
  Value iterator = in.iterate(arguments.positional[0]);
  if (iterator.isAbsent() || iterator.isUnknown()) return iterator;
  return iteratorOver(in, [iterator, index = start](Interpreter& i, bool& uncertain) mutable {
    Value member = i.advance(iterator, uncertain);
    if (member.isAbsent()) return member;
    if (!i.charge(4 * sizeof(Value))) return Value::absent();
    Value pair = i.tupleOf({index, member});
    index = i.binary(syntax::BinaryOp::Add, index, Value::integer(1));
    return index.isAbsent() ? index : pair;
  });
}

// The iterators of several iterables; nullopt if one raised or is not known.
std::optional<llvm::SmallVector<Value, 2>> iteratorsOf(Interpreter& in, Values iterables) {
  llvm::SmallVector<Value, 2> iterators;
  for (Value iterable : iterables) {
    iterators.push_back(in.iterate(iterable));
    if (iterators.back().isAbsent() || iterators.back().isUnknown()) return std::nullopt;
  }
  return iterators;
}

// Takes a member of each. Returns false at the end of one, after raising, and if one is uncertain.
bool nextRow(Interpreter& in, Values iterators, bool isStrict, llvm::SmallVectorImpl<Value>& row,
             bool& uncertain) {
  for (size_t i = 0; i < iterators.size(); ++i) {
    Value member = in.advance(iterators[i], uncertain);
    if (member.isAbsent()) {
      if (!isStrict || in.failed() || uncertain) return false;
      // All must end together.
      auto differs = [&](size_t other, llvm::StringRef how) {
        in.raise("ValueError", "zip() argument " + llvm::Twine(other + 1) + " is " + how +
                                   " than argument" +
                                   (other == 1 ? " 1" : "s 1-" + std::to_string(other)));
        return false;
      };
      if (i > 0) return differs(i, "shorter");
      for (size_t other = 1; other < iterators.size(); ++other) {
        Value more = in.advance(iterators[other], uncertain);
        if (in.failed() || uncertain) return false;
        if (!more.isAbsent()) return differs(other, "longer");
      }
      return false;
    }
    row.push_back(member);
  }
  return in.charge((row.size() + 4) * sizeof(Value));
}

Value zip(Interpreter& in, const CallArguments& arguments) {
  auto iterators = iteratorsOf(in, arguments.positional);
  if (!iterators) return unknownOrRaised(in);
  if (iterators->empty()) return in.iterator({});
  Value strict = keyword(in, arguments, "strict");
  bool isStrict = !strict.isAbsent() && in.truth(strict).value_or(false);
  return iteratorOver(in, [iterators = *iterators, isStrict](Interpreter& i, bool& uncertain) {
    llvm::SmallVector<Value, 4> row;
    return nextRow(i, iterators, isStrict, row, uncertain) ? i.tupleOf(row) : Value::absent();
  });
}

Value map(Interpreter& in, const CallArguments& arguments) {
  if (arguments.positional.size() < 2)
    return in.raise("TypeError", "map() must have at least two arguments.");
  auto iterators = iteratorsOf(in, arguments.positional.drop_front());
  if (!iterators) return unknownOrRaised(in);
  return iteratorOver(in, [function = arguments.positional[0],
                           iterators = *iterators](Interpreter& i, bool& uncertain) {
    llvm::SmallVector<Value, 4> row;
    return nextRow(i, iterators, false, row, uncertain) ? i.call(function, row) : Value::absent();
  });
}

Value filter(Interpreter& in, const CallArguments& arguments) {
  GLUOND_COUNT("filter", 2, 2);
  Value iterator = in.iterate(arguments.positional[1]);
  if (iterator.isAbsent() || iterator.isUnknown()) return iterator;
  return iteratorOver(in, [function = arguments.positional[0], iterator,
                           isOpen = false](Interpreter& i, bool& uncertain) mutable {
    while (true) {
      Value item = i.advance(iterator, isOpen);
      uncertain |= isOpen;
      if (item.isAbsent() || !i.spend(1)) return Value::absent();
      Value test = function.isNone() ? item : i.call(function, item);
      if (test.isAbsent()) return test;
      auto known = i.truth(test);
      if (i.failed()) return Value::absent();
      isOpen |= !known; // it may or may not be a member
      if (known.value_or(true)) return item;
    }
  });
}

Value iter(Interpreter& in, const CallArguments& arguments) {
  if (arguments.positional.size() == 2) // iter(function, sentinel)
    return iteratorOver(in, [function = arguments.positional[0],
                             sentinel = arguments.positional[1]](Interpreter& i, bool& uncertain) {
      Value member = i.call(function, Values());
      if (member.isAbsent() || !i.spend(1)) return Value::absent();
      auto isLast = i.equal(member, sentinel);
      if (i.failed()) return Value::absent();
      uncertain = !isLast;
      return isLast.value_or(true) ? Value::absent() : member;
    });
  return arguments.positional.size() == 1 ? in.iterate(arguments.positional[0]) : Value::unknown();
}

Value next(Interpreter& in, const CallArguments& arguments) {
  GLUOND_COUNT("next", 1, 2);
  Value value = arguments.positional[0];
  if (hostAs<IteratorObject>(value, iteratorClass)) {
    bool uncertain = false;
    Value member = in.advance(value, uncertain);
    if (!member.isAbsent() || in.failed()) return member;
    if (uncertain) return Value::unknown();
    return arguments.positional.size() == 2 ? arguments.positional[1] : stopIteration(in, value);
  }
  if (value.isUnknown()) return value;
  Value result = in.callSpecial(value, in.names().next, {});
  if (in.failed() && arguments.positional.size() == 2 && in.catchError("StopIteration"))
    return arguments.positional[1];
  if (in.failed() || !result.isAbsent()) return result;
  if (isKnownInPart(in, value)) return Value::unknown();
  return in.raise("TypeError", "'" + llvm::Twine(in.className(in.typeOf(value))) +
                                   "' object is not an iterator");
}

Value round(Interpreter& in, const CallArguments& arguments) {
  GLUOND_COUNT("round", 1, 2);
  Value value = arguments.positional[0];
  Value digitsValue = at(arguments, 1);
  if (digitsValue.isAbsent()) digitsValue = keyword(in, arguments, "ndigits");
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

Value pow(Interpreter& in, const CallArguments& arguments) {
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
    {"all", anyAll<true>},
    {"any", anyAll<false>},
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
    {"enumerate", enumerate},
    {"eval", unknown},
    {"exec", execute},
    {"exit",
     [](Interpreter& in, const CallArguments& arguments) {
       return in.raiseValue(in.instantiate(in.builtinClass("SystemExit"), arguments));
     }},
    {"filter", filter},
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
    {"iter", iter},
    {"len", len},
    {"locals", locals},
    {"map", map},
    {"max", extreme<syntax::CompareOp::Gt>},
    {"min", extreme<syntax::CompareOp::Lt>},
    {"next", next},
    {"oct", radix<'o'>},
    {"open", openFile},
    {"ord", ord},
    {"pow", pow},
    {"print", print},
    {"property", descriptor<DescriptorObject::Flavour::Property>},
    {"quit", print},
    {"repr", repr},
    {"reversed", reversed},
    {"round", round},
    {"setattr", setAttr},
    {"sorted", sorted},
    {"staticmethod", descriptor<DescriptorObject::Flavour::Static>},
    {"sum", sum},
    {"super", super},
    {"vars", vars},
    {"zip", zip},
    {"__import__", import},
};

// ---------------------------------------------------------------- special methods

using syntax::BinaryOp;
using syntax::CompareOp;

template <BinaryOp op, bool reflected>
Value specialBinary(Interpreter& in, const CallArguments& arguments) {
  GLUOND_COUNT("special method", 2, 2);
  return reflected ? in.binary(op, arguments.positional[1], arguments.positional[0])
                   : in.binary(op, arguments.positional[0], arguments.positional[1]);
}
template <CompareOp op> Value specialCompare(Interpreter& in, const CallArguments& arguments) {
  GLUOND_COUNT("special method", 2, 2);
  return in.compare(op, arguments.positional[0], arguments.positional[1]);
}
Value specialGetItem(Interpreter& in, const CallArguments& arguments) {
  GLUOND_COUNT("__getitem__", 2, 2);
  return in.getItem(arguments.positional[0], arguments.positional[1]);
}
Value specialSetItem(Interpreter& in, const CallArguments& arguments) {
  GLUOND_COUNT("__setitem__", 3, 3);
  return in.setItem(arguments.positional[0], arguments.positional[1], arguments.positional[2])
             ? Value::none()
             : Value::absent();
}
Value specialContains(Interpreter& in, const CallArguments& arguments) {
  GLUOND_COUNT("__contains__", 2, 2);
  auto result = in.contains(arguments.positional[0], arguments.positional[1]);
  return result ? Value::boolean(*result) : unknownOrRaised(in);
}
Value toStr(Interpreter& in, const CallArguments& arguments) {
  return in.textOf(arguments.positional[0]);
}
Value specialBool(Interpreter& in, const CallArguments& arguments) {
  auto known = in.truth(arguments.positional[0]);
  return known ? Value::boolean(*known) : unknownOrRaised(in);
}

template <syntax::UnaryOperator op>
Value specialUnary(Interpreter& in, const CallArguments& arguments) {
  GLUOND_COUNT("special method", 1, 1);
  return in.unary(op, arguments.positional[0]);
}

constexpr NativeRow specialRows[] = {
    {"__abs__", abs},
    {"__add__", specialBinary<BinaryOp::Add, false>},
    {"__and__", specialBinary<BinaryOp::BitAnd, false>},
    {"__bool__", specialBool},
    {"__contains__", specialContains},
    {"__eq__", specialCompare<CompareOp::Eq>},
    {"__floordiv__", specialBinary<BinaryOp::FloorDiv, false>},
    {"__format__", format},
    {"__ge__", specialCompare<CompareOp::GtE>},
    {"__getitem__", specialGetItem},
    {"__gt__", specialCompare<CompareOp::Gt>},
    {"__hash__", hash},
    {"__invert__", specialUnary<syntax::UnaryOperator::Invert>},
    {"__iter__", iter},
    {"__le__", specialCompare<CompareOp::LtE>},
    {"__len__", len},
    {"__lshift__", specialBinary<BinaryOp::LShift, false>},
    {"__lt__", specialCompare<CompareOp::Lt>},
    {"__mod__", specialBinary<BinaryOp::Mod, false>},
    {"__mul__", specialBinary<BinaryOp::Mult, false>},
    {"__ne__", specialCompare<CompareOp::NotEq>},
    {"__neg__", specialUnary<syntax::UnaryOperator::USub>},
    {"__or__", specialBinary<BinaryOp::BitOr, false>},
    {"__pos__", specialUnary<syntax::UnaryOperator::UAdd>},
    {"__pow__", specialBinary<BinaryOp::Pow, false>},
    {"__radd__", specialBinary<BinaryOp::Add, true>},
    {"__repr__", repr},
    {"__rfloordiv__", specialBinary<BinaryOp::FloorDiv, true>},
    {"__rmul__", specialBinary<BinaryOp::Mult, true>},
    {"__rpow__", specialBinary<BinaryOp::Pow, true>},
    {"__rshift__", specialBinary<BinaryOp::RShift, false>},
    {"__rsub__", specialBinary<BinaryOp::Sub, true>},
    {"__rtruediv__", specialBinary<BinaryOp::Div, true>},
    {"__setitem__", specialSetItem},
    {"__str__", toStr},
    {"__sub__", specialBinary<BinaryOp::Sub, false>},
    {"__truediv__", specialBinary<BinaryOp::Div, false>},
    {"__xor__", specialBinary<BinaryOp::BitXor, false>},
};

} // namespace

llvm::ArrayRef<NativeRow> builtinFunctions() {
  return functionRows;
}

Value builtinSpecial(Interpreter& in, Value object, Name name) {
  llvm::StringRef text = in.text(name);
  if (!text.starts_with("__")) return Value::absent();
  bool isContainer = object.is(ValueKind::Str) || object.is(ValueKind::List) ||
                     object.is(ValueKind::Tuple) || object.is(ValueKind::Dict) ||
                     object.is(ValueKind::Set) || object.is(ValueKind::Range) ||
                     object.is(ValueKind::Bytes);
  bool needsContainer = text == "__len__" || text == "__iter__" || text == "__getitem__" ||
                        text == "__setitem__" || text == "__contains__";
  if (needsContainer && !isContainer) return Value::absent();
  for (auto& row : specialRows)
    if (row.name == text) return in.function(row.name, row.function, object);
  return Value::absent();
}

} // namespace gluond::evaluate
