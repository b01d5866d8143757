#include "driver/users/NameScan.h"

#include "support/Allowance.h"
#include "syntax/parser/Keywords.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/Support/Path.h>

#include <algorithm>
#include <memory>
#include <utility>

namespace gluond::driver {

namespace {

using syntax::isIdentifierPart;
using syntax::isIdentifierStart;

// Whether to stop, for loops of small steps: it only looks once in a while, and what it said once
// holds for the rest.
class Patience {
public:
  bool isOver() {
    constexpr unsigned between = 1024;
    if (!isOver_ && ++steps_ % between == 0) isOver_ = Spending::isSpent();
    return isOver_;
  }

private:
  unsigned steps_ = 0;
  bool isOver_ = false;
};

struct Token {
  enum class Kind : uint8_t { End, Word, String, Mark, NewLine } kind = Kind::End;
  llvm::StringRef text;       // of a string: the text between the quotes
  bool isFirstInLine = false; // at column 0, outside of brackets
  bool isLong = false;        // a string in triple quotes
  bool is(char mark) const { return kind == Kind::Mark && text.size() == 1 && text[0] == mark; }
  bool is(llvm::StringRef word) const { return kind == Kind::Word && text == word; }
};

// Splits Python into words, strings, brackets and ends of logical lines.
class Lexer {
public:
  explicit Lexer(llvm::StringRef text) : text_(text) {}

  Token next() {
    while (at_ < text_.size()) {
      char c = text_[at_];
      bool isFirst = depth_ == 0 && (at_ == 0 || text_[at_ - 1] == '\n') && at_ != goesOnAt_;
      if (c == '\n') {
        ++at_;
        bool ends = depth_ == 0 && hasTokens_;
        if (!ends) continue;
        hasTokens_ = false;
        return {Token::Kind::NewLine, {}};
      }
      if (c == '\\') { // at the end of a line: it continues on the next one
        size_t end = at_ + (text_.substr(at_ + 1).starts_with("\r\n") ? 3 : 2);
        bool isAtEnd = end <= text_.size() && (text_[end - 1] == '\n' || text_[end - 1] == '\r');
        at_ = isAtEnd ? goesOnAt_ = end : at_ + 1;
      } else if (c == '#') {
        at_ = std::min(text_.find('\n', at_), text_.size());
      } else if (c == ' ' || c == '\t' || c == '\r' || c == '\f') {
        ++at_;
      } else if (c == '"' || c == '\'') {
        return string(isFirst);
      } else if (isIdentifierStart(c)) {
        size_t begin = at_;
        while (at_ < text_.size() && isIdentifierPart(text_[at_]))
          ++at_;
        hasTokens_ = true;
        llvm::StringRef word = text_.slice(begin, at_);
        if (at_ < text_.size() && (text_[at_] == '"' || text_[at_] == '\'') && word.size() <= 2)
          return string(isFirst); // r"", f"", rb""
        return {Token::Kind::Word, word, isFirst};
      } else if (llvm::isDigit(c)) {
        while (at_ < text_.size() && isIdentifierPart(text_[at_]))
          ++at_;
        hasTokens_ = true;
      } else {
        if (c == '(' || c == '[' || c == '{') ++depth_;
        if ((c == ')' || c == ']' || c == '}') && depth_ > 0) --depth_;
        hasTokens_ = true;
        size_t length = text_.substr(at_).starts_with("==") ? 2 : 1;
        at_ += length;
        return {Token::Kind::Mark, text_.slice(at_ - length, at_), isFirst};
      }
    }
    return {};
  }
  unsigned depth() const { return depth_; }

private:
  Token string(bool isFirst) {
    hasTokens_ = true;
    llvm::StringRef quote = text_.substr(at_, 1), threefold = text_.substr(at_, 3);
    bool isLong = threefold.size() == 3 && threefold[1] == quote[0] && threefold[2] == quote[0];
    if (isLong) quote = threefold;
    size_t begin = at_ += quote.size();
    while (at_ < text_.size() && !text_.substr(at_).starts_with(quote) &&
           (isLong || text_[at_] != '\n'))
      at_ += text_[at_] == '\\' ? 2 : 1;
    at_ = std::min(at_, text_.size());
    llvm::StringRef content = text_.slice(begin, at_);
    if (text_.substr(at_).starts_with(quote)) at_ += quote.size();
    return {Token::Kind::String, content, isFirst, isLong};
  }

  llvm::StringRef text_;
  size_t at_ = 0;
  unsigned depth_ = 0;
  size_t goesOnAt_ = llvm::StringRef::npos; // where a line begins that continues the previous one
  bool hasTokens_ = false;
};

void forEachWord(llvm::StringRef text, llvm::function_ref<void(llvm::StringRef)> visit) {
  for (size_t at = 0; at < text.size();) {
    if (!isIdentifierPart(text[at])) {
      ++at;
      continue;
    }
    size_t begin = at;
    while (at < text.size() && isIdentifierPart(text[at]))
      ++at;
    visit(text.slice(begin, at));
  }
}

// Reads the rest of an import statement, token by token.
class ImportReader {
public:
  explicit ImportReader(Lexer& lexer) : lexer_(lexer) {}

  // Reads the names after `import` or `from`.
  void read(bool isFrom, std::vector<ScannedImport>& out) {
    next();
    isFrom ? from(out) : import(out);
  }

private:
  void next() { token_ = lexer_.next(); }

  std::string dotted() {
    std::string path;
    while (token_.kind == Token::Kind::Word && !token_.is("import")) {
      path += token_.text;
      next();
      if (!token_.is('.')) break;
      path += '.';
      next();
    }
    return path;
  }
  std::string alias() {
    if (!token_.is("as")) return {};
    next();
    std::string name = token_.kind == Token::Kind::Word ? token_.text.str() : std::string();
    next();
    return name;
  }

  void import(std::vector<ScannedImport>& out) {
    while (token_.kind == Token::Kind::Word) {
      ScannedImport import;
      import.module = dotted();
      import.alias = alias();
      out.push_back(std::move(import));
      if (!token_.is(',')) break;
      next();
    }
  }

  void from(std::vector<ScannedImport>& out) {
    ScannedImport import;
    import.isFrom = true;
    for (; token_.is('.'); next())
      ++import.level;
    import.module = dotted();
    if (!token_.is("import") || (import.module.empty() && import.level == 0)) return;
    next();
    if (token_.is('(')) next();
    while (true) {
      if (token_.is('*')) {
        import.isStar = true;
        next();
      }
      if (token_.kind != Token::Kind::Word) break;
      std::string name = token_.text.str();
      next();
      std::string bound = alias();
      import.names.emplace_back(name, bound.empty() ? name : bound);
      if (!token_.is(',')) break;
      next();
    }
    out.push_back(std::move(import));
  }

  Lexer& lexer_;
  Token token_;
};

} // namespace

// Where the statement begins that has the word `import` at `at`; npos: there is none.
static size_t importStatementAt(llvm::StringRef text, size_t at) {
  if (at > 0 && isIdentifierPart(text[at - 1])) return llvm::StringRef::npos;
  // A line may be as long as the file, and have thousands of these words.
  constexpr size_t longest = 1024; // `from` and the module
  size_t least = at - std::min(at, longest);
  auto lineOf = [&](size_t end) {
    size_t before = text.slice(least, end).rfind('\n');
    return before == llvm::StringRef::npos ? least : least + before + 1;
  };
  size_t line = lineOf(at);
  if (line > least && text.slice(line, at).trim().empty() &&
      text.take_front(line).ends_with("\\\n"))
    line = lineOf(line - 1); // `from a \` is on the line above
  llvm::StringRef before = text.slice(line, at);
  // The statement may come after `if x:` or another statement.
  if (size_t end = before.find_last_of(";:"); end != llvm::StringRef::npos)
    before = before.drop_front(end + 1);
  before = before.ltrim();
  bool isStatement = before.empty() || (before.consume_front("from") && !before.empty() &&
                                        !isIdentifierPart(before.front()));
  return isStatement ? before.empty() ? at : static_cast<size_t>(before.data() - text.data()) - 4
                     : llvm::StringRef::npos;
}

// Searches from one word `import` to the next, because reading thousands of files token by token
// takes too long. A statement inside a string counts as well.
static void addImports(llvm::StringRef text, ScannedImports& result, Patience& patience) {
  constexpr llvm::StringLiteral word = "import";
  for (size_t at = text.find(word); at != llvm::StringRef::npos && !patience.isOver();
       at = text.find(word, at + word.size())) {
    llvm::StringRef after = text.substr(at + word.size());
    result.isDynamic |= after.starts_with("lib") || after.starts_with("__");
    if (!after.empty() && isIdentifierPart(after.front())) continue;
    size_t begin = importStatementAt(text, at);
    if (begin == llvm::StringRef::npos) continue;
    Lexer lexer(text.substr(begin));
    Token first = lexer.next();
    ImportReader(lexer).read(first.is("from"), result.imports);
  }
}
// Whether these imports let a program find modules in other ways.
static bool findModules(llvm::ArrayRef<ScannedImport> imports, bool mentionsPath) {
  return llvm::any_of(imports, [&](const ScannedImport& import) {
    return import.module == "runpy" || (import.module == "sys" && mentionsPath);
  });
}
static void addWords(const Token& token, std::vector<std::string>& words) {
  if (token.kind != Token::Kind::String || token.isLong) return;
  forEachWord(token.text, [&](llvm::StringRef each) { words.push_back(each.str()); });
  // Names of files need not be names of Python: import_module("01-copy"), "kernels/01-copy.py".
  llvm::StringRef stem = token.text.trim("'\"");
  stem.consume_back(".py");
  stem = stem.substr(stem.find_last_of("./") + 1);
  if (stem.contains('-')) words.push_back(stem.str());
}
static void sortOnce(std::vector<std::string>& words) {
  llvm::sort(words);
  words.erase(std::unique(words.begin(), words.end()), words.end());
}

std::optional<ScannedImports> scanImports(llvm::StringRef text) {
  ScannedImports result;
  Patience patience;
  addImports(text, result, patience);
  result.isDynamic |= findModules(result.imports, text.contains(".path"));
  Lexer lexer(text);
  if (result.isDynamic)
    for (Token token = lexer.next(); token.kind != Token::Kind::End && !patience.isOver();
         token = lexer.next())
      addWords(token, result.words);
  if (patience.isOver()) return std::nullopt;
  sortOnce(result.words);
  return result;
}

bool ScannedStatement::hasMention(llvm::StringRef word) const {
  return std::binary_search(mentions.begin(), mentions.end(), word);
}

namespace {

// Whether a statement that begins with this belongs to the one before it.
bool goesOn(const Token& token) {
  return token.is("else") || token.is("elif") || token.is("except") || token.is("finally") ||
         token.is("case");
}
bool isCompound(const Token& token) {
  return token.is("if") || token.is("try") || token.is("with") || token.is("for") ||
         token.is("while") || token.is("match");
}

// One top-level statement from its tokens.
class StatementReader {
public:
  void add(const Token& token, unsigned depth) {
    if (isDecorator_ && token.isFirstInLine) isNew_ = true; // the next decorator, or the definition
    if (isNew_) begin(token);
    if (token.kind == Token::Kind::String && !token.isLong && isIdentifier(token.text))
      statement.mentions.emplace_back(token.text.data() - 1, token.text.size() + 1); // getattr()
    if (token.kind == Token::Kind::Word) {
      bool isMember = last_.is('.') && last_.text.end() == token.text.begin();
      hasTest_ |= last_.is("def") && isNameOfTest(token.text);
      if (isDefinition_ && !isNamed_ && !isDefinitionWord(token)) {
        statement.binds.push_back(token.text);
        isNamed_ = true;
      } else if (isMember) {
        mention({token.text.data() - 1, token.text.size() + 1}, depth);
      } else {
        mention(token.text, depth);
      }
    }
    // The name of a parameter or argument does not belong to the file.
    if (token.is('=') && depth > 0 && last_.kind == Token::Kind::Word &&
        !statement.mentions.empty() && statement.mentions.back().data() == last_.text.data()) {
      statement.mentions.pop_back();
    }
    last_ = token;
    if (isDefinition_ || isDecorator_ || statement.isImport) return;
    if (isCompound_)
      inCompound(token, depth);
    else
      inSimple(token, depth);
    before_ = token;
  }
  void endLine() {
    if (isCompound_) left_.clear();
  }
  ScannedStatement take() {
    if (isSimple_ && !isAssignment_) // a call: the object it is called on, and its arguments
      statement.binds = firstWord_;
    llvm::sort(statement.mentions);
    statement.mentions.erase(std::unique(statement.mentions.begin(), statement.mentions.end()),
                             statement.mentions.end());
    bool isMain = isCompound_ && statement.hasMention("__name__");
    statement.isDefinition = isDefinition_;
    // A class of tests may have any name if it is a unittest.TestCase; so may what is around tests.
    statement.isRun = isMain || isLoop_ || hasTest_ || (isSimple_ && !isAssignment_) ||
                      (isDefinition_ && llvm::any_of(statement.binds, isNameOfTest));
    if (isMain) statement.binds.clear(); // other files do not import what a script does
    return std::move(statement);
  }
  bool isDecorated() const { return isDecorator_; }

private:
  static bool isNameOfTest(llvm::StringRef name) {
    return name.starts_with("test") || name.starts_with("Test") || name.starts_with("bench");
  }
  void mention(llvm::StringRef text, unsigned depth) {
    statement.mentions.push_back(text);
    if (depth == 0 && !isDefinition_) statement.receivers.push_back(text);
  }
  static bool isDefinitionWord(const Token& token) {
    return token.is("def") || token.is("class") || token.is("async");
  }
  void begin(const Token& token) {
    isNew_ = false;
    isDecorator_ = token.is('@');
    isDefinition_ = isDefinitionWord(token);
    statement.isImport = token.is("import") || token.is("from");
    isCompound_ = isCompound(token);
    isLoop_ = token.is("for") || token.is("while") || token.is("with");
    isSimple_ = !isDecorator_ && !isDefinition_ && !statement.isImport && !isCompound_;
  }
  // Definitions and assignments, however deep; those to an element or attribute give its owner
  // something, too.
  void inCompound(const Token& token, unsigned depth) {
    bool isAfter = before_.is("def") || before_.is("class") || before_.is("as");
    bool isWord = token.kind == Token::Kind::Word;
    if (isWord && isAfter) statement.binds.push_back(token.text);
    if (isWord && depth == 0) left_.push_back(token.text);
    bool isComparison = before_.is('<') || before_.is('>') || before_.is('!');
    if (token.is('=') && depth == 0 && !isComparison)
      llvm::append_range(statement.binds, std::exchange(left_, {}));
  }
  // The left-hand side of `a, b = ...`, `table["x"] = ...`, `name: type = ...`.
  void inSimple(const Token& token, unsigned depth) {
    if (isAssignment_) return;
    if (token.kind == Token::Kind::Word && depth <= 1) {
      if (firstWord_.empty()) firstWord_.push_back(token.text);
      left_.push_back(token.text);
    }
    if (depth == 0 && (token.is('=') || token.is(':'))) {
      isAssignment_ = true;
      statement.binds = left_;
      // `name = value` does nothing with what the name was before.
      if (token.is('=') && left_.size() == 1 && before_.kind == Token::Kind::Word &&
          statement.mentions.size() == 1) {
        statement.mentions.clear();
        statement.receivers.clear();
      }
    }
  }

  static bool isIdentifier(llvm::StringRef text) {
    return !text.empty() && isIdentifierStart(text.front()) && llvm::all_of(text, isIdentifierPart);
  }

  ScannedStatement statement;
  Token last_;
  std::vector<llvm::StringRef> left_, firstWord_;
  Token before_;
  bool isNew_ = true, isDecorator_ = false, isDefinition_ = false, isNamed_ = false,
       isCompound_ = false, isLoop_ = false, isSimple_ = false, isAssignment_ = false,
       hasTest_ = false;
};

} // namespace

// Calls `atStatement` with the places where top-level statements begin in `text`, which itself
// begins with one, until it returns false.
static void forEachStatement(llvm::StringRef text, llvm::function_ref<bool(size_t)> atStatement) {
  Lexer lexer(text);
  bool isDecorated = false, isFirst = true;
  for (Token token = lexer.next(); token.kind != Token::Kind::End; token = lexer.next()) {
    if (token.kind == Token::Kind::NewLine || !token.isFirstInLine) continue;
    bool belongs = isFirst || isDecorated || goesOn(token);
    isFirst = false;
    size_t line = text.take_front(static_cast<size_t>(token.text.data() - text.data())).rfind('\n');
    if (!belongs && !atStatement(line + 1)) return; // npos + 1 is 0
    isDecorated = token.is('@');
  }
}

NameScan::Piece::Piece(llvm::StringRef given) : text(given.str()) {
  Lexer lexer(text);
  StatementReader reader;
  Patience patience;
  for (Token token = lexer.next(); token.kind != Token::Kind::End && !patience.isOver();
       token = lexer.next()) {
    if (token.kind == Token::Kind::NewLine)
      reader.endLine();
    else
      reader.add(token, lexer.depth());
    addWords(token, imports.words);
  }
  statement = reader.take();
  addImports(text, imports, patience);
  sortOnce(imports.words);
}

std::shared_ptr<const NameScan> NameScan::of(llvm::StringRef text, const NameScan* before) {
  auto scan = std::make_shared<NameScan>();
  llvm::ArrayRef<std::shared_ptr<const Piece>> known;
  if (before) known = before->pieces_;
  // The same at the beginning, except for the last statement, because the text after it may belong
  // to it. A statement that begins with `else` may belong to the previous one in turn.
  size_t same = 0, begin = 0;
  while (same < known.size() && text.substr(begin).starts_with(known[same]->text))
    begin += known[same++]->text.size();
  for (bool isJoined = true; same > 0 && isJoined;
       isJoined = goesOn(Lexer(text.substr(begin)).next()))
    begin -= known[--same]->text.size();
  scan->pieces_.assign(known.begin(), known.begin() + static_cast<ptrdiff_t>(same));
  // The same at the end.
  size_t last = known.size(), end = text.size();
  while (last > same && text.slice(begin, end).ends_with(known[last - 1]->text))
    end -= known[--last]->text.size();
  auto add = [&](size_t to) {
    scan->pieces_.push_back(std::make_shared<const Piece>(text.slice(begin, to)));
    begin = to;
  };
  bool isJoined = false;
  Patience patience; // a piece that was stopped is in none
  size_t from = begin;
  forEachStatement(text.substr(from), [&](size_t at) {
    add(from + at);
    while (last < known.size() && end < begin) // it was swallowed by the change
      end += known[last++]->text.size();
    isJoined = last < known.size() && end == begin;
    return !isJoined && !patience.isOver();
  });
  if (Spending::isSpent()) return nullptr;
  if (!isJoined) last = known.size();
  if (!isJoined && begin < text.size()) add(text.size());
  if (Spending::isSpent()) return nullptr;
  // Most edits leave the imports as they are.
  llvm::ArrayRef<std::shared_ptr<const Piece>> gone = known.slice(same, last - same),
                                               come = scan->pieces_;
  bool isSame =
      before && llvm::equal(gone, come.drop_front(same), [](const auto& a, const auto& b) {
        return a->imports == b->imports &&
               a->statement.hasMention(".path") == b->statement.hasMention(".path");
      });
  llvm::append_range(scan->pieces_, known.drop_front(last));
  if (isSame) {
    scan->imports_ = before->imports_;
    return scan;
  }
  auto imports = std::make_shared<ScannedImports>();
  bool mentionsPath = false;
  for (const auto& piece : scan->pieces_) {
    llvm::append_range(imports->imports, piece->imports.imports);
    imports->isDynamic |= piece->imports.isDynamic;
    mentionsPath |= piece->statement.hasMention(".path");
  }
  imports->isDynamic |= findModules(imports->imports, mentionsPath);
  if (imports->isDynamic)
    for (const auto& piece : scan->pieces_)
      llvm::append_range(imports->words, piece->imports.words);
  sortOnce(imports->words);
  scan->imports_ = std::move(imports);
  return scan;
}

void forEachWord(const ScannedImports& scanned, llvm::function_ref<void(llvm::StringRef)> visit) {
  for (const ScannedImport& import : scanned.imports) {
    for (llvm::StringRef rest = import.module; !rest.empty();) {
      auto [part, after] = rest.split('.');
      visit(part);
      rest = after;
    }
    for (const auto& [name, bound] : import.names)
      visit(name);
    if (import.level > 0) visit(".");
  }
  for (const std::string& word : scanned.words)
    visit(word);
}

llvm::StringRef moduleNameOf(llvm::StringRef path) {
  llvm::StringRef stem = llvm::sys::path::stem(path);
  return stem == "__init__" ? llvm::sys::path::filename(llvm::sys::path::parent_path(path)) : stem;
}

} // namespace gluond::driver
