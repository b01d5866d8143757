#include "driver/program/FileWork.h"

#include "diagnostics/Table.h"
#include "driver/analysis/Check.h"
#include "driver/program/EvaluatedFile.h"
#include "support/Parallel.h"

#include <atomic>
#include <gmock/gmock.h>
#include <thread>

namespace gluond::driver {
namespace {

using testing::Contains;
using testing::Not;

const std::string kernels = "from triton.experimental import gluon\n"
                            "from triton.experimental.gluon import language as gl\n\n"
                            "@gluon.jit\ndef one(x):\n    gl.store(x, 1)\n\n"
                            "@gluon.jit\ndef two(x):\n    gl.store(x, y)\n\n"
                            "one[(1,)](None)\ntwo[(1,)](None)\n";

class FileWorkTest : public testing::Test {
protected:
  static Settings settings(uint64_t seconds) {
    Settings made;
    made.analysisSeconds = seconds;
    return made;
  }
  std::vector<std::string> codes() {
    std::vector<std::string> result;
    auto snapshot = workspace.snapshot();
    auto checked = check(*snapshot, snapshot->file(path), worker, {});
    for (const Finding& finding : checked->findings)
      result.push_back(diagnostics::slug(finding.diagnostic.id).str());
    return result;
  }
  std::shared_ptr<const EvaluatedFile> program() {
    auto snapshot = workspace.snapshot();
    return EvaluatedFile::of(*snapshot, snapshot->file(path), "cuda:90", "", {});
  }

  std::string path = "/w/a.py";
  Workspace workspace{settings(0)}; // no time at all
  Worker worker;
};

TEST_F(FileWorkTest, whatCostsTooMuchIsSaidAndIsNobodysMistake) {
  workspace.open(path, 1, kernels);
  auto said = codes();
  EXPECT_THAT(said, Contains("budget-exhausted"));
  EXPECT_THAT(said, Not(Contains("undefined-name")));
  workspace.changeSettings(settings(60));
  EXPECT_THAT(codes(), Contains("undefined-name")) << "other limits are another try";
}

TEST_F(FileWorkTest, aFileThatCostTooMuchStaysSoUntilItChanges) {
  workspace.open(path, 1, kernels);
  codes();
  auto file = workspace.snapshot()->file(path);
  auto first = program();
  FileWork work(*workspace.snapshot(), file);
  EXPECT_TRUE(FileWork::isStopped()) << "the next request ends at once";
  EXPECT_EQ(program(), first) << "nor is it evaluated again";
  workspace.change(path, 2, text::SourceText(kernels + "\n"));
  EXPECT_NE(program(), first);
}

TEST_F(FileWorkTest, anImportThatChangesIsAnotherTry) {
  workspace.open("/w/b.py", 1, "N = 1\n");
  workspace.open(path, 1, "import b\n" + kernels);
  workspace.changeSettings(settings(60));
  ASSERT_EQ(program()->parts().size(), 2u);
  workspace.changeSettings(settings(0));
  auto file = workspace.snapshot()->file(path);
  Allowance::Limits limits = limitsOf(settings(0));
  auto spend = [&] {
    FileWork work(*workspace.snapshot(), file);
    EXPECT_TRUE(FileWork::isStopped());
    return file->allowance(limits);
  };
  auto spent = spend();
  EXPECT_EQ(spend(), spent);
  workspace.change("/w/b.py", 2, text::SourceText("N = 2\n"));
  EXPECT_NE(spend(), spent);
}

TEST_F(FileWorkTest, whatEndsInTimeIsForgiven) {
  workspace.changeSettings(settings(60));
  workspace.open(path, 1, kernels);
  auto file = workspace.snapshot()->file(path);
  Allowance::Limits limits = limitsOf(settings(60));
  std::weak_ptr<Allowance> first;
  {
    FileWork work(*workspace.snapshot(), file);
    first = file->allowance(limits);
    std::thread([&] {
      FileWork other(*workspace.snapshot(), file);
      EXPECT_EQ(file->allowance(limits), first.lock()) << "all that work on it share one";
    }).join();
    EXPECT_EQ(file->allowance(limits), first.lock()) << "work that ends meanwhile refunds nothing";
  }
  EXPECT_TRUE(first.expired());
}

// Two versions are there at the same time, until the second has results of its own.
TEST_F(FileWorkTest, aVersionHasTheMemoryThatTheOneBeforeLeaves) {
  workspace.changeSettings(settings(60));
  workspace.open(path, 1, kernels);
  std::unique_ptr<char[]> kept;
  auto workOn = [&](size_t mebibytes) {
    auto snapshot = workspace.snapshot();
    FileWork work(*snapshot, snapshot->file(path));
    size_t limit = Spending::current()->limits().bytes >> 20;
    if (mebibytes > 0) kept = std::make_unique<char[]>(mebibytes << 20);
    return limit;
  };
  EXPECT_EQ(workOn(100), 448u);
  EXPECT_EQ(workOn(0), 448u) << "the same version";
  workspace.change(path, 2, text::SourceText(kernels + "\n"));
  EXPECT_THAT(workOn(0), testing::AllOf(testing::Ge(340u), testing::Le(348u)));
  kept = nullptr;
  workspace.change(path, 3, text::SourceText(kernels));
  EXPECT_LE(workOn(400), 348u) << "nothing replaces the first version's results yet";
  workspace.change(path, 4, text::SourceText(kernels + "\n"));
  EXPECT_EQ(workOn(0), 112u) << "a quarter of it at least";
}

// The requests that an editor sends afterwards walk through the text.
TEST_F(FileWorkTest, analysisOfALongDocumentHasLessTime) {
  workspace.changeSettings(settings(2));
  auto snapshot = workspace.snapshot();
  auto limit = [&](size_t mebibytes, std::optional<int32_t> version) {
    text::SourceText text(std::string((mebibytes << 20) + 1000, '#'));
    auto file = std::make_shared<File>(path, diagnostics::FileId{}, version, std::move(text));
    FileWork work(*snapshot, file);
    return Spending::current()->limits().cpu.count();
  };
  EXPECT_EQ(limit(0, 1), 1750);
  EXPECT_LT(limit(3, 1), 1000);
  EXPECT_GE(limit(15, 1), 800);
  EXPECT_EQ(limit(15, std::nullopt), 1750);
}

TEST_F(FileWorkTest, workInsideOtherWorkIsPaidByThat) {
  workspace.open(path, 1, kernels);
  Allowance ample{Allowance::Limits{std::chrono::hours(1), size_t{8} << 30}};
  Spending spending(&ample);
  EXPECT_THAT(codes(), Contains("undefined-name"));
}

TEST_F(FileWorkTest, threadsOfATaskPayForIt) {
  Allowance allowance{Allowance::Limits{}};
  Spending spending(&allowance);
  std::atomic<unsigned> paid{0};
  forEachInParallel(8, 4, [&](size_t, unsigned) { paid += Spending::current() == &allowance; });
  EXPECT_EQ(paid, 8u);
}

TEST_F(FileWorkTest, aTextInQuarantineIsNotEvaluated) {
  workspace.changeSettings(settings(60));
  workspace.open(path, 1, kernels);
  workspace.quarantine(path, {workspace.snapshot()->file(path)->hash(), "it crashed"});
  auto snapshot = workspace.snapshot();
  auto found = check(*snapshot, snapshot->file(path), worker, {})->findings;
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].diagnostic.severity, diagnostics::Severity::Warning);
  EXPECT_NE(found[0].diagnostic.message.find("it crashed"), std::string::npos);
  EXPECT_TRUE(kernelsOf(*snapshot, snapshot->file(path), {})->kernels.empty());
  EXPECT_EQ(program()->kernel("one"), nullptr);
  workspace.change(path, 2, text::SourceText(kernels + "\n"));
  EXPECT_THAT(codes(), Contains("undefined-name"));
}

TEST_F(FileWorkTest, aClosedDocumentLeavesNoProgram) {
  workspace.changeSettings(settings(60));
  workspace.open(path, 1, kernels);
  std::weak_ptr<const EvaluatedFile> kept = program();
  EXPECT_FALSE(kept.expired());
  workspace.close(path);
  EXPECT_TRUE(kept.expired());
}

TEST_F(FileWorkTest, oneVersionKeepsOneProgram) {
  workspace.changeSettings(settings(60));
  workspace.open(path, 1, "N = 1\n" + kernels);
  std::weak_ptr<const EvaluatedFile> before = program();
  workspace.change(path, 2, text::SourceText("N = 2\n" + kernels));
  program();
  workspace.snapshot();
  EXPECT_TRUE(before.expired());
}

} // namespace
} // namespace gluond::driver
