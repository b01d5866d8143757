#include "driver/program/Directives.h"

#include "syntax/tree/Children.h"

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

} // namespace

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
    llvm::StringRef text = comment->first.ltrim(" \t");
    if (!text.consume_front("gluond:")) continue;
    text = text.ltrim(" \t");
    if (!text.starts_with("launch")) continue;

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
