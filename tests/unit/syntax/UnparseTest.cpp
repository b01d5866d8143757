#include "syntax/tree/Unparse.h"

#include "syntax/SyntaxTree.h"
#include "syntax/tree/Fingerprint.h"

#include <gtest/gtest.h>

using namespace gluond;
using namespace gluond::syntax;

namespace {

struct UnparseTest : testing::Test {
  Interner interner;
  SyntaxTree::Ptr tree;
  std::string of(std::string text) {
    tree = SyntaxTree::parse(std::make_shared<text::SourceText>(std::move(text)), {}, interner);
    return unparse(llvm::cast<ExprStmt>(tree->body()[0])->value, interner);
  }
};

TEST_F(UnparseTest, NormalisesAsPythonDoes) { // each right side is ast.unparse's
  EXPECT_EQ(of("a+b*(c-d)**-e"), "a + b * (c - d) ** (-e)");
  EXPECT_EQ(of("(a+b)+c, a+(b+c)"), "(a + b + c, a + (b + c))");
  EXPECT_EQ(of("not (a and b) or c"), "not (a and b) or c");
  EXPECT_EQ(of("x if y else (z if w else v)"), "x if y else z if w else v");
  EXPECT_EQ(of("f(x,*a,k=1,**kw)[1:2,None,...]"), "f(x, *a, k=1, **kw)[1:2, None, ...]");
  EXPECT_EQ(of("gl.BlockedLayout([1],[32],[4],[0])"), "gl.BlockedLayout([1], [32], [4], [0])");
  EXPECT_EQ(of("{1:2,**d}, {1}, [i for i in x if i], ()"),
            "({1: 2, **d}, {1}, [i for i in x if i], ())");
  EXPECT_EQ(of("lambda a,/,b=1,*,c: a"), "lambda a, /, b=1, *, c: a");
  EXPECT_EQ(of("a<b<=c is not d"), "a < b <= c is not d");
  EXPECT_EQ(of("(y:=f(x))"), "(y := f(x))");
  EXPECT_EQ(of("'it\\'s', b'\\xff', \"\\\"'\", 1e100, 1.0, 0x10, 2j, 1e-5"),
            "(\"it's\", b'\\xff', '\"\\'', 1e+100, 1.0, 16, 2j, 1e-05)");
  EXPECT_EQ(of("f'{a!r:>{w}} and {{}}'"), "f'{a!r:>{w}} and {{}}'");
  EXPECT_EQ(of("1 .real"), "1 .real");
  EXPECT_EQ(of("f(a, )["), "f(a)[...]");
}

TEST_F(UnparseTest, FloatsAreShortest) {
  EXPECT_EQ(pythonRepr(0.1), "0.1");
  EXPECT_EQ(pythonRepr(1e16), "1e+16");
  EXPECT_EQ(pythonRepr(123456789012345680.0), "1.2345678901234568e+17");
  EXPECT_EQ(pythonRepr(0.0001), "0.0001");
  EXPECT_EQ(pythonRepr(-0.0), "-0.0");
  EXPECT_EQ(pythonRepr(1e300 * 1e300), "inf");
}

TEST_F(UnparseTest, FingerprintsFollowTheTextOfTheFunction) {
  auto parse = [&](std::string text) {
    return SyntaxTree::parse(std::make_shared<text::SourceText>(std::move(text)), {}, interner);
  };
  auto of = [&](const SyntaxTree::Ptr& tree, size_t i) {
    return fingerprint(tree->body()[i], tree->source());
  };
  auto a = parse("@d\ndef f(): return 1\n"), b = parse("x = 1\n\n@d\ndef f(): return 1\n# end\n"),
       c = parse("@e\ndef f(): return 1\n");
  EXPECT_EQ(of(a, 0), of(b, 1));
  EXPECT_NE(of(a, 0), of(c, 0));
}

} // namespace
