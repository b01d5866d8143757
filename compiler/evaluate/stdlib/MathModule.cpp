// The module math.
#include "evaluate/interpreter/NativeArguments.h"
#include "evaluate/stdlib/StandardModules.h"
#include "language/values/Integers.h"

#include <cmath>
#include <numbers>

namespace gluond::evaluate {

namespace {

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
             "must be real number, not " +
                 llvm::Twine(value.is(ValueKind::Ir) ? "tensor" : in.className(in.typeOf(value))));
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
  // Newton's method: a division for each bit of the length, and one or two more.
  size_t words = wordsOf(value);
  if (!in.spendProduct(words * words, 16)) return Value::absent();
  llvm::APInt root = integer.sqrt(); // rounds
  root = root.zext(root.getBitWidth() * 2 + 2);
  integer = integer.zext(root.getBitWidth());
  if ((root * root).ugt(integer)) root -= 1;
  return fromAPInt(in.heap(), root);
}

template <bool isLcm> Value gcdLcm(Interpreter& in, const CallArguments& arguments) {
  uint64_t result = isLcm ? 1 : 0;
  for (Value argument : arguments.positional) {
    Value value = argument.unwrapped();
    if (value.isUnknown() || value.is(ValueKind::BigInt)) return Value::unknown();
    if (!value.isIntegral())
      return in.raise("TypeError", "'" + llvm::Twine(in.className(in.typeOf(value))) +
                                       "' object cannot be interpreted as an integer");
    if (!in.spend(1)) return Value::absent();
    int64_t b = value.asInt();
    uint64_t x = result, y = b < 0 ? 0 - static_cast<uint64_t>(b) : static_cast<uint64_t>(b);
    uint64_t p = x, q = y;
    while (q)
      std::swap(p %= q, q);
    if (!isLcm)
      result = p;
    else if (p == 0)
      result = 0;
    else {
      uint64_t product;
      if (__builtin_mul_overflow(x / p, y, &product)) return Value::unknown();
      result = product;
    }
  }
  if (result >> 63) return Value::unknown(); // gcd(-2**63)
  return Value::integer(static_cast<int64_t>(result));
}

Value prod(Interpreter& in, const CallArguments& arguments) {
  llvm::SmallVector<Value> items;
  Value start = given(in, arguments, 1, "start");
  Value product = start.isAbsent() ? Value::integer(1) : start;
  if (at(arguments, 0).isAbsent()) return in.raise("TypeError", "prod() missing required argument");
  if (!in.unpack(arguments.positional[0], items)) return unknownOrRaised(in);
  for (Value item : items)
    if (!in.spend(1) || (product = in.binary(syntax::BinaryOp::Mult, product, item)).isAbsent())
      return Value::absent();
  return product;
}

// Gives up if a result, whose natural logarithm is known beforehand, exceeds the limit for
// integers.
bool isTooBig(Interpreter& in, double logarithm) {
  unsigned limit = in.options().budget.integerBits;
  if (logarithm / std::log(2.0) <= limit) return false;
  in.exhaust("an integer of more than " + llvm::Twine(limit) + " bits");
  return true;
}

Value factorial(Interpreter& in, const CallArguments& arguments) {
  auto n = toIndex(at(arguments, 0).unwrapped());
  if (!n) return Value::unknown();
  if (*n < 0) return in.raise("ValueError", "factorial() not defined for negative values");
  if (isTooBig(in, std::lgamma(static_cast<double>(*n) + 1))) return Value::absent();
  Value product = Value::integer(1);
  for (int64_t i = 2; i <= *n; ++i)
    if (!in.spend(1) ||
        (product = in.binary(syntax::BinaryOp::Mult, product, Value::integer(i))).isAbsent())
      return Value::absent();
  return product;
}

Value comb(Interpreter& in, const CallArguments& arguments) {
  auto n = toIndex(at(arguments, 0).unwrapped()), k = toIndex(at(arguments, 1).unwrapped());
  if (!n || !k) return Value::unknown();
  if (*n < 0 || *k < 0) return in.raise("ValueError", "n must be a non-negative integer");
  if (*k > *n) return Value::integer(0);
  auto logarithm = [](int64_t m) { return std::lgamma(static_cast<double>(m) + 1); };
  if (isTooBig(in, logarithm(*n) - logarithm(*k) - logarithm(*n - *k))) return Value::absent();
  Value result = Value::integer(1);
  for (int64_t i = 0; i < std::min(*k, *n - *k); ++i) {
    if (!in.spend(1)) return Value::absent();
    result = in.binary(syntax::BinaryOp::Mult, result, Value::integer(*n - i));
    if (result.isAbsent()) return result;
    result = in.binary(syntax::BinaryOp::FloorDiv, result, Value::integer(i + 1));
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
  constexpr double most = 5000; // beyond every exponent of a double
  return std::ldexp(x, static_cast<int>(std::isnan(n) ? 0 : std::clamp(n, -most, most)));
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

} // namespace

llvm::ArrayRef<NativeRow> mathFunctions() {
  return mathRows;
}

Value mathMember(Interpreter&, llvm::StringRef name) {
  if (name == "pi") return Value::real(std::numbers::pi);
  if (name == "e") return Value::real(std::numbers::e);
  if (name == "tau") return Value::real(2 * std::numbers::pi);
  if (name == "inf") return Value::real(INFINITY);
  if (name == "nan") return Value::real(NAN);
  return Value::absent();
}

} // namespace gluond::evaluate
