#include "driver/program/Directives.h"

#include "syntax/tree/Children.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/StringExtras.h>

#include <algorithm>

namespace gluond::driver {

using text::Offset;

namespace {

// Returns the text of a comment line after "#", and where it begins; nullopt for a line that is no
// comment.
std::optional<std::pair<llvm::StringRef, Offset>> commentOn(const text::SourceText& source,
                                                            uint32_t line) {
  llvm::StringRef content = source.line(line);
  size_t hash = content.find_first_not_of(" \t");
  if (hash == llvm::StringRef::npos || content[hash] != '#') return std::nullopt;
  return std::pair(content.drop_front(hash + 1),
                   source.lineStart(line) + static_cast<Offset>(hash + 1));
}

// Returns how far the parenthesis that opens in `text` reaches, and in `depth` how many are left
// open.
size_t closing(llvm::StringRef text, int& depth) {
  char quote = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    if (quote) {
      if (c == '\\')
        ++i;
      else if (c == quote)
        quote = 0;
    } else if (c == '"' || c == '\'') {
      quote = c;
    } else if (c == '(' || c == '[' || c == '{') {
      ++depth;
    } else if ((c == ')' || c == ']' || c == '}') && --depth == 0) {
      return i + 1;
    }
  }
  return llvm::StringRef::npos;
}

// Returns the codes of a list, "a, b"; `known` says whether all are codes of diagnostics.
llvm::SmallVector<IgnoreDirective::Code, 2> codesIn(llvm::StringRef list,
                                                    const text::SourceText& source, bool& known) {
  llvm::SmallVector<IgnoreDirective::Code, 2> codes;
  known = true;
  for (llvm::StringRef each : llvm::split(list, ',')) {
    llvm::StringRef code = each.trim();
    if (code.empty()) continue;
    auto begin = static_cast<Offset>(code.data() - source.text().data());
    codes.push_back({{begin, begin + static_cast<Offset>(code.size())}, diagnostics::idOf(code)});
    known &= codes.back().id.has_value();
  }
  known &= !codes.empty();
  return codes;
}

} // namespace

std::optional<llvm::StringRef> afterGluondMark(llvm::StringRef comment) {
  comment = comment.ltrim(" \t");
  if (!comment.consume_front_insensitive("gluond")) return std::nullopt;
  comment = comment.ltrim(" \t");
  if (!comment.consume_front(":")) return std::nullopt;
  return comment.ltrim(" \t");
}

std::vector<llvm::StringRef> gluondCommentsIn(const text::SourceText& source) {
  std::vector<llvm::StringRef> found;
  llvm::StringRef text = source.text();
  for (size_t at = text.find('#'); at != llvm::StringRef::npos; at = text.find('#', at)) {
    size_t end = std::min(text.find_first_of("#\r\n", ++at), text.size());
    if (auto rest = afterGluondMark(text.slice(at, end))) found.push_back(rest->rtrim());
    at = end;
  }
  return found;
}

bool isInString(syntax::Stmts body, Offset at) {
  return llvm::any_of(syntax::pathTo(body, at), [&](const syntax::Node* node) {
    return llvm::isa<syntax::Constant, syntax::JoinedStr>(node) && node->range.begin <= at &&
           at < node->range.end;
  });
}

std::optional<IgnoreDirective> readIgnore(llvm::StringRef text, const text::SourceText& source) {
  auto isPart = [](char c) { return llvm::isAlnum(c) || c == '_' || c == '-'; };
  llvm::StringRef word = text.take_while(isPart), rest = text.drop_front(word.size());
  if (!word.equals_insensitive("ignore")) return std::nullopt;
  IgnoreDirective read;
  auto begin = static_cast<Offset>(text.data() - source.text().data());
  auto endAt = [&](llvm::StringRef until) {
    read.range = {begin, static_cast<Offset>(until.end() - source.text().data())};
  };
  endAt(word);
  // A list that is not in brackets is one for certain if it names codes; else it may be a reason.
  auto refuse = [&](llvm::StringRef list, const std::string& why) {
    bool known = false;
    codesIn(list, source, known);
    read.mistake = why;
    if (!known) return;
    endAt(list);
    read.mended = ("ignore[" + list + "]").str();
  };
  llvm::StringRef list = rest.ltrim();
  if (list.consume_front("[")) {
    llvm::StringRef inside = list.take_until([](char c) { return c == ']'; });
    if (inside.size() == list.size()) {
      refuse(inside.rtrim(), "its '[' is not closed");
      return read;
    }
    bool known = false;
    read.codes = codesIn(inside, source, known);
    endAt(list.take_front(inside.size() + 1));
    if (read.codes.empty())
      read.mistake = "no code is in its brackets; 'ignore' without brackets silences every code";
    return read;
  }
  constexpr llvm::StringLiteral bracketsAreMissing =
      "codes are written in brackets, ignore[code, code]";
  bool isOpened = rest.starts_with("(") || rest.starts_with("{") || rest.starts_with("<");
  if (isOpened || rest.starts_with(":") || rest.starts_with("=")) {
    llvm::StringRef inside = rest.drop_front();
    if (isOpened) {
      size_t close = inside.find_first_of(")}>");
      refuse(inside.take_front(close).trim(), bracketsAreMissing.str());
      if (!read.mended.empty() && close != llvm::StringRef::npos)
        endAt(inside.take_front(close + 1));
    } else {
      refuse(inside.trim(), bracketsAreMissing.str());
    }
    return read;
  }
  // "ignore bank-conflict", but not "ignore: see above" or "ignore, checked by hand".
  llvm::StringRef first = list.take_while(isPart);
  if (list.size() < rest.size() && diagnostics::idOf(first)) {
    refuse(list, bracketsAreMissing.str());
    if (read.mended.empty()) refuse(first, bracketsAreMissing.str());
    return read;
  }
  read.isForAll = true;
  return read;
}

Offset Directive::toFile(Offset inCall) const {
  auto after =
      std::upper_bound(pieces.begin(), pieces.end(), inCall,
                       [](Offset offset, const Piece& piece) { return offset < piece.inCall; });
  if (after == pieces.begin()) return range.begin;
  const Piece& piece = *std::prev(after);
  return std::min(piece.inFile + (inCall - piece.inCall), range.end);
}

std::vector<Directive> directivesOf(const syntax::FunctionDef& kernel,
                                    const text::SourceText& source) {
  uint32_t def = source.lineOf(kernel.range.begin);
  uint32_t first = source.lineOf(syntax::rangeWithDecorators(kernel).begin);
  while (first > 0 && commentOn(source, first - 1))
    --first;

  std::vector<Directive> directives;
  for (uint32_t line = first; line < def; ++line) {
    auto comment = commentOn(source, line);
    if (!comment) continue;
    auto marked = afterGluondMark(comment->first);
    if (!marked || !marked->starts_with("launch")) continue;
    llvm::StringRef text = *marked;

    Directive directive;
    int depth = 0;
    while (true) {
      Offset at = static_cast<Offset>(text.data() - source.text().data());
      if (directive.pieces.empty()) directive.range.begin = at;
      directive.pieces.push_back({static_cast<Offset>(directive.call.size()), at});
      size_t end = closing(text, depth);
      llvm::StringRef taken = text.substr(0, end).rtrim(" \t");
      directive.call += taken;
      directive.range.end = at + static_cast<Offset>(taken.size());
      directive.isClosed = end != llvm::StringRef::npos;
      if (directive.isClosed || depth == 0 || line + 1 >= def) break;
      auto next = commentOn(source, line + 1);
      if (!next) break;
      ++line;
      directive.call += "\n";
      text = next->first;
    }
    directives.push_back(std::move(directive));
  }
  return directives;
}

} // namespace gluond::driver
