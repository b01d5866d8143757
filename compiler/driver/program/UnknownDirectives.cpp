#include "driver/program/UnknownDirectives.h"

#include "codegen/suggestions/Suggest.h"
#include "diagnostics/Reporter.h"
#include "diagnostics/Table.h"
#include "driver/settings/Configuration.h"
#include "support/Allowance.h"

#include <llvm/ADT/DenseSet.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/StringExtras.h>

namespace gluond::driver {

using diagnostics::Id;
using text::Offset;
using text::Range;

namespace {

// What is wrong with an `ignore`: how it is written, or codes of it that no diagnostic has. At most
// `left` of these, which becomes smaller.
void tellMistakes(const IgnoreDirective& ignore, const text::SourceText& source, size_t& left,
                  diagnostics::Reporter& emit) {
  if (!ignore.mistake.empty()) {
    auto told = emit(Id::UnknownDirective, ignore.range, ignore.mistake);
    if (!ignore.mended.empty()) {
      told.fix(diagnostics::FixId::ReplaceToken, {{ignore.range, ignore.mended}}, ignore.mended);
      // It silences something, which a person decides.
      if (diagnostics::Diagnostic* diagnostic = told.get())
        diagnostic->fixes.back().title.applicability = diagnostics::Applicability::Suggested;
    }
    return;
  }
  for (const IgnoreDirective::Code& each : ignore.codes) {
    if (left == 0) return;
    if (each.id) continue;
    --left;
    llvm::StringRef code = source.slice(each.range);
    codegen::Nearest nearest(code);
    for (const diagnostics::Row& row : diagnostics::table())
      nearest.offer(row.slug);
    auto told =
        emit(Id::UnknownDirective, each.range, ("no diagnostic has the code '" + code + "'").str());
    if (!nearest.name().empty())
      told.fix(diagnostics::FixId::DidYouMean, {{each.range, nearest.name().str()}}, code,
               nearest.name());
  }
}

} // namespace

void tellUnknownDirectives(const syntax::SyntaxTree& tree, llvm::ArrayRef<Range> read,
                           std::vector<diagnostics::Diagnostic>& out) {
  const text::SourceText& source = tree.source();
  diagnostics::Reporter emit(out, tree.file());
  llvm::DenseSet<Offset> isRead;
  for (Range each : read)
    isRead.insert(each.begin);
  // Each is compared with all codes, and nobody reads more of them.
  size_t codesLeft = 200;
  for (llvm::StringRef rest : gluondCommentsIn(source)) {
    if (Spending::isSpent()) return;
    llvm::StringRef word =
        rest.take_while([](char c) { return llvm::isAlnum(c) || c == '_' || c == '-'; });
    char after = rest.size() > word.size() ? rest[word.size()] : '\0';
    auto begin = static_cast<Offset>(rest.data() - source.text().data());
    if (word.empty() || isInString(tree.body(), begin)) continue;
    if (auto ignore = readIgnore(rest, source)) {
      tellMistakes(*ignore, source, codesLeft, emit);
      continue;
    }
    Range range{begin, begin + static_cast<Offset>(word.size())};
    if (word == "launch" && after == '(') {
      if (!isRead.contains(begin))
        emit(Id::UnknownDirective, range, "it is not directly above a kernel");
      continue;
    }
    // "ignored[code]" means the directive, whose name is like the setting's.
    bool isMisspelt = word == "ignored" && after != '=';
    if (findSetting(word) && !isMisspelt) {
      emit(Id::UnknownDirective, range,
           ("'" + word +
            "' is a setting, and a comment sets none: write it under [tool.gluond] in " +
            "pyproject.toml" + (word == "target" ? ", or as an argument of launch(...)" : ""))
               .str());
      continue;
    }
    codegen::Nearest nearest(word);
    nearest.offer("ignore");
    nearest.offer("launch");
    // Anything else may be prose; a single word is none.
    bool isMeant = !nearest.name().empty() || word.size() == rest.size() ||
                   word.starts_with_insensitive("ignore") || after == '=' || after == '(' ||
                   after == '[';
    if (!isMeant) continue;
    auto told = emit(
        Id::UnknownDirective, range,
        ("unknown directive '" + word + "'; choose one of launch(...), ignore, " + "ignore[code]")
            .str());
    // What other linters have for a file, no directive has.
    bool isPlain = word.find_first_of("-_") == llvm::StringRef::npos;
    if (!nearest.name().empty() && isPlain)
      told.fix(diagnostics::FixId::DidYouMean, {{range, nearest.name().str()}}, word,
               nearest.name());
  }
}

} // namespace gluond::driver
