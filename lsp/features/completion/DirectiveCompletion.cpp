// Completion in comments of gluond's own: `# gluond: launch(...)` and `# gluond: ignore[code]`.
#include "diagnostics/Table.h"
#include "lsp/features/completion/Completer.h"

#include <llvm/ADT/StringExtras.h>

namespace gluond::lsp {

void Completer::directive() {
  constexpr llvm::StringLiteral mark = "gluond:";
  text::Offset lineStart = source_.lineStart(source_.lineOf(offset_));
  llvm::StringRef before = source_.slice({lineStart, offset_});
  size_t at = before.rfind(mark);
  if (at == llvm::StringRef::npos || !before.take_front(at).rtrim(" \t").ends_with("#")) return;
  llvm::StringRef typed = before.drop_front(at + mark.size()).ltrim();
  llvm::StringRef codes = typed;
  bool isCode = codes.consume_front("ignore") && (codes = codes.ltrim()).consume_front("[");
  if (isCode) {
    if (codes.contains(']')) return;
    typed = codes.contains(',') ? codes.rsplit(',').second.ltrim() : codes;
  }
  auto isPart = [](char c) { return llvm::isAlnum(c) || c == '-' || c == '_'; };
  if (!llvm::all_of(typed, isPart)) return;
  llvm::StringRef after = source_.slice({offset_, source_.size()}).take_while(isPart);
  context_.word = {offset_ - static_cast<text::Offset>(typed.size()),
                   offset_ + static_cast<text::Offset>(after.size())};
  if (!isCode) {
    add("ignore", CompletionKind::Keyword, "silences the warnings and hints of this line");
    add("ignore[]", CompletionKind::Keyword, "silences those with the codes in the brackets");
    add("launch()", CompletionKind::Keyword, "a launch of the kernel below");
    return;
  }
  for (llvm::StringRef given : llvm::split(codes.drop_back(typed.size()), ','))
    seen_.insert(given.trim());
  for (const diagnostics::Row& row : diagnostics::table())
    if (row.severity != diagnostics::Severity::Error)
      add(row.slug, CompletionKind::Constant, diagnostics::severityName(row.severity).str(),
          row.meaning.str());
}

} // namespace gluond::lsp
