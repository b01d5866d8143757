// Format specifications as format() reads them, and the older % formatting.
#include "evaluate/values/Strings.h"

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

constexpr int64_t widestField = 1 << 16;
constexpr uint64_t charactersPerStep = 8; // of padding and of printed digits

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
    FormatSpec plain = spec;
    return pad(sign, body, plain, '>');
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
      body = reprDouble(magnitude);
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
  if (value.is(ValueKind::Instance)) {
    Value result = callSpecial(value, known_.format, string(spec));
    if (failed()) return std::nullopt;
    if (auto* text = result.as<StrObject>()) return text->text.str();
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

Value percentFormat(Interpreter& in, llvm::StringRef text, Value arguments) {
  if (!in.spendBytes(text.size())) return Value::absent();
  std::string result;
  size_t next = 0;
  bool isTuple = arguments.is(ValueKind::Tuple), unknown = false;
  Values items = isTuple ? arguments.as<TupleObject>()->items : Values(arguments);
  while (!text.empty()) {
    size_t before = result.size();
    auto at = text.find('%');
    result += text.take_front(at);
    if (at == llvm::StringRef::npos) break;
    text = text.drop_front(at + 1);
    Value value = Value::absent();
    if (text.consume_front("(")) {
      auto close = text.find(')');
      if (close == llvm::StringRef::npos) return in.raise("ValueError", "incomplete format key");
      if (!arguments.is(ValueKind::Dict)) return in.raise("TypeError", "format requires a mapping");
      value = in.dictGet(arguments.as<DictObject>(), text.take_front(close));
      if (in.failed()) return Value::absent();
      if (value.isAbsent()) return in.raiseKey(in.string(text.take_front(close)));
      text = text.drop_front(close + 1);
    }
    FormatSpec spec;
    spec.align = '>';
    bool left = false, zero = false;
    while (!text.empty() && llvm::StringRef("-+ #0").contains(text[0])) {
      char flag = text[0];
      if (flag == '-')
        left = true;
      else if (flag == '0')
        zero = true;
      else if (flag == '#')
        spec.alternate = true;
      else if (flag == '+' || spec.sign != '+')
        spec.sign = flag;
      text = text.drop_front();
    }
    auto take = [&]() { return next < items.size() ? items[next++] : Value::absent(); };
    auto number = [&](int64_t& out) {
      if (text.consume_front("*")) {
        Value given = take();
        if (!isInteger(given)) return false;
        out = *toIndex(given);
        return out < widestField && out > -widestField;
      }
      for (; !text.empty() && llvm::isDigit(text[0]); text = text.drop_front()) {
        out = std::max<int64_t>(out, 0) * 10 + (text[0] - '0');
        if (out > widestField) return false;
      }
      return true;
    };
    if (!number(spec.width))
      return in.exhaust("a field of more than " + llvm::Twine(widestField) + " characters");
    if (spec.width < 0) {
      left = true;
      spec.width = -spec.width;
    }
    if (text.consume_front(".")) {
      spec.precision = 0;
      if (!number(spec.precision)) return in.raise("ValueError", "precision too big");
    }
    while (!text.empty() && llvm::StringRef("hlL").contains(text[0]))
      text = text.drop_front();
    if (text.empty()) return in.raise("ValueError", "incomplete format");
    char type = text[0];
    text = text.drop_front();
    if (type == '%') {
      result += '%';
      continue;
    }
    if (value.isAbsent()) value = take();
    if (value.isAbsent()) return in.raise("TypeError", "not enough arguments for format string");
    value = value.unwrapped();
    if (value.isUnknown()) {
      unknown = true;
      continue;
    }
    if (left) spec.align = '<';
    if (!in.spend(1 + static_cast<uint64_t>(spec.width + std::max<int64_t>(spec.precision, 0)) /
                          charactersPerStep))
      return Value::absent();
    switch (type) {
    case 's':
    case 'r':
    case 'a': {
      std::string shown = type == 's' ? in.str(value) : in.repr(value);
      if (in.failed()) return Value::absent();
      result += formatText(shown, spec);
      break;
    }
    case 'c':
      if (auto* character = value.as<StrObject>()) {
        result += formatText(character->text, spec);
        break;
      }
      [[fallthrough]];
    case 'd':
    case 'i':
    case 'u':
    case 'x':
    case 'X':
    case 'o': {
      if (value.is(ValueKind::Float) && (type == 'd' || type == 'i' || type == 'u') &&
          std::fabs(value.asFloat()) < 9e18)
        value = Value::integer(static_cast<int64_t>(value.asFloat()));
      if (!isInteger(value))
        return in.raise("TypeError", "%" + llvm::Twine(type) +
                                         " format: a real number is required, not " +
                                         in.className(in.typeOf(value)));
      spec.type = type == 'i' || type == 'u' ? 'd' : type;
      if (zero && !left) {
        spec.fill = "0";
        spec.align = '=';
      }
      if (type == 'c') {
        auto shown = in.format(value, "c");
        if (!shown) return Value::absent();
        result += formatText(*shown, spec);
        break;
      }
      std::string body;
      if (spec.precision >= 0) {
        FormatSpec digits;
        digits.type = spec.type;
        digits.fill = "0";
        digits.align = '=';
        digits.sign = spec.sign;
        digits.width = spec.precision + (toAPInt(value).isNegative() || spec.sign != '-');
        result += formatText(formatInteger(in, value, digits), [&] {
          FormatSpec s;
          s.width = spec.width;
          s.align = left ? '<' : '>';
          return s;
        }());
        if (in.failed()) return Value::absent();
        break;
      }
      result += formatInteger(in, value, spec);
      if (in.failed()) return Value::absent();
      break;
    }
    case 'e':
    case 'E':
    case 'f':
    case 'F':
    case 'g':
    case 'G': {
      auto real = toDouble(value);
      if (!real)
        return in.raise("TypeError",
                        "must be real number, not " + llvm::Twine(in.className(in.typeOf(value))));
      if (zero && !left) {
        spec.fill = "0";
        spec.align = '=';
      }
      spec.type = type;
      result += formatDouble(*real, spec);
      break;
    }
    default:
      return in.raise("ValueError", "unsupported format character '" + llvm::Twine(type) + "'");
    }
    if (!in.charge(result.size() - before)) return Value::absent();
  }
  if (isTuple && next < items.size() && !arguments.is(ValueKind::Dict))
    return in.raise("TypeError", "not all arguments converted during string formatting");
  return unknown ? Value::unknown() : in.string(result);
}

Value formatMethod(Interpreter& in, llvm::StringRef text, const CallArguments& arguments,
                   unsigned depth) {
  if (depth > 1) return in.raise("ValueError", "Max string recursion exceeded");
  std::string result;
  size_t next = 0;
  bool unknown = false;
  while (!text.empty()) {
    auto at = text.find_first_of("{}");
    result += text.take_front(at);
    if (at == llvm::StringRef::npos) break;
    char brace = text[at];
    text = text.drop_front(at + 1);
    if (text.starts_with(llvm::StringRef(&brace, 1))) {
      result += brace;
      text = text.drop_front();
      continue;
    }
    if (brace == '}') return in.raise("ValueError", "Single '}' encountered in format string");
    if (!in.spend(1 + arguments.keywords.size() / charactersPerStep)) return Value::absent();
    unsigned open = 1;
    size_t end = 0;
    for (; end < text.size() && open; ++end)
      open += text[end] == '{' ? 1 : text[end] == '}' ? -1 : 0;
    if (open) return in.raise("ValueError", "expected '}' before end of string");
    llvm::StringRef field = text.take_front(end - 1);
    text = text.drop_front(end);
    llvm::StringRef specText, expression = field.take_front(field.find(':'));
    if (expression.size() < field.size()) specText = field.drop_front(expression.size() + 1);
    auto [path, conversion] = expression.split('!');
    llvm::StringRef head = path.take_until([](char c) { return c == '.' || c == '['; });
    llvm::StringRef rest = path.drop_front(head.size());
    Value value = Value::absent();
    unsigned long long position;
    if (head.empty()) {
      if (next < arguments.positional.size()) value = arguments.positional[next];
      ++next;
    } else if (!head.getAsInteger(10, position)) {
      if (position < arguments.positional.size()) value = arguments.positional[position];
    } else {
      for (auto& keyword : arguments.keywords)
        if (in.text(keyword.name) == head) value = keyword.value;
      if (value.isAbsent()) return in.raiseKey(in.string(head));
    }
    if (value.isAbsent())
      return in.raise(
          "IndexError",
          "Replacement index " +
              llvm::Twine(head.empty() ? static_cast<unsigned long long>(next - 1) : position) +
              " out of range for positional args tuple");
    while (!rest.empty()) {
      if (!in.spend(1)) return Value::absent();
      if (rest.consume_front(".")) {
        llvm::StringRef attribute = rest.take_until([](char c) { return c == '.' || c == '['; });
        rest = rest.drop_front(attribute.size());
        value = in.getAttribute(value, in.name(attribute));
      } else {
        auto close = rest.find(']');
        if (close == llvm::StringRef::npos)
          return in.raise("ValueError", "Missing ']' in format string");
        llvm::StringRef key = rest.slice(1, close);
        rest = rest.drop_front(close + 1);
        value = in.getItem(value, !key.getAsInteger(10, position) && position <= INT64_MAX
                                      ? Value::integer(static_cast<int64_t>(position))
                                      : in.string(key));
      }
      if (value.isAbsent()) return value;
    }
    if (value.isUnknown()) {
      unknown = true;
      continue;
    }
    if (conversion == "r")
      value = in.string(in.repr(value));
    else if (conversion == "s")
      value = in.string(in.str(value));
    if (in.failed()) return Value::absent();
    std::string spec = specText.str();
    if (specText.contains('{')) {
      CallArguments nested{
          arguments.positional.drop_front(std::min(next, arguments.positional.size())),
          arguments.keywords};
      Value inner = formatMethod(in, specText, nested, depth + 1);
      if (inner.isAbsent()) return inner;
      if (!inner.is(ValueKind::Str)) {
        unknown = true;
        continue;
      }
      next += static_cast<size_t>(specText.count("{}"));
      spec = inner.as<StrObject>()->text.str();
    }
    auto shown = in.format(value, spec);
    if (!shown) return Value::absent();
    result += *shown;
    if (!in.charge(shown->size())) return Value::absent();
  }
  return unknown ? Value::unknown() : in.string(result);
}

} // namespace gluond::evaluate
