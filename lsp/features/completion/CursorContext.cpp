#include "lsp/features/completion/CursorContext.h"

#include "syntax/parser/Keywords.h"

namespace gluond::lsp {

using syntax::isIdentifierPart;
using syntax::isIdentifierStart;
using text::Offset;

namespace {

class Scanner {
public:
  Scanner(llvm::StringRef text, Offset begin, Offset end) : text_(text), at_(begin), end_(end) {}

  void run(CursorContext& context) {
    while (at_ < end_) {
      char c = text_[at_];
      if (c == '#') {
        size_t eol = text_.find_first_of("\r\n", at_);
        if (eol == llvm::StringRef::npos || eol >= end_) context.inText = true;
        at_ = eol == llvm::StringRef::npos ? end_ : static_cast<Offset>(eol);
      } else if (c == '"' || c == '\'') {
        Offset begin = at_;
        if (!skipString(c)) {
          if (Offset field = fieldOf(begin)) { // the cursor is in an expression of an f-string
            at_ = field;
            OpenCall open;
            open.bracket = '{';
            open.bracketAt = field - 1;
            this->open(std::move(open));
            previous_ = {};
            continue;
          }
          context.inText = true;
          bool isTriple = text_.substr(begin, 3) == std::string(3, c);
          if (!isTriple) context.string = wordOfString(begin + 1, c);
        }
        previous_ = {};
      } else if (isIdentifierStart(c)) {
        Offset begin = at_;
        while (at_ < end_ && isIdentifierPart(text_[at_]))
          ++at_;
        // A dotted name continues after "name.".
        bool continues =
            dotted_.end == begin && dotted_.end > dotted_.begin && text_[begin - 1] == '.';
        bool isMember = !continues && begin > 0 && text_[begin - 1] == '.';
        previous_ = isMember ? text::Range{} : text::Range{continues ? dotted_.begin : begin, at_};
        member_ = isMember ? text::Range{begin, at_} : text::Range{};
        dotted_ = {};
        word_ = {begin, at_};
      } else {
        punctuation(c);
      }
    }
    if (deeper_ == 0) context.calls = std::move(calls_);
  }

private:
  // Brackets that a program may nest; Python allows 200. Deeper ones are only counted.
  static constexpr size_t mostOpen = 1000;

  void open(OpenCall call) {
    if (calls_.size() < mostOpen)
      calls_.push_back(std::move(call));
    else
      ++deeper_;
  }
  // The call whose bracket is the innermost open one, or null.
  OpenCall* innermost() { return calls_.empty() || deeper_ ? nullptr : &calls_.back(); }

  // Returns false if the string does not end before the cursor.
  bool skipString(char quote) {
    std::string triple(3, quote);
    bool isTriple = text_.substr(at_, 3) == triple;
    at_ += isTriple ? 3 : 1;
    while (at_ < end_) {
      if (text_[at_] == '\\') {
        at_ += 2;
        continue;
      }
      if (isTriple ? text_.substr(at_, 3) == triple : text_[at_] == quote) {
        at_ += isTriple ? 3 : 1;
        if (at_ > end_) return false;
        return true;
      }
      if (!isTriple && (text_[at_] == '\n' || text_[at_] == '\r'))
        return true; // unterminated: read on
      ++at_;
    }
    return false;
  }

  // Where the expression that the cursor is in begins, in an f-string that begins at `quote` and
  // does not end before the cursor; 0 if the cursor is in its text.
  Offset fieldOf(Offset quote) const {
    Offset prefix = quote;
    while (prefix > 0 && isIdentifierPart(text_[prefix - 1]))
      --prefix;
    if (quote - prefix > 2 || !text_.slice(prefix, quote).contains_insensitive("f")) return 0;
    Offset field = 0;
    unsigned depth = 0; // of brackets in the expression
    for (Offset at = quote + 1; at < end_; ++at) {
      char c = text_[at];
      if (!field) {
        bool isDoubled = c == '{' && at + 1 < end_ && text_[at + 1] == '{';
        if (isDoubled) ++at;
        if (c == '{' && !isDoubled) field = at + 1, depth = 0;
      } else if (c == '(' || c == '[' || c == '{') {
        ++depth;
      } else if (depth && (c == ')' || c == ']' || c == '}')) {
        --depth;
      } else if (c == '}' || (c == ':' && depth == 0)) {
        field = 0; // it ends, or its format begins
      }
    }
    return field;
  }

  // From the opening quote to where the word at the cursor ends.
  text::Range wordOfString(Offset begin, char quote) const {
    Offset end = end_;
    while (end < text_.size() && text_[end] != quote &&
           (isIdentifierPart(text_[end]) || text_[end] == '.'))
      ++end;
    return {begin, end};
  }

  void punctuation(char c) {
    ++at_;
    switch (c) {
    case '.':
      dotted_ = previous_.end == at_ - 1 && previous_.end > previous_.begin
                    ? text::Range{previous_.begin, at_}
                    : text::Range{};
      break;
    case '(':
    case '[':
    case '{': {
      OpenCall call;
      call.bracket = c;
      call.bracketAt = at_ - 1;
      if (previous_.end == at_ - 1) call.callee = previous_;
      if (member_.end == at_ - 1) call.member = member_;
      open(std::move(call));
      break;
    }
    case ')':
    case ']':
    case '}': {
      // kernel[grid](...): the call's callee is the kernel.
      text::Range callee;
      if (deeper_) {
        --deeper_;
      } else if (!calls_.empty()) {
        if (c == ']') callee = calls_.back().callee;
        calls_.pop_back();
      }
      previous_ =
          callee.end > callee.begin && at_ < end_ && text_[at_] == '(' ? callee : text::Range{};
      if (previous_.end > previous_.begin && at_ < end_) { // a bracket after it opens the call
        ++at_;
        OpenCall call;
        call.bracketAt = at_ - 1;
        call.callee = callee;
        open(std::move(call));
        previous_ = {};
      }
      return;
    }
    case ',':
      if (OpenCall* call = innermost()) {
        ++call->argument;
        call->keyword.clear();
      }
      break;
    case '=':
      if (OpenCall* call = innermost(); call && call->bracket == '(' &&
                                        word_.end == previous_.end &&
                                        previous_.begin == word_.begin &&
                                        text_.slice(previous_.end, at_ - 1).trim(" \t").empty() &&
                                        (at_ >= end_ || text_[at_] != '=')) {
        call->keyword = text_.slice(word_.begin, word_.end).str();
        call->keywords.push_back(call->keyword);
      }
      break;
    case '\n':
      // A new statement at a lower level ends brackets that were left open by mistake.
      if (at_ < end_ && isIdentifierStart(text_[at_])) {
        calls_.clear();
        deeper_ = 0;
      }
      break;
    case ' ':
    case '\t':
    case '\r':
      return; // `previous_` survives blanks only for "name ="
    default:
      break;
    }
    if (c != '=') previous_ = {};
  }

  llvm::StringRef text_;
  Offset at_, end_;
  text::Range previous_; // the dotted name just read
  text::Range word_;     // its last part
  text::Range dotted_;   // "name." just read
  text::Range member_;   // the name just read, if it follows the dot of a longer expression
  std::vector<OpenCall> calls_;
  size_t deeper_ = 0; // open brackets that calls_ has no room for
};

// The dotted name that ends at `end`; empty when there is none.
text::Range dottedBefore(llvm::StringRef text, Offset end) {
  Offset at = end;
  while (true) {
    Offset wordEnd = at;
    while (at > 0 && isIdentifierPart(text[at - 1]))
      --at;
    if (at == wordEnd || !isIdentifierStart(text[at])) return {end, end};
    if (at == 0 || text[at - 1] != '.') break;
    --at;
  }
  // f(x).y: the text before the first name is part of the expression.
  bool isPart = at > 0 && (text[at - 1] == ')' || text[at - 1] == ']' || text[at - 1] == '"' ||
                           text[at - 1] == '\'');
  return isPart ? text::Range{end, end} : text::Range{at, end};
}

} // namespace

ArgumentsAfter argumentsAfter(const text::SourceText& source, Offset offset) {
  constexpr Offset most = 4096;
  llvm::StringRef text = source.text().substr(offset, most);
  ArgumentsAfter found;
  // The argument that the cursor is in counts as none.
  bool isOwn = true, isEmpty = true;
  int depth = 0;
  size_t at = 0, word = 0; // where the last word began
  auto end = [&] {
    if (!isOwn && !isEmpty) ++found.positional;
    isOwn = false;
    isEmpty = true;
  };
  for (; at < text.size(); ++at) {
    char c = text[at];
    if (c == '#') {
      at = std::min(text.find('\n', at), text.size());
      continue;
    }
    // A line that begins at its left end is another statement: the bracket was not closed.
    if (c == '\n' && at + 1 < text.size() && isIdentifierStart(text[at + 1])) break;
    if (c == ' ' || c == '\t' || c == '\n' || c == '\r') continue;
    if (c == '(' || c == '[' || c == '{') ++depth;
    if ((c == ')' || c == ']' || c == '}') && depth-- == 0) break;
    if (c == ',' && depth == 0) {
      end();
      continue;
    }
    isEmpty = false;
    if (c == '"' || c == '\'') {
      at = std::min(text.find(c, at + 1), text.size());
    } else if (isIdentifierStart(c)) {
      word = at;
      while (at + 1 < text.size() && isIdentifierPart(text[at + 1]))
        ++at;
      llvm::StringRef rest = text.drop_front(at + 1).ltrim(" \t");
      if (depth == 0 && rest.starts_with("=") && !rest.starts_with("==")) {
        if (!isOwn) found.keywords.push_back(text.slice(word, at + 1).str());
        isOwn = true; // its value is no positional argument
      }
    }
  }
  end();
  return found;
}

CursorContext contextAt(const text::SourceText& source, Offset offset) {
  llvm::StringRef text = source.text();
  offset = std::min(offset, source.size());
  CursorContext context;
  context.word = {offset, offset};
  while (context.word.begin > 0 && isIdentifierPart(text[context.word.begin - 1]))
    --context.word.begin;
  while (context.word.end < text.size() && isIdentifierPart(text[context.word.end]))
    ++context.word.end;
  if (context.word.begin > 0 && text[context.word.begin - 1] == '.') {
    context.base = dottedBefore(text, context.word.begin - 1);
    context.afterDot = true;
  }

  Scanner(text, 0, offset).run(context);
  return context;
}

} // namespace gluond::lsp
