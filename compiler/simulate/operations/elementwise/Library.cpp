#include "simulate/operations/elementwise/Library.h"

#include "ir/tt/Ops.h"
#include "simulate/operations/elementwise/Elementwise.h"

#include <array>
#include <cfenv>
#include <limits>

namespace gluond::simulate {
using namespace mlir;

namespace {

constexpr unsigned mostArguments = 4;
using Elements = std::array<const std::byte*, mostArguments>; // of one call

uint64_t bitsAt(Element element, const std::byte* at) {
  uint64_t bits = 0;
  std::memcpy(&bits, at, bytesOf(element));
  return bits;
}

// Whole numbers beyond what the type holds become its nearest, NaN becomes 0.
void storeWhole(Element to, double number, bool isSigned, std::byte* out) {
  unsigned bits = bytesOf(to) * 8;
  double least = isSigned ? -std::ldexp(1.0, int(bits) - 1) : 0,
         beyond = std::ldexp(1.0, int(bits) - (isSigned ? 1 : 0));
  uint64_t result;
  if (number != number)
    result = 0;
  else if (number >= beyond)
    result = isSigned ? (uint64_t(1) << (bits - 1)) - 1 : ~uint64_t(0);
  else if (number <= least)
    result = isSigned ? uint64_t(1) << (bits - 1) : 0;
  else
    result = isSigned ? static_cast<uint64_t>(static_cast<int64_t>(number))
                      : static_cast<uint64_t>(number);
  std::memcpy(out, &result, bytesOf(to));
}

double rounded(double number, int mode) {
  switch (mode) {
  case FE_TOWARDZERO:
    return std::trunc(number);
  case FE_DOWNWARD:
    return std::floor(number);
  case FE_UPWARD:
    return std::ceil(number);
  default:
    return std::nearbyint(number);
  }
}

// The result of a calculation that the mode of the processor rounds.
template <typename To, typename From> To inMode(From number, int mode) {
  int before = std::fegetround();
  std::fesetround(mode);
  volatile From value = number;
  volatile To result = static_cast<To>(value);
  To converted = result;
  std::fesetround(before);
  return converted;
}

void convert(const library::Conversion& how, Element from, Element to, const std::byte* in,
             std::byte* out) {
  using From = library::Conversion::From;
  using To = library::Conversion::To;
  if (how.to != To::Real) {
    double number = numberAt(from, in);
    return storeWhole(to, rounded(number, how.mode), how.to == To::Signed, out);
  }
  auto put = [&](auto number) {
    if (to == Element::F32) {
      float result = inMode<float>(number, how.mode);
      std::memcpy(out, &result, sizeof result);
    } else {
      storeNumber(to, inMode<double>(number, how.mode), out);
    }
  };
  if (how.from == From::Real)
    put(numberAt(from, in));
  else if (how.from == From::Signed)
    put(integerAt(from, in));
  else
    put(bitsAt(from, in));
}

Made external(Operation* op, Translator&) {
  StringRef symbol = cast<tt::ExternElementwiseOp>(op).getSymbol();
  auto function = library::find(symbol);
  auto to = elementOf(op->getResult(0).getType());
  std::vector<Element> from;
  for (mlir::Value operand : op->getOperands())
    from.push_back(elementOf(operand.getType()).value_or(Element::I1));
  if (!function || !to || from.empty() || from.size() > mostArguments)
    return tl::unexpected("the simulator does not know the function '" + symbol.str() + "'");
  auto call = [function = *function, from, to = *to](const Elements& in, std::byte* out) {
    if (function.conversion) return convert(*function.conversion, from[0], to, in[0], out);
    if (function.directed.narrow) {
      if (to == Element::F32) {
        std::array<float, mostArguments> arguments{};
        for (size_t i = 0; i < from.size(); ++i)
          arguments[i] = static_cast<float>(numberAt(from[i], in[i]));
        float result = function.directed.narrow(arguments.data(), function.directed.mode);
        std::memcpy(out, &result, sizeof result);
        return;
      }
      std::array<double, mostArguments> arguments{};
      for (size_t i = 0; i < from.size(); ++i)
        arguments[i] = numberAt(from[i], in[i]);
      return storeNumber(to, function.directed.wide(arguments.data(), function.directed.mode), out);
    }
    if (function.bits) {
      std::array<uint64_t, mostArguments> arguments{};
      for (size_t i = 0; i < from.size(); ++i)
        arguments[i] = bitsAt(from[i], in[i]);
      uint64_t result = function.bits(arguments.data(), bytesOf(from[0]) * 8);
      std::memcpy(out, &result, bytesOf(to));
      return;
    }
    std::array<double, mostArguments> arguments{};
    for (size_t i = 0; i < from.size(); ++i)
      arguments[i] = numberAt(from[i], in[i]);
    double result = function.reals(arguments.data());
    if (isFloat(to))
      storeNumber(to, result, out);
    else
      storeWhole(to, result, true, out);
  };
  return Action([call, from, to = *to](Execution& x) {
    const Tensor* shaped = nullptr;
    for (unsigned i = 0; i < from.size(); ++i)
      if (x.isTensor(i)) shaped = &x.tensor(i);
    size_t count = shaped ? shaped->count() : 1;
    auto forAll = [&](std::byte* out) {
      Elements in{};
      for (size_t k = 0; k < count; ++k) {
        for (unsigned i = 0; i < from.size(); ++i)
          in[i] = x.data(i) + (x.isTensor(i) ? k * bytesOf(from[i]) : 0);
        call(in, out + k * bytesOf(to));
      }
    };
    if (!shaped) {
      Scalar result{0, to};
      forAll(reinterpret_cast<std::byte*>(&result.bits));
      x.set(0, result);
      return Step::Next;
    }
    auto result = std::make_shared<Tensor>(to, shaped->shape());
    forAll(result->data());
    x.set(0, std::move(result));
    return Step::Next;
  });
}

} // namespace

void addLibrary(OperationTable& table) {
  table["tt.extern_elementwise"] = external;
}

} // namespace gluond::simulate
