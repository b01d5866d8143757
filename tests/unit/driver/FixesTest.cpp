// Fixes hold what they promise: each of the mistakes in tests/data/fixes is made in a right
// program, and every fix that is offered then is applied and looked at.
//
//   NAME.py         a program without a finding
//   NAME.mistakes   lines of "applicability | right text | wrong text"; \n is a line break
//
// `safe`: one fix is safe, and the safe fixes together leave nothing. `suggested`: fixes are
// offered and none is safe. `none`: no fix is offered.
#include "driver/fixes/Fixes.h"

#include "driver/analysis/Worker.h"
#include "driver/fixes/FixTrial.h"
#include "driver/program/FileWork.h"
#include "support/ThreadClock.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/Support/MemoryBuffer.h>

#include <filesystem>
#include <gtest/gtest.h>

namespace gluond::driver {
namespace {

namespace fs = std::filesystem;
using diagnostics::Applicability;

struct Mistake {
  std::string applicability, right, wrong;
};

std::string readText(const fs::path& path) {
  auto buffer = llvm::MemoryBuffer::getFile(path.string());
  return buffer ? (*buffer)->getBuffer().str() : "";
}

std::string unescaped(llvm::StringRef text) {
  std::string result;
  for (size_t i = 0; i < text.size(); ++i)
    if (text.substr(i).starts_with("\\n")) {
      result += '\n';
      ++i;
    } else
      result += text[i];
  return result;
}

std::vector<Mistake> mistakesOf(const fs::path& path) {
  std::vector<Mistake> result;
  std::string text = readText(path);
  llvm::SmallVector<llvm::StringRef> lines;
  llvm::StringRef(text).split(lines, '\n', -1, false);
  for (llvm::StringRef line : lines) {
    if (line.starts_with("#")) continue;
    auto [applicability, rest] = line.split(" |");
    auto [right, wrong] = rest.split(" |");
    right.consume_front(" ");
    wrong.consume_front(" ");
    result.push_back({applicability.str(), unescaped(right), unescaped(wrong)});
  }
  return result;
}

class Fixes : public testing::TestWithParam<std::string> {
protected:
  static Settings settings() {
    Settings settings;
    settings.target = "cuda:90";
    return settings;
  }
  std::vector<Finding> check(const std::string& text) {
    Workspace workspace(settings());
    workspace.open(path(), 1, text);
    auto snapshot = workspace.snapshot();
    Worker worker;
    auto result = driver::check(*snapshot, snapshot->file(path()), worker, {});
    return result ? result->findings : std::vector<Finding>();
  }
  std::string path() const {
    return (fs::path(GLUOND_SOURCE_DIR) / "tests/data/fixes" / (GetParam() + ".py")).string();
  }
};

std::string said(const std::vector<Finding>& findings) {
  std::string text;
  for (const Finding& finding : findings)
    text += "  " + finding.diagnostic.message + "\n";
  return text;
}

TEST_P(Fixes, DoWhatTheySay) {
  std::string right = readText(path());
  EXPECT_EQ(said(check(right)), "");
  std::vector<Mistake> mistakes = mistakesOf(fs::path(path()).replace_extension(".mistakes"));
  EXPECT_GE(mistakes.size(), 10u);
  for (const Mistake& mistake : mistakes) {
    SCOPED_TRACE("instead of: " + mistake.right + "\nwrong: " + mistake.wrong);
    size_t at = right.find(mistake.right);
    ASSERT_NE(at, std::string::npos);
    std::string wrong = right;
    wrong.replace(at, mistake.right.size(), mistake.wrong);

    Workspace workspace(settings());
    workspace.open(path(), 1, wrong);
    auto snapshot = workspace.snapshot();
    auto file = snapshot->file(path());
    Worker worker;
    WorkerPool workers(worker);
    auto result = driver::check(*snapshot, file, workers, {});
    ASSERT_TRUE(result);
    EXPECT_FALSE(result->findings.empty());
    tryFixes(*snapshot, *file, result->findings, [](const Finding&) { return true; }, workers, {});

    bool hasSafe = false, hasAny = false;
    for (const Finding& finding : result->findings)
      for (const diagnostics::Fix& fix : finding.diagnostic.fixes) {
        SCOPED_TRACE(fix.title.text);
        hasAny = true;
        hasSafe |= fix.isSafe();
        std::string fixed = text::withEdits(file->text(), fix.edits);
        EXPECT_NE(fixed, wrong);
        auto effect = effectOf(*snapshot, *file, result->findings, fix.edits, workers, {});
        ASSERT_TRUE(effect);
        EXPECT_TRUE(llvm::any_of(effect->gone, [&](const Finding& each) {
          return each.diagnostic.id == finding.diagnostic.id;
        }));
        EXPECT_EQ(said(effect->come), "") << fixed;
      }
    EXPECT_EQ(mistake.applicability, hasSafe  ? "safe"
                                     : hasAny ? "suggested"
                                              : "none")
        << said(result->findings);
    // All safe ones, as fix on save applies them, until none is left.
    std::string text = wrong;
    for (int round = 0; round < 3; ++round) {
      Workspace next(settings());
      next.open(path(), 1, text);
      auto now = next.snapshot();
      Worker another; // its contexts belong to this workspace's names
      auto found = driver::check(*now, now->file(path()), another, {});
      ASSERT_TRUE(found);
      FixSet set = fixesOf(found->findings, now->file(path())->id(), Applicability::Safe);
      text = text::withEdits(now->file(path())->text(), set.edits);
    }
    if (mistake.applicability == "safe")
      EXPECT_EQ(said(check(text)), "") << text;
    else
      EXPECT_EQ(text, wrong);
  }
}

// A cursor that moves over the same mistake asks for its fixes each time: they are not tried again.
TEST(FixTrials, AreKeptForTheSnapshot) {
  Settings settings;
  settings.target = "cuda:90";
  std::string path = "/kept/kernel.py";
  Workspace workspace(settings);
  workspace.open(path, 1,
                 "from triton.experimental import gluon\n"
                 "from triton.experimental.gluon import language as gl\n"
                 "@gluon.jit\ndef kernel(x):\n    gl.stroe(x, 1)\n");
  auto snapshot = workspace.snapshot();
  auto file = snapshot->file(path);
  Worker worker;
  WorkerPool workers(worker);
  CancellationSource cancelled;
  cancelled.cancel();
  // A fix that was not tried is not safe.
  auto hasSafe = [&](CancellationToken token) {
    auto result = driver::check(*snapshot, file, workers, {});
    tryFixes(
        *snapshot, *file, result->findings, [](const Finding&) { return true; }, workers, token);
    return llvm::any_of(result->findings, [](const Finding& finding) {
      return llvm::any_of(finding.diagnostic.fixes,
                          [](const diagnostics::Fix& fix) { return fix.isSafe(); });
    });
  };
  EXPECT_FALSE(hasSafe(cancelled.token()));
  EXPECT_TRUE(hasSafe({}));
  EXPECT_TRUE(hasSafe(cancelled.token()));
  workspace.open(path, 2, file->text().text().str() + "\n");
  snapshot = workspace.snapshot();
  file = snapshot->file(path);
  EXPECT_FALSE(hasSafe(cancelled.token()));
}

// The second exception of a line was there before the fix of the first one.
TEST(FixTrials, OneExceptionOfALineHidesAnother) {
  Settings settings;
  settings.target = "cuda:90";
  std::string path = "/hidden/kernel.py";
  auto fixesOfFirst = [&](const std::string& line) {
    Workspace workspace(settings);
    workspace.open(path, 1,
                   "import argparse, torch\n"
                   "from triton.experimental import gluon\n"
                   "@gluon.jit\ndef kernel(x):\n    pass\n"
                   "parser = argparse.ArgumentParser()\n"
                   "parser.add_argument('--block', default='128')\n"
                   "parser.add_argument('--size', default=128)\n"
                   "args = parser.parse_args()\n" +
                       line);
    auto snapshot = workspace.snapshot();
    auto file = snapshot->file(path);
    Worker worker;
    WorkerPool workers(worker);
    auto result = driver::check(*snapshot, file, workers, {});
    tryFixes(*snapshot, *file, result->findings, [](const Finding&) { return true; }, workers, {});
    size_t fixes = 0;
    for (const Finding& finding : result->findings)
      fixes += finding.diagnostic.fixes.size();
    return fixes;
  };
  EXPECT_EQ(fixesOfFirst("print(args.szie, args.blcok)\n"), 1u);
  EXPECT_EQ(fixesOfFirst("print(1 + args.blcok)\n"), 0u) << "the right name is not a number";
}

// The limit is one for both.
TEST(FixTrials, HaveTheTimeThatTheAnalysisLeft) {
  Settings settings;
  settings.target = "cuda:90";
  settings.analysisSeconds = 2;
  std::string path = "/kept/kernel.py";
  Workspace workspace(settings);
  workspace.open(path, 1,
                 "from triton.experimental import gluon\n"
                 "from triton.experimental.gluon import language as gl\n"
                 "@gluon.jit\ndef kernel(x):\n    gl.stroe(x, 1)\n");
  auto snapshot = workspace.snapshot();
  auto file = snapshot->file(path);
  {
    FileWork work(*snapshot, file);
    int64_t until = threadNanoseconds() + 1'000'000'000;
    while (threadNanoseconds() < until)
      EXPECT_FALSE(FileWork::isStopped());
  }
  Worker worker;
  WorkerPool workers(worker);
  auto result = driver::check(*snapshot, file, workers, {});
  int64_t limit = 0;
  auto isWanted = [&](const Finding&) {
    limit = Spending::current()->limits().cpu.count();
    return true;
  };
  tryFixes(*snapshot, *file, result->findings, isWanted, workers, {});
  EXPECT_LE(limit, 750);
  EXPECT_GT(limit, 250);
}

std::vector<std::string> programs() {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(fs::path(GLUOND_SOURCE_DIR) / "tests/data/fixes"))
    if (entry.path().extension() == ".mistakes") names.push_back(entry.path().stem().string());
  llvm::sort(names);
  return names;
}

INSTANTIATE_TEST_SUITE_P(Programs, Fixes, testing::ValuesIn(programs()),
                         [](const auto& info) { return info.param; });

} // namespace
} // namespace gluond::driver
