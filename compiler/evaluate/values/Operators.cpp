// Python's operators over values.
#include "evaluate/interpreter/Costs.h"
#include "evaluate/interpreter/Gluon.h"
#include "evaluate/interpreter/Interpreter.h"
#include "evaluate/values/Classes.h"
#include "evaluate/values/Containers.h"
#include "evaluate/values/Numbers.h"
#include "evaluate/values/PythonCoverage.h"
#include "evaluate/values/Strings.h"
#include "language/types/Structure.h"
#include "language/values/Integers.h"

#include <cmath>

namespace gluond::evaluate {

using syntax::BinaryOp;
using syntax::UnaryOperator;

namespace {

struct OperatorNames {
  llvm::StringLiteral symbol, special, reflected, inplace;
};
constexpr OperatorNames operatorNames[] = {
    {"+", "__add__", "__radd__", "__iadd__"},
    {"-", "__sub__", "__rsub__", "__isub__"},
    {"*", "__mul__", "__rmul__", "__imul__"},
    {"@", "__matmul__", "__rmatmul__", "__imatmul__"},
    {"/", "__truediv__", "__rtruediv__", "__itruediv__"},
    {"//", "__floordiv__", "__rfloordiv__", "__ifloordiv__"},
    {"%", "__mod__", "__rmod__", "__imod__"},
    {"** or pow()", "__pow__", "__rpow__", "__ipow__"},
    {"<<", "__lshift__", "__rlshift__", "__ilshift__"},
    {">>", "__rshift__", "__rrshift__", "__irshift__"},
    {"|", "__or__", "__ror__", "__ior__"},
    {"^", "__xor__", "__rxor__", "__ixor__"},
    {"&", "__and__", "__rand__", "__iand__"},
};
const OperatorNames& namesOf(BinaryOp op) {
  return operatorNames[static_cast<size_t>(op)];
}

int64_t floorDivide(int64_t a, int64_t b) {
  int64_t quotient = a / b;
  return quotient - ((a % b != 0) && ((a < 0) != (b < 0)));
}

double pythonModulo(double a, double b) {
  double remainder = std::fmod(a, b);
  if (remainder != 0) {
    if ((b < 0) != (remainder < 0)) remainder += b;
  } else {
    remainder = std::copysign(0.0, b);
  }
  return remainder;
}

double pythonFloorDivide(double a, double b) {
  double remainder = std::fmod(a, b), quotient = (a - remainder) / b;
  if (remainder != 0 && (b < 0) != (remainder < 0)) quotient -= 1.0;
  if (quotient == 0) return std::copysign(0.0, a / b);
  double floored = std::floor(quotient);
  return quotient - floored > 0.5 ? floored + 1.0 : floored;
}

// a / b for ints, correctly rounded.
std::optional<double> trueDivide(Value left, Value right) {
  constexpr int64_t exact = int64_t(1) << 53;
  if (left.isIntegral() && right.isIntegral()) {
    int64_t a = left.asInt(), b = right.asInt();
    if (a >= -exact && a <= exact && b >= -exact && b <= exact)
      return static_cast<double>(a) / static_cast<double>(b);
  }
  llvm::APInt a = toAPInt(left), b = toAPInt(right);
  bool negative = a.isNegative() != b.isNegative();
  unsigned width = std::max(a.getBitWidth(), b.getBitWidth()) + 1;
  a = a.sext(width).abs();
  b = b.sext(width).abs();
  if (a.isZero()) return negative ? -0.0 : 0.0;
  // A quotient of 64 or 65 bits and a sticky bit rounds right for every double that is not
  // subnormal.
  int shift = 64 - (static_cast<int>(a.getActiveBits()) - static_cast<int>(b.getActiveBits()));
  unsigned wide = width + static_cast<unsigned>(std::abs(shift)) + 2;
  a = a.zext(wide);
  b = b.zext(wide);
  if (shift > 0)
    a <<= static_cast<unsigned>(shift);
  else
    b <<= static_cast<unsigned>(-shift);
  llvm::APInt quotient, remainder;
  llvm::APInt::udivrem(a, b, quotient, remainder);
  if (quotient.getActiveBits() > 64) {
    if (quotient[0]) remainder = 1;
    quotient = quotient.lshr(1);
    --shift;
  }
  uint64_t top = quotient.getZExtValue();
  if (!remainder.isZero()) top |= 1;
  double result = std::ldexp(static_cast<double>(top), -shift);
  if (std::isinf(result)) return std::nullopt;
  return negative ? -result : result;
}

} // namespace

// Int and Int: the case that is nearly every operation.
static Value smallIntegers(Interpreter& in, BinaryOp op, Value left, Value right) {
  int64_t a = left.asInt(), b = right.asInt(), result;
  switch (op) {
  case BinaryOp::Add:
    if (!__builtin_add_overflow(a, b, &result)) return Value::integer(result);
    break;
  case BinaryOp::Sub:
    if (!__builtin_sub_overflow(a, b, &result)) return Value::integer(result);
    break;
  case BinaryOp::Mult:
    if (!__builtin_mul_overflow(a, b, &result)) return Value::integer(result);
    break;
  case BinaryOp::FloorDiv:
    if (b == 0) return in.raise("ZeroDivisionError", "integer division or modulo by zero");
    if (b != -1) {
      result = floorDivide(a, b);
      if (LaunchSink* launches = in.launches()) launches->divided(a, b, result);
      return Value::integer(result);
    }
    if (!__builtin_sub_overflow(int64_t(0), a, &result)) return Value::integer(result);
    break;
  case BinaryOp::Mod:
    if (b == 0) return in.raise("ZeroDivisionError", "integer modulo by zero");
    if (b == -1) return Value::integer(0);
    result = a % b;
    return Value::integer(result != 0 && (result < 0) != (b < 0) ? result + b : result);
  case BinaryOp::Div: {
    if (b == 0) return in.raise("ZeroDivisionError", "division by zero");
    return Value::real(*trueDivide(left, right));
  }
  case BinaryOp::Pow:
    if (b < 0) {
      if (a == 0) return in.raise("ZeroDivisionError", "0.0 cannot be raised to a negative power");
      return Value::real(std::pow(static_cast<double>(a), static_cast<double>(b)));
    }
    break;
  case BinaryOp::LShift:
    if (b >= 0 && b < 62 && a < (int64_t(1) << (62 - b)) && a > -(int64_t(1) << (62 - b)))
      return Value::integer(a * (int64_t(1) << b));
    break;
  case BinaryOp::RShift:
    if (b >= 0) return Value::integer(b > 63 ? (a < 0 ? -1 : 0) : a >> b);
    break;
  case BinaryOp::BitAnd:
    return left.is(ValueKind::Bool) && right.is(ValueKind::Bool) ? Value::boolean(a & b)
                                                                 : Value::integer(a & b);
  case BinaryOp::BitOr:
    return left.is(ValueKind::Bool) && right.is(ValueKind::Bool) ? Value::boolean(a | b)
                                                                 : Value::integer(a | b);
  case BinaryOp::BitXor:
    return left.is(ValueKind::Bool) && right.is(ValueKind::Bool) ? Value::boolean(a ^ b)
                                                                 : Value::integer(a ^ b);
  case BinaryOp::MatMult:
    return Value::absent();
  }
  return bigBinary(in, op, left, right);
}

static Value floats(Interpreter& in, BinaryOp op, double a, double b) {
  switch (op) {
  case BinaryOp::Add:
    return Value::real(a + b);
  case BinaryOp::Sub:
    return Value::real(a - b);
  case BinaryOp::Mult:
    return Value::real(a * b);
  case BinaryOp::Div:
    if (b == 0) return in.raise("ZeroDivisionError", "float division by zero");
    return Value::real(a / b);
  case BinaryOp::FloorDiv:
    if (b == 0) return in.raise("ZeroDivisionError", "float floor division by zero");
    return Value::real(pythonFloorDivide(a, b));
  case BinaryOp::Mod:
    if (b == 0) return in.raise("ZeroDivisionError", "float modulo");
    return Value::real(std::isinf(b) && std::isfinite(a)
                           ? ((a < 0) != (b < 0) && a != 0 ? b : std::copysign(a, a == 0 ? b : a))
                           : pythonModulo(a, b));
  case BinaryOp::Pow: {
    if (a == 0 && b < 0)
      return in.raise("ZeroDivisionError", "0.0 cannot be raised to a negative power");
    if (a < 0 && std::isfinite(b) && b != std::floor(b))
      return Value::unknown(); // a complex number
    double result = std::pow(a, b);
    if (std::isinf(result) && std::isfinite(a) && std::isfinite(b))
      return in.raise("OverflowError", "(34, 'Numerical result out of range')");
    return Value::real(result);
  }
  default:
    return Value::absent();
  }
}

static bool isNumber(Value value) {
  return isInteger(value) || value.is(ValueKind::Float);
}

static Value repeatSequence(Interpreter& in, Value sequence, Value count) {
  int64_t times = std::max<int64_t>(*toIndex(count), 0);
  if (auto* text = sequence.as<StrObject>()) {
    size_t total;
    if (__builtin_mul_overflow(text->text.size(), static_cast<size_t>(times), &total) ||
        !in.charge(total) || !in.spendBytes(total))
      return in.failed() ? Value::absent()
                         : in.exhaust("a string of more than the memory an evaluation may use");
    std::string result;
    result.reserve(total);
    for (int64_t i = 0; i < times && !text->text.empty(); ++i)
      result += text->text;
    Value value = in.heap().str(result);
    return sequence.is(ValueKind::Bytes) ? Value::object(ValueKind::Bytes, value.as<StrObject>())
                                         : value;
  }
  auto items = language::itemsOf(sequence).snapshot();
  size_t total;
  if (__builtin_mul_overflow(items.size(), static_cast<size_t>(times), &total) ||
      !in.charge(total, sizeof(Value)) || !in.spendBytes(total * sizeof(Value)))
    return in.failed() ? Value::absent()
                       : in.exhaust("a sequence of more than the memory an evaluation may use");
  llvm::SmallVector<Value> result;
  result.reserve(total);
  for (int64_t i = 0; i < times && !items.empty(); ++i)
    result.append(items.begin(), items.end());
  return sequence.is(ValueKind::List) ? in.heap().list(result) : in.heap().tuple(result);
}

// Set algebra; Absent when the operator is none of it.
static Value sets(Interpreter& in, BinaryOp op, const DictObject* a, const DictObject* b) {
  auto* out = in.heap().make<DictObject>();
  Value result = Value::object(ValueKind::Set, out);
  out->frozen = a->frozen;
  auto add = [&](const DictObject* from, const DictObject* other, bool wanted) {
    for (auto [member, none] : from->items) {
      if (!in.spend(1)) return false;
      Value found = in.dictGet(other, member);
      if (in.failed()) return false;
      if (found.isUnknown()) out->uncertain = true;
      if (!found.isAbsent() == wanted && !in.dictSet(out, member, Value::none())) return false;
    }
    return true;
  };
  auto addAll = [&](const DictObject* from) {
    for (auto [member, none] : from->items)
      if (!in.spend(1) || !in.dictSet(out, member, Value::none())) return false;
    return true;
  };
  out->uncertain = a->uncertain || b->uncertain;
  bool fine;
  switch (op) {
  case BinaryOp::BitOr:
    fine = addAll(a) && addAll(b);
    break;
  case BinaryOp::BitAnd:
    fine = add(a, b, true);
    break;
  case BinaryOp::Sub:
    fine = add(a, b, false);
    break;
  case BinaryOp::BitXor:
    fine = add(a, b, false) && add(b, a, false);
    break;
  default:
    return Value::absent();
  }
  return fine ? result : Value::absent();
}

// The operator on builtin containers and strings; Absent without raising: not for these operands.
static Value containers(Interpreter& in, BinaryOp op, Value left, Value right) {
  ValueKind a = left.kind(), b = right.kind();
  if (op == BinaryOp::Mult) {
    auto repeats = [](ValueKind kind) {
      return kind == ValueKind::Str || kind == ValueKind::Bytes || kind == ValueKind::List ||
             kind == ValueKind::Tuple;
    };
    if (repeats(a) && isInteger(right)) return repeatSequence(in, left, right);
    if (repeats(b) && isInteger(left)) return repeatSequence(in, right, left);
    return Value::absent();
  }
  if (op == BinaryOp::Mod && a == ValueKind::Bytes) return Value::unknown(); // is not modelled
  if (op == BinaryOp::Mod && a == ValueKind::Str)
    return unlessPartlyKnown(in, percentFormat(in, left.as<StrObject>()->text, right), right);
  if (op == BinaryOp::Add && a == b) {
    switch (a) {
    case ValueKind::Str:
    case ValueKind::Bytes: {
      llvm::StringRef x = left.as<StrObject>()->text, y = right.as<StrObject>()->text;
      if (!in.charge(x.size() + y.size()) || !in.spendBytes(x.size() + y.size()))
        return Value::absent();
      return Value::object(a, in.heap().str((x + y).str()).as<StrObject>());
    }
    case ValueKind::List: {
      if (left.as<ListObject>()->uncertain || right.as<ListObject>()->uncertain)
        return Value::unknown();
      auto items = left.as<ListObject>()->items.snapshot();
      for (Value item : right.as<ListObject>()->items)
        items.push_back(item);
      size_t bytes = items.size() * sizeof(Value);
      if (!in.charge(bytes) || !in.spendBytes(bytes)) return Value::absent();
      return in.heap().list(items);
    }
    case ValueKind::Tuple: {
      Values x = left.as<TupleObject>()->items, y = right.as<TupleObject>()->items;
      size_t bytes = (x.size() + y.size()) * sizeof(Value);
      if (!in.charge(bytes) || !in.spendBytes(bytes)) return Value::absent();
      llvm::SmallVector<Value> items(x);
      items.append(y.begin(), y.end());
      return in.heap().tuple(items);
    }
    default:
      return Value::absent();
    }
  }
  if (a == ValueKind::Set && b == ValueKind::Set)
    return sets(in, op, left.as<DictObject>(), right.as<DictObject>());
  if (op == BinaryOp::BitOr && a == ValueKind::Dict && b == ValueKind::Dict) {
    auto* result = in.heap().make<DictObject>();
    for (Value side : {left, right}) {
      auto* dict = side.as<DictObject>();
      result->uncertain |= dict->uncertain;
      for (auto [key, value] : dict->items)
        if (!in.spend(1) || !in.dictSet(result, key, value)) return Value::absent();
    }
    return Value::object(ValueKind::Dict, result);
  }
  return Value::absent();
}

// What the special methods of the operands' classes make of them; Absent if there are none, or one
// raised.
static Value ownBinary(Interpreter& in, const OperatorNames& names, Value left, Value right) {
  for (auto [self, other, special] :
       {std::tuple(left, right, names.special), std::tuple(right, left, names.reflected)}) {
    Value result = in.callSpecial(self, in.name(special), other);
    if (in.failed()) return Value::absent();
    if (!result.isAbsent() && !result.is(ValueKind::NotImplemented)) return result;
  }
  return Value::absent();
}

Value Interpreter::binarySpecial(BinaryOp op, Value left, Value right) {
  Value own = ownBinary(*this, namesOf(op), left, right);
  if (failed() || !own.isAbsent()) return own;
  for (Value side : {left, right})
    if (auto* host = side.as<HostObject>()) {
      if (!host->cls->binary) continue;
      Value result = callHost(*this, host->cls->binary, static_cast<int>(op), false, left, right);
      if (failed() || !result.isAbsent()) return result;
    }
  // int | None, list[int] | str: a union in an annotation.
  auto isTypeLike = [](Value value) {
    return value.is(ValueKind::Class) || value.is(ValueKind::Builtin) ||
           value.is(ValueKind::Type) || value.isNone() || isUnion(value);
  };
  if (op == BinaryOp::BitOr && isTypeLike(left) && isTypeLike(right) &&
      !(left.isNone() && right.isNone()))
    return makeUnion(*this, {left, right});
  bool isBitwise = op == BinaryOp::BitOr || op == BinaryOp::BitAnd || op == BinaryOp::BitXor;
  auto *flag = left.as<EnumObject>(), *other = right.as<EnumObject>();
  if (isBitwise && flag && other && flag->cls == other->cls && isFlagEnum(flag->cls)) {
    Value result = binary(op, flag->value, other->value);
    return result.isAbsent() ? result : flagMember(*this, flag->cls, result);
  }
  for (Value side : {left, right}) // members of IntEnum and IntFlag calculate as their values do
    if (auto* member = side.as<EnumObject>(); member &&
                                              member->cls->flavour == ClassObject::Flavour::Enum &&
                                              isIntegerEnum(*this, member->cls)) {
      auto plain = [](Value value) {
        return value.is(ValueKind::Enum) ? value.as<EnumObject>()->value : value;
      };
      Value result = binary(op, plain(left), plain(right));
      return result.isAbsent() ? result : flagMember(*this, member->cls, result);
    }
  if (Value result = gluonBinary(*this, op, left, right); failed() || !result.isAbsent())
    return result;
  // Views of dicts are lists here, and calculate as sets.
  bool isView = (left.is(ValueKind::List) || left.is(ValueKind::Set)) &&
                (right.is(ValueKind::List) || right.is(ValueKind::Set));
  if (isView && (isBitwise || op == BinaryOp::Sub)) return Value::unknown();
  if (isKnownInPart(*this, left) || isKnownInPart(*this, right)) return Value::unknown();
  if (op == BinaryOp::Add &&
      (left.is(ValueKind::Str) || left.is(ValueKind::List) || left.is(ValueKind::Tuple)))
    return raise("TypeError", "can only concatenate " + className(typeOf(left)) + " (not \"" +
                                  className(typeOf(right)) + "\") to " + className(typeOf(left)));
  return raise("TypeError", "unsupported operand type(s) for " + llvm::Twine(namesOf(op).symbol) +
                                ": '" + className(typeOf(left)) + "' and '" +
                                className(typeOf(right)) + "'");
}

Value Interpreter::binary(BinaryOp op, Value left, Value right) {
  if (left.is(ValueKind::Int) && right.is(ValueKind::Int) && !left.isConstexpr() &&
      !right.isConstexpr())
    if (op != BinaryOp::MatMult) return smallIntegers(*this, op, left, right);
  if (left.isConstexpr() || right.isConstexpr()) {
    Value result = binary(op, left.unwrapped(), right.unwrapped());
    return result.isAbsent() ? result : result.wrapped();
  }
  if (left.isUnknown() || right.isUnknown()) return Value::unknown();
  if (mayOverride(left) || mayOverride(right)) {
    Value own = ownBinary(*this, namesOf(op), left, right);
    if (failed() || !own.isAbsent()) return own;
  }
  if (isNumber(left) && isNumber(right) && op != BinaryOp::MatMult) {
    if (left.isIntegral() && right.isIntegral()) return smallIntegers(*this, op, left, right);
    if (left.is(ValueKind::Float) || right.is(ValueKind::Float)) {
      auto a = toDouble(left), b = toDouble(right);
      if (!a || !b) return raise("OverflowError", "int too large to convert to float");
      Value result = floats(*this, op, *a, *b);
      if (failed() || !result.isAbsent()) return result;
    } else {
      bool zero = right.isIntegral() && right.asInt() == 0;
      switch (op) {
      case BinaryOp::FloorDiv:
      case BinaryOp::Mod:
        if (zero)
          return raise("ZeroDivisionError", op == BinaryOp::Mod
                                                ? "integer modulo by zero"
                                                : "integer division or modulo by zero");
        break;
      case BinaryOp::Div: {
        if (zero) return raise("ZeroDivisionError", "division by zero");
        size_t words = wordsOf(left) + wordsOf(right);
        if (!spendProduct(words, words)) return Value::absent();
        auto result = trueDivide(left, right);
        return result ? Value::real(*result)
                      : raise("OverflowError", "integer division result too large for a float");
      }
      case BinaryOp::Pow:
        if (toAPInt(right).isNegative()) {
          auto a = toDouble(left), b = toDouble(right);
          if (!a || !b) return raise("OverflowError", "int too large to convert to float");
          return floats(*this, op, *a, *b);
        }
        break;
      default:
        break;
      }
      return bigBinary(*this, op, left, right);
    }
  } else {
    Value result = containers(*this, op, left, right);
    if (failed() || !result.isAbsent()) return result;
  }
  return binarySpecial(op, left, right);
}

Value Interpreter::inplace(BinaryOp op, Value left, Value right) {
  if (left.isConstexpr() || right.isConstexpr() || left.isUnknown()) return binary(op, left, right);
  if (left.is(ValueKind::List) && op == BinaryOp::Add) {
    ListObject* list = writable(left.as<ListObject>());
    if (!list) return Value::absent();
    llvm::SmallVector<Value> more;
    if (!unpack(right, more)) return failed() ? Value::absent() : Value::unknown();
    if (!charge(more.size() * sizeof(Value)) || !spendBytes(more.size() * sizeof(Value)))
      return Value::absent();
    list->items.append(more);
    return left;
  }
  if (left.is(ValueKind::Dict) && op == BinaryOp::BitOr && !right.isNone()) { // pairs, too
    return updateDict(*this, left.as<DictObject>(), right) ? left : Value::absent();
  }
  // The object changes for its other names, too.
  auto* list = left.as<ListObject>();
  auto* set = left.is(ValueKind::Set) ? left.as<DictObject>() : nullptr;
  if ((list && op == BinaryOp::Mult) || (set && !set->frozen && right.is(ValueKind::Set))) {
    Value result = binary(op, left, right);
    if (list && result.is(ValueKind::List)) {
      ListObject* changed = writable(list);
      if (changed) changed->items.assign(result.as<ListObject>()->items.snapshot());
      return changed ? left : Value::absent();
    }
    if (set && result.is(ValueKind::Set)) {
      DictObject* changed = writable(set);
      if (changed) changed->items.assign(result.as<DictObject>()->items);
      return changed ? left : Value::absent();
    }
    return failed() ? Value::absent() : result;
  }
  if (left.is(ValueKind::Host)) {
    Value method = lookupAttribute(left, name(namesOf(op).inplace));
    if (failed()) return Value::absent();
    if (hostAs<NativeFunctionObject>(method, nativeFunctionClass))
      return call(method, Values(right));
  }
  if (left.is(ValueKind::Instance)) {
    Value result = callSpecial(left, name(namesOf(op).inplace), right);
    if (failed()) return Value::absent();
    if (!result.isAbsent() && !result.is(ValueKind::NotImplemented)) return result;
  }
  return binary(op, left, right);
}

Value Interpreter::unary(UnaryOperator op, Value operand) {
  if (operand.isConstexpr()) {
    Value result = unary(op, operand.unwrapped());
    return result.isAbsent() ? result : result.wrapped();
  }
  if (op == UnaryOperator::Not) {
    auto result = truth(operand);
    if (failed()) return Value::absent();
    return result ? Value::boolean(!*result) : Value::unknown();
  }
  if (operand.isUnknown()) return operand;
  if (operand.isIntegral()) {
    int64_t value = operand.asInt();
    switch (op) {
    case UnaryOperator::Invert:
      return Value::integer(~value);
    case UnaryOperator::UAdd:
      return Value::integer(value);
    default:
      return binary(BinaryOp::Sub, Value::integer(0), operand);
    }
  }
  if (operand.is(ValueKind::BigInt)) {
    if (op == UnaryOperator::UAdd) return operand;
    Value negative = binary(BinaryOp::Sub, Value::integer(0), operand);
    return op == UnaryOperator::USub || negative.isAbsent()
               ? negative
               : binary(BinaryOp::Sub, negative, Value::integer(1));
  }
  if (operand.is(ValueKind::Float) && op != UnaryOperator::Invert)
    return Value::real(op == UnaryOperator::USub ? -operand.asFloat() : operand.asFloat());
  llvm::StringLiteral symbols[] = {"~", "not", "+", "-"};
  Name specials[] = {known_.invert, Name{}, known_.pos, known_.neg};
  Value result = callSpecial(operand, specials[static_cast<size_t>(op)], {});
  if (failed() || !result.isAbsent()) return result;
  if (auto* host = operand.as<HostObject>(); host && host->cls->binary)
    return callHost(*this, host->cls->binary, static_cast<int>(BinaryOp::Mult), false, operand,
                    Value::integer(-1));
  if (auto* member = operand.as<EnumObject>()) {
    if (isFlagEnum(member->cls) && op == UnaryOperator::Invert)
      return invertFlag(*this, member->cls, member->value);
    if (isIntegerEnum(*this, member->cls)) return unary(op, member->value);
  }
  if (isKnownInPart(*this, operand)) return Value::unknown();
  return raise("TypeError", "bad operand type for unary " +
                                llvm::Twine(symbols[static_cast<size_t>(op)]) + ": '" +
                                className(typeOf(operand)) + "'");
}

} // namespace gluond::evaluate
