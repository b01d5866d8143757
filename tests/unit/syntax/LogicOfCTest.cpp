// `&&` and `||`, which other languages have, as Python writes them.
#include "syntax/recovery/LogicOfC.h"

#include <llvm/ADT/Twine.h>

#include <gtest/gtest.h>

namespace gluond::syntax {

static std::string written(llvm::StringRef line, bool isCondition = false) {
  auto found = pythonLogic(line, isCondition);
  if (!found) return "nothing";
  return (line.take_front(found->begin) + found->text + line.drop_front(found->end)).str();
}

TEST(LogicOfCTest, TensorsAreCombinedInParentheses) {
  EXPECT_EQ(written("m = i < n && j < k"), "m = (i < n) & (j < k)");
  EXPECT_EQ(written("m=i<n&&j<k"), "m=(i<n)&(j<k)");
  EXPECT_EQ(written("m = a && b || c"), "m = a & b | c");
  EXPECT_EQ(written("gl.store(p, x, mask=i < n && ok[0, 1])"),
            "gl.store(p, x, mask=(i < n) & ok[0, 1])");
  EXPECT_EQ(written("x = f(a && (b || c < d), e)"), "x = f(a & (b | (c < d)), e)");
  EXPECT_EQ(written("return a == b && not c"), "return (a == b) & (not c)");
  EXPECT_EQ(written("m = a in b && c"), "m = (a in b) & c");
  EXPECT_EQ(written("m &= a < b && c"), "m &= (a < b) & c");
  EXPECT_EQ(written("x = \"&&\" + (a && b) # c && d"), "x = \"&&\" + (a & b) # c && d");
}

TEST(LogicOfCTest, ConditionsAreJoinedByWords) {
  EXPECT_EQ(written("if a < b && c:", true), "if a < b and c:");
  EXPECT_EQ(written("while (a||b) && !c:", true), "while (a or b) and !c:");
}

TEST(LogicOfCTest, WhatIsUnfinishedIsLeft) {
  EXPECT_EQ(written("m = a &&"), "nothing");
  EXPECT_EQ(written("m = && a"), "nothing");
  EXPECT_EQ(written("m = f(a && , b)"), "nothing");
  EXPECT_EQ(written("m = a & b"), "nothing");
  EXPECT_EQ(written("m = a && b)"), "nothing");
  EXPECT_EQ(written("m = '''a && b"), "nothing");
}

TEST(LogicOfCTest, LoopsAreRanges) {
  EXPECT_EQ(pythonLoop("for (int i = 0; i < n; i++):"), "for i in range(0, n):");
  EXPECT_EQ(pythonLoop("for (i = 0; i <= n; ++i) {"), "for i in range(0, n + 1):");
  EXPECT_EQ(pythonLoop("for int k = lo; k < gl.cdiv(K, B); k += B:"),
            "for k in range(lo, gl.cdiv(K, B), B):");
  EXPECT_EQ(pythonLoop("for (int i = n; i >= 0; i--)"), "for i in range(n, 0 - 1, -1):");
  EXPECT_EQ(pythonLoop("for i = 0, n:"), "for i in range(0, n):");
  for (llvm::StringRef other : {"for i in n:", "for (;;):", "for (int i = 0; i < n; i *= 2):",
                                "for i = n:", "for (int i = 0; j < n; i++):", "for x = f(a, b):"})
    EXPECT_EQ(pythonLoop(other), "") << other.str();
}

TEST(LogicOfCTest, StepsAreAssignments) {
  EXPECT_EQ(pythonStep("i++"), "i += 1");
  EXPECT_EQ(pythonStep("i--;"), "i -= 1");
  EXPECT_EQ(pythonStep("++count"), "count += 1");
  for (llvm::StringRef other : {"i+1", "3++", "++", "f(x)++", "i + +1"})
    EXPECT_EQ(pythonStep(other), "") << other.str();
}

} // namespace gluond::syntax
