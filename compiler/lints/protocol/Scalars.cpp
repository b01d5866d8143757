#include "lints/protocol/Scalars.h"

#include <llvm/ADT/TypeSwitch.h>
#include <mlir/Dialect/Arith/IR/Arith.h>

namespace gluond::lints::protocol {
using namespace mlir;

namespace {

unsigned widthOf(Type type) {
  auto integer = dyn_cast<IntegerType>(type);
  return integer ? integer.getWidth() : 64;
}

// Wraps around as the type does.
int64_t wrapped(uint64_t value, Type type) {
  unsigned width = widthOf(type);
  if (width >= 64) return static_cast<int64_t>(value);
  uint64_t mask = (uint64_t(1) << width) - 1;
  value &= mask;
  if (width > 1 && (value >> (width - 1))) value |= ~mask;
  return static_cast<int64_t>(value);
}
uint64_t unsignedOf(int64_t value, Type type) {
  unsigned width = widthOf(type);
  return width >= 64 ? static_cast<uint64_t>(value)
                     : static_cast<uint64_t>(value) & ((uint64_t(1) << width) - 1);
}

using Binary = std::optional<uint64_t> (*)(int64_t a, int64_t b, Type type);

std::optional<uint64_t> divide(int64_t a, int64_t b, bool wantRemainder) {
  if (b == 0) return std::nullopt;
  if (b == -1) return wantRemainder ? 0 : uint64_t(0) - static_cast<uint64_t>(a);
  return static_cast<uint64_t>(wantRemainder ? a % b : a / b);
}
bool isShift(int64_t by, Type type) {
  return by >= 0 && by < static_cast<int64_t>(widthOf(type));
}

std::optional<uint64_t> binary(Operation& op, int64_t a, int64_t b, Type type) {
  auto u = [](int64_t v) { return static_cast<uint64_t>(v); };
  using Result = std::optional<uint64_t>;
  return llvm::TypeSwitch<Operation*, Result>(&op)
      .Case<arith::AddIOp>([&](auto) -> Result { return u(a) + u(b); })
      .Case<arith::SubIOp>([&](auto) -> Result { return u(a) - u(b); })
      .Case<arith::MulIOp>([&](auto) -> Result { return u(a) * u(b); })
      .Case<arith::DivSIOp>([&](auto) { return divide(a, b, false); })
      .Case<arith::RemSIOp>([&](auto) { return divide(a, b, true); })
      .Case<arith::DivUIOp>([&](auto) -> Result {
        return b == 0 ? Result() : Result(unsignedOf(a, type) / unsignedOf(b, type));
      })
      .Case<arith::RemUIOp>([&](auto) -> Result {
        return b == 0 ? Result() : Result(unsignedOf(a, type) % unsignedOf(b, type));
      })
      .Case<arith::CeilDivSIOp>([&](auto) -> Result {
        if (b == 0 || b == -1) return std::nullopt;
        return u(a / b + (a % b != 0 && (a % b > 0) == (b > 0)));
      })
      .Case<arith::FloorDivSIOp>([&](auto) -> Result {
        if (b == 0 || b == -1) return std::nullopt;
        return u(a / b - (a % b != 0 && (a % b > 0) != (b > 0)));
      })
      .Case<arith::AndIOp>([&](auto) -> Result { return u(a & b); })
      .Case<arith::OrIOp>([&](auto) -> Result { return u(a | b); })
      .Case<arith::XOrIOp>([&](auto) -> Result { return u(a ^ b); })
      .Case<arith::ShLIOp>(
          [&](auto) -> Result { return isShift(b, type) ? Result(u(a) << b) : Result(); })
      .Case<arith::ShRSIOp>(
          [&](auto) -> Result { return isShift(b, type) ? Result(u(a >> b)) : Result(); })
      .Case<arith::ShRUIOp>([&](auto) -> Result {
        return isShift(b, type) ? Result(unsignedOf(a, type) >> b) : Result();
      })
      .Case<arith::MinSIOp>([&](auto) -> Result { return u(std::min(a, b)); })
      .Case<arith::MaxSIOp>([&](auto) -> Result { return u(std::max(a, b)); })
      .Case<arith::MinUIOp>(
          [&](auto) -> Result { return std::min(unsignedOf(a, type), unsignedOf(b, type)); })
      .Case<arith::MaxUIOp>(
          [&](auto) -> Result { return std::max(unsignedOf(a, type), unsignedOf(b, type)); })
      .Default([](Operation*) -> Result { return std::nullopt; });
}

bool compare(arith::CmpIPredicate predicate, int64_t a, int64_t b, Type type) {
  uint64_t ua = unsignedOf(a, type), ub = unsignedOf(b, type);
  switch (predicate) {
  case arith::CmpIPredicate::eq:
    return a == b;
  case arith::CmpIPredicate::ne:
    return a != b;
  case arith::CmpIPredicate::slt:
    return a < b;
  case arith::CmpIPredicate::sle:
    return a <= b;
  case arith::CmpIPredicate::sgt:
    return a > b;
  case arith::CmpIPredicate::sge:
    return a >= b;
  case arith::CmpIPredicate::ult:
    return ua < ub;
  case arith::CmpIPredicate::ule:
    return ua <= ub;
  case arith::CmpIPredicate::ugt:
    return ua > ub;
  case arith::CmpIPredicate::uge:
    return ua >= ub;
  }
  return false;
}

// Whether one operand decides alone: x and 0, x or 1 of single bits, x times 0.
std::optional<int64_t> absorbed(Operation& op, int64_t known) {
  if (isa<arith::AndIOp, arith::MulIOp>(op) && known == 0) return 0;
  if (isa<arith::OrIOp>(op) && op.getResult(0).getType().isInteger(1) && known) return 1;
  return std::nullopt;
}

} // namespace

std::optional<int64_t> evaluateScalar(Operation& op,
                                      llvm::function_ref<std::optional<int64_t>(Value)> operand) {
  if (op.getNumResults() != 1) return std::nullopt;
  Type type = op.getResult(0).getType();
  if (!type.isIntOrIndex()) return std::nullopt;
  if (auto constant = dyn_cast<arith::ConstantOp>(op)) {
    auto integer = dyn_cast<IntegerAttr>(constant.getValue());
    if (!integer || integer.getValue().getBitWidth() > 64) return std::nullopt;
    return type.isInteger(1) ? static_cast<int64_t>(integer.getValue().getZExtValue())
                             : integer.getValue().getSExtValue();
  }
  if (auto compared = dyn_cast<arith::CmpIOp>(op)) {
    auto a = operand(compared.getLhs()), b = operand(compared.getRhs());
    if (!a || !b) return std::nullopt;
    return compare(compared.getPredicate(), *a, *b, compared.getLhs().getType());
  }
  if (isa<arith::ExtSIOp, arith::ExtUIOp, arith::TruncIOp, arith::IndexCastOp,
          arith::IndexCastUIOp>(op)) {
    auto value = operand(op.getOperand(0));
    if (!value) return std::nullopt;
    Type from = op.getOperand(0).getType();
    if (isa<arith::ExtUIOp, arith::IndexCastUIOp>(op))
      return wrapped(unsignedOf(*value, from), type);
    if (isa<arith::ExtSIOp>(op) && from.isInteger(1)) return *value ? -1 : 0;
    return wrapped(static_cast<uint64_t>(*value), type);
  }
  if (op.getNumOperands() != 2 || op.getOperand(0).getType() != type) return std::nullopt;
  auto a = operand(op.getOperand(0)), b = operand(op.getOperand(1));
  if (a && !b) return absorbed(op, *a);
  if (b && !a) return absorbed(op, *b);
  if (!a || !b) return std::nullopt;
  auto result = binary(op, *a, *b, type);
  if (!result) return std::nullopt;
  return wrapped(*result, type);
}

} // namespace gluond::lints::protocol
