#include "passes/analysis/IntegerArithmetic.h"

#include <llvm/Support/MathExtras.h>

#include <algorithm>

namespace gluond::passes {
using namespace mlir;

unsigned integerBits(Type type) {
  auto integer = dyn_cast<IntegerType>(getElementTypeOrSelf(type));
  return integer ? std::min(integer.getWidth(), 64u) : 64;
}

int64_t wrapped(uint64_t value, unsigned bits) {
  if (bits >= 64) return static_cast<int64_t>(value);
  if (bits == 1) return static_cast<int64_t>(value & 1);
  return llvm::SignExtend64(value, bits);
}

uint64_t unsignedOf(int64_t value, unsigned bits) {
  return static_cast<uint64_t>(value) & llvm::maskTrailingOnes<uint64_t>(bits);
}

bool compare(arith::CmpIPredicate predicate, int64_t a, int64_t b, unsigned bits) {
  using P = arith::CmpIPredicate;
  uint64_t ua = unsignedOf(a, bits), ub = unsignedOf(b, bits);
  switch (predicate) {
  case P::eq:
    return a == b;
  case P::ne:
    return a != b;
  case P::slt:
    return a < b;
  case P::sle:
    return a <= b;
  case P::sgt:
    return a > b;
  case P::sge:
    return a >= b;
  case P::ult:
    return ua < ub;
  case P::ule:
    return ua <= ub;
  case P::ugt:
    return ua > ub;
  case P::uge:
    return ua >= ub;
  }
  return false;
}

namespace {

using Result = std::optional<int64_t>;

uint64_t u(int64_t value) {
  return static_cast<uint64_t>(value);
}
bool isShift(int64_t by, unsigned bits) {
  return by >= 0 && by < static_cast<int64_t>(bits);
}
// Whether the quotient of two signed numbers is not a whole one and its sign is this.
bool isBetween(int64_t a, int64_t b, bool isPositive) {
  return a % b != 0 && ((a % b > 0) == (b > 0)) == isPositive;
}

} // namespace

IntegerRule integerRule(Operation* op) {
  struct Row {
    StringRef name;
    IntegerRule rule;
  };
  static constexpr Row rows[] = {
      {"arith.addi",
       [](int64_t a, int64_t b, unsigned n) -> Result { return wrapped(u(a) + u(b), n); }},
      {"arith.subi",
       [](int64_t a, int64_t b, unsigned n) -> Result { return wrapped(u(a) - u(b), n); }},
      {"arith.muli",
       [](int64_t a, int64_t b, unsigned n) -> Result { return wrapped(u(a) * u(b), n); }},
      {"arith.divsi",
       [](int64_t a, int64_t b, unsigned n) -> Result {
         if (b == 0) return std::nullopt;
         return b == -1 ? wrapped(-u(a), n) : a / b;
       }},
      {"arith.remsi",
       [](int64_t a, int64_t b, unsigned) -> Result {
         if (b == 0) return std::nullopt;
         return b == -1 ? 0 : a % b;
       }},
      {"arith.ceildivsi",
       [](int64_t a, int64_t b, unsigned n) -> Result {
         if (b == 0) return std::nullopt;
         return b == -1 ? wrapped(-u(a), n) : a / b + isBetween(a, b, true);
       }},
      {"arith.floordivsi",
       [](int64_t a, int64_t b, unsigned n) -> Result {
         if (b == 0) return std::nullopt;
         return b == -1 ? wrapped(-u(a), n) : a / b - isBetween(a, b, false);
       }},
      {"arith.divui",
       [](int64_t a, int64_t b, unsigned n) -> Result {
         if (b == 0) return std::nullopt;
         return wrapped(unsignedOf(a, n) / unsignedOf(b, n), n);
       }},
      {"arith.remui",
       [](int64_t a, int64_t b, unsigned n) -> Result {
         if (b == 0) return std::nullopt;
         return wrapped(unsignedOf(a, n) % unsignedOf(b, n), n);
       }},
      {"arith.andi", [](int64_t a, int64_t b, unsigned) -> Result { return a & b; }},
      {"arith.ori", [](int64_t a, int64_t b, unsigned) -> Result { return a | b; }},
      {"arith.xori", [](int64_t a, int64_t b, unsigned) -> Result { return a ^ b; }},
      {"arith.shli",
       [](int64_t a, int64_t b, unsigned n) -> Result {
         if (!isShift(b, n)) return std::nullopt;
         return wrapped(u(a) << b, n);
       }},
      {"arith.shrsi",
       [](int64_t a, int64_t b, unsigned n) -> Result {
         if (!isShift(b, n)) return std::nullopt;
         return a >> b;
       }},
      {"arith.shrui",
       [](int64_t a, int64_t b, unsigned n) -> Result {
         if (!isShift(b, n)) return std::nullopt;
         return wrapped(unsignedOf(a, n) >> b, n);
       }},
      {"arith.maxsi", [](int64_t a, int64_t b, unsigned) -> Result { return std::max(a, b); }},
      {"arith.minsi", [](int64_t a, int64_t b, unsigned) -> Result { return std::min(a, b); }},
      {"arith.maxui",
       [](int64_t a, int64_t b, unsigned n) -> Result {
         return unsignedOf(a, n) < unsignedOf(b, n) ? b : a;
       }},
      {"arith.minui",
       [](int64_t a, int64_t b, unsigned n) -> Result {
         return unsignedOf(a, n) < unsignedOf(b, n) ? a : b;
       }},
  };
  StringRef name = op->getName().getStringRef();
  for (const Row& row : rows)
    if (row.name == name) return row.rule;
  return nullptr;
}

IntegerCast integerCast(Operation* op) {
  if (isa<arith::ExtUIOp, arith::IndexCastUIOp>(op))
    return [](int64_t value, unsigned from, unsigned to) {
      return wrapped(unsignedOf(value, from), to);
    };
  if (isa<arith::ExtSIOp, arith::IndexCastOp>(op))
    return [](int64_t value, unsigned from, unsigned to) {
      return wrapped(from == 1 ? -u(value) : u(value), to);
    };
  if (isa<arith::TruncIOp>(op))
    return [](int64_t value, unsigned, unsigned to) { return wrapped(u(value), to); };
  return nullptr;
}

} // namespace gluond::passes
