#include "Mutate.h"

#include "Dictionary.h"
#include "Grammar.h"
#include "KernelMutant.h"
#include "support/Tokens.h"

#include <llvm/ADT/SmallVector.h>
#include <llvm/ADT/StringExtras.h>
#include <nlohmann/json.hpp>

namespace gluond::fuzz {

using llvm::StringRef;
using Json = nlohmann::ordered_json;
using Pieces = std::vector<std::string>;

namespace {

constexpr StringRef oddities[] = {"(",
                                  ")",
                                  "[",
                                  "]",
                                  "{",
                                  "}",
                                  ":",
                                  ",",
                                  ".",
                                  "**",
                                  "lambda: ",
                                  "\n",
                                  "    ",
                                  "\t",
                                  "\xc3\xa9",
                                  "\"",
                                  "'",
                                  "\"\"\"",
                                  "\\",
                                  "\\\n",
                                  "*",
                                  "-",
                                  "~",
                                  "not ",
                                  " is ",
                                  " in ",
                                  " if ",
                                  " else ",
                                  " for ",
                                  "yield ",
                                  "await ",
                                  ":=",
                                  "@",
                                  "=",
                                  "->",
                                  ";",
                                  "...",
                                  StringRef("\0", 1),
                                  "\r",
                                  "\f",
                                  "\xe2\x80\xa8",
                                  "\xef\xbb\xbf",
                                  "$",
                                  "?",
                                  "\xff",
                                  "\xed\xa0\x80",
                                  "\xf4\x90\x80\x80",
                                  "\x1b[31m",
                                  "f'{",
                                  "}'",
                                  "<",
                                  ">",
                                  "#",
                                  "%",
                                  "0x",
                                  "1e400",
                                  "-1",
                                  "9223372036854775807",
                                  "18446744073709551616",
                                  "true",
                                  "null"};
constexpr std::pair<StringRef, StringRef> nests[] = {{"(", ")"},
                                                     {"[", "]"},
                                                     {"(", ",)"},
                                                     {"{1: ", "}"},
                                                     {"-", ""},
                                                     {"not ", ""},
                                                     {"f(", ")"},
                                                     {"", ".x"},
                                                     {"", "[0]"},
                                                     {"", "()"},
                                                     {"(lambda: ", ")"},
                                                     {"1 + ", ""},
                                                     {"1 if 1 else ", ""},
                                                     {"gl.SliceLayout(0, ", ")"},
                                                     {"a or ", ""},
                                                     {"a < ", ""},
                                                     {"2 ** ", ""},
                                                     {"f'{", "}'"},
                                                     {"<", ">"},
                                                     {"{\"a\":", "}"}};
constexpr unsigned depths[] = {3, 30, 300, 3000, 20000};
constexpr StringRef rulesOfValues[] = {"value",        "expression",   "number", "gluon",
                                       "layout_value", "kernel_value", "text",   "container"};

Pieces linesOf(StringRef text) {
  llvm::SmallVector<StringRef> lines;
  text.split(lines, '\n');
  Pieces pieces;
  for (StringRef line : lines)
    pieces.push_back(line.str());
  return pieces;
}

template <typename Test> std::vector<size_t> placesOf(const Pieces& pieces, Test test) {
  std::vector<size_t> places;
  for (size_t i = 0; i < pieces.size(); ++i)
    if (!pieces[i].empty() && test(pieces[i])) places.push_back(i);
  return places;
}
bool isNumber(StringRef piece) {
  return llvm::isDigit(piece[0]);
}
bool isName(StringRef piece) {
  return llvm::isAlpha(piece[0]) || piece[0] == '_';
}
bool isWord(StringRef piece) {
  return isNumber(piece) || isName(piece) || piece[0] == '"';
}

ptrdiff_t place(Random& random, const Pieces& pieces) {
  return static_cast<ptrdiff_t>(random.below(pieces.size()));
}

std::string repeated(StringRef text, unsigned count) {
  std::string result;
  for (; count; --count)
    result += text;
  return result;
}

// A value in the place of a word.
std::string replacement(Shape shape, Random& random) {
  if (shape == Shape::Ir) return random.of(dictionary(shape));
  return "(" + Grammar::python().make(random, random.of(rulesOfValues)) + ")";
}

std::string withOtherTokens(Shape shape, StringRef text, Random& random) {
  Pieces pieces = tokensOf(text);
  if (pieces.empty()) pieces.emplace_back("x");
  auto numbers = placesOf(pieces, isNumber), names = placesOf(pieces, isName),
       all = placesOf(pieces, isWord);
  std::string& some = pieces[random.below(pieces.size())];
  switch (random.below(11)) {
  case 0:
    some.clear();
    break;
  case 1:
    some += some;
    break;
  case 2:
    std::swap(some, pieces[random.below(pieces.size())]);
    break;
  case 3:
    pieces.insert(pieces.begin() + place(random, pieces), random.of(oddities).str());
    break;
  case 4:
  case 5:
    if (!numbers.empty()) pieces[random.of(numbers)] = Grammar::python().make(random, "number");
    break;
  case 6:
    if (!names.empty()) pieces[random.of(names)] = pieces[random.of(names)];
    break;
  case 7:
    if (!names.empty()) pieces[random.of(names)] = random.of(dictionary(shape));
    break;
  case 8: // one name becomes another everywhere
    if (!names.empty()) {
      std::string from = pieces[random.of(names)], to = pieces[random.of(names)];
      for (size_t i : names)
        if (pieces[i] == from) pieces[i] = to;
    }
    break;
  case 9:
    if (!all.empty()) pieces[random.of(all)] = replacement(shape, random);
    break;
  default:
    if (!all.empty()) {
      auto [before, after] = random.of(nests);
      unsigned depth = random.of(depths);
      std::string& piece = pieces[random.of(all)];
      piece = repeated(before, depth) + piece + repeated(after, depth);
    }
    break;
  }
  return llvm::join(pieces, "");
}

std::string withOtherLines(StringRef text, StringRef other, Random& random) {
  Pieces lines = linesOf(text), others = linesOf(other);
  auto at = lines.begin() + place(random, lines);
  auto end = at + std::min(1 + static_cast<ptrdiff_t>(random.below(5)), lines.end() - at);
  switch (random.below(5)) {
  case 0:
    lines.erase(at, end);
    break;
  case 1: {
    Pieces again(at, end);
    for (size_t count = random.chance(10) ? 100 : 1; count; --count)
      lines.insert(lines.begin() + place(random, lines), again.begin(), again.end());
    break;
  }
  case 2: {
    Pieces moved(at, end);
    lines.erase(at, end);
    if (lines.empty()) lines.emplace_back();
    lines.insert(lines.begin() + place(random, lines), moved.begin(), moved.end());
    break;
  }
  case 3:
    *at = random.chance(50) ? "    " + *at : StringRef(*at).ltrim(' ').str();
    break;
  default: {
    auto from = others.begin() + place(random, others);
    auto to = from + std::min(1 + static_cast<ptrdiff_t>(random.below(20)), others.end() - from);
    lines.insert(at, from, to);
    break;
  }
  }
  return llvm::join(lines, "\n");
}

// A statement of the grammar before a line, indented as that one.
std::string withStatement(StringRef text, Random& random) {
  const Grammar& grammar = Grammar::python();
  Pieces lines = linesOf(text);
  auto at = lines.begin() + place(random, lines);
  std::string indent(at->size() - StringRef(*at).ltrim(' ').size(), ' ');
  Pieces added = linesOf(
      grammar.make(random, indent.empty() || random.chance(40) ? "statement" : "kernel_statement"));
  for (std::string& line : added)
    line = indent + line;
  lines.insert(at, added.begin(), added.end());
  if (random.chance(50)) lines.insert(lines.begin(), grammar.make(random, "setup"));
  return llvm::join(lines, "\n");
}

std::string withOtherBytes(StringRef text, Random& random) {
  std::string bytes = text.str();
  size_t at = random.below(bytes.size() + 1);
  switch (random.below(4)) {
  case 0:
    bytes.insert(at, random.of(oddities));
    break;
  case 1:
    if (at < bytes.size()) bytes[at] = static_cast<char>(random.below(256));
    break;
  case 2:
    bytes.erase(at, 1 + random.below(8));
    break;
  default:
    if (at < bytes.size()) bytes[at] = static_cast<char>(bytes[at] ^ (1 << random.below(8)));
    break;
  }
  return bytes;
}

void collect(Json& value, std::vector<Json*>& all) {
  all.push_back(&value);
  if (value.is_structured())
    for (Json& each : value)
      collect(each, all);
}

Json oddValue(Random& random) {
  switch (random.below(10)) {
  case 0:
    return nullptr;
  case 1:
    return random.chance(50);
  case 2:
    return static_cast<int64_t>(random.below(64)) - 2;
  case 3:
    return random.chance(50) ? std::numeric_limits<int64_t>::min()
                             : std::numeric_limits<int64_t>::max();
  case 4:
    return std::numeric_limits<uint64_t>::max() - random.below(2);
  case 5:
    return 1e308;
  case 6:
    return Json::array();
  case 7:
    return Json::object();
  case 8:
    return random.of(oddities).str();
  default:
    return random.of(dictionary(Shape::JsonLines));
  }
}

// One line of JSON, changed in a place or two.
std::string withOtherValues(StringRef text, Random& random) {
  Pieces lines = linesOf(text);
  std::string& line = lines[random.below(lines.size())];
  Json document = Json::parse(line, nullptr, /*allow_exceptions=*/false);
  if (document.is_discarded()) return withOtherTokens(Shape::JsonLines, text, random);
  for (size_t count = 1 + random.below(2); count; --count) {
    std::vector<Json*> all;
    collect(document, all);
    Json& some = *random.of(all);
    switch (random.below(5)) {
    case 0:
      some = Json(*random.of(all));
      break;
    case 1:
      if (some.is_string()) {
        Shape shape = some.get_ref<const std::string&>().find('\n') != std::string::npos
                          ? Shape::Python
                          : Shape::Lines;
        some = mutant(shape, some.get<std::string>(), {}, random);
      } else {
        some = oddValue(random);
      }
      break;
    case 2:
      if (some.is_object())
        some[random.of(dictionary(Shape::JsonLines))] = oddValue(random);
      else if (some.is_array() && !some.empty())
        some.insert(some.begin(), Json(some.back()));
      break;
    case 3:
      if (some.is_structured() && !some.empty()) some.erase(some.begin());
      break;
    default:
      some = oddValue(random);
      break;
    }
  }
  line = document.dump(-1, ' ', false, Json::error_handler_t::replace);
  return llvm::join(lines, "\n");
}

} // namespace

std::string mutant(Shape shape, StringRef input, StringRef other, Random& random) {
  std::string text = input.str();
  do {
    if (shape == Shape::Bytes || random.chance(4))
      text = withOtherBytes(text, random);
    else if (shape == Shape::Kernels && random.chance(75))
      text = kernelMutant(text, random);
    else if (shape == Shape::JsonLines && random.chance(70))
      text = withOtherValues(text, random);
    else if (random.chance(25))
      text = withOtherLines(text, other, random);
    else if ((shape == Shape::Python || shape == Shape::Kernels) && random.chance(35))
      text = withStatement(text, random);
    else
      text = withOtherTokens(shape, text, random);
  } while (random.chance(45));
  return text;
}

} // namespace gluond::fuzz
