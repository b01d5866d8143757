// Ints of any size, floats, and how both are written.
#include "evaluate/interpreter/Interpreter.h"
#include "language/types/Text.h"

#include <llvm/ADT/SmallString.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/Support/ConvertUTF.h>

#include <charconv>
#include <cmath>
#include <limits>

namespace gluond::evaluate {

bool isInteger(Value value) {
  return value.isIntegral() || value.is(ValueKind::BigInt);
}

llvm::APInt toAPInt(Value value) {
  if (value.isIntegral()) return llvm::APInt(64, static_cast<uint64_t>(value.asInt()), true);
  auto* big = value.as<language::BigIntObject>();
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
  if (auto* big = value.as<language::BigIntObject>())
    return big->negative ? std::numeric_limits<int64_t>::min()
                         : std::numeric_limits<int64_t>::max();
  return std::nullopt;
}

size_t wordsOf(Value integer) {
  auto* big = integer.as<language::BigIntObject>();
  return big ? big->magnitude.size() : 1;
}

// Nineteen digits are the most that fit a word.
static constexpr unsigned digitsPerWord = 19;

std::string decimal(Interpreter& in, Value integer) {
  if (integer.isIntegral()) return std::to_string(integer.asInt());
  auto* big = integer.as<language::BigIntObject>();
  size_t words = big->magnitude.size();
  auto tooLong = [&] {
    in.raise("ValueError",
             "Exceeds the limit (" + llvm::Twine(mostDigits) +
                 " digits) for integer string conversion; use sys.set_int_max_str_digits() to "
                 "increase the limit");
    return std::string();
  };
  if (words > mostDigits / digitsPerWord + 1) return tooLong();
  if (!in.spendProduct(words, words)) return {};
  std::string text = language::decimal(*big);
  return text.size() - big->negative > mostDigits ? tooLong() : text;
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

std::string reprDouble(double value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value < 0 ? "-inf" : "inf";
  char buffer[40];
  auto end =
      std::to_chars(buffer, buffer + sizeof buffer, value, std::chars_format::scientific).ptr;
  llvm::StringRef text(buffer, static_cast<size_t>(end - buffer));
  std::string sign = text.consume_front("-") ? "-" : "";
  auto [mantissa, exponentText] = text.split('e');
  int exponent = 0;
  std::from_chars(exponentText.begin() + (exponentText.starts_with("+") ? 1 : 0),
                  exponentText.end(), exponent);
  std::string digits;
  for (char c : mantissa)
    if (c != '.') digits += c;
  if (exponent < -4 || exponent >= 16) {
    std::string result = sign + digits.substr(0, 1);
    if (digits.size() > 1) result += "." + digits.substr(1);
    std::string magnitude = std::to_string(std::abs(exponent));
    return result + "e" + (exponent < 0 ? "-" : "+") + (magnitude.size() < 2 ? "0" : "") +
           magnitude;
  }
  if (exponent < 0)
    return sign + "0." + std::string(static_cast<size_t>(-exponent - 1), '0') + digits;
  auto whole = static_cast<size_t>(exponent) + 1;
  if (digits.size() <= whole) return sign + digits + std::string(whole - digits.size(), '0') + ".0";
  return sign + digits.substr(0, whole) + "." + digits.substr(whole);
}

std::string reprString(llvm::StringRef text) {
  return language::reprString(text);
}

std::string reprBytes(llvm::StringRef text) {
  char quote = text.contains('\'') && !text.contains('"') ? '"' : '\'';
  std::string result = std::string("b") + quote;
  for (char ch : text) {
    auto c = static_cast<unsigned char>(ch);
    if (ch == quote || ch == '\\')
      (result += '\\') += ch;
    else if (ch == '\n')
      result += "\\n";
    else if (ch == '\r')
      result += "\\r";
    else if (ch == '\t')
      result += "\\t";
    else if (c < 0x20 || c >= 0x7f)
      result += "\\x" + llvm::utohexstr(c, true, 2);
    else
      result += ch;
  }
  return result + quote;
}

} // namespace gluond::evaluate
