// ==, <, is, in, and truth.
#include "evaluate/interpreter/Costs.h"
#include "evaluate/interpreter/Gluon.h"
#include "evaluate/interpreter/Interpreter.h"
#include "evaluate/interpreter/Rebinding.h"
#include "evaluate/values/Classes.h"
#include "evaluate/values/Containers.h"
#include "evaluate/values/PythonCoverage.h"
#include "evaluate/values/Strings.h"
#include "language/types/Structure.h"
#include "language/values/Integers.h"

#include <cmath>

namespace gluond::evaluate {

using syntax::CompareOp;
using syntax::UnaryOperator;

static bool isNumber(Value value) {
  return isInteger(value) || value.is(ValueKind::Float);
}

namespace {

enum class Order : uint8_t { Less, Equal, Greater, Unordered };

Order orderOf(double a, double b) {
  return a < b ? Order::Less : a > b ? Order::Greater : a == b ? Order::Equal : Order::Unordered;
}

Order orderNumbers(Value a, Value b) {
  if (a.isIntegral() && b.isIntegral())
    return a.asInt() < b.asInt()   ? Order::Less
           : a.asInt() > b.asInt() ? Order::Greater
                                   : Order::Equal;
  if (a.is(ValueKind::Float) && b.is(ValueKind::Float)) return orderOf(a.asFloat(), b.asFloat());
  if (a.is(ValueKind::Float) || b.is(ValueKind::Float)) {
    double real = a.is(ValueKind::Float) ? a.asFloat() : b.asFloat();
    Value integer = a.is(ValueKind::Float) ? b : a;
    bool flipped = b.is(ValueKind::Float); // integer <=> real
    auto oriented = [&](Order order) {     // order of real against integer
      if (!flipped || order == Order::Equal || order == Order::Unordered) return order;
      return order == Order::Less ? Order::Greater : Order::Less;
    };
    if (std::isnan(real)) return Order::Unordered;
    constexpr int64_t exact = int64_t(1) << 53;
    if (integer.isIntegral() && integer.asInt() <= exact && integer.asInt() >= -exact)
      return oriented(orderOf(real, static_cast<double>(integer.asInt())));
    if (std::isinf(real)) return oriented(real > 0 ? Order::Greater : Order::Less);
    llvm::APInt big = toAPInt(integer);
    double whole = std::trunc(real);
    int exponent = 0;
    double mantissa = std::frexp(whole, &exponent);
    unsigned width = std::max(big.getBitWidth(), 1100u) + 2;
    llvm::APInt asInteger(
        width, static_cast<uint64_t>(static_cast<int64_t>(std::ldexp(mantissa, 53))), true);
    asInteger = exponent >= 53 ? asInteger << static_cast<unsigned>(exponent - 53)
                               : asInteger.ashr(static_cast<unsigned>(53 - exponent));
    big = big.sext(width);
    if (asInteger.slt(big)) return oriented(Order::Less);
    if (asInteger.sgt(big)) return oriented(Order::Greater);
    return oriented(orderOf(real - whole, 0));
  }
  llvm::APInt x = toAPInt(a), y = toAPInt(b);
  unsigned width = std::max(x.getBitWidth(), y.getBitWidth());
  x = x.sext(width);
  y = y.sext(width);
  return x.slt(y) ? Order::Less : x.sgt(y) ? Order::Greater : Order::Equal;
}

bool holds(CompareOp op, Order order) {
  switch (op) {
  case CompareOp::Lt:
    return order == Order::Less;
  case CompareOp::LtE:
    return order == Order::Less || order == Order::Equal;
  case CompareOp::Gt:
    return order == Order::Greater;
  case CompareOp::GtE:
    return order == Order::Greater || order == Order::Equal;
  default:
    return false;
  }
}

constexpr llvm::StringLiteral compareSymbols[] = {"==", "!=", "<",      "<=", ">",
                                                  ">=", "is", "is not", "in", "not in"};

// Returns nullopt if it raised.
std::optional<bool> sameText(Interpreter& in, Value a, Value b) {
  llvm::StringRef x = a.as<StrObject>()->text, y = b.as<StrObject>()->text;
  if (x.size() != y.size()) return false;
  if (!in.spendBytes(x.size())) return std::nullopt;
  return x == y;
}

} // namespace

std::optional<bool> Interpreter::equalMembers(Value a, Value b) {
  // Floats have no identity here, and one that is not a number equals nothing but itself.
  auto isNan = [](Value value) {
    return value.is(ValueKind::Float) && std::isnan(value.asFloat());
  };
  if (isNan(a) && isNan(b)) return std::nullopt;
  if (a.identical(b) && !a.isUnknown()) return true;
  return equal(a, b);
}

std::optional<bool> Interpreter::equal(Value a, Value b) {
  a = a.unwrapped();
  b = b.unwrapped();
  if (a.isUnknown() || b.isUnknown()) return std::nullopt;
  if (isNumber(a) && isNumber(b)) return orderNumbers(a, b) == Order::Equal;
  if (a.identical(b) && a.kind() != ValueKind::Tuple && a.kind() != ValueKind::List &&
      a.kind() != ValueKind::Dict && a.kind() != ValueKind::Instance)
    return true;
  for (auto [self, other] : {std::pair(a, b), std::pair(b, a)}) {
    if (!self.is(ValueKind::Instance) && !mayOverride(self)) continue;
    Value result = callSpecial(self, known_.eq, other);
    if (failed() || result.isUnknown()) return std::nullopt;
    if (!result.isAbsent() && !result.is(ValueKind::NotImplemented)) return truth(result);
  }
  if (a.is(ValueKind::Instance) || b.is(ValueKind::Instance)) {
    auto *x = a.as<InstanceObject>(), *y = b.as<InstanceObject>();
    if (a.identical(b)) return true;
    if (x && y && x->cls == y->cls && x->cls->flavour == ClassObject::Flavour::Dataclass &&
        !findInClass(x->cls, known_.eq).isNone()) {
      Nesting nesting(*this);
      if (!nesting) return std::nullopt;
      for (auto& field : x->cls->fields) {
        if (!field.isCompared || field.isInitOnly) continue;
        Value left = x->attributes->get(field.name), right = y->attributes->get(field.name);
        if (left.isAbsent() || right.isAbsent()) return std::nullopt;
        auto same = equalMembers(left, right);
        if (!same || !*same) return same;
      }
      return true;
    }
    if (isKnownInPart(*this, a) || isKnownInPart(*this, b)) return std::nullopt;
    return a.identical(b);
  }
  if (a.is(ValueKind::BoundMethod) && !b.is(ValueKind::BoundMethod) && isKnownInPart(*this, a))
    return std::nullopt;
  if (a.is(ValueKind::Host) || b.is(ValueKind::Host)) {
    for (auto [self, other] : {std::pair(a, b), std::pair(b, a)})
      if (auto* host = self.as<HostObject>(); host && host->cls->equal)
        return callHost(*this, host->cls->equal, self, other);
    if (a.identical(b)) return true;
    // Such as types.SimpleNamespace, which compares its members.
    if (hostAs<NamespaceObject>(a, namespaceClass) && hostAs<NamespaceObject>(b, namespaceClass))
      return std::nullopt;
    return false;
  }
  if (a.is(ValueKind::Enum) || b.is(ValueKind::Enum)) {
    auto *x = a.as<EnumObject>(), *y = b.as<EnumObject>();
    if (x && y && x->cls == y->cls && x->name != y->name && isFlagEnum(x->cls))
      return equal(x->value, y->value);
    if (x && y && x->cls == y->cls) return x->name == y->name;
    const EnumObject* member = x ? x : y;
    if (x && y)
      return isIntegerEnum(*this, x->cls) && isIntegerEnum(*this, y->cls)
                 ? equal(x->value, y->value)
                 : false;
    if (isIntegerEnum(*this, member->cls)) return equal(member->value, x ? b : a);
    return false;
  }
  // A gl.tuple equals a list of equal items.
  auto isTritonTuple = [](Value value) {
    auto* tuple = value.as<TupleObject>();
    return tuple && tuple->triton;
  };
  bool bothSequences =
      (isTritonTuple(a) && b.is(ValueKind::List)) || (isTritonTuple(b) && a.is(ValueKind::List));
  // Views of dicts are lists here, and equal sets.
  if ((a.is(ValueKind::List) && b.is(ValueKind::Set)) ||
      (a.is(ValueKind::Set) && b.is(ValueKind::List)))
    return std::nullopt;
  if (a.kind() != b.kind() && !bothSequences) {
    if (auto same = gluonEqual(*this, a, b)) return same;
    return false;
  }
  auto sequences = [&](language::Items x, language::Items y) -> std::optional<bool> {
    if (x.size() != y.size()) return false;
    Nesting nesting(*this);
    if (!nesting) return std::nullopt;
    bool unknown = false;
    for (size_t i = 0; i < x.size() && i < y.size(); ++i) {
      if (!spend(1)) return std::nullopt;
      auto same = equalMembers(x[i], y[i]);
      if (failed()) return std::nullopt;
      if (!same)
        unknown = true;
      else if (!*same)
        return false;
    }
    if (x.size() != y.size()) return false; // by now
    if (unknown) return std::nullopt;
    return true;
  };
  for (Value each : {a, b})
    if (auto* list = each.as<ListObject>(); list && list->uncertain) return std::nullopt;
  if (bothSequences) return sequences(language::itemsOf(a), language::itemsOf(b));
  switch (a.kind()) {
  case ValueKind::Str:
  case ValueKind::Bytes:
    return sameText(*this, a, b);
  case ValueKind::Tuple:
  case ValueKind::List:
    return sequences(language::itemsOf(a), language::itemsOf(b));
  case ValueKind::Dict:
  case ValueKind::Set: {
    auto *x = a.as<DictObject>(), *y = b.as<DictObject>();
    if (x->uncertain || y->uncertain) return std::nullopt;
    if (x->items.size() != y->items.size()) return false;
    Nesting nesting(*this);
    if (!nesting) return std::nullopt;
    for (auto [key, value] : x->items) {
      if (!spend(1)) return std::nullopt;
      Value other = dictGet(y, key);
      if (failed() || other.isUnknown()) return std::nullopt;
      if (other.isAbsent()) return false;
      auto same = equalMembers(value, other);
      if (!same || !*same) return same;
    }
    return true;
  }
  case ValueKind::Range: {
    auto *x = a.as<RangeObject>(), *y = b.as<RangeObject>();
    int64_t n = rangeLength(*x);
    return n == rangeLength(*y) &&
           (n == 0 || (x->start == y->start && (n == 1 || x->step == y->step)));
  }
  case ValueKind::Slice: {
    auto *x = a.as<SliceObject>(), *y = b.as<SliceObject>();
    Value left[] = {x->start, x->stop, x->step}, right[] = {y->start, y->stop, y->step};
    return sequences(Values(left), Values(right));
  }
  case ValueKind::BoundMethod: {
    auto *x = a.as<BoundMethodObject>(), *y = b.as<BoundMethodObject>();
    return x->self.identical(y->self) && x->function.identical(y->function);
  }
  default:
    break;
  }
  if (auto same = gluonEqual(*this, a, b)) return same;
  return a.identical(b);
}

Value Interpreter::compare(CompareOp op, Value left, Value right) {
  if (left.isConstexpr() || right.isConstexpr()) {
    if (op == CompareOp::Is || op == CompareOp::IsNot) {
      left = left.unwrapped();
      right = right.unwrapped();
    } else {
      Value result = compare(op, left.unwrapped(), right.unwrapped());
      return result.isAbsent() ? result : result.wrapped();
    }
  }
  auto give = [&](std::optional<bool> result, bool negate) {
    if (failed()) return Value::absent();
    return result ? Value::boolean(*result != negate) : Value::unknown();
  };
  switch (op) {
  case CompareOp::Is:
  case CompareOp::IsNot:
    if (left.isUnknown() || right.isUnknown()) return Value::unknown();
    if (auto same = gluonIdentical(left, right)) return give(same, op == CompareOp::IsNot);
    if (left.is(ValueKind::Str) && right.is(ValueKind::Str))
      return give(equal(left, right), op == CompareOp::IsNot);
    if (auto* host = left.as<HostObject>(); // torch's dtypes are made anew for each use
        host && host->cls->equal && !left.identical(right)) {
      auto same = equal(left, right);
      return give(same.value_or(false) && host->cls->rebinding != &sharedHost ? std::nullopt : same,
                  op == CompareOp::IsNot);
    }
    return give(left.identical(right), op == CompareOp::IsNot);
  case CompareOp::In:
  case CompareOp::NotIn:
    return give(contains(right, left), op == CompareOp::NotIn);
  default:
    break;
  }
  if (Value result = gluonCompare(*this, op, left, right); failed() || !result.isAbsent())
    return result;
  switch (op) {
  case CompareOp::Eq:
  case CompareOp::NotEq: {
    for (Value side : {left, right})
      if (auto* host = side.as<HostObject>(); host && host->cls->binary && !host->cls->equal)
        return callHost(*this, host->cls->binary, static_cast<int>(op), true, left, right);
    bool isOwn = left.is(ValueKind::Instance) || mayOverride(left);
    if (op == CompareOp::NotEq && isOwn) {
      Value result = callSpecial(left, known_.ne, right);
      if (failed() || (!result.isAbsent() && !result.is(ValueKind::NotImplemented))) return result;
    }
    if (isOwn) { // __eq__ may return anything
      Value result = callSpecial(left, known_.eq, right);
      if (failed()) return Value::absent();
      if (!result.isAbsent() && !result.is(ValueKind::NotImplemented))
        return op == CompareOp::Eq ? result : unary(UnaryOperator::Not, result);
    }
    return give(equal(left, right), op == CompareOp::NotEq);
  }
  default:
    break;
  }
  if (left.isUnknown() || right.isUnknown()) return Value::unknown();
  if (isNumber(left) && isNumber(right))
    return Value::boolean(holds(op, orderNumbers(left, right)));
  Name specials[] = {known_.eq, known_.ne, known_.lt, known_.le, known_.gt, known_.ge};
  Name reflected[] = {known_.eq, known_.ne, known_.gt, known_.ge, known_.lt, known_.le};
  for (auto [self, other, special] :
       {std::tuple(left, right, specials[static_cast<size_t>(op)]),
        std::tuple(right, left, reflected[static_cast<size_t>(op)])}) {
    Value result = callSpecial(self, special, other);
    if (failed()) return Value::absent();
    if (!result.isAbsent() && !result.is(ValueKind::NotImplemented)) return result;
  }
  if (left.kind() == right.kind()) {
    switch (left.kind()) {
    case ValueKind::Str:
    case ValueKind::Bytes: {
      llvm::StringRef x = left.as<StrObject>()->text, y = right.as<StrObject>()->text;
      if (!spendBytes(std::min(x.size(), y.size()))) return Value::absent();
      int order = x.compare(y);
      return Value::boolean(holds(op, order < 0   ? Order::Less
                                      : order > 0 ? Order::Greater
                                                  : Order::Equal));
    }
    case ValueKind::Tuple:
    case ValueKind::List: {
      Nesting nesting(*this);
      if (!nesting) return Value::absent();
      language::Items x = language::itemsOf(left), y = language::itemsOf(right);
      for (size_t i = 0; i < std::min(x.size(), y.size()); ++i) {
        if (!spend(1)) return Value::absent();
        Value one = x[i], other = y[i];
        auto same = equalMembers(one, other);
        if (failed()) return Value::absent();
        if (!same) return Value::unknown();
        if (!*same) return compare(op, one, other);
      }
      return Value::boolean(holds(op, x.size() < y.size()   ? Order::Less
                                      : x.size() > y.size() ? Order::Greater
                                                            : Order::Equal));
    }
    case ValueKind::Set: {
      bool swapped = op == CompareOp::Gt || op == CompareOp::GtE;
      auto *x = (swapped ? right : left).as<DictObject>(),
           *y = (swapped ? left : right).as<DictObject>();
      if (x->uncertain || y->uncertain) return Value::unknown();
      for (auto [member, none] : x->items) {
        if (!spend(1)) return Value::absent();
        Value found = dictGet(y, member);
        if (failed()) return Value::absent();
        if (found.isAbsent()) return Value::boolean(false);
      }
      return Value::boolean(op == CompareOp::LtE || op == CompareOp::GtE ||
                            x->items.size() < y->items.size());
    }
    default:
      break;
    }
  }
  for (Value side : {left, right})
    if (auto* host = side.as<HostObject>(); host && host->cls->binary) {
      Value result = callHost(*this, host->cls->binary, static_cast<int>(op), true, left, right);
      if (failed() || !result.isAbsent()) return result;
    }
  if (left.is(ValueKind::Enum) || right.is(ValueKind::Enum)) {
    auto plain = [&](Value value) {
      auto* member = value.as<EnumObject>();
      return member && isIntegerEnum(*this, member->cls) ? member->value : value;
    };
    Value x = plain(left), y = plain(right);
    if (!x.is(ValueKind::Enum) && !y.is(ValueKind::Enum)) return compare(op, x, y);
  }
  auto *x = left.as<InstanceObject>(), *y = right.as<InstanceObject>();
  if (x && y && x->cls == y->cls && x->cls->flavour == ClassObject::Flavour::Dataclass &&
      isOrderedDataclass(*this, x->cls)) {
    llvm::SmallVector<Value> a, b;
    for (auto& field : x->cls->fields) {
      if (!field.isCompared || field.isInitOnly) continue;
      Value p = x->attributes->get(field.name), q = y->attributes->get(field.name);
      a.push_back(p.isAbsent() ? Value::unknown() : p);
      b.push_back(q.isAbsent() ? Value::unknown() : q);
    }
    return compare(op, tupleOf(a), tupleOf(b));
  }
  bool isView = (left.is(ValueKind::List) && right.is(ValueKind::Set)) || // of a dict
                (left.is(ValueKind::Set) && right.is(ValueKind::List));
  if (isView || isKnownInPart(*this, left) || isKnownInPart(*this, right)) return Value::unknown();
  return raise("TypeError", "'" + llvm::Twine(compareSymbols[static_cast<size_t>(op)]) +
                                "' not supported between instances of '" + className(typeOf(left)) +
                                "' and '" + className(typeOf(right)) + "'");
}

std::optional<bool> Interpreter::truth(Value value) {
  if (mayOverride(value)) {
    Value own = callSpecial(value, known_.bool_, {});
    if (own.isAbsent() && !failed() && value.is(ValueKind::Tuple))
      own = callSpecial(value, known_.len, {});
    if (failed()) return std::nullopt;
    if (!own.isAbsent()) return truth(own);
  }
  switch (value.kind()) {
  case ValueKind::Unknown:
    return std::nullopt;
  case ValueKind::None:
    return false;
  case ValueKind::Bool:
  case ValueKind::Int:
    return value.asInt() != 0;
  case ValueKind::Float:
    return value.asFloat() != 0;
  case ValueKind::Str:
  case ValueKind::Bytes:
    return !value.as<StrObject>()->text.empty();
  case ValueKind::Tuple:
    return !value.as<TupleObject>()->items.empty();
  case ValueKind::List:
    if (value.as<ListObject>()->uncertain) return std::nullopt;
    return !value.as<ListObject>()->items.empty();
  case ValueKind::Dict:
  case ValueKind::Set:
    if (value.as<DictObject>()->uncertain) return std::nullopt;
    return !value.as<DictObject>()->items.empty();
  case ValueKind::Range:
    return rangeLength(*value.as<RangeObject>()) != 0;
  case ValueKind::Enum: {
    auto* member = value.as<EnumObject>();
    bool isNumber = isFlagEnum(member->cls) || isIntegerEnum(*this, member->cls);
    return isNumber ? truth(member->value) : std::optional(true);
  }
  case ValueKind::Instance: {
    Value result = callSpecial(value, known_.bool_, {});
    if (failed()) return std::nullopt;
    if (!result.isAbsent()) return truth(result);
    result = callSpecial(value, known_.len, {});
    if (failed()) return std::nullopt;
    if (!result.isAbsent()) return truth(result);
    return isKnownInPart(*this, value) ? std::nullopt : std::optional(true);
  }
  case ValueKind::Host: {
    auto* host = value.as<HostObject>();
    if (!host->cls->length) return true;
    auto n = callHost(*this, host->cls->length, value);
    if (failed()) {
      dropError();
      return std::nullopt;
    }
    return n ? std::optional(*n != 0) : std::nullopt;
  }
  default:
    return true;
  }
}

} // namespace gluond::evaluate
