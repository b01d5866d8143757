#include "KernelMutant.h"

#include "Grammar.h"
#include "support/Tokens.h"

#include <llvm/ADT/SmallVector.h>
#include <llvm/ADT/StringExtras.h>

#include <optional>

namespace gluond::fuzz {

using llvm::StringRef;
using Lines = std::vector<std::string>;

namespace {

size_t indentOf(StringRef line) {
  return line.size() - line.ltrim(' ').size();
}
bool isBlank(StringRef line) {
  return line.trim().empty();
}

Lines linesOf(StringRef text) {
  llvm::SmallVector<StringRef> lines;
  text.split(lines, '\n');
  return {lines.begin(), lines.end()};
}

Lines indented(StringRef text, size_t indent) {
  Lines lines = linesOf(text);
  for (std::string& line : lines)
    line.insert(0, indent, ' ');
  return lines;
}

Lines statement(Random& random, StringRef rule, size_t indent) {
  return indented(Grammar::kernels().make(random, rule), indent);
}

// The lines [begin, end) are statements of one block, with all that they contain.
struct Extent {
  size_t begin, end, indent;
};

// Of a random line in a function; one or a few statements.
std::optional<Extent> someStatements(const Lines& lines, Random& random) {
  std::vector<size_t> inside;
  for (size_t i = 0; i < lines.size(); ++i)
    if (!isBlank(lines[i]) && indentOf(lines[i]) > 0) inside.push_back(i);
  if (inside.empty()) return std::nullopt;
  size_t begin = random.of(inside), indent = indentOf(lines[begin]), end = begin + 1;
  for (size_t more = random.chance(50) ? random.below(4) : 0; end < lines.size(); ++end) {
    if (isBlank(lines[end]) || indentOf(lines[end]) > indent) continue;
    if (indentOf(lines[end]) < indent || more-- == 0) break;
  }
  return Extent{begin, end, indent};
}

// The statements in the place of BODY.
Lines wrapped(llvm::ArrayRef<std::string> statements, size_t indent, Random& random) {
  Lines result;
  for (const std::string& line : statement(random, "wrapper", indent)) {
    if (StringRef(line).trim() != "BODY") {
      result.push_back(line);
      continue;
    }
    size_t more = indentOf(line) - indent;
    for (const std::string& inner : statements)
      result.push_back(isBlank(inner) ? inner : std::string(more, ' ') + inner);
  }
  return result;
}

// Another expression in the place of a name, or a condition behind the value of an assignment.
std::string withOtherExpression(StringRef line, Random& random) {
  const Grammar& grammar = Grammar::kernels();
  static constexpr StringRef rules[] = {"int", "cond", "tensor", "pair", "tuple", "failing", "any"};
  if (line.contains(" = ") && random.chance(40)) {
    std::string condition = grammar.make(random, "cond");
    return line.rtrim().str() + " if " + condition + " else " +
           grammar.make(random, random.of(rules));
  }
  std::vector<std::string> tokens = tokensOf(line);
  std::vector<size_t> names;
  for (size_t i = 0; i < tokens.size(); ++i)
    if (!tokens[i].empty() && (llvm::isAlnum(tokens[i][0]) || tokens[i][0] == '_'))
      names.push_back(i);
  if (names.empty()) return line.str();
  std::string& name = tokens[random.of(names)];
  name = "(" + grammar.make(random, random.of(rules)) + ")";
  return llvm::join(tokens, "");
}

// Where functions begin: before their decorators.
size_t someFunction(const Lines& lines, Random& random) {
  std::vector<size_t> starts = {lines.size()};
  for (size_t i = 0; i < lines.size(); ++i)
    if (StringRef(lines[i]).starts_with("@")) starts.push_back(i);
  return random.of(starts);
}

} // namespace

std::string kernelMutant(StringRef text, Random& random) {
  Lines lines = linesOf(text);
  std::optional<Extent> extent = someStatements(lines, random);
  if (!extent || random.chance(8)) {
    Lines helper = statement(random, "helper", 0);
    helper.emplace_back();
    lines.insert(lines.begin() + static_cast<ptrdiff_t>(someFunction(lines, random)),
                 helper.begin(), helper.end());
    return llvm::join(lines, "\n");
  }
  auto begin = lines.begin() + static_cast<ptrdiff_t>(extent->begin),
       end = lines.begin() + static_cast<ptrdiff_t>(extent->end);
  Lines statements(begin, end);
  switch (random.below(12)) {
  case 0:
    lines.erase(begin, end);
    break;
  case 1:
    lines.insert(end, statements.begin(), statements.end());
    break;
  case 2: { // somewhere else
    lines.erase(begin, end);
    std::optional<Extent> place = someStatements(lines, random);
    size_t at = place ? place->begin : 0, indent = place ? place->indent : 0;
    for (std::string& line : statements)
      if (!isBlank(line)) line = std::string(indent, ' ') + line.substr(extent->indent);
    lines.insert(lines.begin() + static_cast<ptrdiff_t>(at), statements.begin(), statements.end());
    break;
  }
  case 3:
  case 4:
  case 5: {
    Lines all = wrapped(statements, extent->indent, random);
    lines.insert(lines.erase(begin, end), all.begin(), all.end());
    break;
  }
  case 6: {
    Lines all = statement(random, "return", extent->indent);
    lines.insert(begin, all.begin(), all.end());
    break;
  }
  case 7:
  case 8:
    *begin = withOtherExpression(*begin, random);
    break;
  default: {
    Lines all = statement(random, "statement", extent->indent);
    lines.insert(begin, all.begin(), all.end());
    break;
  }
  }
  return llvm::join(lines, "\n");
}

} // namespace gluond::fuzz
