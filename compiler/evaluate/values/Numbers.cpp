// Arithmetic of ints of any size, and how ints and floats are written.
#include "evaluate/values/Numbers.h"

#include "evaluate/values/Strings.h"
#include "language/types/Text.h"
#include "language/values/Integers.h"

#include <llvm/ADT/SmallString.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/Support/ConvertUTF.h>

#include <charconv>
#include <cmath>
#include <limits>

namespace gluond::evaluate {

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
  if (words > mostDigits / language::digitsPerWord + 1) return tooLong();
  if (!in.spendProduct(words, words)) return {};
  std::string text = language::decimal(*big);
  return text.size() - big->negative > mostDigits ? tooLong() : text;
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

// About how many digits of a usual base a word holds.
static constexpr size_t digitsOfWord = 16;

std::optional<Value> parseInteger(Interpreter& in, llvm::StringRef text, int base) {
  text = text.drop_while(isWhitespace);
  while (!text.empty() && isWhitespace(text.back()))
    text = text.drop_back();
  bool negative = text.consume_front("-");
  if (!negative) text.consume_front("+");
  if (text.size() > 2 && text[0] == '0') {
    char mark = llvm::toLower(text[1]);
    int implied = mark == 'x' ? 16 : mark == 'o' ? 8 : mark == 'b' ? 2 : 0;
    if (implied && (base == 0 || base == implied)) {
      base = implied;
      text = text.drop_front(2);
      text.consume_front("_");
    }
  }
  if (base == 0) base = 10;
  std::string digits;
  bool underscore = true;
  for (char c : text) {
    if (c == '_') {
      if (underscore) return std::nullopt;
      underscore = true;
      continue;
    }
    int digit = llvm::isDigit(c) ? c - '0' : llvm::isAlpha(c) ? llvm::toLower(c) - 'a' + 10 : 99;
    if (digit >= base) return std::nullopt;
    underscore = false;
    digits += c;
  }
  if (digits.empty() || underscore) return std::nullopt;
  int64_t small;
  if (!llvm::StringRef(digits).getAsInteger(static_cast<unsigned>(base), small))
    return Value::integer(negative ? -small : small);
  bool isPowerOf2 = (base & (base - 1)) == 0;
  if (!isPowerOf2 && digits.size() > mostDigits)
    return in.raise("ValueError",
                    "Exceeds the limit (" + llvm::Twine(mostDigits) +
                        " digits) for integer string conversion: value has " +
                        llvm::Twine(digits.size()) +
                        " digits; use sys.set_int_max_str_digits() to increase the limit");
  if (digits.size() > 20'000 || (base != 2 && base != 8 && base != 10 && base != 16 && base != 36))
    return Value::unknown();
  if (!in.spendProduct(digits.size(), digits.size() / digitsOfWord)) return Value::absent();
  llvm::APInt big =
      base == 10 ? language::parseDecimal(digits)
                 : llvm::APInt(
                       llvm::APInt::getSufficientBitsNeeded(digits, static_cast<uint8_t>(base)) + 2,
                       digits, static_cast<uint8_t>(base));
  if (negative) big.negate();
  return fromAPInt(in.heap(), big);
}

std::optional<double> parseDouble(llvm::StringRef text) {
  text = text.drop_while(isWhitespace);
  while (!text.empty() && isWhitespace(text.back()))
    text = text.drop_back();
  bool negative = text.consume_front("-");
  if (!negative) text.consume_front("+");
  std::string lower = text.lower();
  double result = 0;
  if (lower == "inf" || lower == "infinity")
    result = INFINITY;
  else if (lower == "nan")
    result = NAN;
  else {
    std::string digits;
    for (size_t i = 0; i < lower.size(); ++i) {
      if (lower[i] == '_') {
        if (i == 0 || i + 1 == lower.size() || !llvm::isDigit(lower[i - 1]) ||
            !llvm::isDigit(lower[i + 1]))
          return std::nullopt;
        continue;
      }
      digits += lower[i];
    }
    if (digits.empty() || !(llvm::isDigit(digits[0]) || digits[0] == '.')) return std::nullopt;
    auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), result);
    if (end != digits.data() + digits.size()) return std::nullopt;
    if (error == std::errc::result_out_of_range)
      result = llvm::StringRef(digits).contains("e-") ? 0 : INFINITY;
    else if (error != std::errc())
      return std::nullopt;
  }
  return negative ? -result : result;
}

using syntax::BinaryOp;

namespace {

// Arithmetic on two ints, at least one of which (or whose result) does not fit 64 bits.
class BigArithmetic {
public:
  BigArithmetic(Interpreter& interpreter, Value left, Value right)
      : in_(interpreter), wordsA_(wordsOf(left)), wordsB_(wordsOf(right)) {
    a_ = toAPInt(left);
    b_ = toAPInt(right);
  }

  Value run(BinaryOp op) {
    // A division works on half words.
    bool divides = op == BinaryOp::FloorDiv || op == BinaryOp::Mod;
    size_t factor = divides ? 4 * wordsB_ : op == BinaryOp::Mult ? wordsB_ : 1;
    if (!in_.spendBytes((wordsA_ + wordsB_) * sizeof(uint64_t)) ||
        !in_.spendProduct(wordsA_, factor))
      return Value::absent();
    unsigned bitsA = a_.getSignificantBits(), bitsB = b_.getSignificantBits(),
             bits = std::max(bitsA, bitsB) + 1;
    switch (op) {
    case BinaryOp::Mult:
      bits = bitsA + bitsB + 1;
      break;
    case BinaryOp::LShift:
      if (b_.isNegative()) return in_.raise("ValueError", "negative shift count");
      if (b_.getSignificantBits() > 32 || bitsA + b_.getZExtValue() > limit())
        return a_.isZero() ? Value::integer(0) : tooLarge();
      bits = bitsA + static_cast<unsigned>(b_.getZExtValue()) + 1;
      break;
    case BinaryOp::Pow:
      return power();
    default:
      break;
    }
    if (bits > limit()) return tooLarge();
    llvm::APInt a = a_.sextOrTrunc(std::max(bits, 2u)),
                b = b_.getSignificantBits() > std::max(bits, 2u)
                        ? b_
                        : b_.sextOrTrunc(std::max(bits, 2u));
    switch (op) {
    case BinaryOp::Add:
      return give(a + b);
    case BinaryOp::Sub:
      return give(a - b);
    case BinaryOp::Mult:
      return give(product(a_, b_));
    case BinaryOp::BitAnd:
      return give(a & b);
    case BinaryOp::BitOr:
      return give(a | b);
    case BinaryOp::BitXor:
      return give(a ^ b);
    case BinaryOp::LShift:
      return give(a << static_cast<unsigned>(b_.getZExtValue()));
    case BinaryOp::RShift:
      if (b_.isNegative()) return in_.raise("ValueError", "negative shift count");
      if (b_.getSignificantBits() > 32 || b_.getZExtValue() >= a.getBitWidth())
        return Value::integer(a_.isNegative() ? -1 : 0);
      return give(a.ashr(static_cast<unsigned>(b_.getZExtValue())));
    case BinaryOp::FloorDiv:
    case BinaryOp::Mod: {
      llvm::APInt quotient, remainder;
      llvm::APInt::sdivrem(a, b, quotient, remainder);
      if (!remainder.isZero() && remainder.isNegative() != b.isNegative()) {
        quotient -= 1;
        remainder += b;
      }
      return give(op == BinaryOp::Mod ? remainder : quotient);
    }
    default:
      return Value::unknown();
    }
  }

private:
  unsigned limit() const { return in_.options().budget.integerBits; }
  Value tooLarge() {
    return in_.exhaust("an integer of more than " + llvm::Twine(limit()) + " bits");
  }
  Value give(const llvm::APInt& value) { return fromAPInt(in_.heap(), value); }

  Value power() {
    uint64_t exponent = b_.getSignificantBits() > 63 ? ~uint64_t(0) : b_.getZExtValue();
    if (a_.isZero()) return Value::integer(exponent == 0);
    if (a_.isOne()) return Value::integer(1);
    if (a_.isAllOnes()) return Value::integer(b_[0] ? -1 : 1);
    uint64_t bits = a_.getSignificantBits();
    if (exponent > limit() || bits * exponent > uint64_t{2} * limit()) return tooLarge();
    uint64_t words = bits * exponent / 64 + 1;
    if (!in_.spendProduct(words, words)) return Value::absent();
    llvm::APInt base = a_, result(2, 1);
    while (true) {
      if (exponent & 1) result = product(result, base);
      if ((exponent >>= 1) == 0) return give(result);
      base = product(base, base);
    }
  }

  // Word by word: APInt multiplies as if both were as long as the result.
  static llvm::APInt product(const llvm::APInt& x, const llvm::APInt& y) {
    unsigned bits = x.getSignificantBits() + y.getSignificantBits() + 1;
    auto magnitude = [](const llvm::APInt& value) {
      llvm::APInt absolute = value.sext(value.getBitWidth() + 1).abs();
      return absolute.trunc(std::max(absolute.getActiveBits(), 1u));
    };
    llvm::APInt a = magnitude(x), b = magnitude(y);
    llvm::SmallVector<uint64_t, 8> words(a.getNumWords() + b.getNumWords());
    for (unsigned i = 0; i < a.getNumWords(); ++i) {
      unsigned __int128 carry = 0;
      for (unsigned k = 0; k < b.getNumWords(); ++k) {
        carry +=
            static_cast<unsigned __int128>(a.getRawData()[i]) * b.getRawData()[k] + words[i + k];
        words[i + k] = static_cast<uint64_t>(carry);
        carry >>= 64;
      }
      words[i + b.getNumWords()] = static_cast<uint64_t>(carry);
    }
    llvm::APInt result(bits, words);
    if (x.isNegative() != y.isNegative()) result.negate();
    return result;
  }

  Interpreter& in_;
  size_t wordsA_, wordsB_;
  llvm::APInt a_, b_;
};

} // namespace

Value bigBinary(Interpreter& in, BinaryOp op, Value left, Value right) {
  return BigArithmetic(in, left, right).run(op);
}

} // namespace gluond::evaluate
