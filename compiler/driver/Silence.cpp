#include "driver/Silence.h"

#include "diagnostics/Table.h"
#include "driver/File.h"
#include "syntax/Children.h"
#include "syntax/SyntaxTree.h"

#include <llvm/ADT/STLExtras.h>

namespace gluond::driver {

namespace {

constexpr llvm::StringLiteral mark = "gluond: ignore";

// Whether the comment of a line names the slug, or all.
bool silences(llvm::StringRef line, llvm::StringRef slug) {
  size_t at = line.find('#');
  if (at == llvm::StringRef::npos) return false;
  line = line.drop_front(at);
  at = line.find(mark);
  if (at == llvm::StringRef::npos) return false;
  llvm::StringRef rest = line.drop_front(at + mark.size()).ltrim();
  if (!rest.consume_front("[")) return true;
  llvm::SmallVector<llvm::StringRef, 4> names;
  rest.split(']').first.split(names, ',');
  return llvm::any_of(names, [&](llvm::StringRef name) { return name.trim() == slug; });
}

} // namespace

bool Silence::covers(const diagnostics::Diagnostic& diagnostic) {
  if (diagnostic.severity == diagnostics::Severity::Error) return false;
  llvm::StringRef slug = diagnostics::slug(diagnostic.id);
  auto settings = snapshot_.settingsOf(snapshot_.path(diagnostic.location.file));
  if (llvm::is_contained(settings->ignored, slug)) return true;
  auto [it, isNew] = files_.try_emplace(diagnostic.location.file.id);
  if (isNew) {
    auto file = snapshot_.found(snapshot_.path(diagnostic.location.file));
    if (file && file->text().text().contains(mark)) it->second = file;
  }
  if (!it->second) return false;
  const text::SourceText& source = it->second->text();
  text::Range range = diagnostic.location.range;
  auto anyLine = [&](uint32_t first, uint32_t last) {
    for (uint32_t line = first; line <= last; ++line)
      if (silences(source.line(line), slug)) return true;
    return false;
  };
  if (anyLine(source.lineOf(range.begin), source.lineOf(range.end))) return true;
  auto tree = it->second->tree(snapshot_.names(), {});
  if (!tree) return false;
  for (const syntax::Node* node : syntax::pathTo(tree->body(), range.begin))
    if (auto* function = llvm::dyn_cast<syntax::FunctionDef>(node)) {
      uint32_t first = source.lineOf(syntax::rangeWithDecorators(*function).begin);
      while (first > 0 && source.line(first - 1).ltrim().starts_with("#"))
        --first;
      if (anyLine(first, source.lineOf(function->header.end))) return true;
    }
  return false;
}

} // namespace gluond::driver
