#include "language/values/Integers.h"

#include <cmath>
#include <limits>

namespace gluond::language {

bool isInteger(Value value) {
  return value.isIntegral() || value.is(ValueKind::BigInt);
}

llvm::APInt toAPInt(Value value) {
  if (value.isIntegral()) return llvm::APInt(64, static_cast<uint64_t>(value.asInt()), true);
  auto* big = value.as<BigIntObject>();
  llvm::APInt result(static_cast<unsigned>(big->magnitude.size() * 64 + 64), big->magnitude);
  if (big->negative) result.negate();
  return result;
}

Value fromAPInt(Heap& heap, const llvm::APInt& value) {
  if (value.getSignificantBits() <= 64) return Value::integer(value.getSExtValue());
  bool negative = value.isNegative();
  llvm::APInt magnitude = negative ? -value.sext(value.getBitWidth() + 1) : value;
  return heap.bigInt({magnitude.getRawData(), magnitude.getNumWords()}, negative);
}

std::optional<double> toDouble(Value value) {
  if (value.is(ValueKind::Float)) return value.asFloat();
  if (value.isIntegral()) return static_cast<double>(value.asInt());
  if (!value.is(ValueKind::BigInt)) return std::nullopt;
  // Round to nearest, ties to even, as int.__float__ does: keep 64 bits and a sticky one.
  llvm::APInt integer = toAPInt(value);
  bool negative = integer.isNegative();
  if (negative) integer.negate();
  unsigned bits = integer.getActiveBits();
  if (bits > 1024) return std::nullopt;
  unsigned shift = bits > 64 ? bits - 64 : 0;
  uint64_t top = integer.lshr(shift).getZExtValue();
  if (shift && integer.countr_zero() < shift) top |= 1;
  double result = std::ldexp(static_cast<double>(top), static_cast<int>(shift));
  if (std::isinf(result)) return std::nullopt;
  return negative ? -result : result;
}

std::optional<int64_t> toIndex(Value value) {
  if (value.isIntegral()) return value.asInt();
  if (auto* big = value.as<BigIntObject>())
    return big->negative ? std::numeric_limits<int64_t>::min()
                         : std::numeric_limits<int64_t>::max();
  return std::nullopt;
}

size_t wordsOf(Value integer) {
  auto* big = integer.as<BigIntObject>();
  return big ? big->magnitude.size() : 1;
}

llvm::APInt parseDecimal(llvm::StringRef digits) {
  llvm::SmallVector<uint64_t, 8> words;
  while (!digits.empty()) {
    llvm::StringRef part = digits.take_front(digitsPerWord);
    digits = digits.drop_front(part.size());
    uint64_t scale = 1, carry = 0;
    for (char digit : part) {
      scale *= 10;
      carry = carry * 10 + static_cast<uint64_t>(digit - '0');
    }
    for (uint64_t& word : words) {
      unsigned __int128 product = static_cast<unsigned __int128>(word) * scale + carry;
      word = static_cast<uint64_t>(product);
      carry = static_cast<uint64_t>(product >> 64);
    }
    if (carry) words.push_back(carry);
  }
  words.push_back(0); // room for the sign
  return llvm::APInt(static_cast<unsigned>(words.size()) * 64, words);
}

} // namespace gluond::language
