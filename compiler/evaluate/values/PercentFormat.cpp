// text % arguments, and str.format.
#include "evaluate/values/Strings.h"
#include "language/values/Integers.h"

#include <llvm/ADT/StringExtras.h>

#include <cmath>

namespace gluond::evaluate {

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
      next += specText.count("{}");
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
