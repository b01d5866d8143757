#include "language/types/Structure.h"

#include "language/types/LayoutClass.h"
#include "language/types/Type.h"

#include <llvm/ADT/Hashing.h>

#include <bit>
#include <cmath>
#include <unordered_map>

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

static bool isNumber(Value value) {
  return value.isIntegral() || value.is(ValueKind::Float);
}

static bool equalBits(double a, double b) {
  return a == b ? std::signbit(a) == std::signbit(b) : std::isnan(a) && std::isnan(b);
}

namespace {

class Comparison {
public:
  explicit Comparison(Equality how) : how_(how) {}

  bool equal(Value a, Value b) {
    if (isNumber(a) && isNumber(b)) {
      if (how_ == Equality::Exact && a.kind() != b.kind()) return false;
      if (a.isIntegral() && b.isIntegral()) return a.asInt() == b.asInt();
      double x = a.isIntegral() ? static_cast<double>(a.asInt()) : a.asFloat();
      double y = b.isIntegral() ? static_cast<double>(b.asInt()) : b.asFloat();
      return how_ == Equality::Exact ? equalBits(x, y) : x == y;
    }
    if (depth_ > mostDepth || left_ == 0) return a.identical(b);
    --left_;
    ++depth_;
    bool result = equalObjects(a, b);
    --depth_;
    return result;
  }
  bool equal(const LayoutObject& a, const LayoutObject& b) {
    return &a == &b || (a.cls == b.cls && equalItems(a.fields, b.fields));
  }

private:
  // Deeper than any value that passed fit().
  static constexpr unsigned mostDepth = 200;

  bool equalItems(Items a, Items b) {
    if (a.size() != b.size()) return false;
    for (size_t i = 0; i < a.size(); ++i)
      if (!equal(a[i], b[i])) return false;
    return true;
  }

  // In any order.
  bool equalItems(const DictItems& a, const DictItems& b) {
    if (a.size() != b.size() || left_ < a.size()) return false;
    left_ -= a.size();
    std::unordered_multimap<unsigned, DictItems::Element> byHash;
    for (auto [key, value] : b)
      byHash.insert({hashOf(key), {key, value}});
    for (auto [key, value] : a) {
      auto [candidate, end] = byHash.equal_range(hashOf(key));
      for (; candidate != end && !equal(key, candidate->second.key); ++candidate) {
        if (left_ == 0) return false;
        --left_;
      }
      if (candidate == end || !equal(value, candidate->second.value)) return false;
    }
    return true;
  }

  bool equalObjects(Value a, Value b) {
    if (isSequence(a) && isSequence(b)) {
      bool isLike = a.kind() == b.kind() && isTritonTuple(a) == isTritonTuple(b);
      if (!isLike && (how_ == Equality::Exact || (!isTritonTuple(a) && !isTritonTuple(b))))
        return false;
      return equalItems(itemsOf(a), itemsOf(b));
    }
    if (a.kind() != b.kind()) return false;
    switch (a.kind()) {
    case ValueKind::Unknown:
      return false;
    case ValueKind::Type:
      return how_ == Equality::Exact ? a.asType() == b.asType() : same(a.asType(), b.asType());
    case ValueKind::Str:
    case ValueKind::Bytes:
      return a.as<StrObject>()->text == b.as<StrObject>()->text;
    case ValueKind::BigInt: {
      auto *x = a.as<BigIntObject>(), *y = b.as<BigIntObject>();
      return x->negative == y->negative && x->magnitude == y->magnitude;
    }
    case ValueKind::Layout:
      return equal(*a.as<LayoutObject>(), *b.as<LayoutObject>());
    case ValueKind::Range: {
      auto *x = a.as<RangeObject>(), *y = b.as<RangeObject>();
      return x->start == y->start && x->stop == y->stop && x->step == y->step;
    }
    case ValueKind::Slice: {
      auto *x = a.as<SliceObject>(), *y = b.as<SliceObject>();
      return equal(x->start, y->start) && equal(x->stop, y->stop) && equal(x->step, y->step);
    }
    case ValueKind::Dict:
      return equalItems(a.as<DictObject>()->items, b.as<DictObject>()->items);
    case ValueKind::Enum: {
      auto *x = a.as<EnumObject>(), *y = b.as<EnumObject>();
      return x == y || (x->cls == y->cls && x->name == y->name);
    }
    case ValueKind::BoundMethod: {
      auto *x = a.as<BoundMethodObject>(), *y = b.as<BoundMethodObject>();
      return equal(x->self, y->self) && equal(x->function, y->function);
    }
    default:
      return a.identical(b);
    }
  }

  Equality how_;
  unsigned depth_ = 0;
  size_t left_ = 4 * mostOfAConstant.parts;
};

} // namespace

bool equal(const LayoutObject& a, const LayoutObject& b, Equality how) {
  return Comparison(how).equal(a, b);
}

bool equal(Value a, Value b, Equality how) {
  return Comparison(how).equal(a, b);
}

// ---------------------------------------------------------------- hashing

static unsigned mix(unsigned a, unsigned b) {
  return (a ^ b) * 2654435761u + (a >> 15);
}

namespace {

// Parts deeper or later than in most values are ignored: equal values still hash equally.
struct Hashing {
  unsigned depth = 0;
  size_t left = size_t{1} << 16;

  unsigned of(const LayoutObject& layout) {
    unsigned h = static_cast<unsigned>(reinterpret_cast<uintptr_t>(layout.cls) >> 4);
    for (Value field : layout.fields)
      h = mix(h, of(field));
    return h;
  }
  unsigned of(Value value);
};

unsigned Hashing::of(Value value) {
  switch (value.kind()) {
  case ValueKind::Bool:
  case ValueKind::Int: {
    auto i = static_cast<uint64_t>(value.asInt());
    return mix(static_cast<unsigned>(i), static_cast<unsigned>(i >> 32) + 17);
  }
  case ValueKind::Float: {
    double d = value.asFloat();
    if (d >= -9e18 && d <= 9e18 && d == std::floor(d))
      return of(Value::integer(static_cast<int64_t>(d)));
    return std::isnan(d) ? 3 : static_cast<unsigned>(llvm::hash_value(std::bit_cast<uint64_t>(d)));
  }
  case ValueKind::Tuple:
  case ValueKind::List: {
    unsigned h = 5;
    if (depth >= 16) return h;
    ++depth;
    for (Value item : itemsOf(value)) {
      if (left == 0) break;
      --left;
      h = mix(h, of(item));
    }
    --depth;
    return h;
  }
  case ValueKind::Str:
  case ValueKind::Bytes:
    return static_cast<unsigned>(llvm::hash_value(value.as<StrObject>()->text));
  case ValueKind::Layout: {
    if (depth >= 16) return 11;
    ++depth;
    unsigned h = of(*value.as<LayoutObject>());
    --depth;
    return h;
  }
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

} // namespace

unsigned hashOf(const LayoutObject& layout) {
  return Hashing().of(layout);
}

unsigned hashOf(Value value) {
  return Hashing().of(value);
}

// ---------------------------------------------------------------- extent

namespace {

struct Measure {
  Extent most;
  size_t parts = 0;
  unsigned depth = 0;

  Fit visit(Value value) {
    if (value.kind() < ValueKind::BigInt && !value.is(ValueKind::Type)) return count(1);
    if (depth >= most.depth) return isLeaf(value) ? count(1) : Fit::TooDeep;
    ++depth;
    Fit result = visitParts(value);
    --depth;
    return result;
  }

private:
  Fit count(size_t more) { return (parts += more) > most.parts ? Fit::TooLarge : Fit::Fits; }
  static bool isLeaf(Value value) {
    return value.is(ValueKind::Str) || value.is(ValueKind::Bytes) || value.is(ValueKind::BigInt);
  }

  Fit visitAll(Items values) {
    for (Value value : values)
      if (Fit result = visit(value); result != Fit::Fits) return result;
    return Fit::Fits;
  }

  Fit visitParts(Value value) {
    if (Fit result = count(1); result != Fit::Fits) return result;
    switch (value.kind()) {
    case ValueKind::Str:
    case ValueKind::Bytes:
      return count(value.as<StrObject>()->text.size() / 64);
    case ValueKind::BigInt:
      // Python itself prints no int with more than 4300 digits, and names contain the printed text.
      return value.as<BigIntObject>()->magnitude.size() > 224 ? Fit::TooLarge : Fit::Fits;
    case ValueKind::Tuple:
    case ValueKind::List:
      return visitAll(itemsOf(value));
    case ValueKind::Dict:
    case ValueKind::Set:
      for (auto [key, item] : value.as<DictObject>()->items) {
        if (Fit result = visit(key); result != Fit::Fits) return result;
        if (Fit result = visit(item); result != Fit::Fits) return result;
      }
      return Fit::Fits;
    case ValueKind::Slice: {
      auto* slice = value.as<SliceObject>();
      return visitAll(Values({slice->start, slice->stop, slice->step}));
    }
    case ValueKind::BoundMethod: {
      auto* bound = value.as<BoundMethodObject>();
      return visitAll(Values({bound->self, bound->function}));
    }
    case ValueKind::Enum:
      return visit(value.as<EnumObject>()->value);
    case ValueKind::Layout:
      return visitAll(value.as<LayoutObject>()->fields);
    case ValueKind::Instance: {
      auto* instance = value.as<InstanceObject>();
      using enum ClassObject::Flavour;
      bool isItsFields = instance->cls->flavour == Dataclass || instance->cls->flavour == Aggregate;
      if (!isItsFields || !instance->attributes) return Fit::Fits;
      for (auto attribute : *instance->attributes)
        if (Fit result = visit(attribute.value); result != Fit::Fits) return result;
      return Fit::Fits;
    }
    case ValueKind::Type:
      return visit(*value.asType());
    default:
      return Fit::Fits;
    }
  }

  // Types share parts; their printed text does not.
  Fit visit(const Type& type) {
    if (Fit result = count(1); result != Fit::Fits) return result;
    if (type.depth() > most.depth) return Fit::TooDeep;
    if (type.element())
      if (Fit result = visit(*type.element()); result != Fit::Fits) return result;
    for (const Type* element : type.elements())
      if (Fit result = visit(*element); result != Fit::Fits) return result;
    return type.is(TypeKind::Constexpr) ? visit(type.constant()) : Fit::Fits;
  }
};

} // namespace

Fit fit(Value value, Extent most, size_t* counted) {
  Measure measure{most};
  Fit result = measure.visit(value);
  if (counted) *counted = measure.parts;
  return result;
}

} // namespace gluond::language
