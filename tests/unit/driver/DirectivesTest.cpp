#include "driver/program/Directives.h"

#include "syntax/SyntaxTree.h"

#include <gtest/gtest.h>

namespace gluond::driver {
namespace {

std::vector<Directive> directives(const std::string& text) {
  Interner names;
  auto source = std::make_shared<text::SourceText>(text);
  auto tree = syntax::SyntaxTree::parse(source, {}, names);
  for (const syntax::Stmt* stmt : tree->body())
    if (auto* def = llvm::dyn_cast<syntax::FunctionDef>(stmt)) {
      auto found = directivesOf(*def, *source);
      for (const Directive& directive :
           found) // what toFile() says must be the same text, line by line
        for (text::Offset i = 0; i < directive.call.size(); ++i)
          if (directive.call[i] != '\n') {
            EXPECT_EQ(directive.call[i], text[directive.toFile(i)]) << i;
          }
      return found;
    }
  return {};
}

TEST(Directives, aboveTheDecorators) {
  auto found = directives(
      "import x\n\n# Copies.\n# gluond: launch(a=\"*fp32\", B=4)\n@jit\ndef k(a, B): pass\n");
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].call, "launch(a=\"*fp32\", B=4)");
  EXPECT_TRUE(found[0].isClosed);
}

TEST(Directives, severalAndBetween) {
  auto found = directives("#gluond: launch(B=1)\n# gluond: launch(B=2) trailing words\n@jit\n#   "
                          "gluond:launch(B=3)\ndef k(B): pass\n");
  ASSERT_EQ(found.size(), 3u);
  EXPECT_EQ(found[1].call, "launch(B=2)");
  EXPECT_EQ(found[2].call, "launch(B=3)");
}

TEST(Directives, overSeveralLines) {
  auto found = directives("# gluond: launch(a=\")(\",\n#                 B=[1,\n#   2])\n# "
                          "more\n@jit\ndef k(a, B): pass\n");
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].call, "launch(a=\")(\",\n                 B=[1,\n   2])");
}

TEST(Directives, neverClosed) {
  auto found = directives("# gluond: launch(a=1,\n@jit\ndef k(a): pass\n");
  ASSERT_EQ(found.size(), 1u);
  EXPECT_FALSE(found[0].isClosed);
}

TEST(Directives, onlyDirectlyAbove) {
  EXPECT_TRUE(directives("# gluond: launch(a=1)\n\n@jit\ndef k(a): pass\n").empty());
  EXPECT_TRUE(directives("@jit\ndef k(a):\n  # gluond: launch(a=1)\n  pass\n").empty());
  EXPECT_TRUE(directives("# gluond is nice, launch(a=1)\n@jit\ndef k(a): pass\n").empty());
  EXPECT_TRUE(directives("def k(a): pass\n").empty());
}

} // namespace
} // namespace gluond::driver
