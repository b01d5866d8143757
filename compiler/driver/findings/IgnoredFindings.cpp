#include "driver/findings/IgnoredFindings.h"

#include "diagnostics/Reporter.h"
#include "diagnostics/Table.h"
#include "driver/workspace/File.h"
#include "syntax/SyntaxTree.h"
#include "syntax/tree/Children.h"

#include <llvm/ADT/DenseSet.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/StringExtras.h>

namespace gluond::driver {

namespace {

// What a comment in a line of its own stands at.
struct OwnLine {
  bool isAboveFunction = false;
  text::Offset function = 0; // its `def`
};

// The lines of one file, asked from the first to the last: all comments below each other stand at
// the same line.
class OwnLines {
public:
  OwnLines(const text::SourceText& source, const syntax::SyntaxTree& tree)
      : source_(source), tree_(tree) {}

  // Returns nullopt for a comment at the end of a line, or within a statement of several lines.
  std::optional<OwnLine> at(text::Offset place) {
    uint32_t line = source_.lineOf(place);
    if (!source_.line(line).ltrim().starts_with("#") || !isBetween(place)) return std::nullopt;
    if (line < begin_ || line >= end_) {
      begin_ = line;
      for (end_ = line + 1; end_ < source_.lineCount(); ++end_)
        if (!source_.line(end_).ltrim().starts_with("#")) break;
      below_ = belowComments();
    }
    return below_;
  }

private:
  // Whether statements are before and behind the place, or its block ends.
  bool isBetween(text::Offset place) const {
    auto path = syntax::pathTo(tree_.body(), place);
    const syntax::Node* inner = path.empty() ? nullptr : path.back();
    return !inner || llvm::isa<syntax::FunctionDef, syntax::ClassDef, syntax::If, syntax::For,
                               syntax::While, syntax::With>(inner);
  }

  // Of the comments that end before the line `end_`.
  OwnLine belowComments() const {
    constexpr uint32_t mostOfDecorators = 100; // lines, of all of a function
    bool isDecorated = false;
    uint32_t last = std::min(end_ + mostOfDecorators, source_.lineCount());
    for (uint32_t line = end_; line < last; ++line) {
      llvm::StringRef text = source_.line(line).ltrim();
      if (text.starts_with("def ") || text.starts_with("async def "))
        return {true, static_cast<text::Offset>(text.data() - source_.text().data())};
      isDecorated |= text.starts_with("@");
      if (!isDecorated && !text.starts_with("#")) break;
    }
    return {};
  }

  const text::SourceText& source_;
  const syntax::SyntaxTree& tree_;
  uint32_t begin_ = 0, end_ = 0; // the comments that were asked for last
  OwnLine below_;
};

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
  std::vector<llvm::StringRef> comments = gluondCommentsIn(source);
  if (comments.empty()) return *slot;
  auto tree = file->tree(snapshot_.names(), {});
  for (llvm::StringRef comment : comments) {
    auto read = readIgnore(comment, source);
    if (!read || !read->mistake.empty()) continue;
    if (tree && isInString(tree->body(), read->range.begin)) continue;
    Mark& mark = slot->marks.emplace_back();
    mark.line = source.lineOf(read->range.begin);
    mark.directive = std::move(*read);
    // Those that no diagnostic has are told elsewhere.
    for (const IgnoreDirective::Code& each : mark.directive.codes)
      if (each.id) mark.codes.try_emplace(*each.id, false);
  }
  if (!slot->marks.empty()) slot->file = file;
  return *slot;
}

bool IgnoredFindings::Known::covers(uint32_t first, uint32_t last, diagnostics::Id id) {
  auto from = llvm::partition_point(marks, [&](const Mark& each) { return each.line < first; });
  for (auto it = from; it != marks.end() && it->line <= last; ++it) {
    auto code = it->codes.find(id);
    if (!it->directive.isForAll && code == it->codes.end()) continue;
    it->isUsed = true;
    if (code != it->codes.end()) code->second = true;
    return true;
  }
  return false;
}

bool IgnoredFindings::isSwitchedOff(const diagnostics::Diagnostic& diagnostic) {
  llvm::StringRef slug = diagnostics::slug(diagnostic.id);
  const Settings& settings = *known(diagnostic.location.file).settings;
  if (!settings.selected.empty() && !llvm::is_contained(settings.selected, slug)) return true;
  return diagnostic.severity != diagnostics::Severity::Error &&
         llvm::is_contained(settings.ignored, slug);
}

bool IgnoredFindings::covers(const diagnostics::Diagnostic& diagnostic) {
  if (isSwitchedOff(diagnostic)) return true;
  if (diagnostic.severity == diagnostics::Severity::Error) return false;
  Known& known = this->known(diagnostic.location.file);
  if (!known.file) return false;
  const text::SourceText& source = known.file->text();
  text::Range range = diagnostic.location.range;
  if (known.covers(source.lineOf(range.begin), source.lineOf(range.end), diagnostic.id))
    return true;
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
      if (known.covers(first, source.lineOf(function->header.end), diagnostic.id)) return true;
    }
  return false;
}

void IgnoredFindings::tellUnused(const File& file, llvm::function_ref<bool(text::Offset)> isChecked,
                                 std::vector<diagnostics::Diagnostic>& out) {
  Known& known = this->known(file.id());
  // What is not selected is not known.
  if (!known.file || !known.settings->selected.empty()) return;
  const text::SourceText& source = known.file->text();
  auto tree = known.file->tree(snapshot_.names(), {});
  if (!tree) return;
  diagnostics::Reporter emit(out, file.id());
  OwnLines lines(source, *tree);
  for (const Mark& mark : known.marks) {
    const IgnoreDirective& directive = mark.directive;
    std::optional<OwnLine> ownLine = lines.at(directive.range.begin);
    if (ownLine && !ownLine->isAboveFunction) {
      if (!mark.isUsed)
        emit(diagnostics::Id::UnknownDirective, directive.range,
             "a line of its own has no finding; write it at the end of the line of the finding, or "
             "above a 'def'");
      continue;
    }
    // A comment behind the last statement of a function is not in it, but that statement is.
    llvm::StringRef statement = source.line(mark.line).ltrim();
    bool isKnown =
        isChecked(ownLine ? ownLine->function
                          : static_cast<text::Offset>(statement.data() - source.text().data()));
    if (directive.isForAll && !mark.isUsed && isKnown)
      emit(diagnostics::Id::UnknownDirective, directive.range,
           "there is no warning or hint that it could silence");
    llvm::SmallDenseSet<diagnostics::Id, 2> seen;
    for (const IgnoreDirective::Code& each : directive.codes) {
      if (!each.id || mark.codes.lookup(*each.id)) continue;
      std::string code = diagnostics::slug(*each.id).str();
      if (!seen.insert(*each.id).second) continue;
      if (diagnostics::row(*each.id).severity == diagnostics::Severity::Error)
        emit(diagnostics::Id::UnknownDirective, each.range,
             "'" + code +
                 "' is an error, which no comment silences: Triton does not compile such "
                 "a kernel");
      else if (isKnown && !llvm::is_contained(known.settings->ignored, code))
        emit(diagnostics::Id::UnknownDirective, each.range,
             "there is no '" + code + "' that it could silence");
    }
  }
}

} // namespace gluond::driver
