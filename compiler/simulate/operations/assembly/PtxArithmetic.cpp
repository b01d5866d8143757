#include "simulate/operations/assembly/PtxArithmetic.h"

#include <llvm/ADT/SmallVector.h>
#include <llvm/ADT/bit.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace gluond::simulate::assembly {

namespace {

using Reals = double (*)(const double*);
struct RealRow {
  unsigned operands;
  Reals apply;
};
double least(double a, double b) {
  return a == b ? (std::signbit(a) ? a : b) : std::fmin(a, b);
}
double greatest(double a, double b) {
  return a == b ? (std::signbit(a) ? b : a) : std::fmax(a, b);
}

const llvm::StringMap<RealRow>& realRows() {
  static const llvm::StringMap<RealRow> rows = [] {
    llvm::StringMap<RealRow> all;
#define ROW(name, operands, expression)                                                            \
  all[name] = {operands, [](const double* a) -> double { return expression; }};
    ROW("add", 2, a[0] + a[1])
    ROW("sub", 2, a[0] - a[1])
    ROW("mul", 2, a[0] * a[1])
    ROW("div", 2, a[0] / a[1])
    ROW("fma", 3, std::fma(a[0], a[1], a[2]))
    ROW("mad", 3, std::fma(a[0], a[1], a[2]))
    ROW("min", 2, least(a[0], a[1]))
    ROW("max", 2, greatest(a[0], a[1]))
    ROW("abs", 1, std::fabs(a[0]))
    ROW("neg", 1, -a[0])
    ROW("rcp", 1, 1 / a[0])
    ROW("sqrt", 1, std::sqrt(a[0]))
    ROW("rsqrt", 1, 1 / std::sqrt(a[0]))
    ROW("ex2", 1, std::exp2(a[0]))
    ROW("lg2", 1, std::log2(a[0]))
    ROW("sin", 1, std::sin(a[0]))
    ROW("cos", 1, std::cos(a[0]))
    ROW("tanh", 1, std::tanh(a[0]))
    ROW("copysign", 2, std::copysign(a[1], a[0]))
#undef ROW
    return all;
  }();
  return rows;
}

} // namespace

bool resolveReal(Instruction& instruction, llvm::StringRef name, Type type,
                 const Modifiers& modifiers, bool keepsNan) {
  auto row = realRows().find(name);
  if (row == realRows().end() || instruction.operands.size() != row->second.operands + 1)
    return false;
  bool isFused = row->second.operands == 3 && type.element == Element::F32 &&
                 modifiers.rounding == Rounding::Nearest;
  instruction.run = [row = row->second, type, modifiers, isFused, keepsNan,
                     operands = instruction.operands](Thread& thread) {
    uint64_t result = 0, in[3] = {};
    for (unsigned i = 0; i < row.operands; ++i)
      in[i] = read(thread, operands[i + 1], type);
    for (unsigned lane = 0; lane < type.lanes; ++lane) {
      double a[3] = {};
      bool hasNan = false;
      for (unsigned i = 0; i < row.operands; ++i) {
        a[i] = realAt(type, laneOf(in[i], type.bits, lane));
        hasNan |= a[i] != a[i];
      }
      double number =
          isFused ? static_cast<double>(std::fma(static_cast<float>(a[0]), static_cast<float>(a[1]),
                                                 static_cast<float>(a[2])))
                  : row.apply(a);
      if (keepsNan && hasNan) number = std::numeric_limits<double>::quiet_NaN();
      number = finished(number, type, modifiers);
      result |= bitsOfReal(type, number, modifiers.rounding) << (type.bits * lane);
    }
    thread.slots[operands[0].slot] = result;
  };
  return true;
}

namespace {

// Integers: operands extended by sign or zeros, the result cut to the type.
using Integers = uint64_t (*)(const int64_t* a, unsigned bits);
struct IntegerRow {
  unsigned operands;
  Integers apply;
  unsigned amounts = 4; // from here on operands are amounts and positions of 32 bits
};

uint64_t logic(uint64_t a, uint64_t b, uint64_t c, uint64_t table) {
  uint64_t result = 0;
  for (unsigned i = 0; i < 8; ++i)
    if (table >> i & 1) result |= (i & 4 ? a : ~a) & (i & 2 ? b : ~b) & (i & 1 ? c : ~c);
  return result;
}
uint64_t permuted(uint64_t a, uint64_t b, uint64_t selector) {
  uint64_t bytes = (a & 0xffffffff) | b << 32, result = 0;
  for (unsigned i = 0; i < 4; ++i) {
    uint64_t pick = selector >> (4 * i) & 15, byte = bytes >> (pick & 7) * 8 & 0xff;
    if (pick & 8) byte = byte & 0x80 ? 0xff : 0;
    result |= byte << (8 * i);
  }
  return result;
}
uint64_t dotProduct(const int64_t* a, bool isSigned) {
  int64_t sum = a[2];
  for (unsigned i = 0; i < 4; ++i) {
    uint64_t x = static_cast<uint64_t>(a[0]) >> (8 * i) & 0xff,
             y = static_cast<uint64_t>(a[1]) >> (8 * i) & 0xff;
    sum += isSigned ? extended(x, 8) * extended(y, 8) : static_cast<int64_t>(x * y);
  }
  return static_cast<uint64_t>(sum);
}
uint64_t field(const int64_t* a, unsigned bits, bool isSigned) {
  uint64_t at = static_cast<uint64_t>(a[1]) & 0xff, length = static_cast<uint64_t>(a[2]) & 0xff;
  if (!length) return 0;
  uint64_t value = static_cast<uint64_t>(a[0]) & maskOf(bits);
  uint64_t part = at < bits ? value >> at & maskOf(static_cast<unsigned>(length)) : 0;
  if (!isSigned) return part;
  uint64_t last = std::min<uint64_t>(at + length - 1, bits - 1);
  bool isNegative = value >> last & 1;
  return isNegative && length < bits ? part | ~maskOf(static_cast<unsigned>(length)) : part;
}
uint64_t inserted(const int64_t* a, unsigned bits) {
  uint64_t at = static_cast<uint64_t>(a[2]) & 0xff, length = static_cast<uint64_t>(a[3]) & 0xff;
  if (at >= bits) return static_cast<uint64_t>(a[1]);
  uint64_t mask = maskOf(static_cast<unsigned>(std::min<uint64_t>(length, 64))) << at;
  return (static_cast<uint64_t>(a[1]) & ~mask) | (static_cast<uint64_t>(a[0]) << at & mask);
}

// Two words as one, the first one below.
uint64_t joined(const int64_t* a) {
  return static_cast<uint64_t>(a[1]) << 32 | (static_cast<uint64_t>(a[0]) & 0xffffffff);
}

const llvm::StringMap<IntegerRow>& integerRows() {
  static const llvm::StringMap<IntegerRow> rows = [] {
    llvm::StringMap<IntegerRow> all;
#define ROW(name, operands, expression)                                                            \
  all[name] = {operands, [](const int64_t* a, unsigned bits) -> uint64_t {                         \
                 const auto* u = reinterpret_cast<const uint64_t*>(a);                             \
                 (void)u, (void)bits;                                                              \
                 return static_cast<uint64_t>(expression);                                         \
               }};
    ROW("add", 2, u[0] + u[1])
    ROW("sub", 2, u[0] - u[1])
    ROW("mul.lo", 2, u[0] * u[1])
    ROW("mul.wide", 2, u[0] * u[1])
    ROW("mul.hi.s", 2, __int128(a[0]) * a[1] >> bits)
    ROW("mul.hi.u", 2, (unsigned __int128)(u[0]) * u[1] >> bits)
    ROW("mul24.lo", 2, u[0] * u[1])
    ROW("mad.lo", 3, u[0] * u[1] + u[2])
    ROW("mad.wide", 3, u[0] * u[1] + u[2])
    ROW("mad.hi.s", 3, (__int128(a[0]) * a[1] >> bits) + a[2])
    ROW("mad.hi.u", 3, ((unsigned __int128)(u[0]) * u[1] >> bits) + u[2])
    ROW("sad.s", 3, u[2] + (a[0] > a[1] ? u[0] - u[1] : u[1] - u[0]))
    ROW("sad.u", 3, u[2] + (u[0] > u[1] ? u[0] - u[1] : u[1] - u[0]))
    ROW("div.s", 2, !a[1] ? -1 : a[1] == -1 ? int64_t(uint64_t(0) - u[0]) : a[0] / a[1])
    ROW("div.u", 2, u[1] ? u[0] / u[1] : ~uint64_t(0))
    ROW("rem.s", 2, !a[1] ? a[0] : a[1] == -1 ? 0 : a[0] % a[1])
    ROW("rem.u", 2, u[1] ? u[0] % u[1] : u[0])
    ROW("min.s", 2, std::min(a[0], a[1]))
    ROW("min.u", 2, std::min(u[0], u[1]))
    ROW("max.s", 2, std::max(a[0], a[1]))
    ROW("max.u", 2, std::max(u[0], u[1]))
    ROW("abs", 1, a[0] < 0 ? uint64_t(0) - u[0] : u[0])
    ROW("neg", 1, uint64_t(0) - u[0])
    ROW("and", 2, u[0] & u[1])
    ROW("or", 2, u[0] | u[1])
    ROW("xor", 2, u[0] ^ u[1])
    ROW("not", 1, ~u[0])
    ROW("cnot", 1, u[0] == 0)
    ROW("shl", 2, u[1] < bits ? u[0] << u[1] : 0)
    ROW("shr.s", 2, a[0] >> std::min<uint64_t>(u[1], 63))
    ROW("shr.u", 2, u[1] < bits ? u[0] >> u[1] : 0)
    ROW("popc", 1, std::popcount(u[0] & maskOf(bits)))
    ROW("clz", 1, std::countl_zero(u[0] & maskOf(bits)) - int(64 - bits))
    ROW("bfind.u", 1, 63 - std::countl_zero(u[0] & maskOf(bits)))
    ROW("brev", 1, llvm::reverseBits(u[0]) >> (64 - bits))
    ROW("lop3", 4, logic(u[0], u[1], u[2], u[3]))
    ROW("prmt", 3, permuted(u[0], u[1], u[2]))
    ROW("bfe.s", 3, field(a, bits, true))
    ROW("bfe.u", 3, field(a, bits, false))
    ROW("bfi", 4, inserted(a, bits))
    ROW("dp4a.s", 3, dotProduct(a, true))
    ROW("dp4a.u", 3, dotProduct(a, false))
    ROW("shf.l.wrap", 3, joined(a) << (u[2] & 31) >> 32)
    ROW("shf.r.wrap", 3, joined(a) >> (u[2] & 31))
    ROW("shf.l.clamp", 3, joined(a) << std::min<uint64_t>(u[2], 32) >> 32)
    ROW("shf.r.clamp", 3, joined(a) >> std::min<uint64_t>(u[2], 32))
#undef ROW
    for (llvm::StringRef name : {"shl", "shr.s", "shr.u", "bfe.s", "bfe.u"})
      all[name].amounts = 1;
    all["bfi"].amounts = 2;
    return all;
  }();
  return rows;
}

int64_t saturated(int64_t value, const Type& type) {
  if (type.kind != 's' || type.bits >= 64) return value;
  int64_t most = static_cast<int64_t>(maskOf(type.bits - 1));
  return std::clamp(value, -most - 1, most);
}

} // namespace

bool resolveInteger(Instruction& instruction, llvm::StringRef name, Type type, bool saturates) {
  auto row = integerRows().find(name);
  if (row == integerRows().end())
    row = integerRows().find((name + (type.kind == 's' ? ".s" : ".u")).str());
  if (row == integerRows().end() || instruction.operands.size() != row->second.operands + 1)
    return false;
  bool isWide = name.ends_with(".wide");
  instruction.run = [row = row->second, type, isWide, saturates,
                     operands = instruction.operands](Thread& thread) {
    Type wide = type, word{'u', 32};
    wide.bits *= isWide ? 2 : 1;
    auto typeAt = [&](unsigned i) { return i >= row.amounts ? word : i == 2 ? wide : type; };
    uint64_t result = 0, in[4] = {};
    for (unsigned i = 0; i < row.operands; ++i)
      in[i] = read(thread, operands[i + 1], typeAt(i));
    for (unsigned lane = 0; lane < type.lanes; ++lane) {
      int64_t a[4] = {};
      for (unsigned i = 0; i < row.operands; ++i) {
        Type each = typeAt(i);
        uint64_t value = laneOf(in[i], each.bits, i >= row.amounts ? 0 : lane);
        a[i] = each.kind == 's' ? extended(value, each.bits) : static_cast<int64_t>(value);
      }
      uint64_t value = row.apply(a, type.bits);
      if (saturates) value = static_cast<uint64_t>(saturated(static_cast<int64_t>(value), type));
      result |= (value & maskOf(wide.bits)) << (type.bits * lane);
    }
    thread.slots[operands[0].slot] = result;
  };
  return true;
}

namespace {

// ---------------------------------------------------------------- comparisons and choices

std::optional<bool> compared(llvm::StringRef how, double a, double b) {
  bool isUnordered = a != a || b != b;
  if (how == "num") return !isUnordered;
  if (how == "nan") return isUnordered;
  bool orUnordered = how.size() == 3 && how.consume_back("u");
  if (isUnordered) return orUnordered;
  if (how == "eq") return a == b;
  if (how == "ne") return a != b;
  if (how == "lt" || how == "lo") return a < b;
  if (how == "le" || how == "ls") return a <= b;
  if (how == "gt" || how == "hi") return a > b;
  if (how == "ge" || how == "hs") return a >= b;
  return std::nullopt;
}
std::optional<bool> compared(llvm::StringRef how, const Type& type, uint64_t a, uint64_t b) {
  if (type.isFloat()) return compared(how, realAt(type, a), realAt(type, b));
  // As three-way results, so that 64 bits stay exact.
  int order = type.kind == 's' ? (extended(a, type.bits) > extended(b, type.bits)) -
                                     (extended(a, type.bits) < extended(b, type.bits))
                               : (a > b) - (a < b);
  return compared(how, static_cast<double>(order), 0.0);
}

} // namespace

bool resolveCompare(Instruction& instruction, llvm::StringRef how, const Type& result,
                    const Type& type) {
  if (instruction.operands.size() != 3 || !compared(how, type, 0, 0)) return false;
  uint64_t yes = result.bits == 1   ? 1
                 : result.isFloat() ? bitsOfReal(result, 1.0)
                                    : maskOf(result.bits);
  instruction.run = [yes, type, how = how.str(), operands = instruction.operands](Thread& thread) {
    uint64_t a = read(thread, operands[1], type), b = read(thread, operands[2], type);
    thread.slots[operands[0].slot] = compared(how, type, a, b).value_or(false) ? yes : 0;
  };
  return true;
}

namespace {

// ---------------------------------------------------------------- conversions

// Half to even; ties of tf32 away from zero, as its cvt.rna has them.
uint64_t asTf32(double number, bool isAway) {
  float narrow = static_cast<float>(number);
  auto bits = std::bit_cast<uint32_t>(narrow);
  if (narrow != narrow) return 0x7fffffff;
  bits += isAway ? 0x1000 : 0xfff + (bits >> 13 & 1);
  return bits & 0xffffe000;
}

double asInteger(double number, Rounding rounding) {
  switch (rounding) {
  case Rounding::TowardsZero:
    return std::trunc(number);
  case Rounding::Down:
    return std::floor(number);
  case Rounding::Up:
    return std::ceil(number);
  case Rounding::Nearest:
    break;
  }
  return std::nearbyint(number);
}

uint64_t wholeOf(double number, const Type& to) {
  if (number != number) return 0;
  bool isSigned = to.kind == 's';
  double beyond = std::ldexp(1.0, int(to.bits) - isSigned), least = isSigned ? -beyond : 0;
  if (number >= beyond) return isSigned ? maskOf(to.bits - 1) : maskOf(to.bits);
  if (number <= least) return isSigned ? uint64_t(1) << (to.bits - 1) : 0;
  return (isSigned ? static_cast<uint64_t>(static_cast<int64_t>(number))
                   : static_cast<uint64_t>(number)) &
         maskOf(to.bits);
}

uint64_t converted(const Type& to, const Type& from, const Modifiers& modifiers, uint64_t bits,
                   bool isAway) {
  if (!from.isFloat() && from.kind != '4') {
    int64_t value = from.kind == 's' ? extended(bits, from.bits) : static_cast<int64_t>(bits);
    if (to.isFloat()) {
      double number =
          from.kind == 's' || value >= 0 ? static_cast<double>(value) : static_cast<double>(bits);
      return bitsOfReal(to, number, modifiers.rounding);
    }
    if (modifiers.saturates && to.kind == 's') value = saturated(value, to);
    if (modifiers.saturates && to.kind == 'u')
      value = value < 0 && from.kind == 's'
                  ? 0
                  : static_cast<int64_t>(std::min(static_cast<uint64_t>(value), maskOf(to.bits)));
    return static_cast<uint64_t>(value) & maskOf(to.bits);
  }
  double number = realAt(from, bits);
  if (to.kind == 't') return asTf32(number, isAway);
  if (modifiers.toInteger) number = asInteger(number, *modifiers.toInteger);
  if (!to.isFloat() && to.kind != '4') return wholeOf(number, to);
  number = finished(number, to, modifiers);
  uint64_t result = bitsOfReal(to, number, modifiers.rounding);
  constexpr uint64_t infinity = 0x7c00, largest = 0x7bff; // of fp16
  if (modifiers.isFinite && to.element == Element::F16 && (result & infinity) == infinity &&
      !(result & 0x3ff))
    result = (result & 0x8000) | largest;
  return result;
}

} // namespace

bool resolveConvert(Instruction& instruction, const Type& to, const Type& from,
                    const Modifiers& modifiers, bool isAway) {
  size_t sources = instruction.operands.size() - 1;
  if (instruction.operands.size() < 2 || (sources != 1 && sources != to.lanes)) return false;
  if (sources == 1 && from.lanes != to.lanes) return false;
  instruction.run = [=, operands = instruction.operands](Thread& thread) {
    uint64_t result = 0;
    for (unsigned lane = 0; lane < to.lanes; ++lane) {
      uint64_t bits = sources == 1 ? laneOf(read(thread, operands[1], from), from.bits, lane)
                                   : read(thread, operands[to.lanes - lane], from);
      result |= (converted(to, from, modifiers, bits, isAway) & maskOf(to.bits))
                << (to.bits * lane);
    }
    thread.slots[operands[0].slot] = result;
  };
  return true;
}

} // namespace gluond::simulate::assembly
