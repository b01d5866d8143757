// math, by the C library's functions of the same name.
//
// Results may differ from a GPU's in the last digits, as those of two GPUs do.
#include "simulate/operations/elementwise/Elementwise.h"

#include <mlir/Dialect/Math/IR/Math.h>

namespace gluond::simulate {
using namespace mlir;

namespace {

#define UNARY(name, expression)                                                                    \
  struct name {                                                                                    \
    template <typename T> static T apply(T x) { return static_cast<T>(expression); }               \
  };
UNARY(Exp, std::exp(x))
UNARY(Exp2, std::exp2(x))
UNARY(Expm1, std::expm1(x))
UNARY(Log, std::log(x))
UNARY(Log2, std::log2(x))
UNARY(Log10, std::log10(x))
UNARY(Log1p, std::log1p(x))
UNARY(Sin, std::sin(x))
UNARY(Cos, std::cos(x))
UNARY(Tan, std::tan(x))
UNARY(Asin, std::asin(x))
UNARY(Acos, std::acos(x))
UNARY(Atan, std::atan(x))
UNARY(Sinh, std::sinh(x))
UNARY(Cosh, std::cosh(x))
UNARY(Tanh, std::tanh(x))
UNARY(Asinh, std::asinh(x))
UNARY(Acosh, std::acosh(x))
UNARY(Atanh, std::atanh(x))
UNARY(Erf, std::erf(x))
UNARY(Sqrt, std::sqrt(x))
UNARY(Rsqrt, T(1) / std::sqrt(x))
UNARY(Cbrt, std::cbrt(x))
UNARY(Floor, std::floor(x))
UNARY(Ceil, std::ceil(x))
UNARY(Trunc, std::trunc(x))
UNARY(Round, std::round(x))
UNARY(RoundEven, std::nearbyint(x))
UNARY(AbsF, std::fabs(x))
#undef UNARY
struct AbsI {
  template <typename T> static T apply(T x) {
    return static_cast<std::make_signed_t<T>>(x) < 0 ? static_cast<T>(T(0) - x) : x;
  }
};
template <typename T> T popcount(T x) {
  return static_cast<T>(std::popcount(x));
}
struct Popcount {
  template <typename T> static T apply(T x) { return popcount(x); }
};
struct LeadingZeros {
  template <typename T> static T apply(T x) { return static_cast<T>(std::countl_zero(x)); }
};
struct TrailingZeros {
  template <typename T> static T apply(T x) { return static_cast<T>(std::countr_zero(x)); }
};
#define BINARY(name, expression)                                                                   \
  struct name {                                                                                    \
    template <typename T> static T apply(T x, T y) { return static_cast<T>(expression); }          \
  };
BINARY(Pow, std::pow(x, y))
BINARY(Atan2, std::atan2(x, y))
BINARY(CopySign, std::copysign(x, y))
#undef BINARY
struct Fma {
  template <typename T> static T apply(T x, T y, T z) { return std::fma(x, y, z); }
};

template <class Rule> Made unary(Operation* op, Translator& t) {
  return makeSame<Rule, 1, true>(op, t);
}
template <class Rule> Made binary(Operation* op, Translator& t) {
  return makeSame<Rule, 2, true>(op, t);
}

} // namespace

void addMath(OperationTable& table) {
  table["math.exp"] = unary<Exp>;
  table["math.exp2"] = unary<Exp2>;
  table["math.expm1"] = unary<Expm1>;
  table["math.log"] = unary<Log>;
  table["math.log2"] = unary<Log2>;
  table["math.log10"] = unary<Log10>;
  table["math.log1p"] = unary<Log1p>;
  table["math.sin"] = unary<Sin>;
  table["math.cos"] = unary<Cos>;
  table["math.tan"] = unary<Tan>;
  table["math.tanh"] = unary<Tanh>;
  table["math.atan"] = unary<Atan>;
  table["math.acos"] = unary<Acos>;
  table["math.asin"] = unary<Asin>;
  table["math.sinh"] = unary<Sinh>;
  table["math.cosh"] = unary<Cosh>;
  table["math.acosh"] = unary<Acosh>;
  table["math.asinh"] = unary<Asinh>;
  table["math.atanh"] = unary<Atanh>;
  table["math.cbrt"] = unary<Cbrt>;
  table["math.erf"] = unary<Erf>;
  table["math.sqrt"] = unary<Sqrt>;
  table["tt.precise_sqrt"] = unary<Sqrt>;
  table["math.rsqrt"] = unary<Rsqrt>;
  table["math.floor"] = unary<Floor>;
  table["math.ceil"] = unary<Ceil>;
  table["math.trunc"] = unary<Trunc>;
  table["math.round"] = unary<Round>;
  table["math.roundeven"] = unary<RoundEven>;
  table["math.absf"] = unary<AbsF>;
  table["math.absi"] = makeSame<AbsI, 1, false>;
  table["math.ctpop"] = makeSame<Popcount, 1, false>;
  table["math.ctlz"] = makeSame<LeadingZeros, 1, false>;
  table["math.cttz"] = makeSame<TrailingZeros, 1, false>;
  table["math.powf"] = binary<Pow>;
  table["math.atan2"] = binary<Atan2>;
  table["math.copysign"] = binary<CopySign>;
  table["math.fma"] = makeSame<Fma, 3, true>;
}

} // namespace gluond::simulate
