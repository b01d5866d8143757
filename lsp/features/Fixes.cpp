#include "lsp/features/Fixes.h"

#include <llvm/ADT/STLExtras.h>

namespace gluond::lsp {

std::vector<text::Edit> allFixes(const driver::CheckResult& result, diagnostics::FileId file) {
  std::vector<text::Edit> edits;
  auto collides = [&](const text::Edit& edit) {
    return llvm::any_of(edits, [&](const text::Edit& other) {
      // Touching insertions at one place have no order of their own.
      return edit.range.begin <= other.range.end && other.range.begin <= edit.range.end;
    });
  };
  for (const driver::Finding& finding : result.findings) {
    const diagnostics::Diagnostic& diagnostic = finding.diagnostic;
    if (diagnostic.location.file != file || diagnostic.fixes.size() != 1) continue;
    const std::vector<text::Edit>& wanted = diagnostic.fixes.front().edits;
    if (llvm::none_of(wanted, collides)) edits.insert(edits.end(), wanted.begin(), wanted.end());
  }
  llvm::sort(edits, [](const text::Edit& a, const text::Edit& b) {
    return a.range.begin < b.range.begin;
  });
  return edits;
}

} // namespace gluond::lsp
