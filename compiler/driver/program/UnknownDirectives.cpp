#include "driver/program/UnknownDirectives.h"

#include "codegen/suggestions/Suggest.h"
#include "diagnostics/Reporter.h"
#include "diagnostics/Table.h"
#include "driver/settings/Configuration.h"
#include "support/Allowance.h"
#include "syntax/tree/Children.h"

#include <llvm/ADT/DenseSet.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/StringExtras.h>

namespace gluond::driver {

using diagnostics::Id;
using text::Offset;
using text::Range;

namespace {

bool isInString(const syntax::SyntaxTree& tree, Offset at) {
  return llvm::any_of(syntax::pathTo(tree.body(), at), [&](const syntax::Node* node) {
    return llvm::isa<syntax::Constant, syntax::JoinedStr>(node) && node->range.begin <= at &&
           at < node->range.end;
  });
}

// The codes of `ignore[a, b]` that no diagnostic has; at most `left`, which becomes smaller.
void tellUnknownCodes(llvm::StringRef codes, Offset begin, size_t& left,
                      diagnostics::Reporter& emit) {
  for (llvm::StringRef each : llvm::split(codes, ',')) {
    if (left == 0) return;
    llvm::StringRef code = each.trim();
    if (code.empty() || diagnostics::idOf(code)) continue;
    --left;
    codegen::Nearest nearest(code);
    for (const diagnostics::Row& row : diagnostics::table())
      nearest.offer(row.slug);
    auto at = static_cast<Offset>(begin + (code.data() - codes.data()));
    Range range{at, at + static_cast<Offset>(code.size())};
    auto told =
        emit(Id::UnknownDirective, range, ("no diagnostic has the code '" + code + "'").str());
    if (!nearest.name().empty())
      told.fix(diagnostics::FixId::DidYouMean, {{range, nearest.name().str()}}, code,
               nearest.name());
  }
}

} // namespace

void tellUnknownDirectives(const syntax::SyntaxTree& tree, llvm::ArrayRef<Range> read,
                           std::vector<diagnostics::Diagnostic>& out) {
  constexpr llvm::StringLiteral mark = "gluond:";
  const text::SourceText& source = tree.source();
  llvm::StringRef text = source.text();
  diagnostics::Reporter emit(out, tree.file());
  llvm::DenseSet<Offset> isRead;
  for (Range each : read)
    isRead.insert(each.begin);
  // Each is compared with all codes, and nobody reads more of them.
  size_t codesLeft = 200;
  for (size_t at = text.find(mark); at != llvm::StringRef::npos; at = text.find(mark, at + 1)) {
    if (Spending::isSpent()) return;
    llvm::StringRef line = source.line(source.lineOf(static_cast<Offset>(at)));
    auto column = static_cast<size_t>(text.data() + at - line.data());
    if (!line.take_front(column).rtrim(" \t").ends_with("#")) continue;
    llvm::StringRef rest = line.drop_front(column + mark.size()).trim();
    llvm::StringRef word =
        rest.take_while([](char c) { return llvm::isAlnum(c) || c == '_' || c == '-'; });
    char after = rest.size() > word.size() ? rest[word.size()] : '\0';
    auto begin = static_cast<Offset>(rest.data() - text.data());
    if (word.empty() || isInString(tree, begin)) continue;
    if (word == "ignore") {
      llvm::StringRef codes = rest.drop_front(word.size()).ltrim();
      if (codes.consume_front("["))
        tellUnknownCodes(codes.split(']').first, static_cast<Offset>(codes.data() - text.data()),
                         codesLeft, emit);
      continue;
    }
    Range range{begin, begin + static_cast<Offset>(word.size())};
    if (word == "launch" && after == '(') {
      if (!isRead.contains(begin))
        emit(Id::UnknownDirective, range, "it is not directly above a kernel");
      continue;
    }
    if (findSetting(word)) {
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
    // Anything else may be prose.
    if (nearest.name().empty() && after != '=' && after != '(' && after != '[') continue;
    auto told = emit(
        Id::UnknownDirective, range,
        ("unknown directive '" + word + "'; choose one of launch(...), ignore, " + "ignore[code]")
            .str());
    if (!nearest.name().empty())
      told.fix(diagnostics::FixId::DidYouMean, {{range, nearest.name().str()}}, word,
               nearest.name());
  }
}

} // namespace gluond::driver
