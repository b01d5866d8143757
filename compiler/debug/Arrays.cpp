#include "debug/Arrays.h"

#include "ir/tt/Types.h"
#include "simulate/values/Formats.h"

#include <cmath>

namespace gluond::debug {

using namespace simulate;
using simulate::Shape; // syntax has one, too
using syntax::BinaryOp;
using syntax::CompareOp;

std::optional<Array> arrayOf(const Datum& datum) {
  Array array;
  const std::byte* data = nullptr;
  size_t count = 1;
  if (const auto* scalar = std::get_if<Scalar>(&datum.value)) {
    array.element = scalar->element;
    data = reinterpret_cast<const std::byte*>(&scalar->bits);
  } else if (const auto* tensor = std::get_if<TensorRef>(&datum.value)) {
    array.element = (*tensor)->element();
    array.shape.assign((*tensor)->shape().begin(), (*tensor)->shape().end());
    data = (*tensor)->data();
    count = (*tensor)->count();
  } else {
    return std::nullopt;
  }
  unsigned bytes = bytesOf(array.element);
  if (array.isReal()) {
    array.reals.resize(count);
    for (size_t i = 0; i < count; ++i)
      array.reals[i] = numberAt(array.element, data + i * bytes);
  } else {
    array.integers.resize(count);
    for (size_t i = 0; i < count; ++i)
      array.integers[i] = integerAt(array.element, data + i * bytes);
  }
  return array;
}

Datum datumOf(const Array& array) {
  Element element = array.isReal()                 ? Element::F64
                    : array.element == Element::I1 ? Element::I1
                                                   : Element::I64;
  auto tensor = std::make_shared<Tensor>(element, array.shape);
  unsigned bytes = bytesOf(element);
  for (size_t i = 0; i < array.count(); ++i) {
    if (array.isReal())
      std::memcpy(tensor->data() + i * bytes, &array.reals[i], bytes);
    else
      std::memcpy(tensor->data() + i * bytes, &array.integers[i], bytes);
  }
  std::string type = typeTextOf(element, array.shape);
  if (!array.shape.empty()) return {TensorRef(tensor), {}, type, {}};
  Scalar scalar{0, element};
  std::memcpy(&scalar.bits, tensor->data(), bytes);
  return {scalar, {}, type, {}};
}

Datum integerDatum(int64_t number, Element element) {
  return datumOf({{}, element, {}, {number}});
}

int64_t floorDivide(int64_t a, int64_t b) {
  int64_t quotient = a / b;
  return a % b != 0 && (a < 0) != (b < 0) ? quotient - 1 : quotient;
}

std::optional<int64_t> onIntegers(BinaryOp op, int64_t a, int64_t b) {
  using enum BinaryOp;
  bool overflows = b == -1 && a == INT64_MIN;
  switch (op) {
  case Add:
    return wrapped(a, b, std::plus<>());
  case Sub:
    return wrapped(a, b, std::minus<>());
  case Mult:
    return wrapped(a, b, std::multiplies<>());
  case FloorDiv:
    return b == 0 || overflows ? std::nullopt : std::optional(floorDivide(a, b));
  case Mod:
    return b == 0 || overflows ? std::nullopt : std::optional(a - b * floorDivide(a, b));
  case LShift:
    return b < 0 || b > 63 ? std::nullopt
                           : std::optional(wrapped(a, b, [](auto x, auto y) { return x << y; }));
  case RShift:
    return b < 0 || b > 63 ? std::nullopt : std::optional(a >> b);
  case BitOr:
    return a | b;
  case BitXor:
    return a ^ b;
  case BitAnd:
    return a & b;
  default:
    return std::nullopt;
  }
}

std::optional<double> onReals(BinaryOp op, double a, double b) {
  using enum BinaryOp;
  switch (op) {
  case Add:
    return a + b;
  case Sub:
    return a - b;
  case Mult:
    return a * b;
  case Div:
    return a / b;
  case FloorDiv:
    return std::floor(a / b);
  case Mod:
    return a - b * std::floor(a / b);
  case Pow:
    return std::pow(a, b);
  default:
    return std::nullopt;
  }
}

bool compares(CompareOp op, double a, double b) {
  using enum CompareOp;
  switch (op) {
  case Eq:
    return a == b;
  case NotEq:
    return a != b;
  case Lt:
    return a < b;
  case LtE:
    return a <= b;
  case Gt:
    return a > b;
  default:
    return a >= b;
  }
}

std::optional<Shape> broadcast(const Shape& a, const Shape& b) {
  Shape shape(std::max(a.size(), b.size()), 1);
  for (size_t i = 0; i < shape.size(); ++i) {
    int64_t left = i < a.size() ? a[a.size() - 1 - i] : 1;
    int64_t right = i < b.size() ? b[b.size() - 1 - i] : 1;
    if (left != right && left != 1 && right != 1) return std::nullopt;
    shape[shape.size() - 1 - i] = left == 1 ? right : left;
  }
  return shape;
}

size_t sourceOf(size_t index, const Shape& to, const Shape& from) {
  size_t result = 0, stride = 1;
  for (size_t i = 0; i < to.size(); ++i) {
    auto extent = static_cast<size_t>(to[to.size() - 1 - i]);
    size_t at = index % extent;
    index /= extent;
    if (i >= from.size()) continue;
    auto own = static_cast<size_t>(from[from.size() - 1 - i]);
    if (own > 1) result += at * stride;
    stride *= own;
  }
  return result;
}

size_t countOf(const Shape& shape) {
  size_t count = 1;
  for (int64_t extent : shape)
    count *= static_cast<size_t>(extent);
  return count;
}

} // namespace gluond::debug
