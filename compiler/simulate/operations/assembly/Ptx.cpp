#include "simulate/operations/AtomicRules.h"
#include "simulate/operations/assembly/Dialects.h"
#include "simulate/values/Formats.h"

#include <llvm/ADT/SmallVector.h>
#include <llvm/ADT/StringSwitch.h>
#include <llvm/ADT/bit.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace gluond::simulate::assembly {

namespace {

using Parts = llvm::SmallVector<llvm::StringRef, 8>;

// ---------------------------------------------------------------- types

// "u32", "f16x2". Narrow floats have an Element; fp4 has none.
struct Type {
  char kind = 0; // f, s, u, b; 4: fp4; t: tf32
  unsigned bits = 0, lanes = 1;
  Element element = Element::I32;
  bool isFloat() const { return kind == 'f'; }
  unsigned all() const { return bits * lanes; }
};

std::optional<Type> typeOf(llvm::StringRef text) {
  Type type;
  llvm::StringRef base = text;
  if (base.consume_back("x4"))
    type.lanes = 4;
  else if (base.consume_back("x2"))
    type.lanes = 2;
  auto real = [&](Element element) -> std::optional<Type> {
    type.kind = 'f';
    type.bits = bytesOf(element) * 8;
    type.element = element;
    return type;
  };
  if (base == "f16") return real(Element::F16);
  if (base == "bf16") return real(Element::BF16);
  if (base == "f32") return real(Element::F32);
  if (base == "f64") return real(Element::F64);
  if (base == "e4m3") return real(Element::E4M3);
  if (base == "e5m2") return real(Element::E5M2);
  if (base == "ue8m0") return real(Element::E8M0);
  if (base == "e2m1") return type.kind = '4', type.bits = 4, type;
  if (base == "tf32") return type.kind = 't', type.bits = 32, type;
  if (base == "pred") return type.kind = 'b', type.bits = 1, type;
  char kind = base.empty() ? 0 : base[0];
  if (kind != 'u' && kind != 's' && kind != 'b') return std::nullopt;
  unsigned bits = 0;
  if (base.drop_front().getAsInteger(10, bits)) return std::nullopt;
  if (bits != 8 && bits != 16 && bits != 32 && bits != 64 && bits != 128) return std::nullopt;
  type.kind = kind;
  type.bits = bits;
  type.element = bits == 8    ? Element::I8
                 : bits == 16 ? Element::I16
                 : bits == 32 ? Element::I32
                              : Element::I64;
  return type;
}

uint64_t maskOf(unsigned bits) {
  return bits >= 64 ? ~uint64_t(0) : (uint64_t(1) << bits) - 1;
}
int64_t extended(uint64_t value, unsigned bits) {
  return bits >= 64 ? static_cast<int64_t>(value)
                    : static_cast<int64_t>(value << (64 - bits)) >> (64 - bits);
}
uint64_t laneOf(uint64_t value, unsigned bits, unsigned lane) {
  return value >> (bits * lane) & maskOf(bits);
}

double realAt(const Type& type, uint64_t bits) {
  if (type.kind == '4') return static_cast<double>(fp4ToFloat(bits & 15));
  return numberAt(type.element, &bits);
}
uint64_t bitsOfReal(const Type& type, double number, Rounding rounding = Rounding::Nearest) {
  if (type.kind == '4') return floatToFp4(static_cast<float>(number));
  uint64_t bits = 0;
  storeNumber(type.element, number, &bits, rounding);
  return bits;
}

// An operand of an instruction of this type: an immediate takes the type's form.
uint64_t read(const Thread& thread, const Operand& operand, const Type& type) {
  if (operand.kind == Operand::Kind::Immediate && operand.isReal)
    return bitsOfReal(type, std::bit_cast<double>(operand.immediate));
  uint64_t value = thread.read(operand) & maskOf(type.all());
  if (!operand.isNegated) return value;
  if (type.bits == 1) return ~value & 1;
  return type.isFloat() ? value ^ uint64_t(1) << (type.bits - 1)
                        : (uint64_t(0) - value) & maskOf(type.bits);
}

// ---------------------------------------------------------------- modifiers

struct Modifiers {
  Rounding rounding = Rounding::Nearest;
  bool flushes = false, saturates = false, isRectified = false, isFinite = false, isApprox = false;
  std::optional<Rounding> toInteger;
};

// Takes off what is known; what is left is the operation and its types.
Modifiers takeModifiers(Parts& parts) {
  Modifiers found;
  llvm::erase_if(parts, [&](llvm::StringRef part) {
    auto is = [&](bool& flag) { return flag = true; };
    auto rounds = [&](Rounding rounding) { return found.rounding = rounding, true; };
    auto integer = [&](Rounding rounding) { return found.toInteger = rounding, true; };
    if (part == "ftz") return is(found.flushes);
    if (part == "sat") return is(found.saturates);
    if (part == "relu") return is(found.isRectified);
    if (part == "satfinite") return is(found.isFinite);
    if (part == "approx" || part == "full") return is(found.isApprox);
    if (part == "rn" || part == "rna") return rounds(Rounding::Nearest);
    if (part == "rz") return rounds(Rounding::TowardsZero);
    if (part == "rm") return rounds(Rounding::Down);
    if (part == "rp") return rounds(Rounding::Up);
    if (part == "rni") return integer(Rounding::Nearest);
    if (part == "rzi") return integer(Rounding::TowardsZero);
    if (part == "rmi") return integer(Rounding::Down);
    if (part == "rpi") return integer(Rounding::Up);
    return part == "uni" || part == "aligned";
  });
  return found;
}

double finished(double number, const Type& type, const Modifiers& modifiers) {
  if (modifiers.saturates) number = number == number ? std::clamp(number, 0.0, 1.0) : 0.0;
  if (modifiers.isRectified && number == number) number = std::fmax(number, 0.0);
  constexpr double least = 0x1p-126; // normal
  if (modifiers.flushes && type.element == Element::F32 && std::fabs(number) < least)
    number = std::copysign(0.0, number);
  return number;
}

// ---------------------------------------------------------------- arithmetic

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

// On each lane of a packed type.
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

// setp.HOW.type p, a, b; set.HOW.result.type d, a, b
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

// cvt.TO.FROM d, a; of packed types d, a, b with a in the upper half, or d, a of as many lanes.
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

// ---------------------------------------------------------------- moves and memory

// mov: also a vector as one word, or a word as a vector, the first one lowest.
void put(Thread& thread, const Operand& to, uint64_t value, unsigned bits) {
  if (to.kind != Operand::Kind::Vector) {
    thread.slots[to.slot] = value & maskOf(bits);
    return;
  }
  auto each = static_cast<unsigned>(bits / std::max<size_t>(1, to.parts.size()));
  for (unsigned i = 0; i < to.parts.size(); ++i)
    put(thread, to.parts[i], laneOf(value, each, i), each);
}
uint64_t take(const Thread& thread, const Operand& from, const Type& type) {
  if (from.kind != Operand::Kind::Vector) return read(thread, from, type);
  uint64_t value = 0;
  Type each = type;
  each.bits = static_cast<unsigned>(type.all() / std::max<size_t>(1, from.parts.size()));
  each.lanes = 1;
  for (unsigned i = 0; i < from.parts.size(); ++i)
    value |= take(thread, from.parts[i], each) << (each.bits * i);
  return value;
}

// Returns null for an access beyond the memory, which has been noted.
std::byte* memoryAt(Thread& thread, const Operand& address, bool isShared, size_t bytes,
                    bool isWritten) {
  Execution& x = thread.x;
  uint64_t at = (address.isConstantAddress ? 0 : thread.slots[address.slot]) + address.immediate;
  if (!isShared) {
    if (std::byte* memory = x.machine.at(x.state, at, bytes)) return memory;
    x.fail(Id::SimulatedOutOfBounds, isWritten ? "this access writes" : "this access reads",
           x.machine.describe(at), 0);
  } else if (size_t size = x.state.shared.bytesPerCta(); bytes <= size && at <= size - bytes) {
    if (isWritten)
      x.state.shared.noteWritten(at, bytes);
    else if (!x.state.shared.isWritten(at, bytes))
      x.warn(Id::SimulatedReadBeforeWrite);
    return x.state.shared.data() + at;
  } else {
    x.unsupported("it accesses bytes beyond shared memory");
  }
  thread.hasFailed = true;
  return nullptr;
}

bool resolveLoad(Instruction& instruction, const Type& type, unsigned lanes, bool isShared) {
  if (instruction.operands.size() != 2 || instruction.operands[1].kind != Operand::Kind::Address)
    return false;
  size_t bytes = type.all() / 8;
  instruction.run = [=, operands = instruction.operands](Thread& thread) {
    std::byte* memory = memoryAt(thread, operands[1], isShared, bytes * lanes, false);
    for (unsigned i = 0; memory && i < lanes; ++i) {
      uint64_t value = 0;
      std::memcpy(&value, memory + i * bytes, bytes);
      const Operand& to = lanes == 1 ? operands[0] : operands[0].parts[i];
      put(thread, to, type.kind == 's' ? static_cast<uint64_t>(extended(value, type.bits)) : value,
          64);
    }
  };
  return lanes == 1 || instruction.operands[0].parts.size() == lanes;
}

bool resolveStore(Instruction& instruction, const Type& type, unsigned lanes, bool isShared) {
  if (instruction.operands.size() != 2 || instruction.operands[0].kind != Operand::Kind::Address)
    return false;
  size_t bytes = type.all() / 8;
  instruction.run = [=, operands = instruction.operands](Thread& thread) {
    std::byte* memory = memoryAt(thread, operands[0], isShared, bytes * lanes, true);
    for (unsigned i = 0; memory && i < lanes; ++i) {
      uint64_t value = take(thread, lanes == 1 ? operands[1] : operands[1].parts[i], type);
      std::memcpy(memory + i * bytes, &value, bytes);
    }
  };
  return lanes == 1 || instruction.operands[1].parts.size() == lanes;
}

std::optional<tt::RMWOp> atomicOf(llvm::StringRef name, const Type& type) {
  if (name == "add") return type.isFloat() ? tt::RMWOp::FADD : tt::RMWOp::ADD;
  if (name == "min") return type.kind == 's' ? tt::RMWOp::MIN : tt::RMWOp::UMIN;
  if (name == "max") return type.kind == 's' ? tt::RMWOp::MAX : tt::RMWOp::UMAX;
  if (name == "and") return tt::RMWOp::AND;
  if (name == "or") return tt::RMWOp::OR;
  if (name == "xor") return tt::RMWOp::XOR;
  if (name == "exch") return tt::RMWOp::XCHG;
  return std::nullopt;
}

// atom.OP d, [a], b; red.OP [a], b; atom.cas d, [a], expected, b
bool resolveAtomic(Instruction& instruction, llvm::StringRef name, const Type& type, bool isShared,
                   bool hasResult) {
  auto kind = atomicOf(name, type);
  unsigned first = hasResult ? 1 : 0;
  bool isSwap = name == "cas";
  if ((!kind && !isSwap) || instruction.operands.size() != first + (isSwap ? 3 : 2) ||
      instruction.operands[first].kind != Operand::Kind::Address)
    return false;
  size_t bytes = type.bits / 8;
  instruction.run = [=, operands = instruction.operands](Thread& thread) {
    std::byte* memory = memoryAt(thread, operands[first], isShared, bytes * type.lanes, true);
    if (!memory) return;
    uint64_t old = 0, value = take(thread, operands[first + 1], type);
    std::memcpy(&old, memory, bytes * type.lanes);
    if (isSwap) {
      uint64_t next = take(thread, operands[first + 2], type);
      if (old == value) std::memcpy(memory, &next, bytes);
    } else {
      for (unsigned lane = 0; lane < type.lanes; ++lane) {
        uint64_t each = laneOf(value, type.bits, lane);
        combineAtomically(*kind, type.element, memory + lane * bytes,
                          reinterpret_cast<const std::byte*>(&each));
      }
    }
    if (hasResult) put(thread, operands[0], old, 64);
  };
  return true;
}

// ---------------------------------------------------------------- all

// What orders, hints and waits: with one thread after the other there is nothing to do.
bool isWithoutEffect(llvm::StringRef name) {
  static constexpr llvm::StringLiteral names[] = {
      "membar",     "fence",   "nanosleep", "griddepcontrol", "prefetch", "prefetchu", "discard",
      "setmaxnreg", "pmevent", "bar",       "barrier"};
  return llvm::is_contained(names, name);
}

bool resolve(Instruction& instruction) {
  llvm::StringRef whole = instruction.name;
  Parts parts;
  whole.split(parts, '.');
  llvm::StringRef name = parts.front();
  if (isWithoutEffect(name)) {
    instruction.run = [](Thread&) {};
    return true;
  }
  if (instruction.operands.empty()) return false;
  bool isAway = llvm::is_contained(parts, "rna");
  Modifiers modifiers = takeModifiers(parts);
  llvm::SmallVector<Type, 3> types;
  while (parts.size() > 1)
    if (auto type = typeOf(parts.back())) {
      types.insert(types.begin(), *type);
      parts.pop_back();
    } else {
      break;
    }
  bool isShared = llvm::is_contained(parts, "shared") || llvm::is_contained(parts, "shared::cta");
  auto hasPart = [&](llvm::StringRef part) { return llvm::is_contained(parts, part); };
  if (name == "createpolicy") {
    instruction.run = [to = instruction.operands[0]](Thread& thread) { put(thread, to, 0, 64); };
    return true;
  }
  if (types.empty()) return false;
  Type type = types.back();
  if (name == "mov" || name == "cvta") {
    if (instruction.operands.size() != 2) return false;
    instruction.run = [type, operands = instruction.operands](Thread& thread) {
      put(thread, operands[0], take(thread, operands[1], type), type.all());
    };
    return true;
  }
  if (name == "cvt")
    return types.size() == 2 && resolveConvert(instruction, types[0], types[1], modifiers, isAway);
  if (name == "setp" || name == "set") {
    Type result = name == "set" && types.size() == 2 ? types[0] : Type{'b', 1};
    return parts.size() == 2 && resolveCompare(instruction, parts[1], result, type);
  }
  if (name == "selp") {
    if (instruction.operands.size() != 4) return false;
    instruction.run = [type, operands = instruction.operands](Thread& thread) {
      bool isFirst = read(thread, operands[3], Type{'b', 1}) & 1;
      put(thread, operands[0], read(thread, operands[isFirst ? 1 : 2], type), type.all());
    };
    return true;
  }
  if (name == "slct") { // by the sign of the third
    if (instruction.operands.size() != 4 || types.size() != 2) return false;
    instruction.run = [types, operands = instruction.operands](Thread& thread) {
      uint64_t by = read(thread, operands[3], types[1]);
      bool isFirst = types[1].isFloat() ? realAt(types[1], by) >= 0 : extended(by, 32) >= 0;
      put(thread, operands[0], read(thread, operands[isFirst ? 1 : 2], types[0]), types[0].all());
    };
    return true;
  }
  unsigned lanes = hasPart("v2") ? 2 : hasPart("v4") ? 4 : hasPart("v8") ? 8 : 1;
  if (name == "ld" || name == "ldu") return resolveLoad(instruction, type, lanes, isShared);
  if (name == "st") return resolveStore(instruction, type, lanes, isShared);
  if (name == "atom" || name == "red") {
    llvm::StringRef operation = parts.back() == "noftz" ? parts[parts.size() - 2] : parts.back();
    return resolveAtomic(instruction, operation, type, isShared, name == "atom");
  }
  if (type.isFloat() || type.kind == '4') {
    bool keepsNan = hasPart("NaN");
    bool isPlain = parts.size() == (keepsNan ? 2 : 1);
    return isPlain && type.kind != '4' && resolveReal(instruction, name, type, modifiers, keepsNan);
  }
  std::string key = name.str();
  for (llvm::StringRef part : llvm::drop_begin(parts))
    key += "." + part.str();
  return resolveInteger(instruction, key, type, modifiers.saturates);
}

std::optional<uint64_t> special(llvm::StringRef name, const Thread& thread) {
  const ProgramId& program = thread.x.state.program;
  const ProgramId& grid = thread.x.machine.setting().grid;
  unsigned warpSize = thread.x.machine.code().threadsPerWarp;
  if (name == "%laneid") return thread.lane;
  if (name == "%warpid") return thread.warp;
  if (name == "%tid.x") return thread.warp * warpSize + thread.lane;
  if (name == "%tid.y" || name == "%tid.z" || name == "%smid") return 0;
  if (name == "%ntid.x") return uint64_t(thread.x.threads());
  for (auto [d, axis] : {std::pair(0u, ".x"), std::pair(1u, ".y"), std::pair(2u, ".z")}) {
    if (name == std::string("%ctaid") + axis) return static_cast<uint64_t>(program[d]);
    if (name == std::string("%nctaid") + axis) return static_cast<uint64_t>(grid[d]);
  }
  if (name == "%clock" || name == "%clock64" || name == "%globaltimer") return thread.x.state.steps;
  return std::nullopt;
}

} // namespace

const Dialect& ptx() {
  static constexpr Dialect dialect{resolve, false, special};
  return dialect;
}

} // namespace gluond::simulate::assembly
