#include "lsp/features/Completion.h"

#include "lsp/features/Meaning.h"
#include "support/MarkedSource.h"

#include <gmock/gmock.h>

namespace gluond::lsp {
namespace {

using testing::Contains;
using testing::IsEmpty;
using testing::Not;

const std::string imports = "from triton.experimental import gluon\nfrom triton.experimental.gluon "
                            "import language as ttgl\n"
                            "import triton.experimental.gluon.language as gl2\nimport triton\n";

struct Opened {
  MarkedSource source;
  driver::Workspace workspace{driver::Settings{}};
  std::shared_ptr<const driver::Snapshot> snapshot;
  explicit Opened(llvm::StringRef marked) : source(imports + marked.str()) {
    workspace.open("/w/a.py", 1, source.text);
    snapshot = workspace.snapshot();
  }
  const driver::File& file() { return *snapshot->file("/w/a.py"); }
};

std::vector<std::string> labels(llvm::StringRef marked) {
  Opened opened(marked);
  std::vector<std::string> result;
  for (const Completion& item :
       completionsAt(*opened.snapshot, opened.file(), opened.source.point(), {}).items)
    result.push_back(item.label);
  return result;
}

std::optional<Signature> signature(llvm::StringRef marked) {
  Opened opened(marked);
  return signatureAt(*opened.snapshot, opened.file(), opened.source.point(), {});
}

TEST(Completion, membersOfNamespacesUnderAnyAlias) {
  EXPECT_THAT(labels("x = ttgl.lo^"), Contains("load"));
  EXPECT_THAT(labels("x = gl2.^\n"), Contains("BlockedLayout"));
  EXPECT_THAT(labels("x = triton.experimental.gluon.language.^\n"), Contains("arange"));
  EXPECT_THAT(labels("def f():\n  ttgl.nvidia.^\n  return 1\n"), Contains("hopper"));
  EXPECT_THAT(labels("x = ttgl.nvidia.hopper.tma.^"), Not(IsEmpty()));
  EXPECT_THAT(labels("x = other.^\n"), IsEmpty());
  EXPECT_THAT(labels("def f(ttgl):\n  return ttgl.^\n"), IsEmpty()); // shadowed
}

TEST(Completion, importLines) {
  EXPECT_THAT(labels("from triton.experimental.gluon.language.nvidia.hopper import tm^"),
              Contains("tma"));
  EXPECT_THAT(labels("from triton.experimental.gluon import ^"), Contains("jit"));
  EXPECT_THAT(labels("import triton.experimental.gl^"), Contains("gluon"));
}

TEST(Completion, namesInScope) {
  auto names =
      labels("TOP = 1\ndef f(arg):\n  local = 1\n  lo^\n  later = 2\ndef g(other): pass\n");
  for (const char* expected : {"TOP", "arg", "local", "later", "f", "g", "ttgl"})
    EXPECT_THAT(names, Contains(expected));
  EXPECT_THAT(names, Not(Contains("other")));
  EXPECT_THAT(names, Not(Contains("lo")));
}

TEST(Completion, argumentsOfTheCall) {
  auto names = labels("x = ttgl.load(p, mask=m, ^)\n");
  EXPECT_THAT(names, Contains("other="));
  EXPECT_THAT(names, Not(Contains("mask="))); // given already
  EXPECT_THAT(labels("def f(alpha, beta=2): pass\nf(^)\n"), Contains("beta="));
  EXPECT_THAT(labels("def k(alpha, beta): pass\nk[(1,)](^)\n"), Contains("beta="));
  EXPECT_THAT(labels("x = ttgl.load(p, mask=^)\n"), Not(Contains("other=")));
}

TEST(Completion, notInsideText) {
  EXPECT_THAT(labels("x = 'ttgl.^'\n"), IsEmpty());
  EXPECT_THAT(labels("# ttgl.^\n"), IsEmpty());
  EXPECT_THAT(labels("x = \"\"\"a\nttgl.^\n"), IsEmpty());
}

TEST(SignatureHelp, builtinAndActiveParameter) {
  auto help = signature("x = ttgl.load(p, ^");
  ASSERT_TRUE(help);
  EXPECT_TRUE(help->label.starts_with("load(pointer, mask=None")) << help->label;
  EXPECT_EQ(help->active, 1u);
  EXPECT_FALSE(help->documentation.empty());
  EXPECT_FALSE(help->parameters[1].documentation.empty());
  text::Range range = help->parameters[2].range;
  EXPECT_EQ(help->label.substr(range.begin, range.end - range.begin), "other=None");
}

TEST(SignatureHelp, keywordsNestingAndStrings) {
  EXPECT_EQ(signature("ttgl.load(p, other=^0)")->active, 2u);
  EXPECT_EQ(signature("ttgl.load(f(a, b, ')'), '(', ^")->active, 2u);
  EXPECT_TRUE(signature("ttgl.load(p, unknown(1, ^")
                  ->label.starts_with("load")); // the outer one that is known
  EXPECT_TRUE(signature("x = [ttgl.arange(0, [1, ^2])]")->label.starts_with("arange"));
}

TEST(SignatureHelp, functionsOfTheFile) {
  auto help =
      signature("def k(x_ptr, BLOCK: gl2.constexpr = 4):\n  \"\"\"Copies.\"\"\"\nk[grid](a, ^)\n");
  ASSERT_TRUE(help);
  EXPECT_EQ(help->label, "k(x_ptr, BLOCK: gl2.constexpr=4)");
  EXPECT_EQ(help->documentation, "Copies.");
  EXPECT_EQ(help->active, 1u);
  EXPECT_FALSE(signature("x = (1, ^2)\n"));
  EXPECT_FALSE(signature("f(1)\n^\n"));
}

TEST(CursorContext, everyOffsetOfAnyTextIsSurvived) {
  for (llvm::StringRef text : {"f(a[b](c={'d': e", "'''", "\"a\\", "x.y.(z.", "))]]", "a=b==c",
                               "\xff\xfe(", "kernel[grid](a, b=1)(c"})
    for (text::Offset offset = 0; offset <= text.size() + 2; ++offset)
      contextAt(text::SourceText(text.str()), offset);
}

} // namespace
} // namespace gluond::lsp
