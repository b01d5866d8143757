#include "driver/fixes/Fixes.h"

#include "diagnostics/Reporter.h"
#include "driver/notebooks/NotebookFile.h"
#include "text/UnifiedDiff.h"

#include <llvm/ADT/STLExtras.h>

namespace gluond::driver {

namespace {

// Touching insertions at one place have no order of their own.
bool collide(const text::Edit& a, const text::Edit& b) {
  return a.range.begin <= b.range.end && b.range.begin <= a.range.end;
}

bool isBefore(const text::Edit& a, const text::Edit& b) {
  return a.range.begin < b.range.begin;
}

} // namespace

bool isForAllLaunches(const diagnostics::Fix& fix) {
  static const std::string limit =
      diagnostics::fixTitle(diagnostics::FixId::ForThisLaunch, "").text;
  return !llvm::StringRef(fix.title.text).ends_with(limit);
}

const diagnostics::Fix* appliedFix(const diagnostics::Diagnostic& diagnostic,
                                   diagnostics::Applicability least) {
  const std::vector<diagnostics::Fix>& fixes = diagnostic.fixes;
  auto fix = llvm::find_if(fixes, [](const diagnostics::Fix& each) { return each.isSafe(); });
  if (fix != fixes.end()) return &*fix;
  // Of the values of an option that all may be meant, a person chooses one.
  bool isChoice = diagnostic.id == diagnostics::Id::UnknownOption && fixes.size() > 1;
  if (least == diagnostics::Applicability::Safe || isChoice) return nullptr;
  fix = llvm::find_if(fixes, isForAllLaunches);
  return fix == fixes.end() ? nullptr : &*fix;
}

FixSet fixesOf(llvm::ArrayRef<Finding> findings, diagnostics::FileId file,
               diagnostics::Applicability least) {
  FixSet set;
  for (auto [index, finding] : llvm::enumerate(findings)) {
    const diagnostics::Diagnostic& diagnostic = finding.diagnostic;
    if (diagnostic.location.file != file) continue;
    const diagnostics::Fix* fix = appliedFix(diagnostic, least);
    if (!fix) continue;
    bool isFree = llvm::none_of(fix->edits, [&](const text::Edit& edit) {
      return llvm::any_of(set.edits, [&](const text::Edit& other) { return collide(edit, other); });
    });
    if (!isFree) continue;
    set.edits.insert(set.edits.end(), fix->edits.begin(), fix->edits.end());
    set.findings.push_back(index);
  }
  llvm::sort(set.edits, isBefore);
  return set;
}

std::string diffOf(llvm::StringRef name, const File& before, const File& after) {
  return before.notebook() ? unifiedDiff(name, *before.notebook(), *after.notebook())
                           : text::unifiedDiff(name, before.text().text(), after.text().text());
}

} // namespace gluond::driver
