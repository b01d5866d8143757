#include "syntax/SyntaxTree.h"

#include "syntax/AstDump.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace gluond;
using namespace gluond::syntax;

namespace {

struct SyntaxTreeTest : testing::Test {
  Interner interner;
  SyntaxTree::Ptr parse(std::string text) {
    return SyntaxTree::parse(std::make_shared<text::SourceText>(std::move(text)), {}, interner);
  }
  std::string tree(std::string text) { return dump(*parse(std::move(text)), {.ranges = false}); }
};

TEST_F(SyntaxTreeTest, RangesAreCPythons) {
  EXPECT_EQ(dump(*parse("(a + b) * c\n")),
            "(Expr@0-11 (Mult@0-11 (Add@1-6 (Name@1-2 a) (Name@5-6 b)) (Name@10-11 c)))\n");
}

TEST_F(SyntaxTreeTest,
       PrecedenceOfXorAndAnd) { // tree-sitter's grammar has these two the wrong way round
  EXPECT_EQ(tree("a ^ b & c\n"), "(Expr (BitXor (Name a) (BitAnd (Name b) (Name c))))\n");
  EXPECT_EQ(tree("a | b ^ c & d << e + f * -g ** h\n"),
            "(Expr (BitOr (Name a) (BitXor (Name b) (BitAnd (Name c) (LShift (Name d) (Add (Name "
            "e) (Mult (Name f) "
            "(USub (Pow (Name g) (Name h))))))))))\n");
}

TEST_F(SyntaxTreeTest, Literals) {
  EXPECT_EQ(
      tree("0x_ff, 1_000, 0b11, 0o17, 99999999999999999999, 1.5e3, 2j\n"),
      "(Expr (Tuple [ (Constant int 255) (Constant int 1000) (Constant int 3) (Constant int 15) "
      "(Constant int 99999999999999999999) (Constant float 1500) (Constant complex 2)]))\n");
  EXPECT_EQ(tree(R"('a\n' "\x41\u00e9" r'\n' b'\xff')"
                 "\n"),
            "(Expr (Constant bytes \"a\\0aA\\c3\\a9\\5cn\\ff\"))\n"); // mixing bytes is reported,
                                                                      // its value is the bytes
}

} // namespace
