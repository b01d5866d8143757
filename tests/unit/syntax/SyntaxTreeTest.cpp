#include "syntax/SyntaxTree.h"

#include "syntax/AstDump.h"
#include "syntax/tree/Children.h"

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

TEST_F(SyntaxTreeTest, FormatStrings) {
  EXPECT_EQ(tree("f'{x:=5}'\n"),
            "(Expr (JoinedStr [ (FormattedValue (Name x) - (JoinedStr [ \"=5\"]))]))\n");
  EXPECT_EQ(tree("f'a{x!r:>{w}}{{}}' 'b'\n"), "(Expr (JoinedStr [ \"a\" (FormattedValue (Name x) r "
                                              "(JoinedStr [ \">\" (FormattedValue (Name w) - "
                                              "-)])) \"{}b\"]))\n");
  EXPECT_EQ(tree("f'{x = }'\n"), "(Expr (JoinedStr [ \"x = \" (FormattedValue (Name x) r -)]))\n");
}

// Python 3.12, PEP 701.
TEST_F(SyntaxTreeTest, FieldsOfFormatStringsSpanLines) {
  EXPECT_EQ(tree("x = f\"{\n    3 + 4  # comment\n}\"\n"), tree("x = f\"{3 + 4}\"\n"));
  EXPECT_EQ(tree("def f():\n    return f\"a{\n        call(\n            b)\n    }c\"\n"),
            tree("def f():\n    return f\"a{call(b)}c\"\n"));
}

TEST_F(SyntaxTreeTest, SoftKeywordsAreNames) {
  EXPECT_EQ(tree("type(x).y = print\n"),
            "(Assign [ (Attribute (Call (Name type) [ (Name x)] {}) y)] (Name print))\n");
  EXPECT_EQ(tree("type X[T: int] = list[T]\n"),
            "(TypeAlias (Name X) (Subscript (Name list) (Name T)))\n");
  EXPECT_EQ(tree("match = case = 1\n"), "(Assign [ (Name match) (Name case)] (Constant int 1))\n");
}

TEST_F(SyntaxTreeTest, StarsBelongAroundWhatFollows) {
  EXPECT_EQ(tree("f(*a.b(c)[0] + d, *e or g)\n"),
            "(Expr (Call (Name f) [ (Starred (Add (Subscript (Call (Attribute (Name a) b) [ (Name "
            "c)] {}) "
            "(Constant int 0)) (Name d))) (Starred (Or [ (Name e) (Name g)]))] {}))\n");
}

// tree-sitter's grammar knows a star before a name only.
TEST_F(SyntaxTreeTest, StarsBeforeAnythingInTuplesWithoutParentheses) {
  EXPECT_EQ(tree("y = *(1, 2), 3\n"),
            "(Assign [ (Name y)] (Tuple [ (Starred (Tuple [ (Constant int "
            "1) (Constant int 2)])) (Constant int 3)]))\n");
  EXPECT_EQ(tree("a, *f'{b}', *-c + d, *await e, *[]\n"),
            tree("(a, *f'{b}', *-c + d, *await e, *[])\n"));
  for (const char* text :
       {"def f(): return *(a), b\n", "def f(): yield b, *[a]\n", "for x in *(a), b: pass\n",
        "x[*(a), 1:2] = 1\n", "x += *{a},\n", "x: int = *'a', 1\n", "x = (a,\n  *(b))\n",
        "x = y[a, # c\n  *(b)]\n", "xreturn *(a)\n", "x = 3 *(a)\n", "x = y[0] *(a)\n"})
    EXPECT_TRUE(parse(text)->errors().empty()) << text;
  EXPECT_EQ(tree("xreturn *(a)\n"), "(Expr (Mult (Name xreturn) (Name a)))\n");
}

// The grammar puts `as` into what stands at the end of the context.
TEST_F(SyntaxTreeTest, AliasesOfConditionsAndLambdas) {
  EXPECT_EQ(dump(*parse("with a if b else c as d: pass\n")),
            "(With@0-29 (IfExp@5-18 (Name@10-11 b) (Name@5-6 a) (Name@17-18 c)) (Name@22-23 d) [\n"
            "  (Pass@25-29)])\n");
  for (const char* text :
       {"with lambda x: x or y as z: pass\n", "with (a if b else not c as d, e as f): pass\n",
        "try: pass\nexcept a if b else c as d: pass\n"})
    EXPECT_TRUE(parse(text)->errors().empty()) << text;
}

// The search by place looks at the children next to it alone; looking at all of them finds the
// same.
TEST_F(SyntaxTreeTest, ValuesOfAssignmentExpressionsAreWholeConditions) {
  EXPECT_EQ(tree("x = (a := b if c else d)\n"), tree("x = (a := (b if c else d))\n"));
  EXPECT_EQ(tree("f(a := b if c else d, e)\n"), tree("f((a := (b if c else d)), e)\n"));
  EXPECT_EQ(tree("x = [a := b if c else d for c in e]\n"),
            tree("x = [(a := (b if c else d)) for c in e]\n"));
}

TEST_F(SyntaxTreeTest, TuplesOfStarsAreOneContext) {
  EXPECT_EQ(tree("with (*a, b): pass\n"), tree("with ((*a, b)): pass\n"));
}

TEST_F(SyntaxTreeTest, PathsAreThoseOfASearchThroughAllChildren) {
  auto parsed = parse("@a.b\n@c(1, *d, k=e)\ndef f(x: int = 1, *y, **z) -> g:\n"
                      "  '''doc'''\n  h, (i, *j) = k[1:2, ...], not l if m else -n\n"
                      "  x = f'{a!r:>{w}} {b=}' 'c'\n"
                      "class C(A, B, metaclass=M):\n  @p\n  def q(self): return self.r()(s)[t]\n"
                      "  async def u(): await v\n"
                      "try: a; b; c\nexcept (E, F) as e: raise G from h\nelse: pass\nfinally: z\n"
                      "for a, b in c, d: print(a < b <= c, (x := 5))\nelse: pass\n"
                      "with a as b, c: del d, e\n"
                      "x = [a for b in c if d if e for f in g]; y = {1: 2, **z}; w = {1, 2}\n"
                      "match a:\n  case [1, b] if c: d\n  case _: lambda x, y=1: x + y * z\n"
                      "while (a and b or c): break\nassert a, b\n");
  ASSERT_TRUE(parsed->errors().empty());
  auto search = [&](text::Offset offset) {
    llvm::SmallVector<const Node*, 16> path;
    const Node* inside = nullptr;
    auto consider = [&](const Node& node) {
      auto length = [](const Node& n) { return n.range.end - n.range.begin; };
      if (rangeWithDecorators(node).touches(offset) && (!inside || length(node) < length(*inside)))
        inside = &node;
    };
    for (const Stmt* stmt : parsed->body())
      consider(*stmt);
    while (inside) {
      const Node* parent = inside;
      path.push_back(parent);
      inside = nullptr;
      forEachChild(*parent, consider);
    }
    return path;
  };
  for (text::Offset at = 0; at <= parsed->source().size(); ++at)
    EXPECT_EQ(pathTo(parsed->body(), at), search(at)) << at;
}

TEST_F(SyntaxTreeTest, DocstringsAreCleaned) {
  auto parsed =
      parse("\"\"\"One.\n\n    Two.\n      Three.\n    \"\"\"\ndef f():\n\t'''\n\tA\n\t  B'''\n");
  EXPECT_EQ(parsed->docstring(), "One.\n\nTwo.\n  Three.");
  EXPECT_EQ(llvm::cast<FunctionDef>(parsed->body()[1])->docstring, "A\n  B");
}

} // namespace
