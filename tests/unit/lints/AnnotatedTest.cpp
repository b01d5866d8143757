// The kernels of tests/data/lints: every annotated line gets its lint, no other line gets any, and
// applying a fix makes its lint fall silent without bringing another mistake.
#include "diagnostics/Table.h"
#include "driver/analysis/Check.h"
#include "driver/analysis/Worker.h"
#include "support/Expectations.h"

#include <llvm/ADT/StringExtras.h>
#include <llvm/Support/MemoryBuffer.h>

#include <filesystem>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <set>

namespace gluond::driver {
namespace {

namespace fs = std::filesystem;
using diagnostics::Severity;

struct Program {
  explicit Program(const fs::path& path, std::vector<std::string> ignored = {}) : path(path) {
    auto buffer = llvm::MemoryBuffer::getFile(path.string());
    text = buffer ? (*buffer)->getBuffer().str() : "";
    // The target of launches that do not name one.
    auto uses = [&](const char* module) { return text.find(module) != std::string::npos; };
    settings.target = uses("nvidia.blackwell")            ? "cuda:100"
                      : uses("language.amd import cdna3") ? "hip:gfx942"
                                                          : "cuda:90";
    settings.ignored = std::move(ignored);
  }
  CheckResult check(const std::string& as) const {
    Workspace workspace(settings);
    workspace.open(path.string(), 1, as);
    auto snapshot = workspace.snapshot();
    Worker worker;
    auto result = driver::check(*snapshot, snapshot->file(path.string()), worker, {});
    EXPECT_TRUE(result);
    return result ? std::move(*result) : CheckResult{};
  }
  fs::path path;
  std::string text;
  Settings settings;
};

class Annotated : public testing::TestWithParam<std::string> {
protected:
  fs::path path = fs::path(GLUOND_SOURCE_DIR) / "tests/data/lints" / GetParam();
};

TEST_P(Annotated, EveryMarkedLineAndNoOther) {
  Program program(path);
  std::vector<diagnostics::Diagnostic> found;
  for (const Finding& finding : program.check(program.text).findings)
    found.push_back(finding.diagnostic);
  expectDiagnostics(text::SourceText(program.text), found, path.string());
}

TEST_P(Annotated, FixesRemoveTheirFinding) {
  Program program(path);
  for (const Finding& finding : program.check(program.text).findings)
    for (const diagnostics::Fix& fix : finding.diagnostic.fixes) {
      SCOPED_TRACE(finding.kernel + ": " + fix.title.text);
      ASSERT_FALSE(fix.edits.empty());
      auto edits = fix.edits;
      llvm::sort(edits, [](const text::Edit& a, const text::Edit& b) {
        return a.range.begin > b.range.begin;
      });
      text::SourceText source(program.text);
      for (const text::Edit& edit : edits)
        source = source.apply(edit);
      auto fixed = program.check(source.text().str());
      for (const Finding& left : fixed.findings) {
        EXPECT_NE(left.diagnostic.severity, Severity::Error) << left.diagnostic.message;
        // Of several fixes for a phase, the trial of fixes keeps those that help.
        if (left.kernel == finding.kernel && left.diagnostic.id == finding.diagnostic.id &&
            finding.diagnostic.id != diagnostics::Id::UnusedResult &&
            finding.diagnostic.id != diagnostics::Id::WrongPhase)
          ADD_FAILURE() << "still: " << left.diagnostic.message;
      }
    }
}

// All files of the folder.
std::vector<std::string> files() {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(fs::path(GLUOND_SOURCE_DIR) / "tests/data/lints"))
    if (entry.path().extension() == ".py") names.push_back(entry.path().filename().string());
  llvm::sort(names);
  return names;
}

INSTANTIATE_TEST_SUITE_P(Files, Annotated, testing::ValuesIn(files()),
                         [](const auto& info) { return fs::path(info.param).stem().string(); });

// Every lint: a comment on its line silences it and nothing else, and its page says what it costs
// and what to do.
TEST_P(Annotated, ACommentSilencesEachAndPagesExplainThem) {
  Program program(path);
  text::SourceText source(program.text);
  std::vector<Expectation> marks = expectationsOf(source);
  std::set<std::string> slugs;
  for (const Expectation& mark : marks)
    slugs.insert(mark.slug);
  slugs.erase("typed-defaults"); // what is not known, no lint
  for (const std::string& slug : slugs) {
    SCOPED_TRACE(slug);
    auto id = diagnostics::idOf(slug);
    ASSERT_TRUE(id);
    const diagnostics::Row& row = diagnostics::row(*id);
    EXPECT_FALSE(row.meaning.empty());
    EXPECT_FALSE(row.remedy.empty());
    EXPECT_FALSE(row.example.empty());
  }
  std::string silenced;
  for (uint32_t line = 0; line < source.lineCount(); ++line) {
    llvm::StringRef text = source.line(line).rtrim("\r\n");
    silenced += text.str();
    std::vector<std::string> here;
    for (const Expectation& mark : marks)
      if (mark.line == line) here.push_back(mark.slug);
    if (!here.empty()) silenced += "  # gluond: ignore[" + llvm::join(here, ", ") + "]";
    silenced += "\n";
  }
  for (const Finding& finding : program.check(silenced).findings)
    ADD_FAILURE() << finding.kernel << ": " << finding.diagnostic.message;
}

TEST(IgnoredFindings, SettingsIgnoreASlugEverywhere) {
  fs::path path = fs::path(GLUOND_SOURCE_DIR) / "tests/data/lints/accesses.py";
  Program program(path, {"uncoalesced"});
  bool others = false;
  for (const Finding& finding : program.check(program.text).findings) {
    EXPECT_NE(finding.diagnostic.id, diagnostics::Id::Uncoalesced);
    others = true;
  }
  EXPECT_TRUE(others);
}

} // namespace
} // namespace gluond::driver
