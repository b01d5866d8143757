// The standard library as far as these programs use it.
#include "evaluate/Classes.h"
#include "evaluate/Containers.h"
#include "evaluate/HostModules.h"
#include "evaluate/Tables.h"

#include <llvm/ADT/StringExtras.h>

#include <cmath>
#include <numbers>

namespace gluond::evaluate {

namespace {

Value at(const CallArguments& arguments, size_t index) {
  return index < arguments.positional.size() ? arguments.positional[index] : Value::absent();
}
Value keyword(Interpreter& in, const CallArguments& arguments, llvm::StringRef name) {
  for (auto& one : arguments.keywords)
    if (in.text(one.name) == name) return one.value;
  return Value::absent();
}
Value given(Interpreter& in, const CallArguments& arguments, size_t index, llvm::StringRef name) {
  Value value = at(arguments, index);
  return value.isAbsent() ? keyword(in, arguments, name) : value;
}
Value unknownOrRaised(Interpreter& in) {
  return in.failed() ? Value::absent() : Value::unknown();
}
Value unknown(Interpreter&, const CallArguments&) {
  return Value::unknown();
}
Value none(Interpreter&, const CallArguments&) {
  return Value::none();
}
Value identity(Interpreter&, const CallArguments& arguments) {
  return at(arguments, 0).isAbsent() ? Value::unknown() : at(arguments, 0);
}

// ---------------------------------------------------------------- math

std::optional<double> number(Interpreter& in, const CallArguments& arguments, size_t index) {
  Value value = at(arguments, index).unwrapped();
  if (value.isUnknown()) return std::nullopt;
  if (auto real = toDouble(value)) return real;
  if (value.is(ValueKind::BigInt))
    in.raise("OverflowError", "int too large to convert to float");
  else if (value.isAbsent())
    in.raise("TypeError", "a math function takes more arguments");
  else if (!value.is(ValueKind::Host) && !value.is(ValueKind::Instance) &&
           !value.is(ValueKind::Enum))
    in.raise("TypeError",
             "must be real number, not " + llvm::Twine(in.className(in.typeOf(value))));
  return std::nullopt;
}

template <double (*function)(double)> Value real1(Interpreter& in, const CallArguments& arguments) {
  auto x = number(in, arguments, 0);
  if (!x) return unknownOrRaised(in);
  double result = function(*x);
  if (std::isnan(result) && !std::isnan(*x)) return in.raise("ValueError", "math domain error");
  if (std::isinf(result) && std::isfinite(*x)) return in.raise("OverflowError", "math range error");
  return Value::real(result);
}

template <double (*function)(double, double)>
Value real2(Interpreter& in, const CallArguments& arguments) {
  auto x = number(in, arguments, 0), y = number(in, arguments, 1);
  if (!x || !y) return unknownOrRaised(in);
  return Value::real(function(*x, *y));
}

template <double (*rounding)(double)>
Value toWhole(Interpreter& in, const CallArguments& arguments) {
  Value value = at(arguments, 0).unwrapped();
  if (isInteger(value)) return value;
  auto x = number(in, arguments, 0);
  if (!x) return unknownOrRaised(in);
  return in.call(Value::object(ValueKind::Class, in.builtinClass("int")),
                 Value::real(std::isfinite(*x) ? rounding(*x) : *x));
}

Value log(Interpreter& in, const CallArguments& arguments) {
  auto x = number(in, arguments, 0);
  if (!x) return unknownOrRaised(in);
  if (*x <= 0) return in.raise("ValueError", "math domain error");
  if (arguments.positional.size() < 2) return Value::real(std::log(*x));
  auto base = number(in, arguments, 1);
  if (!base) return unknownOrRaised(in);
  if (*base <= 0) return in.raise("ValueError", "math domain error");
  if (*base == 1) return in.raise("ZeroDivisionError", "float division by zero");
  return Value::real(std::log(*x) / std::log(*base));
}
template <double (*function)(double)> Value logOf(Interpreter& in, const CallArguments& arguments) {
  auto x = number(in, arguments, 0);
  if (!x) return unknownOrRaised(in);
  if (*x <= 0) return in.raise("ValueError", "math domain error");
  return Value::real(function(*x));
}

Value isqrt(Interpreter& in, const CallArguments& arguments) {
  Value value = at(arguments, 0).unwrapped();
  if (value.isUnknown()) return value;
  if (!isInteger(value))
    return in.raise("TypeError", "'" + llvm::Twine(in.className(in.typeOf(value))) +
                                     "' object cannot be interpreted as an integer");
  llvm::APInt integer = toAPInt(value);
  if (integer.isNegative()) return in.raise("ValueError", "isqrt() argument must be nonnegative");
  llvm::APInt root = integer.sqrt(); // rounds
  root = root.zext(root.getBitWidth() * 2 + 2);
  integer = integer.zext(root.getBitWidth());
  if ((root * root).ugt(integer)) root -= 1;
  return fromAPInt(in.heap(), root);
}

template <bool isLcm> Value gcdLcm(Interpreter& in, const CallArguments& arguments) {
  int64_t result = isLcm ? 1 : 0;
  for (Value argument : arguments.positional) {
    Value value = argument.unwrapped();
    if (value.isUnknown() || value.is(ValueKind::BigInt)) return Value::unknown();
    if (!value.isIntegral())
      return in.raise("TypeError", "'" + llvm::Twine(in.className(in.typeOf(value))) +
                                       "' object cannot be interpreted as an integer");
    int64_t a = result, b = value.asInt();
    uint64_t x = a < 0 ? 0 - static_cast<uint64_t>(a) : static_cast<uint64_t>(a),
             y = b < 0 ? 0 - static_cast<uint64_t>(b) : static_cast<uint64_t>(b);
    uint64_t p = x, q = y;
    while (q)
      std::swap(p %= q, q);
    if (!isLcm)
      result = static_cast<int64_t>(p);
    else if (p == 0)
      result = 0;
    else {
      uint64_t product;
      if (__builtin_mul_overflow(x / p, y, &product) || product >> 63) return Value::unknown();
      result = static_cast<int64_t>(product);
    }
  }
  return Value::integer(result);
}

Value prod(Interpreter& in, const CallArguments& arguments) {
  llvm::SmallVector<Value> items;
  Value start = given(in, arguments, 1, "start");
  Value product = start.isAbsent() ? Value::integer(1) : start;
  if (at(arguments, 0).isAbsent()) return in.raise("TypeError", "prod() missing required argument");
  if (!in.unpack(arguments.positional[0], items)) return unknownOrRaised(in);
  for (Value item : items)
    if ((product = in.binary(syntax::BinaryOp::Mult, product, item)).isAbsent()) return product;
  return product;
}

Value factorial(Interpreter& in, const CallArguments& arguments) {
  auto n = toIndex(at(arguments, 0).unwrapped());
  if (!n) return Value::unknown();
  if (*n < 0) return in.raise("ValueError", "factorial() not defined for negative values");
  Value product = Value::integer(1);
  for (int64_t i = 2; i <= *n; ++i)
    if ((product = in.binary(syntax::BinaryOp::Mult, product, Value::integer(i))).isAbsent())
      return product;
  return product;
}

Value comb(Interpreter& in, const CallArguments& arguments) {
  auto n = toIndex(at(arguments, 0).unwrapped()), k = toIndex(at(arguments, 1).unwrapped());
  if (!n || !k) return Value::unknown();
  if (*n < 0 || *k < 0) return in.raise("ValueError", "n must be a non-negative integer");
  if (*k > *n) return Value::integer(0);
  Value result = Value::integer(1);
  for (int64_t i = 0; i < std::min(*k, *n - *k); ++i) {
    result = in.binary(syntax::BinaryOp::FloorDiv,
                       in.binary(syntax::BinaryOp::Mult, result, Value::integer(*n - i)),
                       Value::integer(i + 1));
    if (result.isAbsent()) return result;
  }
  return result;
}

template <bool (*test)(double)> Value classify(Interpreter& in, const CallArguments& arguments) {
  auto x = number(in, arguments, 0);
  return x ? Value::boolean(test(*x)) : unknownOrRaised(in);
}

Value isclose(Interpreter& in, const CallArguments& arguments) {
  auto a = number(in, arguments, 0), b = number(in, arguments, 1);
  if (!a || !b) return unknownOrRaised(in);
  Value relative = keyword(in, arguments, "rel_tol"), absolute = keyword(in, arguments, "abs_tol");
  double r = relative.isAbsent() ? 1e-9 : toDouble(relative).value_or(1e-9),
         t = absolute.isAbsent() ? 0 : toDouble(absolute).value_or(0);
  return Value::boolean(
      *a == *b || (std::isfinite(*a) && std::isfinite(*b) &&
                   std::fabs(*a - *b) <= std::max(r * std::max(std::fabs(*a), std::fabs(*b)), t)));
}

Value frexp(Interpreter& in, const CallArguments& arguments) {
  auto x = number(in, arguments, 0);
  if (!x) return unknownOrRaised(in);
  int exponent = 0;
  double mantissa = std::frexp(*x, &exponent);
  return in.tupleOf({Value::real(mantissa), Value::integer(exponent)});
}

Value modf(Interpreter& in, const CallArguments& arguments) {
  auto x = number(in, arguments, 0);
  if (!x) return unknownOrRaised(in);
  double whole;
  double fraction = std::modf(*x, &whole);
  return in.tupleOf({Value::real(fraction), Value::real(whole)});
}

double degrees(double x) {
  return x * 180 / std::numbers::pi;
}
double radians(double x) {
  return x * std::numbers::pi / 180;
}
double scale(double x, double n) {
  return std::ldexp(x, static_cast<int>(n));
}
bool isNan(double x) {
  return std::isnan(x);
}
bool isInf(double x) {
  return std::isinf(x);
}
bool isFinite(double x) {
  return std::isfinite(x);
}

constexpr NativeRow mathRows[] = {
    {"acos", real1<std::acos>},
    {"asin", real1<std::asin>},
    {"atan", real1<std::atan>},
    {"atan2", real2<std::atan2>},
    {"cbrt", real1<std::cbrt>},
    {"ceil", toWhole<std::ceil>},
    {"comb", comb},
    {"copysign", real2<std::copysign>},
    {"cos", real1<std::cos>},
    {"cosh", real1<std::cosh>},
    {"degrees", real1<degrees>},
    {"erf", real1<std::erf>},
    {"exp", real1<std::exp>},
    {"exp2", real1<std::exp2>},
    {"expm1", real1<std::expm1>},
    {"fabs", real1<std::fabs>},
    {"factorial", factorial},
    {"floor", toWhole<std::floor>},
    {"fmod", real2<std::fmod>},
    {"frexp", frexp},
    {"gcd", gcdLcm<false>},
    {"hypot", real2<std::hypot>},
    {"isclose", isclose},
    {"isfinite", classify<isFinite>},
    {"isinf", classify<isInf>},
    {"isnan", classify<isNan>},
    {"isqrt", isqrt},
    {"lcm", gcdLcm<true>},
    {"ldexp", real2<scale>},
    {"log", log},
    {"log10", logOf<std::log10>},
    {"log1p", real1<std::log1p>},
    {"log2", logOf<std::log2>},
    {"modf", modf},
    {"pow", real2<std::pow>},
    {"prod", prod},
    {"radians", real1<radians>},
    {"sin", real1<std::sin>},
    {"sinh", real1<std::sinh>},
    {"sqrt", real1<std::sqrt>},
    {"tan", real1<std::tan>},
    {"tanh", real1<std::tanh>},
    {"trunc", toWhole<std::trunc>},
};

Value mathMember(Interpreter&, llvm::StringRef name) {
  if (name == "pi") return Value::real(std::numbers::pi);
  if (name == "e") return Value::real(std::numbers::e);
  if (name == "tau") return Value::real(2 * std::numbers::pi);
  if (name == "inf") return Value::real(INFINITY);
  if (name == "nan") return Value::real(NAN);
  return Value::absent();
}

// ---------------------------------------------------------------- functools

Value partial(Interpreter& in, const CallArguments& arguments) {
  if (arguments.positional.empty())
    return in.raise("TypeError", "type 'partial' takes at least one argument");
  auto* object = in.heap().make<PartialObject>();
  object->cls = &partialClass;
  object->function = arguments.positional[0];
  object->positional = in.heap().copy(arguments.positional.drop_front());
  object->keywords = in.heap().copyArray(arguments.keywords);
  return Value::object(ValueKind::Host, object);
}

Value reduce(Interpreter& in, const CallArguments& arguments) {
  llvm::SmallVector<Value> items;
  if (arguments.positional.size() < 2)
    return in.raise("TypeError", "reduce expected at least 2 arguments");
  if (!in.unpack(arguments.positional[1], items)) return unknownOrRaised(in);
  Value result = given(in, arguments, 2, "initial");
  size_t first = 0;
  if (result.isAbsent()) {
    if (items.empty())
      return in.raise("TypeError", "reduce() of empty iterable with no initial value");
    result = items[first++];
  }
  for (size_t i = first; i < items.size(); ++i) {
    Value pair[] = {result, items[i]};
    if ((result = in.call(arguments.positional[0], pair)).isAbsent()) return result;
  }
  return result;
}

// @lru_cache, @cache: results by arguments.
struct CacheObject : HostObject {
  Value function;
  Value results; // a Dict: (arguments, keywords) -> result
};
extern const HostClass cacheClass;

Value callCache(Interpreter& in, Value self, const CallArguments& arguments) {
  auto* object = hostAs<CacheObject>(self, cacheClass);
  llvm::SmallVector<Value, 8> parts(arguments.positional.begin(), arguments.positional.end());
  for (auto& keyword : arguments.keywords) {
    parts.push_back(in.string(in.text(keyword.name)));
    parts.push_back(keyword.value);
  }
  Value key = in.tupleOf(parts);
  Value known = in.dictGet(object->results.as<DictObject>(), key);
  if (in.failed()) {
    if (in.isExhausted()) return known;
    in.dropError(); // unhashable here, perhaps not in Python: no cache
  } else if (!known.isAbsent() && !known.isUnknown()) {
    return known;
  }
  Value result = in.call(object->function, arguments);
  if (result.isAbsent() || !in.heap().owns(object) ||
      llvm::any_of(parts, [](Value part) { return part.isUnknown(); }))
    return result;
  if (!in.dictSet(object->results.as<DictObject>(), key, result)) {
    if (in.isExhausted()) return Value::absent();
    in.dropError();
  }
  return result;
}
Value cacheAttribute(Interpreter& in, Value self, Name name) {
  llvm::StringRef text = in.text(name);
  if (text == "cache_clear" || text == "cache_info") return in.function(text, unknown);
  if (text == "__wrapped__") return hostAs<CacheObject>(self, cacheClass)->function;
  return in.lookupAttribute(hostAs<CacheObject>(self, cacheClass)->function, name);
}
const HostClass cacheClass = {
    .name = "functools._lru_cache_wrapper", .attribute = cacheAttribute, .call = callCache};

Value makeCache(Interpreter& in, const CallArguments& arguments) {
  // A method's cache must still bind its self: the method itself then.
  if (!arguments.positional[0].is(ValueKind::Function) || (in.frame() && in.frame()->isClass))
    return arguments.positional[0];
  auto* object = in.heap().make<CacheObject>();
  object->cls = &cacheClass;
  object->function = arguments.positional[0];
  object->results = in.heap().dict();
  return Value::object(ValueKind::Host, object);
}
Value cache(Interpreter& in, const CallArguments& arguments) {
  if (arguments.positional.size() == 1 && in.isCallable(arguments.positional[0]))
    return makeCache(in, arguments);
  return in.function("lru_cache", makeCache);
}

Value wraps(Interpreter& in, const CallArguments& arguments) {
  Value wrapped = at(arguments, 0);
  return in.function(
      "wraps",
      [](Interpreter& i, const CallArguments& given) {
        auto *source = given.positional[0].as<FunctionObject>(),
             *target =
                 given.positional.size() > 1 ? given.positional[1].as<FunctionObject>() : nullptr;
        if (source && target && i.mayMutate(target)) {
          target->qualname = source->qualname;
          if (!target->attributes) target->attributes = i.newScope();
          target->attributes->set(i.names().wrapped, given.positional[0]);
        }
        return given.positional.size() > 1 ? given.positional[1] : Value::unknown();
      },
      wrapped);
}

Value cachedProperty(Interpreter& in, const CallArguments& arguments) {
  auto* object = in.heap().make<DescriptorObject>();
  object->cls = &descriptorClass;
  object->flavour = DescriptorObject::Flavour::Cached;
  object->function = at(arguments, 0);
  object->setter = Value::absent();
  return Value::object(ValueKind::Host, object);
}

Value compareToKey(Interpreter&, const CallArguments&) {
  return Value::unknown();
}

constexpr NativeRow functoolsRows[] = {
    {"cache", cache},
    {"cached_property", cachedProperty},
    {"cmp_to_key", compareToKey},
    {"lru_cache", cache},
    {"partial", partial},
    {"reduce", reduce},
    {"singledispatch", identity},
    {"total_ordering", identity},
    {"update_wrapper", identity},
    {"wraps", wraps},
};

// ---------------------------------------------------------------- itertools

bool columnsOf(Interpreter& in, Values iterables,
               llvm::SmallVectorImpl<llvm::SmallVector<Value>>& columns, bool& uncertain) {
  for (Value iterable : iterables) {
    columns.emplace_back();
    if (!in.unpack(iterable, columns.back(), uncertain)) return false;
  }
  return true;
}

Value product(Interpreter& in, const CallArguments& arguments) {
  llvm::SmallVector<llvm::SmallVector<Value>> columns;
  bool uncertain = false;
  if (!columnsOf(in, arguments.positional, columns, uncertain)) return unknownOrRaised(in);
  if (Value repeat = keyword(in, arguments, "repeat"); repeat.isIntegral()) {
    auto once = columns;
    if (repeat.asInt() > 20) return in.exhaust("a product of that many iterables");
    if (repeat.asInt() <= 0) columns.clear();
    for (int64_t i = 1; i < repeat.asInt(); ++i)
      columns.append(once.begin(), once.end());
  }
  llvm::SmallVector<Value> rows;
  llvm::SmallVector<size_t> index(columns.size(), 0);
  if (llvm::any_of(columns, [](auto& column) { return column.empty(); }))
    return in.iterator({}, uncertain);
  while (true) {
    llvm::SmallVector<Value> row;
    for (size_t i = 0; i < columns.size(); ++i)
      row.push_back(columns[i][index[i]]);
    rows.push_back(in.tupleOf(row));
    if (!in.charge((row.size() + 4) * sizeof(Value))) return Value::absent();
    size_t position = columns.size();
    while (position > 0 && ++index[position - 1] == columns[position - 1].size())
      index[--position] = 0;
    if (position == 0) break;
  }
  return in.iterator(rows, uncertain);
}

template <bool ordered, bool repeats>
Value choose(Interpreter& in, const CallArguments& arguments) {
  llvm::SmallVector<Value> items, rows;
  bool uncertain = false;
  if (arguments.positional.empty()) return in.raise("TypeError", "missing an iterable");
  if (!in.unpack(arguments.positional[0], items, uncertain)) return unknownOrRaised(in);
  Value size = given(in, arguments, 1, "r");
  int64_t r = size.isAbsent() || size.isNone() ? static_cast<int64_t>(items.size())
                                               : toIndex(size).value_or(0);
  llvm::SmallVector<size_t> chosen;
  bool fine = true;
  auto visit = [&](auto&& self) -> void {
    if (!fine) return;
    if (static_cast<int64_t>(chosen.size()) == r) {
      llvm::SmallVector<Value> row;
      for (size_t i : chosen)
        row.push_back(items[i]);
      rows.push_back(in.tupleOf(row));
      fine = in.charge((row.size() + 4) * sizeof(Value));
      return;
    }
    size_t first = ordered || chosen.empty() ? 0 : chosen.back() + !repeats;
    for (size_t i = first; i < items.size(); ++i) {
      if (ordered && !repeats && llvm::is_contained(chosen, i)) continue;
      chosen.push_back(i);
      self(self);
      chosen.pop_back();
    }
  };
  if (r > 64) return in.exhaust("combinations of that many members");
  if (r >= 0) visit(visit);
  return fine ? in.iterator(rows, uncertain) : Value::absent();
}

Value chain(Interpreter& in, const CallArguments& arguments) {
  llvm::SmallVector<Value> items;
  bool uncertain = false;
  for (Value iterable : arguments.positional)
    if (!in.unpack(iterable, items, uncertain)) return unknownOrRaised(in);
  return in.charge(items.size() * sizeof(Value)) ? in.iterator(items, uncertain) : Value::absent();
}

Value chainFrom(Interpreter& in, const CallArguments& arguments) {
  llvm::SmallVector<Value> iterables;
  if (!in.unpack(at(arguments, 0), iterables)) return unknownOrRaised(in);
  return chain(in, {iterables, {}});
}

constexpr int64_t endless = 1024; // members of iterators without end that are made

Value countFrom(Interpreter& in, const CallArguments& arguments) {
  Value start = given(in, arguments, 0, "start"), step = given(in, arguments, 1, "step");
  if (start.isAbsent()) start = Value::integer(0);
  if (step.isAbsent()) step = Value::integer(1);
  llvm::SmallVector<Value> items;
  for (int64_t i = 0; i < endless; ++i) {
    items.push_back(start);
    if ((start = in.binary(syntax::BinaryOp::Add, start, step)).isAbsent()) return start;
  }
  return in.iterator(items, true);
}

Value cycle(Interpreter& in, const CallArguments& arguments) {
  llvm::SmallVector<Value> once, items;
  if (!in.unpack(at(arguments, 0), once)) return unknownOrRaised(in);
  while (!once.empty() && static_cast<int64_t>(items.size()) < endless)
    items.append(once.begin(), once.end());
  return in.iterator(items, !once.empty());
}

Value repeat(Interpreter& in, const CallArguments& arguments) {
  Value times = given(in, arguments, 1, "times");
  auto n = toIndex(times);
  bool open = !n;
  int64_t count = open ? endless : std::max<int64_t>(*n, 0);
  if (!in.charge(static_cast<size_t>(std::min<int64_t>(count, int64_t(1) << 40)) * sizeof(Value)))
    return Value::absent();
  llvm::SmallVector<Value> items(static_cast<size_t>(count), at(arguments, 0));
  return in.iterator(items, open);
}

Value accumulate(Interpreter& in, const CallArguments& arguments) {
  llvm::SmallVector<Value> items, sums;
  bool uncertain = false;
  if (!in.unpack(at(arguments, 0), items, uncertain)) return unknownOrRaised(in);
  Value function = given(in, arguments, 1, "func"), total = keyword(in, arguments, "initial");
  if (!total.isAbsent()) sums.push_back(total);
  for (Value item : items) {
    Value pair[] = {total, item};
    if (total.isAbsent())
      total = item;
    else
      total = function.isAbsent() || function.isNone()
                  ? in.binary(syntax::BinaryOp::Add, total, item)
                  : in.call(function, pair);
    if (total.isAbsent()) return total;
    sums.push_back(total);
  }
  return in.iterator(sums, uncertain);
}

Value islice(Interpreter& in, const CallArguments& arguments) {
  llvm::SmallVector<Value> items;
  bool uncertain = false;
  if (arguments.positional.size() < 2)
    return in.raise("TypeError", "islice expected at least 2 arguments");
  if (!in.unpack(arguments.positional[0], items, uncertain)) return unknownOrRaised(in);
  SliceObject slice{{}, Value::none(), arguments.positional[1], Value::none()};
  if (arguments.positional.size() > 2)
    slice = {{},
             arguments.positional[1],
             arguments.positional[2],
             at(arguments, 3).isAbsent() ? Value::none() : at(arguments, 3)};
  auto bounds = sliceBounds(in, slice, static_cast<int64_t>(items.size()));
  if (!bounds) return unknownOrRaised(in);
  llvm::SmallVector<Value> taken;
  for (int64_t i = 0, k = bounds->start; i < bounds->count; ++i, k += bounds->step)
    taken.push_back(items[static_cast<size_t>(k)]);
  auto stop = toIndex(slice.stop);
  return in.iterator(taken, uncertain && (!stop || *stop > static_cast<int64_t>(items.size())));
}

template <bool whileTrue> Value whileDo(Interpreter& in, const CallArguments& arguments) {
  llvm::SmallVector<Value> items, kept;
  bool uncertain = false;
  if (arguments.positional.size() != 2)
    return in.raise("TypeError", "takewhile expected 2 arguments");
  if (!in.unpack(arguments.positional[1], items, uncertain)) return unknownOrRaised(in);
  for (size_t i = 0; i < items.size(); ++i) {
    Value test = in.call(arguments.positional[0], items[i]);
    if (test.isAbsent()) return test;
    auto known = in.truth(test);
    if (in.failed()) return Value::absent();
    if (!known) return Value::unknown();
    if (!*known) {
      if (!whileTrue) kept.append(items.begin() + static_cast<ptrdiff_t>(i), items.end());
      return in.iterator(kept, !whileTrue && uncertain);
    }
    if (whileTrue) kept.push_back(items[i]);
  }
  return in.iterator(kept, uncertain);
}

Value starmap(Interpreter& in, const CallArguments& arguments) {
  llvm::SmallVector<Value> rows, results;
  bool uncertain = false;
  if (arguments.positional.size() != 2)
    return in.raise("TypeError", "starmap expected 2 arguments");
  if (!in.unpack(arguments.positional[1], rows, uncertain)) return unknownOrRaised(in);
  for (Value row : rows) {
    llvm::SmallVector<Value> positional;
    if (!in.unpack(row, positional)) return unknownOrRaised(in);
    Value result = in.call(arguments.positional[0], positional);
    if (result.isAbsent()) return result;
    results.push_back(result);
  }
  return in.iterator(results, uncertain);
}

Value zipLongest(Interpreter& in, const CallArguments& arguments) {
  llvm::SmallVector<llvm::SmallVector<Value>> columns;
  bool uncertain = false;
  if (!columnsOf(in, arguments.positional, columns, uncertain)) return unknownOrRaised(in);
  Value fill = keyword(in, arguments, "fillvalue");
  if (fill.isAbsent()) fill = Value::none();
  size_t longest = 0;
  for (auto& column : columns)
    longest = std::max(longest, column.size());
  llvm::SmallVector<Value> rows;
  for (size_t i = 0; i < longest; ++i) {
    llvm::SmallVector<Value> row;
    for (auto& column : columns)
      row.push_back(i < column.size() ? column[i] : fill);
    rows.push_back(in.tupleOf(row));
  }
  return in.iterator(rows, uncertain);
}

Value pairwise(Interpreter& in, const CallArguments& arguments) {
  llvm::SmallVector<Value> items, rows;
  bool uncertain = false;
  if (!in.unpack(at(arguments, 0), items, uncertain)) return unknownOrRaised(in);
  for (size_t i = 1; i < items.size(); ++i)
    rows.push_back(in.tupleOf({items[i - 1], items[i]}));
  return in.iterator(rows, uncertain);
}

Value groupby(Interpreter& in, const CallArguments& arguments) {
  llvm::SmallVector<Value> items, groups, members;
  if (!in.unpack(at(arguments, 0), items)) return unknownOrRaised(in);
  Value key = given(in, arguments, 1, "key"), last = Value::absent();
  auto flush = [&] {
    if (!last.isAbsent()) groups.push_back(in.tupleOf({last, in.heap().list(members)}));
    members.clear();
  };
  for (Value item : items) {
    Value by = key.isAbsent() || key.isNone() ? item : in.call(key, item);
    if (by.isAbsent()) return by;
    if (last.isAbsent() || !in.equal(last, by).value_or(false)) {
      flush();
      last = by;
    }
    members.push_back(item);
  }
  flush();
  return in.iterator(groups);
}

Value tee(Interpreter& in, const CallArguments& arguments) {
  llvm::SmallVector<Value> items;
  bool uncertain = false;
  if (!in.unpack(at(arguments, 0), items, uncertain)) return unknownOrRaised(in);
  auto n = at(arguments, 1).isAbsent() ? 2 : toIndex(at(arguments, 1)).value_or(2);
  llvm::SmallVector<Value> copies;
  for (int64_t i = 0; i < std::min<int64_t>(n, 64); ++i)
    copies.push_back(in.iterator(items, uncertain));
  return in.tupleOf(copies);
}

constexpr NativeRow itertoolsRows[] = {
    {"accumulate", accumulate},
    {"chain", chain},
    {"combinations", choose<false, false>},
    {"combinations_with_replacement", choose<false, true>},
    {"count", countFrom},
    {"cycle", cycle},
    {"dropwhile", whileDo<false>},
    {"groupby", groupby},
    {"islice", islice},
    {"pairwise", pairwise},
    {"permutations", choose<true, false>},
    {"product", product},
    {"repeat", repeat},
    {"starmap", starmap},
    {"takewhile", whileDo<true>},
    {"tee", tee},
    {"zip_longest", zipLongest},
};
constexpr NativeRow chainRows[] = {{"from_iterable", chainFrom}};

// ---------------------------------------------------------------- operator

template <syntax::BinaryOp op> Value binary(Interpreter& in, const CallArguments& arguments) {
  if (arguments.positional.size() != 2)
    return in.raise("TypeError", "an operator takes 2 arguments");
  return in.binary(op, arguments.positional[0], arguments.positional[1]);
}
template <syntax::CompareOp op> Value compare(Interpreter& in, const CallArguments& arguments) {
  if (arguments.positional.size() != 2)
    return in.raise("TypeError", "an operator takes 2 arguments");
  return in.compare(op, arguments.positional[0], arguments.positional[1]);
}
template <syntax::UnaryOperator op> Value unary(Interpreter& in, const CallArguments& arguments) {
  if (arguments.positional.size() != 1)
    return in.raise("TypeError", "an operator takes 1 argument");
  return in.unary(op, arguments.positional[0]);
}
Value getItem(Interpreter& in, const CallArguments& arguments) {
  return arguments.positional.size() == 2
             ? in.getItem(arguments.positional[0], arguments.positional[1])
             : Value::unknown();
}
Value itemGetter(Interpreter& in, const CallArguments& arguments) {
  return in.function(
      "itemgetter",
      [](Interpreter& i, const CallArguments& given) -> Value {
        auto keys = given.positional[0].as<TupleObject>()->items;
        if (given.positional.size() != 2)
          return i.raise("TypeError", "itemgetter expected 1 argument");
        llvm::SmallVector<Value> items;
        for (Value key : keys) {
          Value item = i.getItem(given.positional[1], key);
          if (item.isAbsent()) return item;
          items.push_back(item);
        }
        return items.size() == 1 ? items[0] : i.tupleOf(items);
      },
      in.tupleOf(arguments.positional));
}
Value attrGetter(Interpreter& in, const CallArguments& arguments) {
  return in.function(
      "attrgetter",
      [](Interpreter& i, const CallArguments& given) -> Value {
        auto names = given.positional[0].as<TupleObject>()->items;
        if (given.positional.size() != 2)
          return i.raise("TypeError", "attrgetter expected 1 argument");
        llvm::SmallVector<Value> items;
        for (Value name : names) {
          auto* text = name.as<StrObject>();
          Value item = given.positional[1];
          if (!text) return Value::unknown();
          for (llvm::StringRef rest = text->text; !rest.empty() && !item.isAbsent();) {
            auto [head, tail] = rest.split('.');
            item = i.getAttribute(item, i.name(head));
            rest = tail;
          }
          if (item.isAbsent()) return item;
          items.push_back(item);
        }
        return items.size() == 1 ? items[0] : i.tupleOf(items);
      },
      in.tupleOf(arguments.positional));
}

using syntax::BinaryOp;
using syntax::CompareOp;
using syntax::UnaryOperator;
constexpr NativeRow operatorRows[] = {
    {"add", binary<BinaryOp::Add>},
    {"and_", binary<BinaryOp::BitAnd>},
    {"attrgetter", attrGetter},
    {"eq", compare<CompareOp::Eq>},
    {"floordiv", binary<BinaryOp::FloorDiv>},
    {"ge", compare<CompareOp::GtE>},
    {"getitem", getItem},
    {"gt", compare<CompareOp::Gt>},
    {"invert", unary<UnaryOperator::Invert>},
    {"is_", compare<CompareOp::Is>},
    {"itemgetter", itemGetter},
    {"le", compare<CompareOp::LtE>},
    {"lshift", binary<BinaryOp::LShift>},
    {"lt", compare<CompareOp::Lt>},
    {"matmul", binary<BinaryOp::MatMult>},
    {"mod", binary<BinaryOp::Mod>},
    {"mul", binary<BinaryOp::Mult>},
    {"ne", compare<CompareOp::NotEq>},
    {"neg", unary<UnaryOperator::USub>},
    {"not_", unary<UnaryOperator::Not>},
    {"or_", binary<BinaryOp::BitOr>},
    {"pos", unary<UnaryOperator::UAdd>},
    {"pow", binary<BinaryOp::Pow>},
    {"rshift", binary<BinaryOp::RShift>},
    {"sub", binary<BinaryOp::Sub>},
    {"truediv", binary<BinaryOp::Div>},
    {"xor", binary<BinaryOp::BitXor>},
};

// ---------------------------------------------------------------- collections, enum, dataclasses,
// copy

Value namedTuple(Interpreter& in, const CallArguments& arguments) {
  auto* name = at(arguments, 0).as<StrObject>();
  Value spec = given(in, arguments, 1, "field_names"),
        defaults = keyword(in, arguments, "defaults");
  if (!name || spec.isAbsent()) return Value::unknown();
  llvm::SmallVector<Value> names, values;
  if (auto* text = spec.as<StrObject>()) {
    std::string spaced = text->text.str();
    std::replace(spaced.begin(), spaced.end(), ',', ' ');
    llvm::SmallVector<llvm::StringRef> words;
    llvm::SplitString(spaced, words);
    for (auto word : words)
      names.push_back(in.string(word));
  } else if (!in.unpack(spec, names)) {
    return unknownOrRaised(in);
  }
  if (!defaults.isAbsent() && !defaults.isNone() && !in.unpack(defaults, values))
    return unknownOrRaised(in);
  llvm::SmallVector<ClassObject::Field> fields;
  for (size_t i = 0; i < names.size(); ++i) {
    auto* text = names[i].as<StrObject>();
    if (!text) { // typing.NamedTuple("P", [("x", int), ...])
      auto* pair = names[i].as<TupleObject>();
      text = pair && !pair->items.empty() ? pair->items[0].as<StrObject>() : nullptr;
    }
    if (!text) return Value::unknown();
    ClassObject::Field field;
    field.name = in.name(text->text);
    field.annotation = Value::unknown();
    if (i + values.size() >= names.size()) {
      field.hasDefault = true;
      field.defaultValue = values[i + values.size() - names.size()];
    }
    fields.push_back(field);
  }
  return makeNamedTupleClass(in, name->text, fields);
}

Value orderedDict(Interpreter& in, const CallArguments& arguments) {
  return in.call(Value::object(ValueKind::Class, in.builtinClass("dict")), arguments);
}
Value deque(Interpreter& in, const CallArguments& arguments) {
  return in.call(Value::object(ValueKind::Class, in.builtinClass("list")),
                 arguments.positional.take_front(1));
}

// defaultdict and Counter: a dict whose missing keys have a value.
struct DefaultDictObject : HostObject {
  Value dict, factory;
};

Value defaultItem(Interpreter& in, Value self, Value index);
extern const HostClass defaultDictClass;
Value defaultAttribute(Interpreter& in, Value self, Name name) {
  auto* object = hostAs<DefaultDictObject>(self, defaultDictClass);
  llvm::StringRef text = in.text(name);
  if (text == "default_factory") return object->factory;
  if (text == "most_common" || text == "elements" || text == "subtract")
    return in.function(text, unknown);
  return in.lookupAttribute(object->dict, name);
}
Value defaultItem(Interpreter& in, Value self, Value index) {
  auto* object = hostAs<DefaultDictObject>(self, defaultDictClass);
  Value found = in.dictGet(object->dict.as<DictObject>(), index);
  if (!found.isAbsent() || in.failed()) return found;
  if (object->factory.isNone()) return in.raiseKey(index);
  Value made = in.call(object->factory, CallArguments{});
  if (made.isAbsent() || !in.setItem(object->dict, index, made)) return Value::absent();
  return made;
}
bool defaultUnpack(Interpreter& in, Value self, llvm::SmallVectorImpl<Value>& out) {
  return in.unpack(hostAs<DefaultDictObject>(self, defaultDictClass)->dict, out);
}
std::optional<int64_t> defaultLength(Interpreter& in, Value self) {
  return in.length(hostAs<DefaultDictObject>(self, defaultDictClass)->dict);
}
bool defaultSetItem(Interpreter& in, Value self, Value index, Value value) {
  return in.setItem(hostAs<DefaultDictObject>(self, defaultDictClass)->dict, index, value);
}
const HostClass defaultDictClass = {.name = "defaultdict",
                                    .attribute = defaultAttribute,
                                    .item = defaultItem,
                                    .unpack = defaultUnpack,
                                    .length = defaultLength,
                                    .setItem = defaultSetItem};

Value makeDefaultDict(Interpreter& in, Value factory, Value dict) {
  auto* object = in.heap().make<DefaultDictObject>();
  object->cls = &defaultDictClass;
  object->factory = factory;
  object->dict = dict;
  return Value::object(ValueKind::Host, object);
}

Value defaultDict(Interpreter& in, const CallArguments& arguments) {
  Value dict = orderedDict(
      in, {arguments.positional.drop_front(std::min<size_t>(1, arguments.positional.size())),
           arguments.keywords});
  if (!dict.is(ValueKind::Dict)) return dict;
  return makeDefaultDict(in, at(arguments, 0).isAbsent() ? Value::none() : at(arguments, 0), dict);
}

Value counter(Interpreter& in, const CallArguments& arguments) {
  Value dict = in.heap().dict();
  if (!arguments.positional.empty()) {
    if (arguments.positional[0].is(ValueKind::Dict)) {
      if (!updateDict(in, dict.as<DictObject>(), arguments.positional[0])) return Value::absent();
    } else {
      llvm::SmallVector<Value> items;
      if (!in.unpack(arguments.positional[0], items)) return unknownOrRaised(in);
      for (Value item : items) {
        Value old = in.dictGet(dict.as<DictObject>(), item);
        if (in.failed()) return old;
        if (!in.dictSet(dict.as<DictObject>(), item,
                        Value::integer(old.isIntegral() ? old.asInt() + 1 : 1)))
          return Value::absent();
      }
    }
  }
  return makeDefaultDict(in, Value::object(ValueKind::Class, in.builtinClass("int")), dict);
}

constexpr NativeRow collectionsRows[] = {{"Counter", counter},
                                         {"OrderedDict", orderedDict},
                                         {"defaultdict", defaultDict},
                                         {"deque", deque},
                                         {"namedtuple", namedTuple}};

Value enumAuto(Interpreter& in, const CallArguments&) {
  return in.namespaceOf("enum.auto", {});
}
Value enumMember(Interpreter& in, const CallArguments& arguments) {
  return in.namespaceOf("enum.member", {{"value", at(arguments, 0)}});
}
Value enumNonMember(Interpreter& in, const CallArguments& arguments) {
  return in.namespaceOf("enum.nonmember", {{"value", at(arguments, 0)}});
}
constexpr NativeRow enumRows[] = {
    {"auto", enumAuto}, {"member", enumMember}, {"nonmember", enumNonMember}, {"unique", identity}};
Value classMember(Interpreter& in, llvm::StringRef name) {
  ClassObject* cls = in.builtinClass(name);
  return cls ? Value::object(ValueKind::Class, cls) : Value::absent();
}
Value enumModule(Interpreter& in, llvm::StringRef name) {
  return classMember(in, name);
}

constexpr NativeRow dataclassRows[] = {
    {"asdict", dataclassAsDict},   {"astuple", unknown},        {"dataclass", dataclassDecorator},
    {"field", dataclassField},     {"fields", dataclassFields}, {"is_dataclass", isDataclass},
    {"replace", dataclassReplace},
};
Value dataclassMember(Interpreter& in, llvm::StringRef name) {
  if (name == "KW_ONLY" || name == "InitVar")
    return in.namespaceOf(name == "KW_ONLY" ? "dataclasses.KW_ONLY" : "dataclasses.InitVar", {});
  if (name == "FrozenInstanceError") return classMember(in, name);
  return Value::absent();
}

Value copyValue(Interpreter& in, Value value, bool isDeep, unsigned depth) {
  if (depth > 60) return Value::unknown();
  auto inner = [&](Value member) {
    return isDeep ? copyValue(in, member, true, depth + 1) : member;
  };
  if (auto* list = value.as<ListObject>()) {
    llvm::SmallVector<Value> items;
    for (Value item : list->items)
      items.push_back(inner(item));
    return in.charge(items.size() * sizeof(Value)) ? in.heap().list(items) : Value::absent();
  }
  if (auto* dict = value.as<DictObject>()) {
    Value result = value.is(ValueKind::Set) ? in.newSet() : in.heap().dict();
    for (auto& [key, member] : dict->items)
      if (!in.dictSet(result.as<DictObject>(), key, inner(member))) return Value::absent();
    result.as<DictObject>()->uncertain |= dict->uncertain;
    result.as<DictObject>()->frozen = dict->frozen;
    return result;
  }
  if (auto* tuple = value.as<TupleObject>(); tuple && isDeep) {
    llvm::SmallVector<Value> items;
    for (Value item : tuple->items)
      items.push_back(inner(item));
    Value result = in.tupleOf(items);
    result.as<TupleObject>()->namedtuple = tuple->namedtuple;
    result.as<TupleObject>()->fields = tuple->fields;
    return result;
  }
  if (auto* object = value.as<InstanceObject>()) {
    Value result = in.instance(object->cls);
    for (auto& [name, member] : object->attributes->entries)
      result.as<InstanceObject>()->attributes->set(name, inner(member));
    return result;
  }
  return value;
}
Value shallowCopy(Interpreter& in, const CallArguments& arguments) {
  return copyValue(in, at(arguments, 0), false, 0);
}
Value deepCopy(Interpreter& in, const CallArguments& arguments) {
  return copyValue(in, at(arguments, 0), true, 0);
}
constexpr NativeRow copyRows[] = {
    {"copy", shallowCopy}, {"deepcopy", deepCopy}, {"replace", dataclassReplace}};

// ---------------------------------------------------------------- typing, abc, types, contextlib,
// os, sys, time, warnings

Value unionItem(Interpreter& in, const CallArguments& arguments) { // Union[X, Y]
  Value index = at(arguments, 1);
  auto* tuple = index.as<TupleObject>();
  return makeUnion(in, tuple ? tuple->items : Values(index));
}
struct FormObject : HostObject {
  Native item_;
  llvm::StringRef shown;
};
extern const HostClass formClass;
Value formItem(Interpreter& in, Value self, Value index) {
  Value arguments[] = {self, index};
  return hostAs<FormObject>(self, formClass)->item_(in, {arguments, {}});
}
std::string formRepr(Interpreter&, Value self) {
  return ("typing." + hostAs<FormObject>(self, formClass)->shown).str();
}
const HostClass formClass = {.name = "typing", .item = formItem, .repr = formRepr};
Value form(Interpreter& in, llvm::StringLiteral shown, Native item) {
  auto* object = in.heap().make<FormObject>();
  object->cls = &formClass;
  object->item_ = item;
  object->shown = shown;
  return Value::object(ValueKind::Host, object);
}
Value typingMember(Interpreter& in, llvm::StringRef name) {
  if (name == "Union") return form(in, "Union", unionItem);
  if (name == "Optional")
    return form(in, "Optional", [](Interpreter& i, const CallArguments& arguments) {
      return makeUnion(i, {arguments.positional[1], Value::none()});
    });
  if (name == "Final" || name == "Annotated" || name == "Required" || name == "NotRequired")
    return form(in, "Final", [](Interpreter&, const CallArguments& arguments) {
      auto* tuple = arguments.positional[1].as<TupleObject>();
      return tuple && !tuple->items.empty() ? tuple->items[0] : arguments.positional[1];
    });
  if (name == "ClassVar") return in.namespaceOf("typing.ClassVar", {});
  if (name == "TYPE_CHECKING") return Value::boolean(false);
  for (auto [alias, builtin] :
       {std::pair("List", "list"), std::pair("Dict", "dict"), std::pair("Tuple", "tuple"),
        std::pair("Set", "set"), std::pair("FrozenSet", "frozenset"), std::pair("Type", "type"),
        std::pair("Text", "str")})
    if (name == alias) return Value::object(ValueKind::Class, in.builtinClass(builtin));
  if (name == "Generic" || name == "Protocol" || name == "Any") return classMember(in, name);
  return Value::unknown(); // Callable, Iterable, Sequence, TypeVar, ...: isinstance with them is
                           // not decided
}
constexpr NativeRow typingRows[] = {{"NamedTuple", namedTuple},
                                    {"NewType", unknown},
                                    {"TypeVar", unknown},
                                    {"cast",
                                     [](Interpreter&, const CallArguments& arguments) {
                                       return at(arguments, 1).isAbsent() ? Value::unknown()
                                                                          : at(arguments, 1);
                                     }},
                                    {"final", identity},
                                    {"get_type_hints", unknown},
                                    {"no_type_check", identity},
                                    {"overload", identity},
                                    {"override", identity},
                                    {"runtime_checkable", identity}};
constexpr NativeRow abcRows[] = {{"abstractmethod", identity},
                                 {"abstractproperty", cachedProperty}};

Value simpleNamespace(Interpreter& in, const CallArguments& arguments) {
  llvm::SmallVector<std::pair<llvm::StringRef, Value>> members;
  for (auto& one : arguments.keywords)
    members.push_back({in.text(one.name), one.value});
  return in.namespaceOf("namespace", members);
}
Value typesMember(Interpreter& in, llvm::StringRef name) {
  if (name == "FunctionType" || name == "LambdaType") return classMember(in, "function");
  if (name == "ModuleType") return classMember(in, "module");
  if (name == "NoneType") return classMember(in, "NoneType");
  return Value::unknown();
}
constexpr NativeRow typesRows[] = {{"MappingProxyType", identity},
                                   {"SimpleNamespace", simpleNamespace}};

Value nullContext(Interpreter& in, const CallArguments&) {
  return in.namespaceOf("contextlib.nullcontext", {});
}
Value suppress(Interpreter& in, const CallArguments&) {
  return in.namespaceOf("contextlib.suppress", {});
}
constexpr NativeRow contextlibRows[] = {
    {"contextmanager", identity}, {"nullcontext", nullContext}, {"suppress", suppress}};

Value sysMember(Interpreter& in, llvm::StringRef name) {
  if (name == "argv")
    return in.heap().list({in.string(in.frame() && in.frame()->module ? in.frame()->module->path
                                                                      : llvm::StringRef())});
  if (name == "version_info")
    return in.tupleOf({Value::integer(3), Value::integer(11), Value::integer(7), in.string("final"),
                       Value::integer(0)});
  if (name == "platform") return in.string("linux");
  if (name == "maxsize") return Value::integer(std::numeric_limits<int64_t>::max());
  if (name == "path") return in.heap().list({});
  if (name == "modules") {
    Value dict = in.heap().dict();
    dict.as<DictObject>()->uncertain = true;
    return dict;
  }
  return Value::unknown();
}
Value sysExit(Interpreter& in, const CallArguments& arguments) {
  return in.raiseValue(in.instantiate(in.builtinClass("SystemExit"), arguments));
}
constexpr NativeRow sysRows[] = {{"exit", sysExit}, {"setrecursionlimit", none}};

Value environGet(Interpreter& in, const CallArguments& arguments) {
  Value missing = given(in, arguments, 1, "default"); // the environment is assumed to be empty
  return missing.isAbsent() ? Value::none() : missing;
}
constexpr NativeRow environRows[] = {
    {"get", environGet}, {"setdefault", environGet}, {"pop", environGet}};
constexpr NativeRow osRows[] = {{"getenv", environGet}, {"makedirs", none}};
Value osMember(Interpreter& in, llvm::StringRef name) {
  if (name == "environ") return in.module("os.environ");
  if (name == "path") return in.module("os.path");
  if (name == "sep") return in.string("/");
  return Value::unknown();
}

Value time(Interpreter&, const CallArguments&) {
  return Value::unknown();
}
constexpr NativeRow timeRows[] = {{"perf_counter", time}, {"sleep", none}, {"time", time}};
Value importModule(Interpreter& in, const CallArguments& arguments) {
  auto* name = at(arguments, 0).as<StrObject>();
  bool found;
  if (!name) return Value::unknown();
  llvm::StringRef text = name->text;
  unsigned level = 0;
  while (text.consume_front("."))
    ++level;
  return in.import(text, level, found);
}
constexpr NativeRow importlibRows[] = {{"import_module", importModule}, {"reload", identity}};
Value warn(Interpreter&, const CallArguments&) {
  return Value::none();
}
constexpr NativeRow warningsRows[] = {
    {"filterwarnings", none}, {"simplefilter", none}, {"warn", warn}};
constexpr NativeRow atexitRows[] = {{"register", identity}};
Value signature(Interpreter&, const CallArguments&) {
  return Value::unknown();
}
constexpr NativeRow inspectRows[] = {{"signature", signature}};
Value stringMember(Interpreter& in, llvm::StringRef name) {
  if (name == "ascii_lowercase") return in.string("abcdefghijklmnopqrstuvwxyz");
  if (name == "ascii_uppercase") return in.string("ABCDEFGHIJKLMNOPQRSTUVWXYZ");
  if (name == "digits") return in.string("0123456789");
  return Value::unknown();
}
Value builtinsMember(Interpreter& in, llvm::StringRef name) {
  for (auto& row : builtinFunctions())
    if (row.name == name) return in.function(row.name, row.function);
  return classMember(in, name);
}

const NativeModule standardModules[] = {
    {"math", mathRows, mathMember, false},
    {"functools", functoolsRows},
    {"itertools", itertoolsRows},
    {"chain", chainRows},
    {"operator", operatorRows},
    {"collections", collectionsRows},
    {"collections.abc"},
    {"enum", enumRows, enumModule},
    {"dataclasses", dataclassRows, dataclassMember},
    {"copy", copyRows},
    {"typing", typingRows, typingMember},
    {"typing_extensions", typingRows, typingMember},
    {"abc", abcRows, classMember},
    {"types", typesRows, typesMember},
    {"contextlib", contextlibRows},
    {"sys", sysRows, sysMember},
    {"os", osRows, osMember},
    {"os.environ", environRows},
    {"os.path"},
    {"time", timeRows},
    {"importlib", importlibRows},
    {"warnings", warningsRows},
    {"atexit", atexitRows},
    {"inspect", inspectRows},
    {"string", {}, stringMember},
    {"builtins", {}, builtinsMember},
    {"__main__"},
};

} // namespace

const NativeModule* nativeModule(llvm::StringRef dottedName) {
  for (auto& row : standardModules)
    if (row.name == dottedName) return &row;
  for (auto& row : hostModules())
    if (row.name == dottedName) return &row;
  return nullptr;
}

} // namespace gluond::evaluate
