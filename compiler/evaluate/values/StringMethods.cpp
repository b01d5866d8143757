// The methods of str and bytes.
#include "evaluate/values/Containers.h"
#include "evaluate/values/PythonCoverage.h"
#include "evaluate/values/Strings.h"
#include "language/values/Integers.h"

#include <llvm/ADT/StringExtras.h>
#include <llvm/Support/JSON.h>

#include <bitset>

namespace gluond::evaluate {

namespace {

llvm::StringRef selfText(const CallArguments& arguments) {
  return arguments.positional[0].as<StrObject>()->text;
}

// Returns an argument after self, by position.
Value argument(const CallArguments& arguments, size_t index) {
  return index + 1 < arguments.positional.size() ? arguments.positional[index + 1].unwrapped()
                                                 : Value::absent();
}

// Reads a string argument. Returns Absent if it raised; Unknown is returned unchanged.
Value textArgument(Interpreter& in, const CallArguments& arguments, size_t index,
                   llvm::StringRef method) {
  Value value = argument(arguments, index);
  if (value.isUnknown() || value.is(ValueKind::Str) || value.is(ValueKind::Bytes)) return value;
  return in.raise(
      "TypeError",
      method + " argument " + llvm::Twine(index + 1) + " must be str, not " +
          (value.isAbsent() ? llvm::StringRef("missing") : in.className(in.typeOf(value))));
}

#define GLUOND_TEXT(variable, index, method)                                                       \
  Value variable##Value = textArgument(in, arguments, index, method);                              \
  if (!variable##Value.is(ValueKind::Str) && !variable##Value.is(ValueKind::Bytes))                \
    return variable##Value;                                                                        \
  llvm::StringRef variable = variable##Value.as<StrObject>()->text

// Unicode's classes and cases are not modelled.
bool isAscii(llvm::StringRef text) {
  return llvm::all_of(text, [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}

template <typename Change>
Value mapped(Interpreter& in, const CallArguments& arguments, Change change) {
  if (!isAscii(selfText(arguments))) return Value::unknown();
  std::string result = selfText(arguments).str();
  bool start = true;
  for (char& c : result) {
    c = change(c, start);
    start = !llvm::isAlpha(c);
  }
  return in.string(result);
}

Value upper(Interpreter& in, const CallArguments& arguments) {
  return mapped(in, arguments, [](char c, bool) { return llvm::toUpper(c); });
}
Value lower(Interpreter& in, const CallArguments& arguments) {
  return mapped(in, arguments, [](char c, bool) { return llvm::toLower(c); });
}
Value title(Interpreter& in, const CallArguments& arguments) {
  return mapped(in, arguments,
                [](char c, bool start) { return start ? llvm::toUpper(c) : llvm::toLower(c); });
}
Value swapcase(Interpreter& in, const CallArguments& arguments) {
  return mapped(in, arguments, [](char c, bool) {
    return llvm::isUpper(c) ? llvm::toLower(c) : llvm::toUpper(c);
  });
}
Value capitalize(Interpreter& in, const CallArguments& arguments) {
  if (!isAscii(selfText(arguments))) return Value::unknown();
  std::string result = selfText(arguments).lower();
  if (!result.empty()) result[0] = llvm::toUpper(result[0]);
  return in.string(result);
}

template <bool left, bool right> Value strip(Interpreter& in, const CallArguments& arguments) {
  llvm::StringRef text = selfText(arguments);
  Value chars = argument(arguments, 0);
  if (chars.isUnknown()) return chars;
  auto* set = chars.as<StrObject>();
  if (!isAscii(text) && (!set || !isAscii(set->text))) return Value::unknown();
  std::bitset<256> dropped;
  if (set)
    for (char c : set->text)
      dropped.set(static_cast<unsigned char>(c));
  auto drop = [&](char c) {
    return set ? dropped[static_cast<unsigned char>(c)] : isWhitespace(c);
  };
  while (left && !text.empty() && drop(text.front()))
    text = text.drop_front();
  while (right && !text.empty() && drop(text.back()))
    text = text.drop_back();
  return in.string(text);
}

template <bool fromRight> Value split(Interpreter& in, const CallArguments& arguments) {
  Value bound[3];
  if (!in.bind(fromRight ? "str.rsplit" : "str.split", arguments, {"self", "sep", "maxsplit"}, 1,
               bound))
    return Value::absent();
  llvm::StringRef text = selfText(arguments);
  int64_t most = -1;
  if (auto given = toIndex(bound[2].unwrapped())) most = std::max<int64_t>(*given, -1);
  Value separator = bound[1].unwrapped();
  if (separator.isUnknown()) return separator;
  llvm::SmallVector<Value> parts;
  if (!in.charge(text.size() * 24)) return Value::absent();
  if (auto* by = separator.as<StrObject>()) {
    if (by->text.empty()) return in.raise("ValueError", "empty separator");
    // From the right, the mirrored text is split from the left.
    std::string mirrored, mirroredBy;
    llvm::StringRef rest = text, mark = by->text;
    if (fromRight) {
      mirrored.assign(text.rbegin(), text.rend());
      mirroredBy.assign(mark.rbegin(), mark.rend());
      rest = mirrored;
      mark = mirroredBy;
    }
    auto add = [&](llvm::StringRef part) {
      parts.push_back(in.string(fromRight ? std::string(part.rbegin(), part.rend()) : part.str()));
    };
    while (most != 0) {
      auto at = findText(rest, mark);
      if (at == llvm::StringRef::npos) break;
      if (!in.spend(1)) return Value::absent();
      add(rest.take_front(at));
      rest = rest.drop_front(at + mark.size());
      --most;
    }
    add(rest);
    if (fromRight) std::reverse(parts.begin(), parts.end());
    return in.heap().list(parts);
  }
  if (!isAscii(text)) return Value::unknown(); // it may contain spaces of other scripts
  if (fromRight) {
    while (true) {
      while (!text.empty() && isWhitespace(text.back()))
        text = text.drop_back();
      if (text.empty()) break;
      if (!in.spend(1)) return Value::absent();
      if (most == 0) {
        parts.push_back(in.string(text));
        break;
      }
      size_t begin = text.size();
      while (begin && !isWhitespace(text[begin - 1]))
        --begin;
      parts.push_back(in.string(text.drop_front(begin)));
      text = text.take_front(begin);
      --most;
    }
    std::reverse(parts.begin(), parts.end());
    return in.heap().list(parts);
  }
  while (true) {
    text = text.drop_while(isWhitespace);
    if (text.empty()) break;
    if (!in.spend(1)) return Value::absent();
    if (most == 0) {
      parts.push_back(in.string(text));
      break;
    }
    llvm::StringRef word = text.take_until(isWhitespace);
    parts.push_back(in.string(word));
    text = text.drop_front(word.size());
    --most;
  }
  return in.heap().list(parts);
}

Value splitlines(Interpreter& in, const CallArguments& arguments) {
  llvm::StringRef text = selfText(arguments);
  Value keep = arguments.keywords.empty() ? argument(arguments, 0) : arguments.keywords[0].value;
  bool keepEnds = in.truth(keep.isAbsent() ? Value::boolean(false) : keep).value_or(false);
  if (!isAscii(text)) return Value::unknown(); // it may contain Unicode's line separators
  llvm::SmallVector<Value> lines;
  if (!in.charge(text.size() * 24)) return Value::absent();
  while (!text.empty()) {
    if (!in.spend(1)) return Value::absent();
    size_t end = text.find_first_of("\n\r\v\f\x1c\x1d\x1e");
    size_t next = end == llvm::StringRef::npos
                      ? text.size()
                      : end + (text.substr(end).starts_with("\r\n") ? 2 : 1);
    lines.push_back(in.string(text.take_front(keepEnds ? next : std::min(end, text.size()))));
    text = text.drop_front(next);
  }
  return in.heap().list(lines);
}

Value join(Interpreter& in, const CallArguments& arguments) {
  llvm::StringRef separator = selfText(arguments);
  llvm::SmallVector<Value> items;
  if (argument(arguments, 0).isAbsent())
    return in.raise("TypeError", "str.join() takes exactly one argument (0 given)");
  if (!in.unpack(argument(arguments, 0), items))
    return in.failed() ? Value::absent() : Value::unknown();
  std::string result;
  for (size_t i = 0; i < items.size(); ++i) {
    Value item = items[i].unwrapped();
    if (item.isUnknown()) return item;
    auto* text = item.as<StrObject>();
    if (!text && isKnownInPart(in, item)) return Value::unknown(); // a subclass of str
    if (!text)
      return in.raise("TypeError", "sequence item " + llvm::Twine(i) + ": expected str instance, " +
                                       in.className(in.typeOf(item)) + " found");
    size_t more = text->text.size() + (i ? separator.size() : 0);
    if (!in.charge(more) || !in.spend(1 + more / Interpreter::bytesPerStep)) return Value::absent();
    if (i) result += separator;
    result += text->text;
  }
  return in.string(result);
}

Value replace(Interpreter& in, const CallArguments& arguments) {
  llvm::StringRef text = selfText(arguments);
  GLUOND_TEXT(from, 0, "replace()");
  GLUOND_TEXT(to, 1, "replace()");
  auto most = toIndex(argument(arguments, 2));
  int64_t left = most ? std::max<int64_t>(*most, -1) : -1;
  std::string result;
  if (from.empty()) {
    while (left != 0) {
      if (!in.charge(to.size() + 1) || !in.spend(1 + to.size() / Interpreter::bytesPerStep))
        return Value::absent();
      result += to;
      --left;
      if (text.empty()) break;
      size_t end = byteOffset(text, 1);
      result += text.take_front(end);
      text = text.drop_front(end);
    }
    result += text;
    return in.string(result);
  }
  while (left != 0) {
    auto at = findText(text, from);
    if (at == llvm::StringRef::npos) break;
    if (!in.charge(to.size() + at) || !in.spend(1 + to.size() / Interpreter::bytesPerStep))
      return Value::absent();
    (result += text.take_front(at)) += to;
    text = text.drop_front(at + from.size());
    --left;
  }
  result += text;
  return in.string(result);
}

// text[start:end] of find, count, startswith...; returns false if raised or unknown.
bool window(Interpreter& in, const CallArguments& arguments, size_t first, llvm::StringRef& text,
            int64_t& start) {
  SliceObject slice{{}, argument(arguments, first), argument(arguments, first + 1), Value::none()};
  if (slice.start.isAbsent()) slice.start = Value::none();
  if (slice.stop.isAbsent()) slice.stop = Value::none();
  start = 0;
  if (slice.start.isNone() && slice.stop.isNone()) return true;
  auto bounds = sliceBounds(in, slice, textLength(text));
  if (!bounds) return false;
  start = bounds->start;
  size_t begin = byteOffset(text, bounds->start);
  text =
      text.slice(begin, std::max(begin, byteOffset(text, std::max(bounds->stop, bounds->start))));
  return true;
}

template <bool fromRight, bool mustFind>
Value find(Interpreter& in, const CallArguments& arguments) {
  llvm::StringRef text = selfText(arguments);
  GLUOND_TEXT(what, 0, "find()");
  int64_t start;
  if (!window(in, arguments, 1, text, start))
    return in.failed() ? Value::absent() : Value::unknown();
  auto at = fromRight ? findLastText(text, what) : findText(text, what);
  if (at == llvm::StringRef::npos)
    return mustFind ? in.raise("ValueError", "substring not found") : Value::integer(-1);
  return Value::integer(start + textLength(text.take_front(at)));
}

Value count(Interpreter& in, const CallArguments& arguments) {
  llvm::StringRef text = selfText(arguments);
  GLUOND_TEXT(what, 0, "count()");
  int64_t start;
  if (!window(in, arguments, 1, text, start))
    return in.failed() ? Value::absent() : Value::unknown();
  if (what.empty()) return Value::integer(textLength(text) + 1);
  if (what.size() == 1) return Value::integer(static_cast<int64_t>(text.count(what[0])));
  int64_t found = 0;
  for (size_t at = 0; (at = findText(text, what)) != llvm::StringRef::npos; ++found) {
    if (!in.spend(1)) return Value::absent();
    text = text.drop_front(at + what.size());
  }
  return Value::integer(found);
}

template <bool atEnd> Value affix(Interpreter& in, const CallArguments& arguments) {
  llvm::StringRef text = selfText(arguments);
  Value what = argument(arguments, 0);
  int64_t start;
  if (!window(in, arguments, 1, text, start))
    return in.failed() ? Value::absent() : Value::unknown();
  auto has = [&](Value one) -> std::optional<bool> {
    auto* affix = one.unwrapped().as<StrObject>();
    if (!affix) return std::nullopt;
    return atEnd ? text.ends_with(affix->text) : text.starts_with(affix->text);
  };
  if (what.isUnknown()) return what;
  if (auto* tuple = what.as<TupleObject>()) {
    for (Value one : tuple->items) {
      if (one.isUnknown()) return one;
      if (!in.spend(1)) return Value::absent();
      if (has(one).value_or(false)) return Value::boolean(true);
    }
    return Value::boolean(false);
  }
  auto result = has(what);
  if (!result)
    return in.raise("TypeError", llvm::Twine(atEnd ? "endswith" : "startswith") +
                                     " first arg must be str or a tuple of str, not " +
                                     (what.isAbsent() ? llvm::StringRef("missing")
                                                      : in.className(in.typeOf(what))));
  return Value::boolean(*result);
}

template <bool atEnd> Value removeAffix(Interpreter& in, const CallArguments& arguments) {
  llvm::StringRef text = selfText(arguments);
  GLUOND_TEXT(what, 0, "removeprefix()");
  if (atEnd)
    text.consume_back(what);
  else
    text.consume_front(what);
  return in.string(text);
}

template <bool fromRight> Value partition(Interpreter& in, const CallArguments& arguments) {
  llvm::StringRef text = selfText(arguments);
  GLUOND_TEXT(by, 0, "partition()");
  if (by.empty()) return in.raise("ValueError", "empty separator");
  auto at = fromRight ? findLastText(text, by) : findText(text, by);
  Value empty = in.string("");
  if (at == llvm::StringRef::npos) {
    Value whole = in.string(text);
    return fromRight ? in.tupleOf({empty, empty, whole}) : in.tupleOf({whole, empty, empty});
  }
  return in.tupleOf(
      {in.string(text.take_front(at)), in.string(by), in.string(text.drop_front(at + by.size()))});
}

// Returns the requested width after charging for it; Absent if raised, Unknown if not known.
Value widthOf(Interpreter& in, const CallArguments& arguments) {
  Value given = argument(arguments, 0);
  auto width = toIndex(given);
  if (!width) return given.isUnknown() ? given : in.raise("TypeError", "an integer is required");
  auto wide = static_cast<size_t>(std::max<int64_t>(*width, 0));
  if (!in.charge(wide) || !in.spendBytes(wide)) return Value::absent();
  return Value::integer(static_cast<int64_t>(wide));
}

template <char align> Value justify(Interpreter& in, const CallArguments& arguments) {
  FormatSpec spec;
  spec.align = align;
  Value width = widthOf(in, arguments);
  if (!width.isIntegral()) return width;
  spec.width = width.asInt();
  if (auto* fill = argument(arguments, 1).as<StrObject>()) {
    if (textLength(fill->text) != 1)
      return in.raise("TypeError", "The fill character must be exactly one character long");
    spec.fill = fill->text.str();
  }
  return in.string(formatText(selfText(arguments), spec));
}

Value center(Interpreter& in, const CallArguments& arguments) {
  llvm::StringRef text = selfText(arguments);
  Value width = widthOf(in, arguments);
  if (!width.isIntegral()) return width;
  std::string fill = " ";
  if (auto* given = argument(arguments, 1).as<StrObject>()) fill = given->text.str();
  if (textLength(fill) != 1)
    return in.raise("TypeError", "The fill character must be exactly one character long");
  int64_t missing = width.asInt() - textLength(text);
  if (missing <= 0) return arguments.positional[0];
  int64_t left = missing / 2 + (missing & width.asInt() & 1);
  std::string result;
  for (int64_t i = 0; i < left; ++i)
    result += fill;
  result += text;
  for (int64_t i = left; i < missing; ++i)
    result += fill;
  return in.string(result);
}

Value zfill(Interpreter& in, const CallArguments& arguments) {
  llvm::StringRef text = selfText(arguments);
  Value width = widthOf(in, arguments);
  if (!width.isIntegral()) return width;
  int64_t missing = width.asInt() - textLength(text);
  if (missing <= 0) return arguments.positional[0];
  std::string zeros(static_cast<size_t>(missing), '0');
  bool sign = text.starts_with("+") || text.starts_with("-");
  return in.string(text.take_front(sign).str() + zeros + text.drop_front(sign).str());
}

Value expandtabs(Interpreter& in, const CallArguments& arguments) {
  auto size = toIndex(argument(arguments, 0));
  int64_t every = size ? *size : 8;
  std::string result;
  int64_t column = 0;
  if (every > 1024) return Value::unknown();
  for (char c : selfText(arguments)) {
    if (c == '\t') {
      int64_t spaces = every > 0 ? every - column % every : 0;
      auto more = static_cast<size_t>(spaces);
      if (!in.charge(more) || !in.spendBytes(more)) return Value::absent();
      result.append(static_cast<size_t>(spaces), ' ');
      column += spaces;
    } else {
      result += c;
      column = c == '\n' || c == '\r' ? 0 : column + 1;
    }
  }
  return in.string(result);
}

template <typename Test> Value all(const CallArguments& arguments, Test test) {
  llvm::StringRef text = selfText(arguments);
  if (!isAscii(text)) return Value::unknown();
  return Value::boolean(!text.empty() && llvm::all_of(text, test));
}
Value isdigit(Interpreter&, const CallArguments& arguments) {
  return all(arguments, llvm::isDigit);
}
Value isalpha(Interpreter&, const CallArguments& arguments) {
  return all(arguments, [](char c) { return llvm::isAlpha(c); });
}
Value isalnum(Interpreter&, const CallArguments& arguments) {
  return all(arguments, [](char c) { return llvm::isAlnum(c); });
}
Value isspace(Interpreter&, const CallArguments& arguments) {
  return all(arguments, isWhitespace);
}
template <bool isUpperCase> Value iscase(Interpreter&, const CallArguments& arguments) {
  bool any = false;
  for (char c : selfText(arguments)) {
    if (static_cast<unsigned char>(c) >= 0x80) return Value::unknown();
    if (isUpperCase ? llvm::isLower(c) : llvm::isUpper(c)) return Value::boolean(false);
    any |= llvm::isAlpha(c);
  }
  return Value::boolean(any);
}
Value isidentifier(Interpreter&, const CallArguments& arguments) {
  llvm::StringRef text = selfText(arguments);
  auto isStart = [](char c) {
    return llvm::isAlpha(c) || c == '_' || static_cast<unsigned char>(c) >= 0x80;
  };
  return Value::boolean(!text.empty() && isStart(text[0]) &&
                        llvm::all_of(text, [&](char c) { return isStart(c) || llvm::isDigit(c); }));
}

Value formatText_(Interpreter& in, const CallArguments& arguments) {
  return formatMethod(in, selfText(arguments),
                      {arguments.positional.drop_front(), arguments.keywords});
}

// Whether an encoding that is named, or is not, makes the same bytes of a text as UTF-8.
bool isLikeUtf8(Interpreter& in, const CallArguments& arguments) {
  Value encoding = argument(arguments, 0);
  for (auto& keyword : arguments.keywords)
    if (in.text(keyword.name) == "encoding") encoding = keyword.value.unwrapped();
  if (encoding.isAbsent()) return true;
  auto* text = encoding.as<StrObject>();
  if (!text) return false;
  std::string name = text->text.lower();
  bool isUtf8 = name == "utf-8" || name == "utf8" || name == "utf_8";
  bool isSubset = name == "ascii" || name == "latin-1" || name == "latin1" || name == "us-ascii";
  return isUtf8 || (isSubset && isAscii(selfText(arguments)));
}
Value encode(Interpreter& in, const CallArguments& arguments) {
  if (!isLikeUtf8(in, arguments)) return Value::unknown();
  return Value::object(ValueKind::Bytes, in.string(selfText(arguments)).as<StrObject>());
}
Value decode(Interpreter& in, const CallArguments& arguments) {
  bool isText = isAscii(selfText(arguments)) || llvm::json::isUTF8(selfText(arguments));
  return isText && isLikeUtf8(in, arguments) ? in.string(selfText(arguments)) : Value::unknown();
}
Value translate(Interpreter&, const CallArguments&) {
  return Value::unknown();
}
Value hex(Interpreter& in, const CallArguments& arguments) {
  return in.string(llvm::toHex(selfText(arguments), true));
}

constexpr NativeRow stringRows[] = {
    {"capitalize", capitalize},
    {"casefold", lower},
    {"center", center},
    {"count", count},
    {"encode", encode},
    {"endswith", affix<true>},
    {"expandtabs", expandtabs},
    {"find", find<false, false>},
    {"format", formatText_},
    {"index", find<false, true>},
    {"isalnum", isalnum},
    {"isalpha", isalpha},
    {"isdecimal", isdigit},
    {"isdigit", isdigit},
    {"isidentifier", isidentifier},
    {"islower", iscase<false>},
    {"isnumeric", isdigit},
    {"isspace", isspace},
    {"isupper", iscase<true>},
    {"join", join},
    {"ljust", justify<'<'>},
    {"lower", lower},
    {"lstrip", strip<true, false>},
    {"partition", partition<false>},
    {"removeprefix", removeAffix<false>},
    {"removesuffix", removeAffix<true>},
    {"replace", replace},
    {"rfind", find<true, false>},
    {"rindex", find<true, true>},
    {"rjust", justify<'>'>},
    {"rpartition", partition<true>},
    {"rsplit", split<true>},
    {"rstrip", strip<false, true>},
    {"split", split<false>},
    {"splitlines", splitlines},
    {"startswith", affix<false>},
    {"strip", strip<true, true>},
    {"swapcase", swapcase},
    {"title", title},
    {"translate", translate},
    {"upper", upper},
    {"zfill", zfill},
};
constexpr NativeRow bytesRows[] = {{"decode", decode}, {"hex", hex}};

} // namespace

llvm::ArrayRef<NativeRow> stringMethods() {
  return stringRows;
}
llvm::ArrayRef<NativeRow> bytesMethods() {
  return bytesRows;
}

} // namespace gluond::evaluate
