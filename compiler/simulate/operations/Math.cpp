// math, and the functions of the device libraries, by the C library's functions of the same name.
//
// Results may differ from a GPU's in the last digits, as those of two GPUs do.
#include "ir/tt/Ops.h"
#include "simulate/operations/Elementwise.h"

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
UNARY(Exp10, std::pow(T(10), x))
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
UNARY(Erfc, std::erfc(x))
UNARY(Sqrt, std::sqrt(x))
UNARY(Rsqrt, T(1) / std::sqrt(x))
UNARY(Cbrt, std::cbrt(x))
UNARY(Reciprocal, T(1) / x)
UNARY(Floor, std::floor(x))
UNARY(Ceil, std::ceil(x))
UNARY(Trunc, std::trunc(x))
UNARY(Round, std::round(x))
UNARY(RoundEven, std::nearbyint(x))
UNARY(AbsF, std::fabs(x))
UNARY(TGamma, std::tgamma(x))
UNARY(LGamma, std::lgamma(x))
UNARY(Identity, x)
UNARY(SinPi, std::sin(x* T(3.14159265358979323846)))
UNARY(CosPi, std::cos(x* T(3.14159265358979323846)))
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
struct FirstSet { // from 1; 0: none
  template <typename T> static T apply(T x) {
    return static_cast<T>(x ? std::countr_zero(x) + 1 : 0);
  }
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
BINARY(Fmod, std::fmod(x, y))
BINARY(Remainder, std::remainder(x, y))
BINARY(Hypot, std::hypot(x, y))
BINARY(CopySign, std::copysign(x, y))
BINARY(Fdim, std::fdim(x, y))
BINARY(FMax, std::fmax(x, y))
BINARY(FMin, std::fmin(x, y))
BINARY(NextAfter, std::nextafter(x, y))
BINARY(Plus, x + y)
BINARY(Times, x* y)
BINARY(Over, x / y)
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

// A test that gives an i32.
template <class From, class Rule>
void testKernel(const std::byte* const* in, std::byte* out, size_t count) {
  auto* a = reinterpret_cast<const typename From::Stored*>(in[0]);
  for (size_t i = 0; i < count; ++i)
    reinterpret_cast<uint32_t*>(out)[i] = Rule::apply(From::load(a[i]));
}
struct IsNan {
  static bool apply(double x) { return std::isnan(x); }
};
struct IsInf {
  static bool apply(double x) { return std::isinf(x); }
};
struct IsFinite {
  static bool apply(double x) { return std::isfinite(x); }
};
struct SignBit {
  static bool apply(double x) { return std::signbit(x); }
};
template <class Rule> Made test(Operation* op, Translator&) {
  auto from = elementOf(op->getOperand(0).getType());
  if (!from || elementOf(op->getResult(0).getType()) != Element::I32)
    return tl::unexpected<std::string>("not for this element type");
  Kernel kernel = nullptr;
  if (*from == Element::F32) kernel = testKernel<Format<Element::F32>, Rule>;
  if (*from == Element::F64) kernel = testKernel<Format<Element::F64>, Rule>;
  return withKernel(kernel, Element::I32);
}

// By the name in CUDA's device library without "__nv_", and without the "f" of those for fp32;
// AMD's are "__ocml_NAME_f32".
const OperationTable& libraryFunctions() {
  static const OperationTable table = [] {
    OperationTable all;
    all["exp"] = unary<Exp>;
    all["fast_exp"] = unary<Exp>;
    all["exp2"] = unary<Exp2>;
    all["exp10"] = unary<Exp10>;
    all["fast_exp10"] = unary<Exp10>;
    all["expm1"] = unary<Expm1>;
    all["log"] = all["fast_log"] = unary<Log>;
    all["log2"] = all["fast_log2"] = unary<Log2>;
    all["log10"] = all["fast_log10"] = unary<Log10>;
    all["log1p"] = unary<Log1p>;
    all["sin"] = all["fast_sin"] = unary<Sin>;
    all["cos"] = all["fast_cos"] = unary<Cos>;
    all["tan"] = all["fast_tan"] = unary<Tan>;
    all["asin"] = unary<Asin>;
    all["acos"] = unary<Acos>;
    all["atan"] = unary<Atan>;
    all["sinh"] = unary<Sinh>;
    all["cosh"] = unary<Cosh>;
    all["tanh"] = all["fast_tanh"] = unary<Tanh>;
    all["asinh"] = unary<Asinh>;
    all["acosh"] = unary<Acosh>;
    all["atanh"] = unary<Atanh>;
    all["sinpi"] = unary<SinPi>;
    all["cospi"] = unary<CosPi>;
    all["erf"] = unary<Erf>;
    all["erfc"] = unary<Erfc>;
    all["sqrt"] = all["sqrt_rn"] = all["fsqrt_rn"] = all["dsqrt_rn"] = unary<Sqrt>;
    all["rsqrt"] = all["rsqrt_rn"] = unary<Rsqrt>;
    all["rcp_rn"] = all["frcp_rn"] = all["drcp_rn"] = unary<Reciprocal>;
    all["cbrt"] = unary<Cbrt>;
    all["floor"] = unary<Floor>;
    all["ceil"] = unary<Ceil>;
    all["trunc"] = unary<Trunc>;
    all["round"] = unary<Round>;
    all["rint"] = all["nearbyint"] = unary<RoundEven>;
    all["fabs"] = unary<AbsF>;
    all["tgamma"] = unary<TGamma>;
    all["lgamma"] = unary<LGamma>;
    all["pow"] = all["fast_pow"] = binary<Pow>;
    all["atan2"] = binary<Atan2>;
    all["fmod"] = binary<Fmod>;
    all["remainder"] = binary<Remainder>;
    all["hypot"] = binary<Hypot>;
    all["copysign"] = binary<CopySign>;
    all["fdim"] = binary<Fdim>;
    all["fmax"] = binary<FMax>;
    all["fmin"] = binary<FMin>;
    all["nextafter"] = binary<NextAfter>;
    all["fadd_rn"] = all["dadd_rn"] = binary<Plus>;
    all["fmul_rn"] = all["dmul_rn"] = binary<Times>;
    all["fdiv_rn"] = all["ddiv_rn"] = all["div_rn"] = all["fast_divide"] = all["fdivide"] =
        all["fast_fdivide"] = binary<Over>;
    all["fma"] = all["fma_rn"] = makeSame<Fma, 3, true>;
    all["isnan"] = all["isnand"] = test<IsNan>;
    all["isinf"] = all["isinfd"] = test<IsInf>;
    all["isfinited"] = all["finite"] = test<IsFinite>;
    all["signbit"] = all["signbitd"] = test<SignBit>;
    all["abs"] = all["llabs"] = makeSame<AbsI, 1, false>;
    all["popc"] = all["popcll"] = makeSame<Popcount, 1, false>;
    all["clz"] = all["clzll"] = makeSame<LeadingZeros, 1, false>;
    all["ffs"] = all["ffsll"] = makeSame<FirstSet, 1, false>;
    return all;
  }();
  return table;
}

Made external(Operation* op, Translator& t) {
  StringRef symbol = cast<tt::ExternElementwiseOp>(op).getSymbol();
  std::string whole = symbol.str();
  symbol.consume_front("__nv_");
  if (symbol.consume_front("__ocml_")) {
    symbol.consume_back("_f32");
    symbol.consume_back("_f64");
    symbol.consume_back("_f16");
    symbol.consume_front("native_");
  }
  auto row = libraryFunctions().find(symbol);
  if (row == libraryFunctions().end() && symbol.consume_back("f"))
    row = libraryFunctions().find(symbol);
  if (row == libraryFunctions().end())
    return tl::unexpected("the simulator does not know the function '" + whole + "' yet");
  return row->second(op, t);
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
  table["tt.extern_elementwise"] = external;
}

} // namespace gluond::simulate
