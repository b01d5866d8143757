#include "syntax/recovery/LineScanner.h"

#include "syntax/parser/Keywords.h"
#include "syntax/recovery/LineTokens.h"

#include <llvm/ADT/StringSwitch.h>

namespace gluond::syntax {
namespace {

using text::Offset;

constexpr size_t maxBrackets = 200; // as CPython
constexpr unsigned maxFStringDepth = 100;

class Scanner {
public:
  // Triple-quoted strings that start at or after `distrust` end at a line that looks like a
  // definition.
  Scanner(llvm::StringRef text, size_t distrust) : text_(text), distrust_(distrust) {}

  LineScan run() {
    if (text_.starts_with("\xEF\xBB\xBF")) at_ = 3;
    while (at_ < text_.size())
      line();
    return std::move(scan_);
  }

  // The first triple-quoted string that contains something like a definition, if a later one never
  // ends.
  size_t suspect() const { return endless_ ? suspect_ : text_.size(); }

private:
  struct Bracket {
    char open;
    Offset at;
  };
  // Where a line could be cut, should one of its brackets turn out to be unclosed.
  struct Cut {
    size_t at;  // start of the physical line
    Offset end; // of the last token before it
    size_t problems, masks, comments;
  };

  char peek(size_t offset = 0) const {
    return at_ + offset < text_.size() ? text_[at_ + offset] : '\0';
  }
  static Byte kind(char c) { return byteTable[static_cast<unsigned char>(c)]; }
  void problem(ScanProblemKind kind, size_t at, size_t other = 0) {
    constexpr size_t most = 100; // in one line
    if (scan_.problems.size() - firstProblem_ >= most) return;
    scan_.problems.push_back({kind, static_cast<Offset>(at), static_cast<Offset>(other)});
  }
  llvm::StringRef wordAt(size_t at) const { return syntax::wordAt(text_, at); }
  size_t afterSpace(size_t at) const { return syntax::afterSpace(text_, at); }

  // Moves over a line break; "\r" alone is one that tree-sitter has to see as "\n".
  void newline() {
    if (text_[at_] == '\r') {
      if (peek(1) == '\n')
        ++at_;
      else
        scan_.masks.push_back({static_cast<Offset>(at_), '\n'});
    }
    ++at_;
  }

  // Skips a backslash and its line break. tree-sitter's scanner would look through all following
  // ones at each of them; after a token they are equivalent to blanks. (Before the first one they
  // are not: blanks would be indentation.)
  void continuation(bool isMasked) {
    size_t begin = at_++;
    size_t masks = scan_.masks.size();
    newline();
    if (at_ == text_.size()) problem(ScanProblemKind::BadContinuation, at_ - 1);
    if (!isMasked) return;
    scan_.masks.resize(masks);
    for (size_t at = begin; at < at_; ++at)
      scan_.masks.push_back({static_cast<Offset>(at), ' '});
  }

  void line() {
    size_t lineStart = at_;
    uint32_t indent = 0, alt = 0;
    for (; at_ < text_.size() && kind(text_[at_]) == Byte::Space; ++at_) {
      if (text_[at_] == ' ')
        ++indent, ++alt;
      else if (text_[at_] == '\t')
        indent = (indent / 8 + 1) * 8, ++alt;
      else
        indent = alt = 0; // form feed
    }
    if (at_ == text_.size()) return;
    if (kind(text_[at_]) == Byte::Newline) return newline();
    if (text_[at_] == '#') {
      size_t before = firstProblem_ = scan_.problems.size();
      maskedComment();
      scan_.outside.insert(scan_.outside.end(),
                           scan_.problems.begin() + static_cast<ptrdiff_t>(before),
                           scan_.problems.end());
      scan_.problems.resize(before);
      return;
    }
    LogicalLine line{static_cast<Offset>(lineStart), static_cast<Offset>(at_),
                     static_cast<Offset>(at_), indent, alt};
    indent_ = indent;
    firstProblem_ = scan_.problems.size();
    line.firstProblem = static_cast<uint32_t>(firstProblem_);
    if (text_[at_] == '@')
      line.lead = Lead::Decorator;
    else if (kind(text_[at_]) == Byte::Word)
      line.lead = leadOf(wordAt(at_));
    end_ = line.end;
    tokens(line);
    line.end = end_;
    line.opensBlock = line.end > line.begin && text_[line.end - 1] == ':';
    if ((line.lead == Lead::Match || line.lead == Lead::Case) && !softKeyword(line))
      line.lead = Lead::Other;
    line.problems = static_cast<uint16_t>(scan_.problems.size() - line.firstProblem);
    scan_.lines.push_back(line);
  }

  // `match x:` and `case p:` as against names: something other than an operator follows, and a
  // block.
  bool softKeyword(const LogicalLine& line) const {
    size_t next = afterSpace(line.begin + (line.lead == Lead::Match ? 5 : 4));
    if (next >= line.end) return false;
    if (line.lead == Lead::Case)
      return text_[next] != '=' && text_[next] != '.' && text_[next] != ':';
    return line.opensBlock && next + 1 < line.end && text_[next] != '=' && text_[next] != '.';
  }

  // A comment that tree-sitter need not see.
  void maskedComment() {
    auto begin = static_cast<Offset>(at_);
    comment();
    scan_.comments.push_back({begin, static_cast<Offset>(at_)});
  }
  void comment() {
    while (at_ < text_.size() && kind(text_[at_]) != Byte::Newline) {
      if (text_[at_] == '\0') problem(ScanProblemKind::NullByte, at_);
      ++at_;
    }
  }

  void tokens(const LogicalLine& line) {
    forgetBrackets();
    hasCut_ = false;
    bool statementStart = true;
    while (at_ < text_.size()) {
      char c = text_[at_];
      switch (kind(c)) {
      case Byte::Space:
        ++at_;
        continue;
      case Byte::Newline:
        newline();
        if (brackets_.empty()) return;
        if (!continues(line)) return;
        continue;
      case Byte::Comment:
        maskedComment();
        continue;
      case Byte::Backslash:
        if (kind(peek(1)) == Byte::Newline && at_ + 1 < text_.size()) {
          continuation(at_ > line.begin);
        } else {
          problem(ScanProblemKind::BadContinuation, at_++);
          end_ = static_cast<Offset>(at_);
        }
        continue;
      case Byte::Word:
        word(statementStart);
        break;
      case Byte::Digit:
        at_ += wordAt(at_).size();
        break;
      case Byte::Quote:
        string(at_);
        break;
      case Byte::Open:
        if (brackets_.size() == maxBrackets) problem(ScanProblemKind::TooManyBrackets, at_);
        open(c);
        break;
      case Byte::Close:
        close(c);
        break;
      case Byte::Bad:
        problem(c == '\0' ? ScanProblemKind::NullByte : ScanProblemKind::InvalidCharacter, at_++);
        break;
      case Byte::Bang:
        if (peek(1) != '=') problem(ScanProblemKind::InvalidCharacter, at_);
        [[fallthrough]];
      case Byte::Plain:
        if (c == '*' && (brackets_.empty() || brackets_.back().open == '[') &&
            isStarOfElement(text_.slice(line.begin, end_), text_.drop_front(at_ + 1)))
          scan_.masks.push_back({static_cast<Offset>(at_), '~'});
        if (brackets_.size() < 2 && isTypeBySubscript(line.lead, brackets_.empty(), text_, at_))
          scan_.masks.push_back({static_cast<Offset>(at_ + 1), '~'});
        ++at_;
        break;
      }
      statementStart = c == ';' && brackets_.empty();
      end_ = static_cast<Offset>(at_);
    }
    if (!brackets_.empty()) unclosed(text_.size());
  }

  void word(bool statementStart) {
    if (static_cast<unsigned char>(text_[at_]) >= 0x80 && isForeignSpace(text_, at_)) {
      problem(ScanProblemKind::InvalidCharacter, at_);
      at_ += std::max(1u, text::utf8Length(text_, at_));
      return;
    }
    llvm::StringRef word = wordAt(at_);
    size_t start = at_;
    at_ += word.size();
    if (at_ < text_.size() && kind(text_[at_]) == Byte::Quote && isStringPrefix(word))
      return string(start);
    // The last letter is replaced for tree-sitter, so that the word is a plain name to it.
    if (word.size() == 4 &&
        (word == "exec" || (word == "type" && !(statementStart && aliasFollows()))))
      scan_.masks.push_back({static_cast<Offset>(start + 3), 'Z'});
    else if (word == "print")
      scan_.masks.push_back({static_cast<Offset>(start + 4), 'Z'});
  }

  // After `type`, a name and then = or [ make it a statement.
  bool aliasFollows() const {
    size_t name = afterSpace(at_);
    if (name == at_ || name >= text_.size() || kind(text_[name]) != Byte::Word) return false;
    llvm::StringRef word = wordAt(name);
    if (isKeyword(word)) return false;
    size_t next = afterSpace(name + word.size());
    return next < text_.size() &&
           (text_[next] == '[' || (text_[next] == '=' && text_.slice(next, next + 2) != "=="));
  }

  void open(char c) {
    ++isOpen(c);
    brackets_.push_back({c, static_cast<Offset>(at_++)});
  }
  // How many brackets of a kind are open.
  size_t& isOpen(char open) { return openOnes_[open == '(' ? 0 : open == '[' ? 1 : 2]; }
  void popBracket() {
    --isOpen(brackets_.back().open);
    brackets_.pop_back();
  }
  void forgetBrackets() {
    brackets_.clear();
    openOnes_ = {};
  }

  // Closes the innermost bracket of its kind and those opened within it; if there is none of its
  // kind, it was meant for the innermost one.
  void close(char c) {
    char wanted = c == ')' ? '(' : c == ']' ? '[' : '{';
    if (brackets_.empty()) {
      problem(ScanProblemKind::UnmatchedBracket, at_);
    } else {
      if (brackets_.back().open != wanted)
        problem(ScanProblemKind::MismatchedBracket, at_, brackets_.back().at);
      if (isOpen(wanted))
        while (brackets_.back().open != wanted)
          popBracket();
      popBracket();
    }
    ++at_;
  }

  // ------------------------------------------------------------- brackets over several lines

  // At the start of a physical line within brackets: false when the logical line ends in front of
  // it.
  bool continues(const LogicalLine& line) {
    size_t start = at_, first = at_;
    uint32_t indent = 0;
    for (; first < text_.size() && kind(text_[first]) == Byte::Space; ++first)
      indent = text_[first] == '\t' ? (indent / 8 + 1) * 8 : indent + 1;
    if (first == text_.size() || kind(text_[first]) == Byte::Newline || text_[first] == '#')
      return true;
    bool couldBegin = indent <= line.indent || (isHeader(line.lead) && looksAccidental(first));
    if (couldBegin && kind(text_[first]) != Byte::Close && !hasCut_) {
      cut_ = {start, end_, scan_.problems.size(), scan_.masks.size(), scan_.comments.size()};
      hasCut_ = true;
      if (start < brokenUntil_) {
        cut();
        return false;
      }
    }
    if (!beginsStatement(text_, first)) return true;
    unclosed(first);
    return false;
  }

  static bool isHeader(Lead lead) { return lead != Lead::Other && lead != Lead::Decorator; }

  // Whether a header with an open bracket was perhaps meant to end before `first`: the previous
  // line does not end like a line to be continued, and this one does not begin like a continuation.
  bool looksAccidental(size_t first) const {
    if (end_ == 0 || llvm::StringRef(",([{+-*/%@&|^<>=.\\").contains(text_[end_ - 1])) return false;
    if (kind(text_[first]) != Byte::Word && text_[first] != '@') return false;
    return llvm::StringSwitch<bool>(wordAt(first))
        .Cases({"and", "or", "if", "else", "for", "in", "is", "not", "as"}, false)
        .Default(true);
  }

  // Some bracket is not closed before `where`: the line ends at the first place where it could, and
  // up to `where` lines are cut at once.
  void unclosed(size_t where) {
    brokenUntil_ = std::max(brokenUntil_, where);
    if (!hasCut_) {
      problem(ScanProblemKind::UnclosedBracket, brackets_.back().at);
      at_ = where;
      return;
    }
    cut();
  }
  void cut() {
    scan_.problems.resize(cut_.problems);
    scan_.masks.resize(cut_.masks);
    scan_.comments.resize(cut_.comments);
    at_ = cut_.at;
    end_ = cut_.end;
    // Brackets opened after the cut do not count.
    while (!brackets_.empty() && brackets_.back().at >= cut_.at)
      popBracket();
    if (!brackets_.empty())
      problem(ScanProblemKind::UnclosedBracket, brackets_.back().at);
    else
      problem(ScanProblemKind::UnclosedBracket, end_ ? end_ - 1 : 0);
  }

  // ------------------------------------------------------------- strings

  // at_ is at the opening quote; `start` at the prefix.
  void string(size_t start, unsigned depth = 0) {
    bool isFormat = text_.slice(start, at_).find_insensitive('f') != llvm::StringRef::npos;
    bool isRaw = text_.slice(start, at_).find_insensitive('r') != llvm::StringRef::npos;
    char quote = text_[at_];
    bool isTriple = peek(1) == quote && peek(2) == quote;
    size_t opening = at_;
    at_ += isTriple ? 3 : 1;
    bool suspicious = false;
    while (at_ < text_.size()) {
      char c = text_[at_];
      if (c == quote) {
        if (!isTriple) {
          ++at_;
          return;
        }
        if (peek(1) == quote && peek(2) == quote) {
          at_ += 3;
          return;
        }
        ++at_;
      } else if (c == '\\') {
        escape(isFormat, isRaw);
      } else if (kind(c) == Byte::Newline) {
        if (!isTriple) {
          problem(ScanProblemKind::UnterminatedString, start);
          return;
        }
        size_t before = at_;
        newline();
        if (!suspicious && at_ < text_.size() && looksLikeDefinition()) {
          suspicious = true;
          if (suspect_ > opening) suspect_ = opening;
          if (opening >= distrust_) {
            at_ = before;
            problem(ScanProblemKind::UnterminatedString, start);
            return;
          }
        }
      } else if (c == '\0') {
        problem(ScanProblemKind::NullByte, at_++);
      } else if (c == '{' && isFormat) {
        if (peek(1) == '{')
          at_ += 2;
        else if (FieldEnd end = field(quote, isTriple, depth); end != FieldEnd::Brace) {
          if (end == FieldEnd::Line) problem(ScanProblemKind::UnterminatedString, start);
          return;
        }
      } else {
        ++at_;
      }
    }
    if (isTriple) endless_ = true;
    problem(ScanProblemKind::UnterminatedString, start);
  }

  // A backslash and its character. In f-strings it does not escape braces, except of \N{name}.
  void escape(bool isFormat, bool isRaw) {
    ++at_;
    if (at_ == text_.size()) return;
    if (kind(text_[at_]) == Byte::Newline) return newline();
    if (isFormat && (text_[at_] == '{' || text_[at_] == '}')) return;
    bool named = isFormat && !isRaw && text_[at_] == 'N' && peek(1) == '{';
    ++at_;
    if (!named) return;
    while (at_ < text_.size() && text_[at_] != '}' && kind(text_[at_]) != Byte::Newline &&
           kind(text_[at_]) != Byte::Quote)
      ++at_;
    if (peek() == '}') ++at_;
  }

  // Where a replacement field ends: at its closing brace, or without one at the end of the line or
  // of the string.
  enum class FieldEnd : uint8_t { Brace, Line, String };

  // The string ends at at_, in a field that begins at `brace`.
  FieldEnd endOfString(size_t brace) {
    problem(ScanProblemKind::UnclosedField, brace, at_);
    ++at_;
    return FieldEnd::String;
  }

  // Whether a quote in a field, at at_, can only be the end of the string around it: a string does
  // not follow an operand, and after one there is another quote, the end.
  bool endsString(char quote, bool isTriple) const {
    if (isTriple || text_[at_] != quote) return false;
    Byte before = kind(text_[at_ - 1]);
    if (before == Byte::Word || before == Byte::Digit || before == Byte::Close) return true;
    llvm::StringRef rest = text_.drop_front(at_ + 1);
    return rest.take_front(rest.find_first_of("\r\n")).count(quote) < 2;
  }

  // A replacement field, at its brace.
  FieldEnd field(char quote, bool isTriple, unsigned depth) {
    size_t brace = at_++;
    unsigned nesting = 0;
    while (at_ < text_.size()) {
      char c = text_[at_];
      switch (kind(c)) {
      case Byte::Open:
        ++nesting, ++at_;
        break;
      case Byte::Close:
        ++at_;
        if (nesting == 0) {
          if (c == '}') return FieldEnd::Brace;
        } else {
          --nesting;
        }
        break;
      case Byte::Word: {
        size_t start = at_;
        llvm::StringRef word = wordAt(at_);
        at_ += word.size();
        if (at_ < text_.size() && kind(text_[at_]) == Byte::Quote && isStringPrefix(word) &&
            depth < maxFStringDepth)
          string(start, depth + 1);
        else if (word == "print")
          scan_.masks.push_back({static_cast<Offset>(start + 4), 'Z'});
        else if (word == "type" || word == "exec")
          scan_.masks.push_back({static_cast<Offset>(start + 3), 'Z'});
        break;
      }
      case Byte::Quote:
        // Before Python 3.12 this was the end of the string; then it is a string within.
        if (endsString(quote, isTriple)) return endOfString(brace);
        if (depth >= maxFStringDepth)
          ++at_;
        else
          string(at_, depth + 1);
        break;
      case Byte::Newline:
        if (!isTriple && nesting == 0 && !fieldEndsBelow(at_)) return FieldEnd::Line;
        newline();
        break;
      case Byte::Comment:
        if (isTriple || nesting > 0 || fieldEndsBelow(at_))
          comment();
        else
          ++at_;
        break;
      case Byte::Bang:
        ++at_;
        break;
      default:
        if (text_[at_++] != ':' || nesting > 0) break;
        if (peek() == '=') scan_.masks.push_back({static_cast<Offset>(at_), '<'}); // "{x:=8}"
        return specification(brace, quote, isTriple, depth);
      }
    }
    return FieldEnd::Line;
  }

  // Since Python 3.12 a field may span lines even in a string of one line. This is assumed if one
  // of the next lines begins with the end of the field, and those before it are indented more than
  // the statement; otherwise the string was not finished.
  bool fieldEndsBelow(size_t at) {
    // The answer is the same up to the end of the lines that it looks over.
    if (below_.begin <= at && at < below_.end) return below_.isEnd;
    size_t begin = at;
    bool isEnd = false;
    constexpr unsigned mostLines = 50;
    for (unsigned lines = 0; lines < mostLines && at < text_.size(); ++lines) {
      at = std::min(text_.find_first_of("\r\n", at), text_.size());
      llvm::StringRef blank = text_.drop_front(at).take_while(
          [](char c) { return kind(c) == Byte::Newline || kind(c) == Byte::Space; });
      size_t indent = blank.size() - (blank.find_last_of("\r\n") + 1);
      at += blank.size();
      if (at == text_.size()) break;
      isEnd = text_[at] == '}' || (text_[at] == '!' && text_.slice(at + 1, at + 2) != "=");
      if (isEnd || indent <= indent_ || beginsStatement(text_, at)) break;
    }
    below_ = {begin, std::max(at, begin + 1), isEnd};
    return isEnd;
  }

  // A format specification, from after its colon to after the closing brace of the field that
  // begins at `brace`.
  FieldEnd specification(size_t brace, char quote, bool isTriple, unsigned depth) {
    while (at_ < text_.size()) {
      char c = text_[at_];
      if (c == '}') {
        ++at_;
        return FieldEnd::Brace;
      }
      if (c == '{') {
        if (depth >= maxFStringDepth)
          ++at_;
        else if (FieldEnd end = field(quote, isTriple, depth + 1); end != FieldEnd::Brace)
          return end;
      } else if (kind(c) == Byte::Newline) {
        if (!isTriple) return FieldEnd::Line;
        newline();
      } else if (c == quote && !isTriple) {
        return endOfString(brace);
      } else if (c == quote && peek(1) == quote && peek(2) == quote) {
        return FieldEnd::Line; // the string ends in the middle of it
      } else {
        ++at_;
      }
    }
    return FieldEnd::Line;
  }

  bool looksLikeDefinition() const {
    llvm::StringRef word = wordAt(at_);
    size_t wordEnd = at_ + word.size();
    if (word == "def" || word == "class" || word == "async")
      return wordEnd < text_.size() && text_[wordEnd] == ' ' &&
             kind(text_[afterSpace(wordEnd)]) == Byte::Word;
    return text_[at_] == '@' && kind(peek(1)) == Byte::Word && definitionFollows(text_, at_);
  }

  llvm::StringRef text_;
  size_t distrust_;
  size_t at_ = 0;
  LineScan scan_;
  size_t firstProblem_ = 0; // of the line
  Offset end_ = 0;          // of the last token of the line
  uint32_t indent_ = 0;     // of the line, in columns
  llvm::SmallVector<Bracket, 16> brackets_;
  std::array<size_t, 3> openOnes_{}; // of these, by kind
  Cut cut_{};
  bool hasCut_ = false;
  size_t brokenUntil_ = 0;
  struct {
    size_t begin = 0, end = 0;
    bool isEnd = false;
  } below_; // the last result of fieldEndsBelow()
  bool endless_ = false;
  size_t suspect_ = ~size_t{0};
};

} // namespace

LineScan scanLines(llvm::StringRef text) {
  Scanner scanner(text, text.size());
  LineScan scan = scanner.run();
  if (scanner.suspect() >= text.size()) return scan;
  return Scanner(text, scanner.suspect()).run();
}

} // namespace gluond::syntax
