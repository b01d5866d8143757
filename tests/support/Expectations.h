// Expectations on the lines they judge: `# error: [slug]`, and `"text"` behind it that the message
// contains.
//
//     x = foo(1,      # error: [unclosed-bracket] "'(' was never closed"
//     y = 2
//
// A comment holds any number of them, separated by commas; warning, information and hint are
// written the same way. A line of its own that is only such a comment speaks of the next line that
// is not (for text that no comment can stand behind, such as an open string).
#pragma once

#include "diagnostics/Table.h"
#include "text/SourceText.h"

#include <gtest/gtest.h>
#include <map>
#include <string>
#include <vector>

namespace gluond {

struct Expectation {
  uint32_t line; // 0-based
  diagnostics::Severity severity;
  std::string slug, text;
};

inline std::vector<Expectation> expectationsOf(const text::SourceText& source) {
  using diagnostics::Severity;
  std::vector<Expectation> result;
  std::vector<Expectation> forNext;
  for (uint32_t line = 0; line < source.lineCount(); ++line) {
    llvm::StringRef text = source.line(line);
    std::vector<Expectation> here;
    for (Severity severity :
         {Severity::Error, Severity::Warning, Severity::Information, Severity::Hint}) {
      std::string key = diagnostics::severityName(severity).str() + ": [";
      size_t at = text.find("# " + key);
      if (at == llvm::StringRef::npos) continue;
      for (llvm::StringRef rest = text.substr(at + 2); rest.consume_front(key);) {
        auto [slug, behind] = rest.split(']');
        rest = behind.ltrim(' ');
        std::string message;
        if (rest.consume_front("\""))
          std::tie(behind, rest) = rest.split('"'), message = behind.str();
        here.push_back({line, severity, slug.str(), message});
        rest = rest.ltrim(" ,");
      }
    }
    bool alone = text.ltrim().starts_with("#") && !here.empty();
    if (alone) {
      forNext.insert(forNext.end(), here.begin(), here.end());
      continue;
    }
    for (Expectation& expectation : forNext)
      expectation.line = line;
    result.insert(result.end(), forNext.begin(), forNext.end());
    forNext.clear();
    result.insert(result.end(), here.begin(), here.end());
  }
  return result;
}

// Every expectation is met by a diagnostic that begins on its line, and every diagnostic is
// expected.
inline void expectDiagnostics(const text::SourceText& source,
                              llvm::ArrayRef<diagnostics::Diagnostic> found, llvm::StringRef name) {
  std::vector<bool> used(found.size());
  for (const Expectation& expectation : expectationsOf(source)) {
    bool met = false;
    for (size_t i = 0; i < found.size() && !met; ++i) {
      const auto& diagnostic = found[i];
      met = !used[i] && source.lineOf(diagnostic.location.range.begin) == expectation.line &&
            diagnostics::slug(diagnostic.id) == expectation.slug &&
            diagnostic.severity == expectation.severity &&
            diagnostic.message.find(expectation.text) != std::string::npos;
      if (met) used[i] = true;
    }
    EXPECT_TRUE(met) << name.str() << ":" << expectation.line + 1
                     << ": not reported: " << expectation.slug << " " << expectation.text;
  }
  for (size_t i = 0; i < found.size(); ++i)
    EXPECT_TRUE(used[i]) << name.str() << ":" << source.lineOf(found[i].location.range.begin) + 1
                         << ": not expected: [" << diagnostics::slug(found[i].id).str() << "] "
                         << found[i].message;
}

} // namespace gluond
