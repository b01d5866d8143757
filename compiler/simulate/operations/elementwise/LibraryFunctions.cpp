#include "simulate/operations/elementwise/Library.h"

#include <llvm/ADT/StringMap.h>
#include <llvm/ADT/bit.h>

#include <algorithm>
#include <bit>
#include <cfenv>
#include <cmath>
#include <limits>
#include <numbers>

namespace gluond::simulate::library {

namespace {

constexpr double pi = std::numbers::pi, nan = std::numeric_limits<double>::quiet_NaN(),
                 infinity = std::numeric_limits<double>::infinity();

// ---------------------------------------------------------------- special functions

// exp(x * x) * erfc(x), which stays within range for large x.
double scaledErfc(double x) {
  if (x < 25) return std::exp(x * x) * std::erfc(x);
  double square = 2 * x * x, term = 1, sum = 1;
  for (int k = 1; k < 12; ++k) {
    term *= -(2 * k - 1) / square;
    sum += term;
  }
  return sum / (x * std::sqrt(pi));
}

// The inverse of erfc, by Newton's method on its logarithm from a rational guess.
double inverseErfc(double y) {
  if (!(y >= 0 && y <= 2)) return nan;
  if (y == 0) return infinity;
  if (y == 2) return -infinity;
  bool isLower = y > 1;
  double p = isLower ? 2 - y : y; // x >= 0
  double t = std::sqrt(-2 * std::log(p / 2));
  double x =
      -std::numbers::sqrt2 / 2 * ((2.30753 + t * 0.27061) / (1 + t * (0.99229 + t * 0.04481)) - t);
  for (int i = 0; i < 4; ++i) {
    double error = std::erfc(x) - p;
    x += error / (2 / std::sqrt(pi) * std::exp(-x * x) - x * error);
  }
  return isLower ? -x : x;
}

double inverseErf(double x) {
  if (std::fabs(x) > 0.5) return inverseErfc(1 - x);
  double y = x * std::sqrt(pi) / 2;
  for (int i = 0; i < 6; ++i)
    y -= (std::erf(y) - x) / (2 / std::sqrt(pi) * std::exp(-y * y));
  return y;
}

// Modified Bessel functions of the first kind: a series, and its limit for large arguments.
double bessel(int order, double x) {
  double magnitude = std::fabs(x), sign = order % 2 && x < 0 ? -1 : 1;
  if (magnitude < 30) {
    double square = x * x / 4, term = order ? magnitude / 2 : 1, sum = term;
    for (int k = 1; k < 200 && term > sum * 1e-18; ++k) {
      term *= square / (double(k) * (k + order));
      sum += term;
    }
    return sign * sum;
  }
  double mu = 4.0 * order * order, term = 1, sum = 1;
  for (int k = 1; k < 20; ++k) {
    double next = term * -(mu - (2 * k - 1) * (2 * k - 1)) / (k * 8 * magnitude);
    if (std::fabs(next) > std::fabs(term)) break;
    sum += term = next;
  }
  return sign * std::exp(magnitude) / std::sqrt(2 * pi * magnitude) * sum;
}

// sin and cos of a multiple of pi, exact at multiples of a half.
double sinPi(double x) {
  double turn = std::fmod(x, 2.0);
  double half = std::nearbyint(turn * 2), rest = (turn - half / 2) * pi;
  switch (static_cast<int>(half) & 3) {
  case 0:
    return std::sin(rest);
  case 1:
    return std::cos(rest);
  case 2:
    return -std::sin(rest);
  default:
    return -std::cos(rest);
  }
}

// ---------------------------------------------------------------- rounding in a direction

enum class Arithmetic : uint8_t { Add, Sub, Mul, Div, Sqrt, Reciprocal, Fma };

// The variables are volatile so that the calculation stays between the changes of the mode.
template <Arithmetic kind, typename T> T directed(const T* arguments, int mode) {
  int before = std::fegetround();
  std::fesetround(mode);
  constexpr bool isUnary = kind == Arithmetic::Sqrt || kind == Arithmetic::Reciprocal;
  volatile T x = arguments[0], y = isUnary ? T(1) : arguments[1], result;
  if constexpr (kind == Arithmetic::Add)
    result = x + y;
  else if constexpr (kind == Arithmetic::Sub)
    result = x - y;
  else if constexpr (kind == Arithmetic::Mul)
    result = x * y;
  else if constexpr (kind == Arithmetic::Div)
    result = x / y;
  else if constexpr (kind == Arithmetic::Sqrt)
    result = std::sqrt(x);
  else if constexpr (kind == Arithmetic::Reciprocal)
    result = y / x;
  else
    result = std::fma(x, y, arguments[2]);
  T value = result;
  std::fesetround(before);
  return value;
}
template <Arithmetic kind> Directed inMode(int mode) {
  return {directed<kind, float>, directed<kind, double>, mode};
}

std::optional<int> modeOf(llvm::StringRef suffix) {
  if (suffix == "_rn") return FE_TONEAREST;
  if (suffix == "_rz") return FE_TOWARDZERO;
  if (suffix == "_rd") return FE_DOWNWARD;
  if (suffix == "_ru") return FE_UPWARD;
  return std::nullopt;
}

// NAME_rX
std::optional<Function> directedFunction(llvm::StringRef name) {
  auto mode = modeOf(name.take_back(3));
  if (!mode) return std::nullopt;
  name = name.drop_back(3);
  Function function;
  auto [from, to] = name.split('2');
  if (!to.empty()) {
    auto kindOf = [](llvm::StringRef type) -> std::optional<Conversion::From> {
      if (type == "float" || type == "double" || type == "half") return Conversion::From::Real;
      if (type == "int" || type == "ll" || type == "short") return Conversion::From::Signed;
      if (type == "uint" || type == "ull" || type == "ushort") return Conversion::From::Unsigned;
      return std::nullopt;
    };
    auto source = kindOf(from), target = kindOf(to);
    if (!source || !target) return std::nullopt;
    function.conversion = Conversion{*source, static_cast<Conversion::To>(*target), *mode};
    return function;
  }
  if (name == "fma" || name == "fmaf") {
    function.directed = inMode<Arithmetic::Fma>(*mode);
    return function;
  }
  if (!name.consume_front("f") && !name.consume_front("d")) return std::nullopt;
  if (name == "add") function.directed = inMode<Arithmetic::Add>(*mode);
  if (name == "sub") function.directed = inMode<Arithmetic::Sub>(*mode);
  if (name == "mul") function.directed = inMode<Arithmetic::Mul>(*mode);
  if (name == "div") function.directed = inMode<Arithmetic::Div>(*mode);
  if (name == "sqrt") function.directed = inMode<Arithmetic::Sqrt>(*mode);
  if (name == "rcp") function.directed = inMode<Arithmetic::Reciprocal>(*mode);
  if (!function.directed.narrow) return std::nullopt;
  return function;
}

// ---------------------------------------------------------------- by name

int64_t extended(uint64_t value, unsigned bits) {
  return static_cast<int64_t>(value << (64 - bits)) >> (64 - bits);
}

const llvm::StringMap<Reals>& realFunctions() {
  static const llvm::StringMap<Reals> table = [] {
    llvm::StringMap<Reals> all;
#define ROW(name, expression) all[name] = [](const double* a) -> double { return expression; };
    ROW("exp", std::exp(a[0]))
    ROW("exp2", std::exp2(a[0]))
    ROW("exp10", std::pow(10.0, a[0]))
    ROW("expm1", std::expm1(a[0]))
    ROW("log", std::log(a[0]))
    ROW("log2", std::log2(a[0]))
    ROW("log10", std::log10(a[0]))
    ROW("log1p", std::log1p(a[0]))
    ROW("logb", std::logb(a[0]))
    ROW("sin", std::sin(a[0]))
    ROW("cos", std::cos(a[0]))
    ROW("tan", std::tan(a[0]))
    ROW("asin", std::asin(a[0]))
    ROW("acos", std::acos(a[0]))
    ROW("atan", std::atan(a[0]))
    ROW("atan2", std::atan2(a[0], a[1]))
    ROW("sinh", std::sinh(a[0]))
    ROW("cosh", std::cosh(a[0]))
    ROW("tanh", std::tanh(a[0]))
    ROW("asinh", std::asinh(a[0]))
    ROW("acosh", std::acosh(a[0]))
    ROW("atanh", std::atanh(a[0]))
    ROW("sinpi", sinPi(a[0]))
    ROW("cospi", sinPi(a[0] + 0.5))
    ROW("erf", std::erf(a[0]))
    ROW("erfc", std::erfc(a[0]))
    ROW("erfcx", scaledErfc(a[0]))
    ROW("erfinv", inverseErf(a[0]))
    ROW("erfcinv", inverseErfc(a[0]))
    ROW("normcdf", std::erfc(-a[0] / std::numbers::sqrt2) / 2)
    ROW("normcdfinv", -std::numbers::sqrt2 * inverseErfc(2 * a[0]))
    ROW("sqrt", std::sqrt(a[0]))
    ROW("rsqrt", 1 / std::sqrt(a[0]))
    ROW("frsqrt_rn", 1 / std::sqrt(a[0]))
    ROW("cbrt", std::cbrt(a[0]))
    ROW("rcbrt", 1 / std::cbrt(a[0]))
    ROW("rcp64h", std::bit_cast<double>(std::bit_cast<uint64_t>(1 / a[0]) >> 32 << 32))
    ROW("floor", std::floor(a[0]))
    ROW("ceil", std::ceil(a[0]))
    ROW("trunc", std::trunc(a[0]))
    ROW("round", std::round(a[0]))
    ROW("rint", std::nearbyint(a[0]))
    ROW("nearbyint", std::nearbyint(a[0]))
    ROW("fabs", std::fabs(a[0]))
    ROW("saturate", a[0] > 0 ? std::min(a[0], 1.0) : 0)
    ROW("tgamma", std::tgamma(a[0]))
    ROW("lgamma", ::lgamma(a[0]))
    ROW("cyl_bessel_i0", bessel(0, a[0]))
    ROW("cyl_bessel_i1", bessel(1, a[0]))
    ROW("j0", ::j0(a[0]))
    ROW("j1", ::j1(a[0]))
    ROW("jn", ::jn(static_cast<int>(a[0]), a[1]))
    ROW("y0", ::y0(a[0]))
    ROW("y1", ::y1(a[0]))
    ROW("yn", ::yn(static_cast<int>(a[0]), a[1]))
    ROW("pow", std::pow(a[0], a[1]))
    ROW("fmod", std::fmod(a[0], a[1]))
    ROW("remainder", std::remainder(a[0], a[1]))
    ROW("hypot", std::hypot(a[0], a[1]))
    ROW("rhypot", 1 / std::hypot(a[0], a[1]))
    ROW("norm3d", std::hypot(a[0], a[1], a[2]))
    ROW("rnorm3d", 1 / std::hypot(a[0], a[1], a[2]))
    ROW("norm4d", std::hypot(std::hypot(a[0], a[1]), std::hypot(a[2], a[3])))
    ROW("rnorm4d", 1 / std::hypot(std::hypot(a[0], a[1]), std::hypot(a[2], a[3])))
    ROW("copysign", std::copysign(a[0], a[1]))
    ROW("fdim", std::fdim(a[0], a[1]))
    ROW("fmax", std::fmax(a[0], a[1]))
    ROW("fmin", std::fmin(a[0], a[1]))
    ROW("fma", std::fma(a[0], a[1], a[2]))
    ROW("fdivide", a[0] / a[1])
    ROW("ldexp", std::ldexp(a[0], static_cast<int>(a[1])))
    ROW("ilogb", double(std::ilogb(a[0])))
    ROW("llrint", std::nearbyint(a[0]))
    ROW("llround", std::round(a[0]))
    ROW("isnan", double(std::isnan(a[0])))
    ROW("isinf", double(std::isinf(a[0])))
    ROW("isfinite", double(std::isfinite(a[0])))
    ROW("signbit", double(std::signbit(a[0])))
#undef ROW
    // Other names of the same.
    for (auto [name, same] : {std::pair<llvm::StringRef, llvm::StringRef>{"powi", "pow"},
                              {"pown", "pow"},
                              {"scalbn", "ldexp"},
                              {"i0", "cyl_bessel_i0"},
                              {"i1", "cyl_bessel_i1"},
                              {"finite", "isfinite"}})
      all[name] = all[same];
    return all;
  }();
  return table;
}

uint64_t permutedBytes(const uint64_t* a) {
  uint64_t bytes = (a[0] & 0xffffffff) | a[1] << 32, result = 0;
  for (unsigned i = 0; i < 4; ++i)
    result |= (bytes >> (a[2] >> (4 * i) & 7) * 8 & 0xff) << (8 * i);
  return result;
}

const llvm::StringMap<Bits>& bitFunctions() {
  static const llvm::StringMap<Bits> table = [] {
    llvm::StringMap<Bits> all;
#define ROW(name, expression)                                                                      \
  all[name] = [](const uint64_t* a, unsigned bits) -> uint64_t { return expression; };
    ROW("clz", uint64_t(std::countl_zero(a[0]) - int(64 - bits)))
    ROW("popc", uint64_t(std::popcount(a[0])))
    ROW("ffs", a[0] ? uint64_t(std::countr_zero(a[0]) + 1) : 0)
    ROW("brev", llvm::reverseBits(a[0]) >> (64 - bits))
    ROW("abs", uint64_t(std::abs(extended(a[0], bits))))
    ROW("mulhi", uint64_t(__int128(extended(a[0], bits)) * extended(a[1], bits) >> bits))
    ROW("umulhi", uint64_t((unsigned __int128)(a[0]) * a[1] >> bits))
    ROW("mul24", uint64_t(extended(a[0], 24) * extended(a[1], 24)))
    ROW("umul24", (a[0] & 0xffffff) * (a[1] & 0xffffff))
    ROW("sad", uint64_t(std::abs(extended(a[0], bits) - extended(a[1], bits))) + a[2])
    ROW("usad", (a[0] > a[1] ? a[0] - a[1] : a[1] - a[0]) + a[2])
    ROW("hadd", uint64_t((extended(a[0], bits) + extended(a[1], bits)) >> 1))
    ROW("rhadd", uint64_t((extended(a[0], bits) + extended(a[1], bits) + 1) >> 1))
    ROW("uhadd", (a[0] + a[1]) >> 1)
    ROW("urhadd", (a[0] + a[1] + 1) >> 1)
    ROW("min", extended(a[0], bits) < extended(a[1], bits) ? a[0] : a[1])
    ROW("max", extended(a[0], bits) > extended(a[1], bits) ? a[0] : a[1])
    ROW("umin", std::min(a[0], a[1]))
    ROW("umax", std::max(a[0], a[1]))
    ROW("double2hiint", a[0] >> 32)
    ROW("double2loint", a[0] & 0xffffffff)
    ROW("hiloint2double", a[0] << 32 | (a[1] & 0xffffffff))
    ROW("byte_perm", permutedBytes(a))
#undef ROW
    for (auto [name, same] : {std::pair<llvm::StringRef, llvm::StringRef>{"clzll", "clz"},
                              {"clz_u32", "clz"},
                              {"clz_u64", "clz"},
                              {"popcll", "popc"},
                              {"popcount_u32", "popc"},
                              {"popcount_u64", "popc"},
                              {"ffsll", "ffs"},
                              {"brevll", "brev"},
                              {"llabs", "abs"},
                              {"iabs", "abs"},
                              {"mul64hi", "mulhi"},
                              {"umul64hi", "umulhi"},
                              {"llmin", "min"},
                              {"llmax", "max"},
                              {"ullmin", "umin"},
                              {"ullmax", "umax"}})
      all[name] = all[same];
    for (llvm::StringRef name : {"float_as_int", "float_as_uint", "int_as_float", "uint_as_float",
                                 "double_as_longlong", "longlong_as_double"})
      all[name] = [](const uint64_t* a, unsigned) { return a[0]; };
    return all;
  }();
  return table;
}

} // namespace

std::optional<Function> find(llvm::StringRef name) {
  bool isNvidia = name.consume_front("__nv_");
  if (!isNvidia && !name.consume_front("__ocml_") && !name.consume_front("__ockl_"))
    name.consume_front("__triton_hip_");
  if (name.consume_back("_f32") || name.consume_back("_f64") || name.consume_back("_f16"))
    name.consume_front("native_");
  name.consume_front("fast_");
  Function function;
  auto named = [&](llvm::StringRef candidate) {
    if (auto row = realFunctions().find(candidate); row != realFunctions().end())
      function.reals = row->second;
    else if (auto row = bitFunctions().find(candidate); row != bitFunctions().end())
      function.bits = row->second;
    return function.reals || function.bits;
  };
  // "expf" is exp of fp32, "isnand" isnan of fp64.
  if (named(name)) return function;
  if (auto found = directedFunction(name)) return found;
  if (name == "nextafter" || name == "nextafterf") { // of the type's own neighbours
    function.directed = {[](const float* a, int) { return std::nextafter(a[0], a[1]); },
                         [](const double* a, int) { return std::nextafter(a[0], a[1]); }};
    return function;
  }
  if (!name.empty() && (name.ends_with("f") || name.ends_with("d")) && named(name.drop_back()))
    return function;
  return std::nullopt;
}

} // namespace gluond::simulate::library
