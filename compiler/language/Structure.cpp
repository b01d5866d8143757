#include "language/Structure.h"

#include "language/Layout.h"
#include "language/Type.h"

#include <llvm/ADT/Hashing.h>

#include <bit>
#include <cmath>

namespace gluond::language {

Items itemsOf(Value value) {
  if (auto* tuple = value.as<TupleObject>()) return tuple->items;
  if (auto* list = value.as<ListObject>()) return list->items;
  return {};
}

bool isSequence(Value value) {
  return value.is(ValueKind::Tuple) || value.is(ValueKind::List);
}

// They print differently, so they are part of different names.
static bool isTritonTuple(Value value) {
  auto* tuple = value.as<TupleObject>();
  return tuple && tuple->triton;
}

static bool equalItems(Items a, Items b, Equality how) {
  if (a.size() != b.size()) return false;
  for (size_t i = 0; i < a.size(); ++i)
    if (!equal(a[i], b[i], how)) return false;
  return true;
}

bool equal(const LayoutObject& a, const LayoutObject& b, Equality how) {
  return &a == &b || (a.cls == b.cls && equalItems(a.fields, b.fields, how));
}

static bool isNumber(Value value) {
  return value.isIntegral() || value.is(ValueKind::Float);
}

static bool equalBits(double a, double b) {
  return a == b ? std::signbit(a) == std::signbit(b) : std::isnan(a) && std::isnan(b);
}

bool equal(Value a, Value b, Equality how) {
  if (isNumber(a) && isNumber(b)) {
    if (how == Equality::Exact && a.kind() != b.kind()) return false;
    if (a.isIntegral() && b.isIntegral()) return a.asInt() == b.asInt();
    double x = a.isIntegral() ? static_cast<double>(a.asInt()) : a.asFloat();
    double y = b.isIntegral() ? static_cast<double>(b.asInt()) : b.asFloat();
    return how == Equality::Exact ? equalBits(x, y) : x == y;
  }
  if (isSequence(a) && isSequence(b)) {
    if (how == Equality::Exact && (a.kind() != b.kind() || isTritonTuple(a) != isTritonTuple(b)))
      return false;
    return equalItems(itemsOf(a), itemsOf(b), how);
  }
  if (a.kind() != b.kind()) return false;
  switch (a.kind()) {
  case ValueKind::Unknown:
    return false;
  case ValueKind::Type:
    return how == Equality::Exact ? a.asType() == b.asType() : same(a.asType(), b.asType());
  case ValueKind::Str:
  case ValueKind::Bytes:
    return a.as<StrObject>()->text == b.as<StrObject>()->text;
  case ValueKind::BigInt: {
    auto *x = a.as<BigIntObject>(), *y = b.as<BigIntObject>();
    return x->negative == y->negative && x->magnitude == y->magnitude;
  }
  case ValueKind::Layout:
    return equal(*a.as<LayoutObject>(), *b.as<LayoutObject>(), how);
  case ValueKind::Range: {
    auto *x = a.as<RangeObject>(), *y = b.as<RangeObject>();
    return x->start == y->start && x->stop == y->stop && x->step == y->step;
  }
  case ValueKind::Dict: {
    auto &x = a.as<DictObject>()->items, &y = b.as<DictObject>()->items;
    if (x.size() != y.size()) return false;
    for (auto [key, value] : x) {
      bool found = false;
      for (auto [otherKey, other] : y)
        if (equal(key, otherKey, how)) {
          found = equal(value, other, how);
          break;
        }
      if (!found) return false;
    }
    return true;
  }
  case ValueKind::Enum: {
    auto *x = a.as<EnumObject>(), *y = b.as<EnumObject>();
    return x == y || (x->cls == y->cls && x->name == y->name);
  }
  case ValueKind::BoundMethod: {
    auto *x = a.as<BoundMethodObject>(), *y = b.as<BoundMethodObject>();
    return equal(x->self, y->self, how) && equal(x->function, y->function, how);
  }
  default:
    return a.identical(b);
  }
}

static unsigned mix(unsigned a, unsigned b) {
  return (a ^ b) * 2654435761u + (a >> 15);
}

unsigned hashOf(const LayoutObject& layout) {
  unsigned h = static_cast<unsigned>(reinterpret_cast<uintptr_t>(layout.cls) >> 4);
  for (Value field : layout.fields)
    h = mix(h, hashOf(field));
  return h;
}

unsigned hashOf(Value value) {
  switch (value.kind()) {
  case ValueKind::Bool:
  case ValueKind::Int: {
    auto i = static_cast<uint64_t>(value.asInt());
    return mix(static_cast<unsigned>(i), static_cast<unsigned>(i >> 32) + 17);
  }
  case ValueKind::Float: {
    double d = value.asFloat();
    if (d >= -9e18 && d <= 9e18 && d == std::floor(d))
      return hashOf(Value::integer(static_cast<int64_t>(d)));
    return std::isnan(d) ? 3 : static_cast<unsigned>(llvm::hash_value(std::bit_cast<uint64_t>(d)));
  }
  case ValueKind::Tuple:
  case ValueKind::List: {
    unsigned h = 5;
    for (Value item : itemsOf(value))
      h = mix(h, hashOf(item));
    return h;
  }
  case ValueKind::Str:
  case ValueKind::Bytes:
    return static_cast<unsigned>(llvm::hash_value(value.as<StrObject>()->text));
  case ValueKind::Layout:
    return hashOf(*value.as<LayoutObject>());
  case ValueKind::Type:
    return value.asType()->is(TypeKind::Scalar)
               ? 100 + static_cast<unsigned>(value.asType()->scalarKind())
               : 7;
  case ValueKind::Function:
  case ValueKind::Class:
  case ValueKind::Instance:
  case ValueKind::Module:
    return static_cast<unsigned>(reinterpret_cast<uintptr_t>(value.object()) >> 4);
  default:
    return static_cast<unsigned>(value.kind()) * 31;
  }
}

} // namespace gluond::language
