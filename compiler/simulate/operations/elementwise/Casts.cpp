// Between element types.
#include "ir/tt/Ops.h"
#include "simulate/operations/elementwise/Elementwise.h"

#include <mlir/Dialect/Arith/IR/Arith.h>

#include <limits>

namespace gluond::simulate {
using namespace mlir;

namespace {

// Integers: the lower bits, extended by zeros or by the sign.
template <class From, class To, bool isSigned>
void integerKernel(const std::byte* const* in, std::byte* out, size_t count) {
  auto* a = reinterpret_cast<const typename From::Format::Stored*>(in[0]);
  auto* r = reinterpret_cast<typename To::Format::Stored*>(out);
  using T = typename To::Format::Stored;
  for (size_t i = 0; i < count; ++i) {
    auto value = From::Format::load(a[i]);
    T wide;
    if constexpr (!isSigned)
      wide = static_cast<T>(value);
    else if constexpr (From::value == Element::I1)
      wide = static_cast<T>(0 - static_cast<T>(value));
    else // the sign is extended
      // NOLINTNEXTLINE(bugprone-signed-char-misuse)
      wide = static_cast<T>(static_cast<std::make_signed_t<decltype(value)>>(value));
    r[i] = To::Format::store(wide);
  }
}

template <class From, class To>
void floatKernel(const std::byte* const* in, std::byte* out, size_t count) {
  auto* a = reinterpret_cast<const typename From::Format::Stored*>(in[0]);
  auto* r = reinterpret_cast<typename To::Format::Stored*>(out);
  using Number = typename To::Format::Number;
  for (size_t i = 0; i < count; ++i)
    r[i] = To::Format::store(static_cast<Number>(From::Format::load(a[i])));
}

template <class From, class To, bool isSigned>
void toFloatKernel(const std::byte* const* in, std::byte* out, size_t count) {
  auto* a = reinterpret_cast<const typename From::Format::Stored*>(in[0]);
  auto* r = reinterpret_cast<typename To::Format::Stored*>(out);
  using Number = typename To::Format::Number;
  for (size_t i = 0; i < count; ++i) {
    auto value = From::Format::load(a[i]);
    if constexpr (isSigned && From::value == Element::I1)
      r[i] = To::Format::store(static_cast<Number>(-int(value)));
    else if constexpr (isSigned)
      r[i] = To::Format::store(
          static_cast<Number>(static_cast<std::make_signed_t<decltype(value)>>(value)));
    else
      r[i] = To::Format::store(static_cast<Number>(value));
  }
}

// Rounds towards zero. A number that does not fit becomes the nearest one that does, and NaN
// becomes zero, as with `cvt` on NVIDIA's GPUs.
template <class From, class To, bool isSigned>
void toIntegerKernel(const std::byte* const* in, std::byte* out, size_t count) {
  auto* a = reinterpret_cast<const typename From::Format::Stored*>(in[0]);
  auto* r = reinterpret_cast<typename To::Format::Stored*>(out);
  using T = typename To::Format::Stored;
  using Limit = std::conditional_t<isSigned, std::make_signed_t<T>, T>;
  for (size_t i = 0; i < count; ++i) {
    double value = std::trunc(static_cast<double>(From::Format::load(a[i])));
    constexpr auto least = static_cast<double>(std::numeric_limits<Limit>::min());
    constexpr auto most = static_cast<double>(std::numeric_limits<Limit>::max());
    Limit result = 0;
    if (value >= most)
      result = std::numeric_limits<Limit>::max();
    else if (value <= least)
      result = std::numeric_limits<Limit>::min();
    else if (value == value)
      result = static_cast<Limit>(value);
    r[i] = To::Format::store(static_cast<T>(result));
  }
}

enum class Cast : uint8_t { Integers, Floats, ToFloat, ToInteger };

template <class From, class To, Cast cast, bool isSigned> Kernel kernelOf() {
  constexpr bool isFrom = isFloat(From::value), isTo = isFloat(To::value);
  if constexpr (cast == Cast::Integers && !isFrom && !isTo)
    return integerKernel<From, To, isSigned>;
  else if constexpr (cast == Cast::Floats && isFrom && isTo)
    return floatKernel<From, To>;
  else if constexpr (cast == Cast::ToFloat && !isFrom && isTo)
    return toFloatKernel<From, To, isSigned>;
  else if constexpr (cast == Cast::ToInteger && isFrom && !isTo)
    return toIntegerKernel<From, To, isSigned>;
  else
    return nullptr;
}

template <Cast cast, bool isSigned> Kernel kernelFor(Element from, Element to) {
  return visitElement(from, [&](auto f) {
    return visitElement(
        to, [](auto t) { return kernelOf<decltype(f), decltype(t), cast, isSigned>(); });
  });
}

struct Types {
  Element from, to;
};
std::optional<Types> typesOf(Operation* op) {
  auto from = elementOf(op->getOperand(0).getType()), to = elementOf(op->getResult(0).getType());
  if (!from || !to) return std::nullopt;
  return Types{*from, *to};
}

template <Cast cast, bool isSigned = true> Made convert(Operation* op, Translator&) {
  auto types = typesOf(op);
  if (!types) return tl::unexpected<std::string>("its element type is not known");
  return withKernel(kernelFor<cast, isSigned>(types->from, types->to), types->to);
}

// The same bits under another type.
Made reinterpret(Operation* op, Translator&) {
  auto types = typesOf(op);
  if (!types || bytesOf(types->from) != bytesOf(types->to))
    return tl::unexpected<std::string>("between types of different sizes");
  return Action([to = types->to](Execution& x) {
    if (!x.isTensor(0)) {
      x.set(0, Scalar{x.scalar(0).bits, to});
      return Step::Next;
    }
    auto result = std::make_shared<Tensor>(to, x.tensor(0).shape());
    std::memcpy(result->data(), x.tensor(0).data(), result->bytes());
    x.set(0, std::move(result));
    return Step::Next;
  });
}

// Cuts digits off instead of rounding.
template <class From, class To>
void truncateKernel(const std::byte* const* in, std::byte* out, size_t count) {
  auto* a = reinterpret_cast<const typename From::Format::Stored*>(in[0]);
  auto* r = reinterpret_cast<typename To::Format::Stored*>(out);
  for (size_t i = 0; i < count; ++i) {
    auto value = static_cast<float>(From::Format::load(a[i]));
    auto rounded = To::Format::store(value);
    auto back = static_cast<float>(To::Format::load(rounded));
    // One code less is one step towards zero; infinity becomes the largest finite number.
    if (std::fabs(back) > std::fabs(value)) --rounded;
    r[i] = rounded;
  }
}

Made floatToFloat(Operation* op, Translator& t) {
  auto types = typesOf(op);
  if (!types) return tl::unexpected<std::string>("its element type is not known");
  if (cast<tt::FpToFpOp>(op).getRounding() != tt::RoundingMode::RTZ)
    return convert<Cast::Floats>(op, t);
  Kernel kernel = visitElement(types->from, [&](auto f) {
    return visitElement(types->to, [](auto to) -> Kernel {
      using From = decltype(f);
      using To = decltype(to);
      if constexpr (isFloat(From::value) &&
                    (To::value == Element::F16 || To::value == Element::BF16))
        return truncateKernel<From, To>;
      else
        return nullptr;
    });
  });
  return withKernel(kernel, types->to);
}

} // namespace

void addCasts(OperationTable& table) {
  table["arith.extsi"] = convert<Cast::Integers, true>;
  table["arith.extui"] = convert<Cast::Integers, false>;
  table["arith.trunci"] = convert<Cast::Integers, false>;
  table["arith.index_cast"] = convert<Cast::Integers, true>;
  table["arith.index_castui"] = convert<Cast::Integers, false>;
  table["arith.extf"] = convert<Cast::Floats>;
  table["arith.truncf"] = convert<Cast::Floats>;
  table["arith.sitofp"] = convert<Cast::ToFloat, true>;
  table["arith.uitofp"] = convert<Cast::ToFloat, false>;
  table["arith.fptosi"] = convert<Cast::ToInteger, true>;
  table["arith.fptoui"] = convert<Cast::ToInteger, false>;
  table["arith.bitcast"] = reinterpret;
  table["tt.bitcast"] = reinterpret;
  table["tt.int_to_ptr"] = reinterpret;
  table["tt.ptr_to_int"] = reinterpret;
  table["tt.fp_to_fp"] = floatToFloat;
}

} // namespace gluond::simulate
