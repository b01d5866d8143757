// Broken text: every mistake is reported at its line, and everything intact is in the tree.
#include "../../support/Expectations.h"
#include "syntax/AstDump.h"
#include "syntax/SyntaxTree.h"

#include <llvm/Support/MemoryBuffer.h>

#include <filesystem>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace gluond;
using namespace gluond::syntax;

namespace {

struct RecoveryTest : testing::Test {
  Interner interner;
  SyntaxTree::Ptr parse(std::string text) {
    return SyntaxTree::parse(std::make_shared<text::SourceText>(std::move(text)), {}, interner);
  }
  SyntaxTree::Ptr parseFile(const std::filesystem::path& path) {
    auto buffer = llvm::MemoryBuffer::getFile(path.string());
    return parse(buffer ? (*buffer)->getBuffer().str() : "");
  }
  std::string tree(std::string text) { return dump(*parse(std::move(text)), {.ranges = false}); }
  std::vector<std::string> definitions(const SyntaxTree& tree) {
    std::vector<std::string> names;
    for (const Stmt* stmt : tree.body()) {
      if (auto* def = llvm::dyn_cast<FunctionDef>(stmt))
        names.push_back(interner.text(def->name.name).str());
      if (auto* cls = llvm::dyn_cast<ClassDef>(stmt))
        names.push_back(interner.text(cls->name.name).str());
    }
    return names;
  }
};

TEST_F(RecoveryTest, AnnotatedFiles) {
  unsigned files = 0;
  for (const auto& entry :
       std::filesystem::directory_iterator(GLUOND_SOURCE_DIR "/tests/data/syntax")) {
    auto tree = parseFile(entry.path());
    expectDiagnostics(tree->source(), tree->errors(), entry.path().string());
    ++files;
  }
  EXPECT_GE(files, 4u);
}

TEST_F(RecoveryTest, EveryFunctionOfABrokenFileIsThere) {
  EXPECT_THAT(definitions(*parseFile(GLUOND_SOURCE_DIR "/tests/data/syntax/brackets.py")),
              testing::ElementsAre("first", "second", "third", "Fourth", "last"));
  EXPECT_THAT(definitions(*parse("def a():\n    '''doc\n    x = 1\n\ndef b():\n    '''doc'''\n    "
                                 "return 1\n\n@c.d\ndef e(): pass\n")),
              testing::ElementsAre("a", "b", "e"));
}

// tree-sitter takes the next line for the rest of the statement, at any depth of blocks.
TEST_F(RecoveryTest, LinesThatEndAmidAreErrorsInEveryBlock) {
  const char* lines[] = {"a =",         "a = 1 +",   "a = gl.",  "a +=",     "a: int =",
                         "a = not",     "a = b and", "a, b =",   "assert",   "a = b if c else",
                         "a = [1][0].", "a = b <",   "x.y =",    "a = b **", "a = b is not",
                         "print(1) or", "a = 'x' %", "a = (b).", "a = -"};
  const char* blocks[] = {"",
                          "def f():\n",
                          "def f():\n    if x:\n",
                          "def f():\n    for i in r:\n        while y:\n",
                          "class A:\n    def f(self):\n        with z:\n            try:\n",
                          "if x:\n    if y:\n        pass\n    else:\n"};
  for (const char* line : lines)
    for (const char* block : blocks) {
      llvm::StringRef header = block;
      std::string indent(4 * header.count(':'), ' ');
      if (header.ends_with("else:\n")) indent.resize(8);
      std::string text = header.str() + indent + line + "\n" + indent + "c = 2\n";
      if (header.contains("try")) text += indent.substr(4) + "finally: pass\n";
      auto parsed = parse(text);
      ASSERT_EQ(parsed->errors().size(), 1u) << text;
      EXPECT_EQ(parsed->source().lineOf(parsed->errors().front().location.range.begin),
                header.count('\n'))
          << text;
      EXPECT_NE(dump(*parsed, {.ranges = false}).find("(Assign [ (Name c)] (Constant int 2))"),
                std::string::npos)
          << text;
    }
}

TEST_F(RecoveryTest, WhatIsThereOfALineIsSeen) {
  EXPECT_EQ(tree("x = gl.load(ptr + , mask=\n"),
            "(Assign [ (Name x)] (Call (Attribute (Name gl) load) [ (Add (Name ptr) (ErrorExpr))] "
            "{ mask=(ErrorExpr)}))\n");
  EXPECT_EQ(tree("gl.\n"), "(Expr (Attribute (Name gl) -))\n");
  EXPECT_EQ(tree("x = y z\n"), "(Assign [ (Name x)] (ErrorExpr))\n");
  EXPECT_EQ(tree("def f(a, b\n    return a\n"),
            "(FunctionDef f [] < a: a a: b> - \"\" [\n  (Return (Name a))])\n");
  EXPECT_EQ(tree("if x\n    y\nelif z\n    w\nelse\n    v\n"),
            "(If (Name x) [\n  (Expr (Name y))] [\n  (If (Name z) [\n    (Expr (Name w))] [\n    "
            "(Expr (Name v))])])\n");
  EXPECT_EQ(tree("@a.\n@b\ndef f(): pass\n"),
            "(FunctionDef f [ (Attribute (Name a) -) (Name b)] <> - \"\" [\n  (Pass)])\n");
}

TEST_F(RecoveryTest, ABrokenStatementLeavesItsNeighbours) {
  EXPECT_EQ(tree("def f(x):\n    a = 1\n    b = 1 2\n    if a:\n        c = )\n        d = 3\n    "
                 "return d\n"),
            "(FunctionDef f [] < a: x> - \"\" [\n  (Assign [ (Name a)] (Constant int 1))\n  "
            "(Assign [ (Name b)] (ErrorExpr))\n"
            "  (If (Name a) [\n    (Assign [ (Name c)] (ErrorExpr))\n    (Assign [ (Name d)] "
            "(Constant int 3))] [])\n"
            "  (Return (Name d))])\n");
}

// tree-sitter would read on in the next line.
TEST_F(RecoveryTest, ALineThatWantsMoreDoesNotTakeTheNext) {
  for (std::string half : {"gl.", "x =", "x +=", "x: ", "f(a).", "a.b.", "x = gl.", "x = a +",
                           "x = a *", "x = a and", "x = not", "x = a if b else", "x = a <",
                           "x = await", "x = a in", "return not", "f(a) @", "x = lambda"}) {
    auto broken = parse("def k():\n    " + half + "\n    y = gl.load(p)\n    z = 2\n");
    ASSERT_EQ(broken->errors().size(), 1u) << half;
    EXPECT_EQ(broken->source().position(broken->errors()[0].location.range.begin).line, 1u) << half;
    EXPECT_THAT(
        dump(*broken, {.ranges = false}),
        testing::HasSubstr("(Assign [ (Name y)] (Call (Attribute (Name gl) load) [ (Name p)] {}))"))
        << half;
  }
  // Right as it is.
  for (std::string whole :
       {"x = 1.", "x = ...", "x = 0.5 + 2.", "if x: pass\n    else:\n        y = 1.",
        "x = (1\n    .real)", "x = a \\\n    .b", "lambda_ = [lambda: 1]", "x = 'a +'",
        "x = a.b  # and", "x = (a +\n    b)", "x = brand", "return", "yield", "x = None",
        "x = a + \\\n    b"})
    EXPECT_TRUE(parse("def k():\n    " + whole + "\n    z = 2\n")->errors().empty()) << whole;
}

TEST_F(RecoveryTest, OtherEncodings) {
  auto plain = parse("x = '\xE4'\n");
  ASSERT_EQ(plain->errors().size(), 1u);
  EXPECT_EQ(plain->errors()[0].id, diagnostics::Id::InvalidUtf8);
  EXPECT_EQ(plain->errors()[0].severity, diagnostics::Severity::Error);
  auto declared = parse("# -*- coding: latin-1 -*-\nx = '\xE4'\n");
  ASSERT_EQ(declared->errors().size(), 1u);
  EXPECT_EQ(declared->errors()[0].severity, diagnostics::Severity::Information); // Python reads it
  auto nul = parse(std::string("x = 1 # \0\ny = \0\n", 16));
  ASSERT_EQ(nul->errors().size(), 2u);
  EXPECT_EQ(nul->errors()[0].id, diagnostics::Id::NullByte);
}

TEST_F(RecoveryTest, TooMuchNesting) {
  auto brackets = parse("x = " + std::string(300, '(') + std::string(300, ')') + "\n");
  ASSERT_FALSE(brackets->errors().empty());
  EXPECT_EQ(brackets->errors()[0].id, diagnostics::Id::TooManyBrackets);
  std::string sum = "x = a";
  for (int i = 0; i < 2000; ++i)
    sum += " + a";
  auto deep = parse(sum + "\n");
  ASSERT_EQ(deep->errors().size(), 1u);
  EXPECT_EQ(deep->errors()[0].id, diagnostics::Id::NestingTooDeep);
  EXPECT_EQ(deep->errors()[0].severity, diagnostics::Severity::Information); // Python accepts it
}

} // namespace
