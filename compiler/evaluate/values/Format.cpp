// Format specifications as format() reads them.
#include "evaluate/values/Classes.h"
#include "evaluate/values/Numbers.h"
#include "evaluate/values/PythonCoverage.h"
#include "evaluate/values/Strings.h"
#include "language/types/Text.h"
#include "language/values/Integers.h"

#include <llvm/ADT/SmallString.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/Support/ConvertUTF.h>

#include <cmath>
#include <cstring>

namespace gluond::evaluate {

int64_t textLength(llvm::StringRef text) {
  return llvm::count_if(text,
                        [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; });
}

size_t findText(llvm::StringRef text, llvm::StringRef what) {
  if (what.empty()) return 0;
  if (what.size() == 1) return text.find(what[0]);
  const void* found =
      text.empty() ? nullptr : memmem(text.data(), text.size(), what.data(), what.size());
  return found ? static_cast<size_t>(static_cast<const char*>(found) - text.data())
               : llvm::StringRef::npos;
}

size_t findLastText(llvm::StringRef text, llvm::StringRef what) {
  constexpr size_t shortText = 16; // comparing it at every place costs less than a copy
  if (what.size() <= shortText) return text.rfind(what);
  std::string reversed(text.rbegin(), text.rend()), mirrored(what.rbegin(), what.rend());
  size_t at = findText(reversed, mirrored);
  return at == llvm::StringRef::npos ? at : text.size() - at - what.size();
}

size_t byteOffset(llvm::StringRef text, int64_t index) {
  size_t offset = 0;
  for (; offset < text.size(); ++offset)
    if ((static_cast<unsigned char>(text[offset]) & 0xc0) != 0x80 && index-- == 0) break;
  return offset;
}

std::optional<FormatSpec> parseFormatSpec(llvm::StringRef spec) {
  FormatSpec result;
  auto isAlign = [](char c) { return c == '<' || c == '>' || c == '=' || c == '^'; };
  if (!spec.empty()) {
    size_t first = byteOffset(spec, 1);
    if (first < spec.size() && isAlign(spec[first])) {
      result.fill = spec.take_front(first).str();
      result.align = spec[first];
      spec = spec.drop_front(first + 1);
    } else if (isAlign(spec[0])) {
      result.align = spec[0];
      spec = spec.drop_front();
    }
  }
  if (!spec.empty() && (spec[0] == '+' || spec[0] == '-' || spec[0] == ' ')) {
    result.sign = spec[0];
    spec = spec.drop_front();
  }
  spec.consume_front("z");
  result.alternate = spec.consume_front("#");
  if (spec.consume_front("0")) {
    result.zero = true;
    if (!result.align) {
      result.fill = "0";
      result.align = '=';
    }
  }
  auto number = [&](int64_t& out) {
    if (spec.empty() || !llvm::isDigit(spec[0])) return true;
    out = 0;
    while (!spec.empty() && llvm::isDigit(spec[0])) {
      out = out * 10 + (spec[0] - '0');
      if (out > widestField) {
        result.isTooWide = true;
        return false;
      }
      spec = spec.drop_front();
    }
    return true;
  };
  if (!number(result.width)) return result;
  if (!spec.empty() && (spec[0] == ',' || spec[0] == '_')) {
    result.grouping = spec[0];
    spec = spec.drop_front();
  }
  if (spec.consume_front(".")) {
    if (spec.empty() || !llvm::isDigit(spec[0])) return std::nullopt;
    if (!number(result.precision)) return result;
  }
  if (spec.size() > 1) return std::nullopt;
  if (!spec.empty()) result.type = spec[0];
  return result;
}

static std::string pad(std::string sign, std::string body, const FormatSpec& spec,
                       char defaultAlign) {
  int64_t missing = spec.width - textLength(sign) - textLength(body);
  char align = spec.align ? spec.align : defaultAlign;
  if (missing <= 0) return sign + body;
  auto fill = [&](int64_t n) {
    std::string result;
    for (int64_t i = 0; i < n; ++i)
      result += spec.fill;
    return result;
  };
  switch (align) {
  case '<':
    return sign + body + fill(missing);
  case '^':
    return fill(missing / 2) + sign + body + fill(missing - missing / 2);
  case '=':
    return sign + fill(missing) + body;
  default:
    return fill(missing) + sign + body;
  }
}

// Puts separators into the digits before the point; with zero padding they count towards the width.
static std::string group(llvm::StringRef digits, char separator, unsigned every) {
  std::string result;
  for (size_t i = 0; i < digits.size(); ++i) {
    if (i && (digits.size() - i) % every == 0) result += separator;
    result += digits[i];
  }
  return result;
}

static std::string finishNumber(std::string sign, std::string whole, std::string rest,
                                const FormatSpec& spec, unsigned every) {
  if (spec.grouping) {
    if (spec.fill == "0" && spec.align == '=') {
      // Zeros are grouped as well.
      int64_t room = spec.width - static_cast<int64_t>(sign.size() + rest.size());
      size_t digits = std::max<size_t>(whole.size(), 1);
      while (static_cast<int64_t>(digits + (digits - 1) / every) < room)
        ++digits;
      if (digits > whole.size()) whole.insert(0, digits - whole.size(), '0');
    }
    whole = group(whole, spec.grouping, every);
  }
  return pad(std::move(sign), whole + rest, spec, '>');
}

std::string formatInteger(Interpreter& in, Value integer, const FormatSpec& spec) {
  std::string digits, prefix;
  bool negative;
  unsigned every = 3;
  unsigned base = 10;
  switch (spec.type) {
  case 'b':
    base = 2;
    prefix = "0b";
    every = 4;
    break;
  case 'o':
    base = 8;
    prefix = "0o";
    every = 4;
    break;
  case 'x':
  case 'X':
    base = 16;
    prefix = spec.type == 'x' ? "0x" : "0X";
    every = 4;
    break;
  default:
    break;
  }
  if (base == 10) {
    digits = decimal(in, integer);
    if (in.failed()) return {};
    negative = digits[0] == '-';
    if (negative) digits.erase(0, 1);
  } else {
    llvm::APInt value = toAPInt(integer);
    if (!in.spendProduct(value.getSignificantBits(), value.getNumWords())) return {};
    negative = value.isNegative();
    value = value.sext(value.getBitWidth() + 1).abs();
    llvm::SmallString<64> text;
    value.toString(text, base, false, false, spec.type == 'X');
    digits = std::string(text);
  }
  std::string sign = negative ? "-" : spec.sign == '-' ? "" : std::string(1, spec.sign);
  if (spec.alternate) sign += prefix;
  return finishNumber(sign, digits, "", spec, every);
}

std::string formatDouble(double value, const FormatSpec& spec) {
  bool negative = std::signbit(value) && !std::isnan(value);
  std::string sign = negative ? "-" : spec.sign == '-' ? "" : std::string(1, spec.sign);
  double magnitude = std::fabs(value);
  char type = spec.type;
  std::string body;
  if (!std::isfinite(magnitude)) {
    body = std::isnan(magnitude) ? "nan" : "inf";
    if (type == 'E' || type == 'F' || type == 'G') body = llvm::StringRef(body).upper();
    if (type == '%') body += "%";
    return pad(sign, body, spec, '>');
  }
  int precision = spec.precision < 0 ? 6 : static_cast<int>(spec.precision);
  llvm::SmallString<64> buffer;
  auto print = [&](const char* format, int digits, double number) {
    int length = std::snprintf(nullptr, 0, format, digits, number);
    buffer.resize(static_cast<size_t>(length) + 1);
    std::snprintf(buffer.data(), buffer.size(), format, digits, number);
    return std::string(buffer.data(), static_cast<size_t>(length));
  };
  switch (type) {
  case 'e':
    body = print(spec.alternate ? "%#.*e" : "%.*e", precision, magnitude);
    break;
  case 'E':
    body = print(spec.alternate ? "%#.*E" : "%.*E", precision, magnitude);
    break;
  case 'f':
  case 'F':
    body = print(spec.alternate ? "%#.*f" : "%.*f", precision, magnitude);
    break;
  case '%':
    body = print("%.*f", precision, magnitude * 100) + "%";
    break;
  case 'g':
  case 'n':
    body = print(spec.alternate ? "%#.*g" : "%.*g", precision, magnitude);
    break;
  case 'G':
    body = print(spec.alternate ? "%#.*G" : "%.*G", precision, magnitude);
    break;
  default:
    if (spec.precision < 0) {
      body = language::reprFloat(magnitude);
    } else { // as g, but with a digit after the point, and switching to exponents one digit earlier
      body = print("%.*g", precision ? precision : 1, magnitude);
      int exponent = magnitude == 0 ? 0 : static_cast<int>(std::floor(std::log10(magnitude)));
      if (body.find('e') == std::string::npos && body.find('.') == std::string::npos) {
        if (exponent + 1 >= (precision ? precision : 1) && precision > 0) {
          body = print("%.*e", std::max(precision - 1, 0), magnitude);
          auto at = body.find('e');
          std::string mantissa = body.substr(0, at), tail = body.substr(at);
          while (mantissa.find('.') != std::string::npos &&
                 (mantissa.back() == '0' || mantissa.back() == '.')) {
            bool point = mantissa.back() == '.';
            mantissa.pop_back();
            if (point) break;
          }
          body = mantissa + tail;
        } else {
          body += ".0";
        }
      }
    }
  }
  size_t wholeEnd = 0;
  while (wholeEnd < body.size() && llvm::isDigit(body[wholeEnd]))
    ++wholeEnd;
  return finishNumber(sign, body.substr(0, wholeEnd), body.substr(wholeEnd), spec, 3);
}

std::string formatText(llvm::StringRef text, const FormatSpec& spec) {
  if (spec.precision >= 0 && textLength(text) > spec.precision)
    text = text.take_front(byteOffset(text, spec.precision));
  return pad("", text.str(), spec, '<');
}

std::optional<std::string> Interpreter::format(Value value, llvm::StringRef spec) {
  if (value.is(ValueKind::Instance) || mayOverride(value)) {
    Value result = callSpecial(value, known_.format, string(spec));
    if (failed()) return std::nullopt;
    if (auto* text = result.as<StrObject>()) return text->text.str();
    if (!spec.empty() && isKnownInPart(*this, value)) return std::string("?"); // a subclass of int
  }
  if (spec.empty()) {
    std::string text = str(value);
    if (failed()) return std::nullopt;
    return text;
  }
  if (value.isConstexpr() && !value.isUnknown()) {
    raise("TypeError", "unsupported format string passed to constexpr.__format__");
    return std::nullopt;
  }
  if (auto* member = value.as<EnumObject>()) {
    if (isInteger(member->value) &&
        isInstance(value, Value::object(ValueKind::Class, builtinClass("int"))).value_or(false))
      value = member->value;
    else
      value = string(str(value));
  }
  auto parsed = parseFormatSpec(spec);
  auto fail = [&](const llvm::Twine& message) -> std::optional<std::string> {
    raise("ValueError", message);
    return std::nullopt;
  };
  if (parsed && parsed->isTooWide) {
    exhaust("a field of more than " + llvm::Twine(widestField) + " characters");
    return std::nullopt;
  }
  if (parsed &&
      !spend(static_cast<uint64_t>(parsed->width + std::max<int64_t>(parsed->precision, 0)) /
             charactersPerStep))
    return std::nullopt;
  if (!parsed)
    return fail("Invalid format specifier '" + spec + "' for object of type '" +
                className(typeOf(value)) + "'");
  bool isBool = value.is(ValueKind::Bool);
  if (isInteger(value)) {
    if (isBool && !parsed->type && !parsed->grouping) { // bool formats as int once a spec is there
      value = Value::integer(value.asInt());
    }
    switch (parsed->type) {
    case 0:
    case 'd':
    case 'n':
    case 'b':
    case 'o':
    case 'x':
    case 'X': {
      if (parsed->precision >= 0) return fail("Precision not allowed in integer format specifier");
      std::string shown = formatInteger(*this, value, *parsed);
      return failed() ? std::nullopt : std::optional(std::move(shown));
    }
    case 'c': {
      auto code = toIndex(value);
      char buffer[8], *end = buffer;
      if (*code < 0 || *code > 0x10ffff ||
          !llvm::ConvertCodePointToUTF8(static_cast<unsigned>(*code), end)) {
        raise("OverflowError", "%c arg not in range(0x110000)");
        return std::nullopt;
      }
      return formatText({buffer, static_cast<size_t>(end - buffer)}, *parsed);
    }
    case 'e':
    case 'E':
    case 'f':
    case 'F':
    case 'g':
    case 'G':
    case '%': {
      auto real = toDouble(value);
      if (!real) {
        raise("OverflowError", "int too large to convert to float");
        return std::nullopt;
      }
      return formatDouble(*real, *parsed);
    }
    default:
      return fail("Unknown format code '" + llvm::Twine(parsed->type) + "' for object of type '" +
                  className(typeOf(value)) + "'");
    }
  }
  if (value.is(ValueKind::Float)) {
    if (!llvm::StringRef("eEfFgGn%").contains(parsed->type) && parsed->type)
      return fail("Unknown format code '" + llvm::Twine(parsed->type) +
                  "' for object of type 'float'");
    return formatDouble(value.asFloat(), *parsed);
  }
  if (auto* text = value.as<StrObject>()) {
    if (parsed->type && parsed->type != 's')
      return fail("Unknown format code '" + llvm::Twine(parsed->type) +
                  "' for object of type 'str'");
    if (parsed->align == '=' && parsed->fill != "0")
      return fail("'=' alignment not allowed in string format specifier");
    if (parsed->align == '=') parsed->align = '<';
    return formatText(text->text, *parsed);
  }
  if (value.isUnknown()) return std::string("?");
  if (value.is(ValueKind::Host) || value.is(ValueKind::Type))
    return formatText(str(value), *parsed);
  raise("TypeError", "unsupported format string passed to " +
                         llvm::Twine(className(typeOf(value))) + ".__format__");
  return std::nullopt;
}

} // namespace gluond::evaluate
