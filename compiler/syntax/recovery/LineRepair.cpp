#include "syntax/recovery/LineRepair.h"

#include "syntax/parser/Keywords.h"
#include "syntax/recovery/LogicOfC.h"

#include <llvm/ADT/StringSwitch.h>

namespace gluond::syntax {

using diagnostics::Id;
using text::Offset;
using text::Range;

bool isHeaderLead(Lead lead) {
  return lead != Lead::Other && lead != Lead::Decorator;
}

namespace {

enum class Token : uint8_t {
  Operand,
  Keyword,
  Operator,
  Dot,
  Open,
  Close,
  Comma,
  Colon,
  Equal,
  End
};

// Keywords that require an expression or a name after them.
bool wantsOperand(llvm::StringRef word) {
  return llvm::StringSwitch<bool>(word)
      .Cases({"not", "and", "or", "in", "is", "if", "elif", "while", "for", "await", "assert",
              "del", "with"},
             true)
      .Cases({"import", "from", "as", "else", "def", "class", "global", "nonlocal"}, true)
      .Default(false);
}

struct Lexer {
  llvm::StringRef text;
  size_t at = 0;

  struct Result {
    Token token;
    size_t begin, end;
    llvm::StringRef word;
  };

  Result next() {
    for (;;) {
      while (at < text.size() && (text[at] == ' ' || text[at] == '\t' || text[at] == '\f' ||
                                  text[at] == '\n' || text[at] == '\r'))
        ++at;
      if (at < text.size() && text[at] == '#') {
        while (at < text.size() && text[at] != '\n' && text[at] != '\r')
          ++at;
        continue;
      }
      if (at + 1 < text.size() && text[at] == '\\' &&
          (text[at + 1] == '\n' || text[at + 1] == '\r')) {
        at += 2;
        continue;
      }
      break;
    }
    size_t begin = at;
    if (at == text.size()) return {Token::End, at, at, {}};
    char c = text[at];
    if (isIdentifierPart(c)) {
      while (at < text.size() && isIdentifierPart(text[at]))
        ++at;
      llvm::StringRef word = text.slice(begin, at);
      if (at < text.size() && (text[at] == '"' || text[at] == '\'') && word.size() <= 2)
        return string(begin);
      if (llvm::isDigit(c) && at < text.size() && text[at] == '.') { // 1.5
        ++at;
        while (at < text.size() && isIdentifierPart(text[at]))
          ++at;
      }
      bool isOperand = !isKeyword(word) || word == "None" || word == "True" || word == "False";
      return {isOperand ? Token::Operand : Token::Keyword, begin, at, word};
    }
    if (c == '"' || c == '\'') return string(begin);
    ++at;
    auto one = [&](Token token) { return Result{token, begin, at, {}}; };
    switch (c) {
    case '(':
    case '[':
    case '{':
      return one(Token::Open);
    case ')':
    case ']':
    case '}':
      return one(Token::Close);
    case ',':
    case ';':
      return one(Token::Comma);
    case '.':
      if (text.substr(begin).starts_with("...")) {
        at = begin + 3;
        return one(Token::Operand);
      }
      if (at < text.size() && llvm::isDigit(text[at])) {
        while (at < text.size() && isIdentifierPart(text[at]))
          ++at;
        return one(Token::Operand);
      }
      return one(Token::Dot);
    case ':':
      if (at < text.size() && text[at] == '=') {
        ++at;
        return one(Token::Operator);
      }
      return one(Token::Colon);
    default:
      while (at < text.size() && llvm::StringRef("+-*/%@&|^<>=!~").contains(text[at]) &&
             at - begin < 3) {
        // `=-1`, `*-x`: a sign begins a new operator.
        if (llvm::StringRef("+-~").contains(text[at])) break;
        ++at;
      }
      return {text.slice(begin, at) == "=" ? Token::Equal : Token::Operator, begin, at, {}};
    }
  }

  Result string(size_t begin) {
    char quote = text[at];
    bool isTriple = at + 2 < text.size() && text[at + 1] == quote && text[at + 2] == quote;
    at += isTriple ? 3 : 1;
    while (at < text.size()) {
      if (text[at] == '\\') {
        at += 2;
      } else if (text[at] == quote &&
                 (!isTriple || text.substr(at).starts_with(std::string(3, quote)))) {
        at += isTriple ? 3 : 1;
        return {Token::Operand, begin, at, {}};
      } else {
        ++at;
      }
    }
    at = text.size();
    return {Token::Operand, begin, at, {}};
  }
};

constexpr llvm::StringLiteral hole = "__";

} // namespace

std::vector<Patch> repairLine(llvm::StringRef line, Lead lead) {
  std::vector<Patch> patches;
  Lexer lexer{line};
  std::string brackets; // open ones
  Token before = Token::Comma;
  bool opensSubscript = false; // the token before is the [ of a subscript
  llvm::StringRef word;        // the keyword before
  size_t lastEnd = 0;          // end of the token before
  unsigned lambdas = 0;        // whose colons are to come
  bool hasColon = false;       // the header's own
  bool hasIn = false, hasParameters = false, afterName = false;
  bool isDefinition = lead == Lead::Def || (lead == Lead::Async && line.contains("def"));
  auto needs = [&] {
    switch (before) {
    case Token::Operator: {
      // `def f(*, a)`, `def f(a, /)`: markers, not operators.
      llvm::StringRef op = line.slice(0, lastEnd).take_back(1);
      return !(isDefinition && (op == "*" || op == "/"));
    }
    case Token::Dot:
    case Token::Equal:
      return true;
    case Token::Keyword:
      return wantsOperand(word) && !(lead == Lead::Else && lastEnd == 4);
    case Token::Open:
      return opensSubscript;
    case Token::Colon:
      return !brackets.empty() && brackets.back() == '{';
    default:
      return false;
    }
  };
  auto fill = [&](size_t at) {
    std::string text(before == Token::Dot ? hole.str() : " " + hole.str());
    patches.push_back({static_cast<uint32_t>(before == Token::Dot ? lastEnd : at), text, false});
  };
  size_t lastColon = llvm::StringRef::npos;
  for (;;) {
    Lexer::Result token = lexer.next();
    bool closes = token.token == Token::End || token.token == Token::Close ||
                  token.token == Token::Comma || token.token == Token::Colon ||
                  token.token == Token::Equal;
    bool binary =
        token.token == Token::Operator && !llvm::StringRef("+-~*").contains(line[token.begin]);
    if ((closes || binary) && needs()) fill(lastEnd);
    if (token.token == Token::End) break;
    lastColon = token.token == Token::Colon ? token.begin : llvm::StringRef::npos;
    if (token.token == Token::Keyword && token.word == "lambda") ++lambdas;
    if (token.token == Token::Colon && brackets.empty())
      lambdas ? void(--lambdas) : void(hasColon = true);
    opensSubscript = token.token == Token::Open && line[token.begin] == '[' &&
                     (before == Token::Operand || before == Token::Close);
    if (token.token == Token::Open) {
      brackets += line[token.begin];
      if (afterName && brackets.size() == 1) hasParameters = true;
    } else if (token.token == Token::Close && !brackets.empty()) {
      brackets.pop_back();
    }
    if (token.token == Token::Keyword && token.word == "in") hasIn = true;
    afterName = before == Token::Keyword && (word == "def") && token.token == Token::Operand;
    before = token.token;
    word = token.word;
    lastEnd = token.end;
  }
  // After the last token: brackets are closed, and missing parts of a header are added. A colon at
  // the very end of a header belongs outside of brackets that are still open.
  bool isHeader = isHeaderLead(lead);
  if (lastColon != llvm::StringRef::npos) hasColon = true;
  size_t tail = isHeader && lastColon != llvm::StringRef::npos ? lastColon : lastEnd;
  std::string closers;
  for (size_t i = brackets.size(); i-- > 0;)
    closers += brackets[i] == '(' ? ')' : brackets[i] == '[' ? ']' : '}';
  if (!closers.empty()) {
    // A hole required by the colon within brackets is after it: it is inserted there again.
    patches.push_back({static_cast<uint32_t>(tail), closers, true});
  }
  if (lead == Lead::For && !hasIn)
    patches.push_back({static_cast<uint32_t>(tail), " in " + hole.str(), false});
  if (isDefinition && !hasParameters && !line.contains('('))
    patches.push_back({static_cast<uint32_t>(tail), "()", false});
  if (isHeader && !hasColon) patches.push_back({static_cast<uint32_t>(lastEnd), ":", false});
  for (size_t i = 1; i < patches.size(); ++i) // few, nearly sorted; equal places keep their order
    for (size_t j = i; j > 0 && patches[j].at < patches[j - 1].at; --j)
      std::swap(patches[j], patches[j - 1]);
  return patches;
}

void reportPatches(llvm::StringRef line, Offset begin, llvm::ArrayRef<Patch> patches,
                   diagnostics::Reporter& emit) {
  for (const Patch& patch : patches) {
    if (patch.reported) continue;
    // Marks the token before the missing part.
    uint32_t end = patch.at;
    while (end > 0 && (line[end - 1] == ' ' || line[end - 1] == '\t'))
      --end;
    Range range{begin + (end ? end - 1 : 0), begin + end};
    llvm::StringRef text = llvm::StringRef(patch.text).trim();
    if (text == ":" || text == "()" || text.starts_with("in "))
      emit(Id::ExpectedToken, range,
           text == ":"    ? ":"
           : text == "()" ? "("
                          : "in")
          .fix(diagnostics::FixId::InsertToken,
               {{{begin + end, begin + end},
                 text == ":"    ? ":"
                 : text == "()" ? "()"
                                : " in "}},
               text == ":"    ? ":"
               : text == "()" ? "()"
                              : "in");
    else {
      auto told = emit(Id::ExpectedExpression, range,
                       end && line[end - 1] == '.' ? "a name after '.'" : "an expression");
      std::string step = pythonStep(line.trim());
      auto first = begin + static_cast<uint32_t>(line.size() - line.ltrim().size());
      if (!step.empty())
        told.fix(diagnostics::FixId::TryText,
                 {{{first, begin + static_cast<uint32_t>(line.rtrim().size())}, step}}, step);
    }
  }
}

} // namespace gluond::syntax
