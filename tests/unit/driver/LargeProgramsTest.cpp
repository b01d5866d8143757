// Programs with thousands of launches, arguments, directives or mistakes: what they cost grows with
// their size, not with its square. Each of these took many seconds when it did.
#include "diagnostics/Table.h"
#include "driver/analysis/Check.h"
#include "driver/hostfixes/Advice.h"
#include "driver/workspace/File.h"
#include "support/ThreadClock.h"

#include <gtest/gtest.h>

namespace gluond::driver {
namespace {

std::string times(size_t copies, llvm::StringRef line) {
  std::string text;
  for (size_t i = 0; i < copies; ++i)
    for (char each : line)
      text += each == '#' ? std::to_string(i) : std::string(1, each);
  return text;
}

std::vector<Finding> findingsOf(const std::string& program) {
  Settings settings;
  settings.analysisSeconds = 1000; // what is measured is not what stops it
  settings.analysisMegabytes = 4000;
  Workspace workspace(settings);
  workspace.open("/w/a.py", 1,
                 "from triton.experimental import gluon\n"
                 "from triton.experimental.gluon import language as gl\nimport torch\n" +
                     program);
  Worker worker;
  auto snapshot = workspace.snapshot();
  int64_t began = threadNanoseconds();
  auto checked = check(*snapshot, snapshot->file("/w/a.py"), worker, {});
  constexpr int64_t mostSeconds = 8; // under sanitizers, on a busy machine
  EXPECT_LT((threadNanoseconds() - began) / 1'000'000'000, mostSeconds);
  return checked->findings;
}

size_t count(const std::vector<Finding>& findings, llvm::StringRef code) {
  return static_cast<size_t>(llvm::count_if(findings, [&](const Finding& each) {
    return diagnostics::slug(each.diagnostic.id) == code;
  }));
}

TEST(LargePrograms, ALaunchOfManyArguments) {
  findingsOf("a = 1\n@gluon.jit\ndef k(" + times(70'000, "p#,") + "): pass\nk[(1,)](" +
             times(70'000, "a,") + ")\n");
}

// What is proposed for a buffer depends on all its accesses, and is searched for once.
TEST(LargePrograms, BankConflictsOfOneBuffer) {
  auto findings = findingsOf(
      "@gluon.jit\ndef k():\n"
      "    B: gl.constexpr = gl.BlockedLayout([1, 4], [8, 4], [4, 1], [1, 0])\n"
      "    C: gl.constexpr = gl.BlockedLayout([4, 1], [4, 8], [1, 4], [0, 1])\n"
      "    s = gl.allocate_shared_memory(gl.float32, [64, 64], "
      "gl.SwizzledSharedLayout(1, 1, 1, [1, 0]))\n"
      "    a = gl.zeros([64, 64], gl.float32, B)\n" +
      times(300, "    s.store(a)\n    a = gl.convert_layout(s.load(C), B)\n") + "    s.store(a)\n");
  EXPECT_GE(count(findings, "bank-conflict"), 300u);
}

// So is a layout for global accesses at the same strides.
TEST(LargePrograms, UncoalescedAccesses) {
  auto findings =
      findingsOf("@gluon.jit\ndef k(p, stride):\n"
                 "    B: gl.constexpr = gl.BlockedLayout([4, 1], [8, 4], [1, 4], [0, 1])\n"
                 "    rows = gl.arange(0, 128, gl.SliceLayout(1, B))[:, None]\n"
                 "    at = rows * 4096 + gl.arange(0, 128, gl.SliceLayout(0, B))[None, :]\n" +
                 times(200, "    gl.store(p + at + #, gl.load(p + at))\n"));
  EXPECT_GE(count(findings, "uncoalesced"), 200u);
}

TEST(LargePrograms, ImportsOfImportsInOneLine) {
  findingsOf(times(70'000, "import a.") + "b\n@gluon.jit\ndef k(n): pass\n");
}

TEST(LargePrograms, DirectivesBeyondHundredsAreRefused) {
  std::string directives;
  for (size_t i = 0; i < 300; ++i)
    directives += "# gluond: launch(n=" + std::to_string(i) + ")\n";
  auto findings = findingsOf(directives + "@gluon.jit\ndef k(n: gl.constexpr): pass\n");
  ASSERT_EQ(count(findings, "launch-argument"), 1u);
}

TEST(LargePrograms, NamesThatAreNotDefinedAmongMany) {
  auto findings = findingsOf(times(40'000, "y# = nope#\n") + "@gluon.jit\ndef k(n): pass\n");
  EXPECT_GT(count(findings, "module-exception"), 500u);
}

// Each finding with a fix asks for it.
TEST(LargePrograms, TheHashOfATextIsComputedOnce) {
  File file("/w/a.py", diagnostics::FileId{}, 1, text::SourceText(std::string(16 << 20, 'a')));
  int64_t began = threadNanoseconds();
  for (size_t i = 0; i < 100'000; ++i)
    ASSERT_EQ(file.hash(), file.hash());
  EXPECT_LT((threadNanoseconds() - began) / 1'000'000'000, 8);
}

TEST(Advice, IsLessInLargeFiles) {
  Advice small(1000), large(size_t{1} << 30);
  for (size_t i = 0; i < 200; ++i)
    EXPECT_TRUE(small.take());
  EXPECT_FALSE(small.take());
  EXPECT_TRUE(large.take());
  EXPECT_TRUE(large.take() && large.take() && large.take());
  EXPECT_FALSE(large.take());
}

} // namespace
} // namespace gluond::driver
