#include "diagnostics/FixTitles.h"

#include "diagnostics/Reporter.h"

#include <llvm/ADT/STLExtras.h>

namespace gluond::diagnostics {

namespace {

// Titles are read in a menu of one line.
constexpr size_t longest = 90;

std::string shortened(llvm::StringRef text) {
  auto [line, rest] = text.split('\n');
  size_t end = std::min(line.size(), longest);
  while (end > 0 && end < line.size() && (static_cast<unsigned char>(line[end]) & 0xC0) == 0x80)
    --end; // not within a character
  bool isWhole = end == line.size() && rest.trim().empty();
  return line.take_front(end).str() + (isWhole ? "" : " ...");
}

// The smallest stretch of the text that has all edits, before and after them.
std::pair<std::string, std::string> change(const text::SourceText& source,
                                           std::vector<text::Edit> edits) {
  llvm::sort(edits, [](const text::Edit& a, const text::Edit& b) {
    return a.range.begin < b.range.begin;
  });
  text::Range all{edits.front().range.begin, edits.back().range.end};
  std::string now;
  text::Offset at = all.begin;
  for (const text::Edit& edit : edits) {
    now += source.slice({at, std::max(at, edit.range.begin)});
    now += edit.text;
    at = std::max(at, edit.range.end);
  }
  return {source.slice(all).str(), now};
}

std::string titleOf(const text::SourceText& source, const std::vector<text::Edit>& edits) {
  auto [before, now] = change(source, edits);
  llvm::StringRef old = llvm::StringRef(before).trim(), made = llvm::StringRef(now).trim();
  if (old.empty()) return "Insert '" + shortened(made) + "'";
  if (made.empty()) return "Remove '" + shortened(old) + "'";
  return "Replace '" + shortened(old) + "' with '" + shortened(made) + "'";
}

// Whether the title is of a row whose template only names the new text.
bool namesOnlyText(llvm::StringRef title) {
  static const std::string begin =
      llvm::StringRef(fixTitle(FixId::TryText, "").text).drop_back().str();
  return title.starts_with(begin);
}

} // namespace

void titleFixes(std::vector<Fix>& fixes, const text::SourceText& source) {
  std::vector<Fix> kept;
  for (Fix& fix : fixes) {
    if (!fix.edits.empty() && namesOnlyText(fix.title.text))
      fix.title.text = titleOf(source, fix.edits);
    auto same = llvm::find_if(kept, [&](const Fix& each) { return each.edits == fix.edits; });
    if (same == kept.end())
      kept.push_back(std::move(fix));
    else if (fix.isSafe() && !same->isSafe())
      *same = std::move(fix);
  }
  fixes = std::move(kept);
}

} // namespace gluond::diagnostics
