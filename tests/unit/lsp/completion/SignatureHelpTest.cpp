#include "CompletionFixture.h"
#include "lsp/features/completion/CursorContext.h"

#include <gmock/gmock.h>

namespace gluond::lsp {
namespace {

TEST(SignatureHelp, methodsAndConstructors) {
  EXPECT_TRUE(signature(kernel("  smem.store(^)\n"))->label.starts_with("store(value"));
  EXPECT_EQ(signature(kernel("  ring.slot(^)\n"))->label, "slot(i)");
  EXPECT_TRUE(signature(kernel("  y = (rows + 1).to(^)\n"))->label.starts_with("to(dtype"));
  EXPECT_EQ(signature(kernel("  Ring(smem, ^)\n"))->label,
            "Ring(buffer: ttgl.shared_memory_descriptor, count: ttgl.constexpr)");
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

TEST(SignatureHelp, functionsOfPythonInKernels) {
  auto inKernel = [](llvm::StringRef call) {
    auto help = signature(("@gluon.jit\ndef k(n):\n    " + call + "\n").str());
    return help ? help->label + " " + std::to_string(help->active) : "none";
  };
  EXPECT_EQ(inKernel("for i in range(^): pass"), "range(stop) 0");
  EXPECT_EQ(inKernel("for i in range(0, ^): pass"), "range(start, stop, step=1) 1");
  EXPECT_EQ(inKernel("x = max(n, ^)").substr(0, 11), "max(*values");
  EXPECT_EQ(inKernel("x = len(^)"), "len(object) 0");
  EXPECT_EQ(inKernel("x = sorted(^)"), "none"); // no kernel can call it
  EXPECT_FALSE(signature("x = range(^)\n"));    // Python's own server says it
}

TEST(CursorContext, everyOffsetOfAnyTextIsSurvived) {
  for (llvm::StringRef text :
       {"f(a[b](c={'d': e", "'''", "\"a\\", "x.y.(z.", "))]]", "a=b==c", "\xff\xfe(",
        "kernel[grid](a, b=1)(c", "f'{a[{", "rf\"\"\"{{}{x:{y", "f'{f\"{"})
    for (text::Offset offset = 0; offset <= text.size() + 2; ++offset)
      contextAt(text::SourceText(text.str()), offset);
}

TEST(CursorContext, openBracketsWithoutEndAreCounted) {
  std::string deep(100'000, '(');
  auto callsAt = [](std::string text) { return contextAt(text::SourceText(text), ~0u).calls; };
  EXPECT_TRUE(callsAt("f(a, " + deep).empty());
  auto calls = callsAt("f(a, " + deep + std::string(deep.size(), ')') + ", k=");
  ASSERT_EQ(calls.size(), 1u);
  EXPECT_EQ(calls[0].argument, 2u);
  EXPECT_EQ(calls[0].keyword, "k");
}

} // namespace
} // namespace gluond::lsp
