// Parses the parameter lists of the builtin table at compile time: "(pointer, mask=None, *,
// volatile=False)".
#pragma once

#include "language/values/Value.h"

#include <array>
#include <string_view>

namespace gluond::language {

enum class ParameterKind : uint8_t { Positional, VarArgs, KeywordOnly, KwArgs };

enum class DefaultKind : uint8_t {
  Required,
  None,
  True,
  False,
  Int,
  Float,
  Str,
  EmptyTuple,
  EmptyList,
  Other
};

struct Parameter {
  std::string_view name;
  std::string_view defaultText; // as written; empty if required
  ParameterKind kind = ParameterKind::Positional;
  DefaultKind defaultKind = DefaultKind::Required;
  int64_t integer = 0; // Int
};

// A string literal as a template argument.
template <size_t N> struct FixedString {
  char text[N];
  consteval FixedString(const char (&literal)[N]) {
    for (size_t i = 0; i < N; ++i)
      text[i] = literal[i];
  }
  constexpr std::string_view view() const { return {text, N - 1}; }
};

namespace detail {

constexpr size_t countParameters(std::string_view text) {
  size_t count = 0;
  int depth = 0;
  bool some = false, quoted = false, star = false;
  auto end = [&] {
    if (some && !star) ++count;
    some = star = false;
  };
  for (size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    if (c == '"') quoted = !quoted;
    if (quoted) continue;
    if (c == '(' || c == '[') ++depth;
    if (c == ')' || c == ']') --depth;
    if (c == ',' && depth == 0) {
      end();
      continue;
    }
    if (c == ' ') continue;
    star = c == '*' && !some; // a lone star is not a parameter
    some = true;
  }
  end();
  return count;
}

constexpr std::string_view trim(std::string_view text) {
  while (!text.empty() && text.front() == ' ')
    text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ')
    text.remove_suffix(1);
  return text;
}

constexpr Parameter readParameter(std::string_view text, bool keywordOnly) {
  Parameter parameter;
  if (text.substr(0, 2) == "**") {
    parameter.kind = ParameterKind::KwArgs;
    parameter.name = text.substr(2);
    return parameter;
  }
  if (text.substr(0, 1) == "*") {
    parameter.kind = ParameterKind::VarArgs;
    parameter.name = text.substr(1);
    return parameter;
  }
  if (keywordOnly) parameter.kind = ParameterKind::KeywordOnly;
  size_t equals = text.find('=');
  parameter.name = text.substr(0, equals);
  if (equals == std::string_view::npos) return parameter;
  std::string_view value = parameter.defaultText = text.substr(equals + 1);
  bool digits = !value.empty();
  for (size_t i = value.front() == '-' ? 1 : 0; i < value.size(); ++i)
    digits &= value[i] >= '0' && value[i] <= '9';
  if (value == "None")
    parameter.defaultKind = DefaultKind::None;
  else if (value == "True")
    parameter.defaultKind = DefaultKind::True;
  else if (value == "False")
    parameter.defaultKind = DefaultKind::False;
  else if (value == "()")
    parameter.defaultKind = DefaultKind::EmptyTuple;
  else if (value == "[]")
    parameter.defaultKind = DefaultKind::EmptyList;
  else if (value.front() == '"')
    parameter.defaultKind = DefaultKind::Str;
  else if (digits) {
    parameter.defaultKind = DefaultKind::Int;
    for (char c : value)
      if (c != '-') parameter.integer = parameter.integer * 10 + (c - '0');
    if (value.front() == '-') parameter.integer = -parameter.integer;
  } else
    parameter.defaultKind = DefaultKind::Other;
  return parameter;
}

template <size_t N> constexpr std::array<Parameter, N> readParameters(std::string_view text) {
  std::array<Parameter, N> result{};
  size_t count = 0, begin = 0;
  int depth = 0;
  bool keywordOnly = false, quoted = false;
  for (size_t i = 0; i <= text.size(); ++i) {
    char c = i < text.size() ? text[i] : ',';
    if (c == '"') quoted = !quoted;
    if (quoted) continue;
    if (c == '(' || c == '[') ++depth;
    if (c == ')' || c == ']') --depth;
    if (c != ',' || depth != 0) continue;
    std::string_view piece = trim(text.substr(begin, i - begin));
    begin = i + 1;
    if (piece.empty()) continue;
    if (piece == "*") {
      keywordOnly = true;
      continue;
    }
    result[count++] = readParameter(piece, keywordOnly);
    if (result[count - 1].kind == ParameterKind::VarArgs) keywordOnly = true;
  }
  return result;
}

constexpr std::string_view insideParentheses(std::string_view text) {
  return text.size() < 2 ? std::string_view() : text.substr(1, text.size() - 2);
}

} // namespace detail

// signature<"(x, y=None)"> is an array with static storage.
template <FixedString text>
inline constexpr auto signature =
    detail::readParameters<detail::countParameters(detail::insideParentheses(text.view()))>(
        detail::insideParentheses(text.view()));

} // namespace gluond::language
