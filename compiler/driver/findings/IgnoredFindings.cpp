#include "driver/findings/IgnoredFindings.h"

#include "diagnostics/Table.h"
#include "driver/workspace/File.h"
#include "syntax/SyntaxTree.h"
#include "syntax/tree/Children.h"

#include <llvm/ADT/DenseSet.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/StringExtras.h>

namespace gluond::driver {

namespace {

constexpr llvm::StringLiteral mark = "gluond: ignore";

// Returns the slugs that a line's comment ignores, each once (empty for all); nullopt if it ignores
// none. What is no slug is left out, unless it is all there is: thousands would be compared with
// thousands of findings.
std::optional<llvm::SmallVector<llvm::StringRef, 2>> silencedBy(llvm::StringRef line) {
  size_t at = line.find('#');
  if (at == llvm::StringRef::npos) return std::nullopt;
  line = line.drop_front(at);
  at = line.find(mark);
  if (at == llvm::StringRef::npos) return std::nullopt;
  llvm::SmallVector<llvm::StringRef, 2> names;
  llvm::StringRef rest = line.drop_front(at + mark.size()).ltrim();
  if (!rest.consume_front("[")) return names;
  llvm::SmallDenseSet<diagnostics::Id> seen;
  for (llvm::StringRef each : llvm::split(rest.split(']').first, ','))
    if (auto id = diagnostics::idOf(each.trim()); id && seen.insert(*id).second)
      names.push_back(diagnostics::slug(*id));
  if (names.empty()) names.push_back("");
  return names;
}

} // namespace

IgnoredFindings::Known& IgnoredFindings::known(diagnostics::FileId id) {
  std::unique_ptr<Known>& slot = files_[id.id];
  if (slot) return *slot;
  slot = std::make_unique<Known>();
  std::string path = snapshot_.path(id);
  slot->settings = snapshot_.settingsOf(path);
  auto file = snapshot_.found(path);
  if (!file) return *slot;
  const text::SourceText& source = file->text();
  llvm::StringRef text = source.text();
  for (size_t at = text.find(mark); at != llvm::StringRef::npos;) {
    uint32_t line = source.lineOf(static_cast<text::Offset>(at));
    if (auto slugs = silencedBy(source.line(line)))
      slot->marks.push_back({line, std::move(*slugs)});
    at = line + 1 < source.lineCount() ? text.find(mark, source.lineStart(line + 1))
                                       : llvm::StringRef::npos;
  }
  if (!slot->marks.empty()) slot->file = file;
  return *slot;
}

bool IgnoredFindings::Known::covers(uint32_t first, uint32_t last, llvm::StringRef slug) const {
  auto from = llvm::partition_point(marks, [&](const Mark& each) { return each.line < first; });
  for (auto it = from; it != marks.end() && it->line <= last; ++it)
    if (it->slugs.empty() || llvm::is_contained(it->slugs, slug)) return true;
  return false;
}

bool IgnoredFindings::covers(const diagnostics::Diagnostic& diagnostic) {
  llvm::StringRef slug = diagnostics::slug(diagnostic.id);
  Known& known = this->known(diagnostic.location.file);
  if (!known.settings->selected.empty() && !llvm::is_contained(known.settings->selected, slug))
    return true;
  if (diagnostic.severity == diagnostics::Severity::Error) return false;
  if (llvm::is_contained(known.settings->ignored, slug)) return true;
  if (!known.file) return false;
  const text::SourceText& source = known.file->text();
  text::Range range = diagnostic.location.range;
  if (known.covers(source.lineOf(range.begin), source.lineOf(range.end), slug)) return true;
  auto tree = known.file->tree(snapshot_.names(), {});
  if (!tree) return false;
  for (const syntax::Node* node : syntax::pathTo(tree->body(), range.begin))
    if (auto* function = llvm::dyn_cast<syntax::FunctionDef>(node)) {
      auto [it, isNew] = known.firstLines.try_emplace(function, 0);
      uint32_t& first = it->second;
      if (isNew) {
        first = source.lineOf(syntax::rangeWithDecorators(*function).begin);
        while (first > 0 && source.line(first - 1).ltrim().starts_with("#"))
          --first;
      }
      if (known.covers(first, source.lineOf(function->header.end), slug)) return true;
    }
  return false;
}

} // namespace gluond::driver
