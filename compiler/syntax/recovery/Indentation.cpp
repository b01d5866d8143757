#include "syntax/recovery/Indentation.h"

#include "syntax/parser/Keywords.h"
#include "syntax/recovery/LineRepair.h"

namespace gluond::syntax {

using diagnostics::Id;
using text::Range;

namespace {

llvm::StringRef firstWord(llvm::StringRef text, const LogicalLine& line) {
  size_t end = line.begin;
  while (end < line.end && isIdentifierPart(text[end]))
    ++end;
  return text.slice(line.begin, end);
}

} // namespace

bool checkIndentation(llvm::StringRef text, llvm::ArrayRef<LogicalLine> chunk,
                      diagnostics::Reporter& emit) {
  struct Level {
    uint32_t indent, alt;
  };
  llvm::SmallVector<Level, 16> levels{{0, 0}};
  bool ok = true;
  auto report = [&](const LogicalLine& line, llvm::StringRef problem) {
    emit(Id::InconsistentIndentation, Range{line.lineStart, line.begin}, problem);
    ok = false;
  };
  const LogicalLine* before = nullptr;
  for (const LogicalLine& line : chunk) {
    bool opened = before && before->opensBlock && before->lead != Lead::Other;
    Level top = levels.back();
    if (line.indent > top.indent) {
      if (line.altIndent <= top.alt)
        report(line, "inconsistent use of tabs and spaces in indentation");
      // A header without its colon has a block as well: the missing colon is reported there.
      if (!before || (!before->opensBlock && !isHeaderLead(before->lead)))
        report(line, "unexpected indent");
      if (levels.size() > maxIndentDepth) report(line, "too many levels of indentation");
      levels.push_back({line.indent, line.altIndent});
    } else {
      if (opened) {
        emit(Id::ExpectedBlock, Range{before->end - 1, before->end}, firstWord(text, *before));
        ok = false;
      }
      while (levels.size() > 1 && levels.back().indent > line.indent)
        levels.pop_back();
      if (levels.back().indent != line.indent) {
        report(line, "unindent does not match any outer indentation level");
        levels.push_back({line.indent, line.altIndent}); // go on from here
      } else if (levels.back().alt != line.altIndent) {
        report(line, "inconsistent use of tabs and spaces in indentation");
      }
    }
    before = &line;
  }
  if (before && before->opensBlock && before->lead != Lead::Other) {
    emit(Id::ExpectedBlock, Range{before->end - 1, before->end}, firstWord(text, *before));
    ok = false;
  }
  return ok;
}

} // namespace gluond::syntax
