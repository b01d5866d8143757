// Expected diagnostics, written on the lines where they occur: `# error: [slug]`, optionally
// followed by `"text"` that the message contains.
//
//     x = foo(1,      # error: [unclosed-bracket] "'(' was never closed"
//     y = 2
//
// A comment holds any number of them, separated by commas or each after its own `#`; warning,
// information and hint are written in the same way. A line that consists only of such a comment
// applies to the next line that does not (for text that no comment can follow, such as an open
// string).
//
// `sh scripts/update-expectations.sh` rewrites them to match the current diagnostics.
#pragma once

#include "diagnostics/Table.h"
#include "text/SourceText.h"

#include <llvm/ADT/STLExtras.h>

#include <cstdlib>
#include <fstream>
#include <gtest/gtest.h>
#include <map>
#include <string>
#include <vector>

namespace gluond {

struct Expectation {
  uint32_t line; // 0-based
  diagnostics::Severity severity;
  std::string slug, text;
  bool isMetBy(const diagnostics::Diagnostic& diagnostic, const text::SourceText& source) const {
    return source.lineOf(diagnostic.location.range.begin) == line &&
           diagnostics::slug(diagnostic.id) == slug && diagnostic.severity == severity &&
           diagnostic.message.find(text) != std::string::npos;
  }
};

// The expectations on one line, and where the first of them begins (npos if there are none).
struct LineExpectations {
  std::vector<Expectation> all;
  size_t begin = llvm::StringRef::npos;
};
inline LineExpectations expectationsIn(llvm::StringRef text, uint32_t line) {
  using diagnostics::Severity;
  LineExpectations result;
  for (size_t at = 0; at < text.size(); ++at) {
    llvm::StringRef before = text.take_front(at);
    if (!before.ends_with("# ") && !(before.ends_with(", ") && !result.all.empty())) continue;
    for (Severity severity :
         {Severity::Error, Severity::Warning, Severity::Information, Severity::Hint}) {
      llvm::StringRef rest = text.substr(at);
      if (!rest.consume_front(diagnostics::severityName(severity).str() + ": [")) continue;
      auto [slug, after] = rest.split(']');
      std::string message;
      if (after.ltrim(' ').starts_with("\""))
        message = after.split('"').second.split('"').first.str();
      if (result.all.empty()) result.begin = at - 2;
      result.all.push_back({line, severity, slug.str(), message});
    }
  }
  return result;
}
inline bool isOnlyExpectations(llvm::StringRef text, const LineExpectations& expectations) {
  return !expectations.all.empty() && text.take_front(expectations.begin).trim().empty();
}

inline std::vector<Expectation> expectationsOf(const text::SourceText& source) {
  std::vector<Expectation> result, forNext;
  for (uint32_t line = 0; line < source.lineCount(); ++line) {
    llvm::StringRef text = source.line(line);
    LineExpectations here = expectationsIn(text, line);
    if (isOnlyExpectations(text, here)) {
      llvm::append_range(forNext, here.all);
      continue;
    }
    for (Expectation& expectation : forNext)
      expectation.line = line;
    llvm::append_range(result, forNext);
    forNext.clear();
    llvm::append_range(result, here.all);
  }
  return result;
}

// Returns the text with the expectations that `found` meets, in their current places.
inline std::string withExpectations(const text::SourceText& source,
                                    llvm::ArrayRef<diagnostics::Diagnostic> found) {
  std::vector<Expectation> now = expectationsOf(source);
  auto written = [&](uint32_t line) {
    std::string text;
    for (const diagnostics::Diagnostic& diagnostic : found) {
      if (source.lineOf(diagnostic.location.range.begin) != line) continue;
      text += (text.empty() ? "# " : "  # ") +
              diagnostics::severityName(diagnostic.severity).str() + ": [" +
              diagnostics::slug(diagnostic.id).str() + "]";
      auto before = llvm::find_if(
          now, [&](const Expectation& each) { return each.isMetBy(diagnostic, source); });
      if (before != now.end() && !before->text.empty()) text += " \"" + before->text + "\"";
    }
    return text;
  };
  auto areMet = [&](uint32_t line) {
    auto isHere = [&](const auto& diagnostic) {
      return source.lineOf(diagnostic.location.range.begin) == line;
    };
    auto isOfLine = [&](const Expectation& each) { return each.line == line; };
    return llvm::count_if(now, isOfLine) == llvm::count_if(found, isHere) &&
           llvm::all_of(now, [&](const Expectation& each) {
             return each.line != line ||
                    llvm::any_of(found, [&](const auto& one) { return each.isMetBy(one, source); });
           });
  };
  std::string result, above; // `above`: lines of the next line's expectations
  for (uint32_t line = 0; line < source.lineCount(); ++line) {
    llvm::StringRef text = source.line(line);
    std::string end = line + 1 == source.lineCount() ? "" : "\n";
    LineExpectations here = expectationsIn(text, line);
    if (isOnlyExpectations(text, here)) {
      above += text.str() + end;
      continue;
    }
    if (areMet(line)) {
      result += above + text.str() + end;
    } else {
      std::string expected = written(line);
      llvm::StringRef code = here.all.empty() ? text : text.take_front(here.begin);
      if (!above.empty() && !expected.empty())
        result += llvm::StringRef(above).take_while([](char c) { return c == ' '; }).str() +
                  expected + "\n";
      result += code.rtrim().str();
      if (above.empty() && !expected.empty()) result += "  " + expected;
      result += end;
    }
    above.clear();
  }
  return result + above;
}

// Checks that each expectation is met by a diagnostic that begins on its line, and the reverse.
// With GLUOND_UPDATE_EXPECTATIONS set, updates the file at `path` accordingly.
inline void expectDiagnostics(const text::SourceText& source,
                              llvm::ArrayRef<diagnostics::Diagnostic> found,
                              const std::string& path) {
  if (std::getenv("GLUOND_UPDATE_EXPECTATIONS")) {
    if (std::string text = withExpectations(source, found); text != source.text())
      std::ofstream(path, std::ios::binary) << text;
    return;
  }
  std::vector<bool> used(found.size());
  for (const Expectation& expectation : expectationsOf(source)) {
    bool met = false;
    for (size_t i = 0; i < found.size() && !met; ++i) {
      met = !used[i] && expectation.isMetBy(found[i], source);
      if (met) used[i] = true;
    }
    EXPECT_TRUE(met) << path << ":" << expectation.line + 1
                     << ": not reported: " << expectation.slug << " " << expectation.text;
  }
  for (size_t i = 0; i < found.size(); ++i)
    EXPECT_TRUE(used[i]) << path << ":" << source.lineOf(found[i].location.range.begin) + 1
                         << ": not expected: [" << diagnostics::slug(found[i].id).str() << "] "
                         << found[i].message;
}

} // namespace gluond
