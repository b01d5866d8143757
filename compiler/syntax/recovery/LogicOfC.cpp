#include "syntax/recovery/LogicOfC.h"

#include "syntax/parser/Keywords.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/ADT/StringExtras.h>

namespace gluond::syntax {

namespace {

constexpr size_t longestLine = 4096;

// Returns the end of the string that begins at a quote.
size_t endOfString(llvm::StringRef line, size_t at) {
  char quote = line[at++];
  while (at < line.size() && line[at] != quote)
    at += line[at] == '\\' ? 2 : 1;
  return std::min(at + 1, line.size());
}

// Whether an operand has to be in parentheses beside `&`: it contains a comparison or a word such
// as `not` outside of brackets.
bool bindsLoosely(llvm::StringRef operand) {
  int depth = 0;
  for (size_t at = 0; at < operand.size(); ++at) {
    char c = operand[at];
    if (c == '\'' || c == '"') {
      at = endOfString(operand, at) - 1;
      continue;
    }
    depth += llvm::StringRef("([{").contains(c) ? 1 : -int(llvm::StringRef(")]}").contains(c));
    if (depth == 0 && llvm::StringRef("<>=!|^").contains(c)) return true;
    if (depth == 0 && c == ' ' && at + 1 < operand.size() && llvm::isAlpha(operand[at + 1]))
      return true;
  }
  return operand.starts_with("not ");
}

// Whether the `=` at a position assigns or gives an argument, and is not part of a comparison.
bool isAssignment(llvm::StringRef line, size_t at) {
  bool isFirst = at + 1 < line.size() && line[at + 1] == '=';
  return !isFirst && (at == 0 || !llvm::StringRef("=<>!").contains(line[at - 1]));
}

// The place after a word that begins an expression: `return`, `if`, `and`; 0 if there is none.
size_t afterWord(llvm::StringRef line, size_t at) {
  static constexpr llvm::StringLiteral words[] = {"and",    "assert", "elif",   "else",  "if",
                                                  "lambda", "or",     "return", "while", "yield"};
  if (at > 0 && isIdentifierPart(line[at - 1])) return 0;
  for (llvm::StringRef word : words) {
    size_t end = at + word.size();
    if (line.drop_front(at).starts_with(word) &&
        (end == line.size() || !isIdentifierPart(line[end])))
      return end;
  }
  return 0;
}

class Logic {
public:
  Logic(llvm::StringRef line, bool isCondition) : line_(line), isCondition_(isCondition) {}

  std::optional<PythonText> python() {
    opened_.push_back({});
    for (size_t at = 0; at < line_.size();) {
      char c = line_[at];
      llvm::StringRef two = line_.substr(at, 2);
      if (c == '#') break;
      if (c == '\'' || c == '"') {
        at = endOfString(line_, at);
        continue;
      }
      if (two == "&&" || two == "||") {
        if (!endOperand(at, /*isJoined=*/true)) return std::nullopt;
        found_.push_back({at, at + 2, operatorOf(two)});
        opened_.back() = {at + 2, true};
        at += 2;
        continue;
      }
      if (llvm::StringRef("([{").contains(c)) {
        opened_.push_back({at + 1, false});
      } else if (llvm::StringRef(")]}").contains(c)) {
        if (!endOperand(at, false) || opened_.size() == 1) return std::nullopt;
        opened_.pop_back();
      } else if (c == ',' || c == ':' || c == ';' || (c == '=' && isAssignment(line_, at))) {
        if (!endOperand(at, false)) return std::nullopt;
        opened_.back() = {at + 1, false};
      } else if (size_t end = afterWord(line_, at)) {
        if (!endOperand(at, false)) return std::nullopt;
        opened_.back() = {end, false};
        at = end;
        continue;
      }
      ++at;
    }
    while (!opened_.empty()) {
      if (!endOperand(line_.size(), false)) return std::nullopt;
      opened_.pop_back();
    }
    return joined();
  }

private:
  struct Operand {
    size_t begin = 0;
    bool isJoined = false; // an operator comes before it
  };
  std::string operatorOf(llvm::StringRef written) const {
    if (!isCondition_) return written.take_front(1).str();
    return written == "&&" ? "and" : "or";
  }
  // Ends the innermost operand. Returns false if an operator lacks it.
  bool endOperand(size_t end, bool isJoined) {
    Operand operand = opened_.back();
    if (!isJoined && !operand.isJoined) return true;
    llvm::StringRef text = line_.slice(operand.begin, end);
    size_t before = text.size() - text.ltrim().size();
    text = text.trim();
    if (text.empty()) return false;
    if (isCondition_ || !bindsLoosely(text)) return true;
    size_t begin = operand.begin + before, after = begin + text.size();
    found_.push_back({begin, begin, "("});
    found_.push_back({after, after, ")"});
    return true;
  }
  // All changes as one, with the text between them.
  std::optional<PythonText> joined() {
    llvm::sort(found_, [](const PythonText& a, const PythonText& b) {
      return std::pair(a.begin, a.end) < std::pair(b.begin, b.end);
    });
    auto isOperator = [](const PythonText& each) { return each.begin < each.end; };
    if (llvm::none_of(found_, isOperator)) return std::nullopt;
    PythonText all{found_.front().begin, found_.front().begin, ""};
    for (const PythonText& each : found_) {
      all.text += line_.slice(all.end, each.begin);
      bool isWord = isOperator(each) && isCondition_;
      if (isWord && each.begin > 0 && line_[each.begin - 1] != ' ') all.text += ' ';
      all.text += each.text;
      if (isWord && each.end < line_.size() && line_[each.end] != ' ') all.text += ' ';
      all.end = each.end;
    }
    return all;
  }

  llvm::StringRef line_;
  bool isCondition_;
  llvm::SmallVector<Operand, 8> opened_; // the innermost operands of the brackets around a place
  llvm::SmallVector<PythonText, 8> found_;
};

} // namespace

std::optional<PythonText> pythonLogic(llvm::StringRef line, bool isCondition) {
  if (line.size() > longestLine || line.contains("\"\"\"") || line.contains("'''"))
    return std::nullopt;
  return Logic(line, isCondition).python();
}

size_t lengthOfForeignType(llvm::StringRef line) {
  static constexpr llvm::StringLiteral types[] = {
      "auto ", "bool ", "const ", "constexpr ", "char ",     "double ", "float ",
      "half ", "int ",  "let ",   "long ",      "unsigned ", "var "};
  size_t length = 0;
  for (bool found = true; found;) {
    found = false;
    for (llvm::StringRef type : types)
      if (line.drop_front(length).starts_with(type)) {
        length += type.size();
        found = true;
      }
  }
  llvm::StringRef rest = line.drop_front(length);
  size_t name = 0;
  while (name < rest.size() && isIdentifierPart(rest[name]))
    ++name;
  bool isAssignment = name && rest.drop_front(name).ltrim().starts_with("=") &&
                      !rest.drop_front(name).ltrim().starts_with("==");
  return isAssignment ? length : 0;
}

std::string pythonStep(llvm::StringRef line) {
  for (llvm::StringRef step : {"++", "--"}) {
    llvm::StringRef name = line.rtrim(" ;");
    bool isBefore = name.consume_front(step);
    if ((!isBefore && !name.consume_back(step)) || name.empty() || llvm::isDigit(name.front()) ||
        !llvm::all_of(name, isIdentifierPart))
      continue;
    return (name + " " + step.take_front(1) + "= 1").str();
  }
  return {};
}

// Splits `i < n` at its operator. Returns false if there is none.
static bool splitComparison(llvm::StringRef text, llvm::StringRef& name, llvm::StringRef& op,
                            llvm::StringRef& bound) {
  size_t at = text.find_first_of("<>");
  if (at == llvm::StringRef::npos) return false;
  op = text.substr(at, text.substr(at + 1).starts_with("=") ? 2 : 1);
  name = text.take_front(at).trim();
  bound = text.drop_front(at + op.size()).trim();
  return !bound.empty() && bound.find_first_of("<>=") == llvm::StringRef::npos;
}

// Returns what a loop adds to its variable in each turn: "1" for `i++`, "-2" for `i -= 2`; "" if
// it is something else.
static std::string stepOf(llvm::StringRef text, llvm::StringRef name) {
  std::string plain = pythonStep(text);
  text = plain.empty() ? text : llvm::StringRef(plain);
  if (!text.consume_front(name)) return {};
  text = text.ltrim();
  bool isDown = text.starts_with("-=");
  if (!isDown && !text.starts_with("+=")) return {};
  llvm::StringRef step = text.drop_front(2).trim();
  bool isWord = llvm::all_of(step, isIdentifierPart);
  if (step.empty()) return {};
  return (isDown ? isWord ? "-" : "-(" : "") + step.str() + (isDown && !isWord ? ")" : "");
}

std::string pythonLoop(llvm::StringRef line) {
  llvm::StringRef rest = line;
  if (!rest.consume_front("for") || line.size() > longestLine || line.contains('\n')) return {};
  rest = rest.trim(" :{");
  if (rest.starts_with("(") && rest.ends_with(")")) rest = rest.drop_front().drop_back().trim();
  rest = rest.drop_front(lengthOfForeignType(rest));
  llvm::SmallVector<llvm::StringRef, 4> parts;
  auto [name, other] = rest.split('=');
  name = name.trim();
  if (name.empty() || llvm::isDigit(name.front()) || !llvm::all_of(name, isIdentifierPart))
    return {};
  other.split(parts, rest.contains(';') ? ';' : ',');
  for (llvm::StringRef& part : parts)
    part = part.trim();
  if (llvm::any_of(parts, [](llvm::StringRef part) { return part.empty(); })) return {};
  std::string begin = ("for " + name + " in range(").str();
  if (!rest.contains(';')) { // for i = 0, n, 2
    if (parts.size() < 2 || parts.size() > 3 ||
        other.find_first_of("()[]") != llvm::StringRef::npos)
      return {};
    return begin + llvm::join(parts, ", ") + "):";
  }
  llvm::StringRef compared, op, bound;
  if (parts.size() != 3 || !splitComparison(parts[1], compared, op, bound) || compared != name)
    return {};
  std::string step = stepOf(parts[2], name), last = bound.str();
  if (step.empty() || (step.front() == '-') != op.starts_with(">")) return {};
  if (op.ends_with("=")) last += step.front() == '-' ? " - 1" : " + 1";
  return begin + parts[0].str() + ", " + last + (step == "1" ? "" : ", " + step) + "):";
}

} // namespace gluond::syntax
