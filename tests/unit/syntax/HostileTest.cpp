// Texts that nobody would write: long, deep, or no Python at all. Reading them takes work and
// memory in proportion to their size, so each of these tests ends within moments or not at all;
// and what is wrong with one statement leaves the next alone.
#include "diagnostics/Table.h"
#include "support/Allowance.h"
#include "syntax/AstDump.h"
#include "syntax/SyntaxTree.h"
#include "syntax/parser/Grammar.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace gluond;
using diagnostics::Id;

namespace {

std::string times(size_t count, const std::string& text) {
  std::string result;
  result.reserve(count * text.size());
  for (size_t i = 0; i < count; ++i)
    result += text;
  return result;
}
// Names that differ.
std::string numbered(size_t count, const std::string& before, const std::string& behind) {
  std::string result;
  for (size_t i = 0; i < count; ++i)
    result += before + std::to_string(i) + behind;
  return result;
}

class HostileTest : public testing::Test {
protected:
  syntax::SyntaxTree::Ptr parse(std::string text, CancellationToken token = {}) {
    return syntax::SyntaxTree::parse(std::make_shared<text::SourceText>(std::move(text)), {},
                                     interner, token);
  }
  // The slug of the first error, or "".
  static std::string first(const syntax::SyntaxTree& tree) {
    return tree.errors().empty() ? "" : diagnostics::slug(tree.errors()[0].id).str();
  }
  Interner interner;
};

struct Case {
  std::string name, text;
  std::string error; // the first one's slug; "*": any
};

TEST_F(HostileTest, NestingEndsInADiagnostic) {
  constexpr size_t n = 20'000;
  const std::string deep = "nesting-too-deep", brackets = "too-many-brackets";
  const Case cases[] = {
      {"parentheses", "x = " + times(n, "(") + "1" + times(n, ")"), brackets},
      {"calls", "x = " + times(n, "f(") + times(n, ")"), brackets},
      {"targets", times(n, "(") + "a" + times(n, ",)") + " = 1", brackets},
      {"decorators", "@" + times(n, "f(") + times(n, ")") + "\ndef g(): pass", brackets},
      {"minus", "x = " + times(n, "- ") + "1", deep},
      {"not", "x = " + times(n, "not ") + "1", deep},
      {"attributes", "x = a" + times(n, ".b"), deep},
      {"calls of calls", "x = f" + times(n, "()"), deep},
      {"subscripts", "x = a" + times(n, "[0]"), deep},
      {"lambdas", "x = " + times(n, "lambda: ") + "1", deep},
      {"conditions", "x = " + times(n, "a if b else ") + "1", deep},
      {"powers", "x = " + times(n, "1 ** ") + "1", deep},
      {"annotations", "x: " + times(n, "int | ") + "int", deep},
      {"alternatives of a case", "match a:\n    case 1" + times(n, " | [1]") + ": pass", deep},
      {"names of a case", "match a:\n    case a" + times(n, ".b") + ": pass", deep},
      {"classes of a case", "match a:\n    case a" + times(n, ".b") + "(): pass", deep},
      {"else if", "if a: pass\n" + times(n, "elif b: pass\n"), deep},
      {"specifications", "x = f'" + times(n, "{x:") + times(n, "}") + "'", "*"},
      {"f-strings", "x = " + times(n, "f'''{") + "1" + times(n, "}'''"), "*"},
      {"f-strings of one kind", "x = " + times(n, "f'{") + "1" + times(n, "}'"), "*"},
      {"holes", "x = f'" + times(n + 1, "{") + "'", "*"},
  };
  for (const Case& each : cases) {
    auto tree = parse(each.text + "\ndef after(a): return a\n");
    if (each.error == "*")
      EXPECT_FALSE(tree->errors().empty()) << each.name;
    else
      EXPECT_EQ(first(*tree), each.error) << each.name;
    EXPECT_THAT(syntax::dump(*tree, {.ranges = false}), testing::HasSubstr("(FunctionDef after"))
        << each.name;
    auto again = syntax::SyntaxTree::reparse(
        *tree, std::make_shared<text::SourceText>(each.text + "\ndef after(b): return b\n"));
    EXPECT_EQ(first(*again), first(*tree)) << each.name;
  }
}

TEST_F(HostileTest, WideTextsAreReadWhole) {
  constexpr size_t n = 50'000;
  const Case cases[] = {
      {"comments in a body", "def f():\n" + times(n, "    # why\n") + "    pass", ""},
      {"comments in brackets", "x = [\n" + times(n, " # why\n") + "]", ""},
      {"continued lines", "x = 1" + times(n, " \\\n") + " + 1", ""},
      {"or", "x = " + times(n, "a or ") + "a", ""},
      {"comparisons", "x = " + times(n, "a < ") + "a", ""},
      {"keywords", "f(" + numbered(n, "k", "=1, ") + ")", ""},
      {"the same keyword", "f(" + times(n, "k=1, ") + ")", "invalid-arguments"},
      {"parameters", "def f(" + numbered(n, "p", ", ") + "): pass", ""},
      {"stars", "def f(a, " + times(n, "*, ") + "): pass", "invalid-arguments"},
      {"slashes", "def f(a, " + times(n, "/, ") + "): pass", "invalid-arguments"},
      {"globals", "def f():\n" + numbered(n, " global a", "\n"), ""},
      {"handlers", "try: pass\n" + numbered(n, "except E", ": pass\n"), ""},
      {"handlers and a mistake", "try: pass\n" + times(n, "except E: pass\n") + "except (: pass",
       "unclosed-bracket"},
      {"blank lines in a hole", "x = f'''{a" + times(n, "\n") + "}'''", ""},
      {"blank lines in a hole of one line", "x = f'{a" + times(n, "\n") + "}'", ""},
      {"hashes in a hole", "x = f'{a " + times(n, "# ") + "\n}'", ""},
      {"names of characters", "x = '" + times(n, "\\N{DASH}") + "'", ""},
      {"open names of characters", "x = '" + times(n, "\\N{") + "'", "*"},
      {"names without braces", "x = '" + times(n, "\\N") + "'", "invalid-string"},
      {"brackets of other kinds", "x = " + times(n, "(") + times(n, "]"), "too-many-brackets"},
      {"foreign spaces", "x = " + times(n, "a\u00a0"), "invalid-character"},
      {"holes to fill", "f(" + times(n, "a=,") + ")", "invalid-syntax"},
      {"digits", "x = " + times(n, "7"), "invalid-number"},
      {"digits of sixteen", "x = 0x" + times(n, "f"), "invalid-number"},
      {"carriage returns", times(n, "x = 1\r"), ""},
      {"mistakes", times(n, "x = = 1\n"), "expected-expression"},
  };
  for (const Case& each : cases) {
    auto tree = parse(each.text + "\ndef after(a): return a\n");
    if (each.error == "*")
      EXPECT_FALSE(tree->errors().empty()) << each.name;
    else
      EXPECT_EQ(first(*tree), each.error) << each.name;
    EXPECT_LE(tree->errors().size(), 203u) << each.name;
    ASSERT_FALSE(tree->body().empty()) << each.name;
    EXPECT_TRUE(llvm::isa<syntax::FunctionDef>(tree->body().back())) << each.name;
  }
}

// tree-sitter's search for the least bad reading copies what it has skipped, at every step.
TEST_F(HostileTest, ASearchForErrorsThatCopiesIsGivenUp) {
  auto never = [] { return false; };
  for (const std::string& text :
       {"def f" + times(20'000, "[0]") + ":\n    pass\n",
        "def f(" + times(6'000, "async x[0]|") + "):0", times(60'000, ".")})
    EXPECT_EQ(syntax::parseAny(text, never), nullptr) << text.substr(0, 40);
  // What is dense, but correct, or wrong in a plain way, is within the limits.
  for (const std::string& text : {"x = " + times(60'000, "-") + "1\n", times(20'000, "x;"),
                                  "f(" + times(20'000, "(),") + ")\n"})
    EXPECT_TRUE(syntax::isCorrect(syntax::parseCorrect(text, never).get())) << text.substr(0, 40);
  EXPECT_NE(syntax::parseAny("x = [" + times(20'000, "1, ") + "for]\n", never), nullptr);
}

// Lines that are right are read even where a file's budget for mistakes is used up.
TEST_F(HostileTest, ManyMistakesAreNoReasonToRefuseWhatIsRight) {
  auto tree = parse("def f(x):\n" + times(40'000, "    x = = 1\n") + "    right = x + 1\n");
  EXPECT_THAT(syntax::dump(*tree, {.ranges = false}),
              testing::HasSubstr("(Assign [ (Name right)] (Add (Name x) (Constant int 1)))"));
}

// A dense statement would take gigabytes. What stands around it is read, and so is what it assigns.
TEST_F(HostileTest, StatementsThatTakeTooMuchMemoryAreNotRead) {
  for (const std::string& dense : {times(700'000, "-") + "1", "[" + times(900'000, "1,") + "]"}) {
    auto tree = parse("before = 1\nx = " + dense + "\ndef after(a): return a\n");
    ASSERT_EQ(tree->errors().size(), 1u);
    EXPECT_EQ(tree->errors()[0].id, Id::ReadingStopped);
    EXPECT_EQ(tree->errors()[0].location.range.begin, 11u);
    ASSERT_EQ(tree->body().size(), 3u);
    EXPECT_TRUE(llvm::isa<syntax::Assign>(tree->body()[1]));
    EXPECT_TRUE(llvm::isa<syntax::FunctionDef>(tree->body()[2]));
  }
}

// A file's errors have one limit, wherever they are; which ones are kept does not depend on earlier
// versions.
TEST_F(HostileTest, OfManyErrorsFewAreKept) {
  std::string line = "x = " + times(50, "$ ") + "\n", many = times(1'000, line);
  syntax::SyntaxTree::Ptr tree;
  {
    Allowance allowance({.cpu = std::chrono::minutes(1), .bytes = size_t{32} << 20});
    Spending spending(&allowance);
    tree = parse(many);
  }
  ASSERT_EQ(tree->errors().size(), 200u);
  EXPECT_EQ(tree->errors()[0].id, Id::InvalidCharacter);
  for (const std::string& text : {"y = 1\n" + many, many.substr(line.size()), many.substr(2'000),
                                  "y = 1\n" + many.substr(many.size() - line.size() - 8)}) {
    auto again = parse(text);
    tree = syntax::SyntaxTree::reparse(*tree, std::make_shared<text::SourceText>(text));
    ASSERT_EQ(tree->errors().size(), again->errors().size());
    for (auto [a, b] : llvm::zip(tree->errors(), again->errors()))
      EXPECT_EQ(a.location.range, b.location.range);
  }
}

// No fix is looked for across megabytes, as often as a line has mistakes.
TEST_F(HostileTest, MistakesInLongLinesHaveNoFix) {
  std::string sum = times(250'000, "a + ");
  for (const std::string& text : {"x = " + sum + times(100, "? "), "x = '" + sum + "' ? 1 : 2",
                                  "x = (" + sum + "\ndef f(): pass\n"}) {
    auto tree = parse(text);
    ASSERT_FALSE(tree->errors().empty());
    for (const auto& fix : tree->errors()[0].fixes)
      EXPECT_LT(fix.edits.front().text.size(), 10'000u);
  }
  auto near = parse("x = a ? b : c\n");
  ASSERT_FALSE(near->errors()[0].fixes.empty());
  EXPECT_EQ(near->errors()[0].fixes[0].edits[0].text, "b if a else c");
}

// What the first elements of a list of megabytes took tells that its tree would be too large; what
// is sparse after a dense beginning is read.
TEST_F(HostileTest, StatementsThatAreTooLongAreGivenUpEarly) {
  for (const char* element : {"[], ", "1, ", "(1, 2), ", "f(), ", "x: 1, "}) {
    size_t bytes = 12'000'000;
    std::string list = "x = {" + times(static_cast<int>(bytes / strlen(element)), element) + "}\n";
    Allowance allowance({.cpu = std::chrono::minutes(1), .bytes = size_t{128} << 20});
    Spending spending(&allowance);
    auto tree = parse(list + "y = 1\n");
    ASSERT_EQ(tree->errors().size(), 1u) << element;
    EXPECT_EQ(tree->errors()[0].id, Id::ReadingStopped) << element;
    EXPECT_FALSE(Spending::isSpent()) << element;
  }
  auto sparse = parse("x = [" + times(100'000, "1, ") + "'" + times(3'000'000, "a") + "',\n" +
                      times(30'000, "# a comment, which (has) marks, too: [1, 2, 3]\n") + "]\n");
  EXPECT_TRUE(sparse->errors().empty());
  auto strings = parse("x = [" + times(100'000, "1, ") +
                       times(20'000, "'a, b, c, d [1, 2, 3] (4, 5, 6) {7, 8, 9: 10}', ") + "]\n");
  EXPECT_TRUE(strings->errors().empty());
}

TEST_F(HostileTest, FilesWithTooManyNodesAreReadInPart) {
  auto tree = parse(times(1'000'000, "x = 1\n"));
  ASSERT_EQ(tree->errors().size(), 1u);
  EXPECT_EQ(tree->errors()[0].id, Id::ReadingStopped);
  EXPECT_LT(tree->nodeCount(), 2'100'000u);
  EXPECT_EQ(tree->errors()[0].location.range.begin, tree->body().back()->range.begin);
  auto other = syntax::SyntaxTree::reparse(
      *tree, std::make_shared<text::SourceText>("y = 1\n" + times(1'000'000, "x = 1\n")));
  EXPECT_EQ(other->nodeCount(), tree->nodeCount());
  EXPECT_EQ(other->errors()[0].location.range, tree->errors()[0].location.range);
}

TEST_F(HostileTest, TextsThatAreTooLargeAreNotRead) {
  auto tree = parse("x = 1\n" + std::string(syntax::SyntaxTree::maxBytes, '\n'));
  ASSERT_EQ(tree->errors().size(), 1u);
  EXPECT_EQ(tree->errors()[0].id, Id::ReadingStopped);
  EXPECT_EQ(tree->errors()[0].severity, diagnostics::Severity::Information);
  EXPECT_TRUE(tree->body().empty());
}

// Where a task has nothing left, a large file is cut, and says where; a later version of it, read
// by another task, is whole again. A small file is read whatever came before.
TEST_F(HostileTest, ReadingEndsWithTheAllowance) {
  std::string large = times(40'000, "x = y + 1\n");
  syntax::SyntaxTree::Ptr cut;
  {
    Allowance allowance({.cpu = std::chrono::milliseconds(0)});
    Spending spending(&allowance);
    cut = parse(large);
    EXPECT_TRUE(parse("x = 1\n")->errors().empty());
  }
  ASSERT_EQ(cut->errors().size(), 1u);
  EXPECT_EQ(cut->errors()[0].id, Id::ReadingStopped);
  EXPECT_LT(cut->body().size(), 40'000u);
  auto whole =
      syntax::SyntaxTree::reparse(*cut, std::make_shared<text::SourceText>(large + "z = 1\n"));
  EXPECT_TRUE(whole->errors().empty());
  EXPECT_EQ(whole->body().size(), 40'001u);
}

TEST_F(HostileTest, ReadingEndsWhenItIsCancelled) {
  CancellationSource source;
  source.cancel();
  EXPECT_EQ(parse("x = 1\n", source.token()), nullptr);
  auto tree = parse("x = 1\n");
  EXPECT_EQ(syntax::SyntaxTree::reparse(*tree, std::make_shared<text::SourceText>("x = 2\n"),
                                        source.token()),
            nullptr);
}

} // namespace
