#include "lsp/features/names/NameIndex.h"

#include "support/MarkedSource.h"

#include <gmock/gmock.h>

namespace gluond::lsp {
namespace {

// The ranges marked $x[[...]] must be exactly the occurrences of the name at $x^.
void expectOccurrences(llvm::StringRef marked, const std::string& name = "x") {
  MarkedSource source(marked);
  Interner names;
  auto tree = syntax::SyntaxTree::parse(std::make_shared<text::SourceText>(source.text), {}, names);
  NameIndex index = NameIndex::build(*tree);
  const Occurrence* here = index.at(source.ranges(name).front().begin);
  ASSERT_TRUE(here) << source.text;
  std::vector<text::Range> found;
  for (const Occurrence& occurrence : index.of(here->entity))
    found.push_back(occurrence.range);
  auto asPairs = [](const std::vector<text::Range>& ranges) {
    std::vector<std::pair<unsigned, unsigned>> pairs;
    for (text::Range range : ranges)
      pairs.emplace_back(range.begin, range.end);
    return pairs;
  };
  EXPECT_EQ(asPairs(found), asPairs(source.ranges(name))) << source.text;
}

TEST(NameIndex, functionsAndLocals) {
  expectOccurrences("$x[[a]] = 1\ndef f(b):\n  a = 2\n  return a\nprint($x[[a]])\n");
  expectOccurrences("a = 1\ndef f(b):\n  $x[[a]] = 2\n  return $x[[a]]\nprint(a)\n");
  expectOccurrences("a = 1\ndef f($x[[a]], b=a):\n  return $x[[a]]\n");
  expectOccurrences("def f():\n  print($x[[a]])\n  $x[[a]] = 1\n"); // bound for the whole function
  expectOccurrences("def f():\n  $x[[a]] = 1\n  def g():\n    return $x[[a]]\n");
}

TEST(NameIndex, classesAreNotSeenByTheirMethods) {
  expectOccurrences("$x[[a]] = 1\nclass C:\n  a = 2\n  b = a\n  def f(self): return $x[[a]]\n");
  expectOccurrences("class C:\n  $x[[a]] = 2\n  b = $x[[a]]\n  def f(self): return a\n");
}

TEST(NameIndex, comprehensionsAndLambdas) {
  expectOccurrences("$x[[a]] = 1\nb = [a for a in range($x[[a]])]\n");
  expectOccurrences("a = 1\nb = [$x[[a]] for $x[[a]] in a if $x[[a]]]\n");
  expectOccurrences("def f(c):\n  b = [($x[[n]] := i) for i in c]\n  return $x[[n]]\n");
  expectOccurrences("$x[[a]] = 1\nf = lambda a=$x[[a]]: a\n");
}

TEST(NameIndex, globalAndNonlocal) {
  expectOccurrences("$x[[a]] = 1\ndef f():\n  global $x[[a]]\n  $x[[a]] = 2\n");
  expectOccurrences("def f():\n  $x[[a]] = 1\n  def g():\n    nonlocal $x[[a]]\n    $x[[a]] += 2\n "
                    " return $x[[a]]\n");
}

TEST(NameIndex, everyWayToBind) {
  expectOccurrences("for $x[[a]], b in c: print($x[[a]])\n");
  expectOccurrences("with f() as $x[[a]]: $x[[a]]()\n");
  expectOccurrences("try: pass\nexcept E as $x[[a]]: raise $x[[a]]\n");
  expectOccurrences("import $x[[a]].b\n$x[[a]].b.c()\n");
  expectOccurrences("from m import q as $x[[a]]\n$x[[a]]()\n");
  expectOccurrences("[$x[[a]], *b] = c\n$x[[a]]: int = 1\n$x[[a]] += 1\n");
  expectOccurrences("@d\ndef $x[[a]](): pass\n@$x[[a]]\ndef e(): pass\n");
}

TEST(NameIndex, keywordsNameParameters) {
  expectOccurrences(
      "def f($x[[a]], b): return $x[[a]]\nf($x[[a]]=1, b=2)\nf[1]($x[[a]]=3)\ng(a=1)\n");
}

TEST(NameIndex, halfTypedCode) {
  expectOccurrences("def f($x[[a]]):\n  y = $x[[a]] +\n  return $x[[a]]\n");
}

// Scopes with many names are searched by name.
TEST(NameIndex, scopesOfManyNames) {
  std::string text = "def f():\n";
  for (int i = 0; i < 100; ++i)
    text += "  a" + std::to_string(i * 37 % 100) + " = 1\n";
  Interner names;
  auto tree =
      syntax::SyntaxTree::parse(std::make_shared<text::SourceText>(text + "b = 1\n"), {}, names);
  NameIndex index = NameIndex::build(*tree);
  auto inside = static_cast<text::Offset>(text.size() / 2);
  for (int i = 0; i < 100; ++i) {
    Name name = names.intern("a" + std::to_string(i));
    const Entity* found = index.lookup(name, inside);
    ASSERT_TRUE(found);
    EXPECT_EQ(found->name, name);
    EXPECT_EQ(index.global(name), nullptr);
  }
  EXPECT_TRUE(index.global(names.intern("b")));
  EXPECT_EQ(index.lookup(names.intern("c"), inside), nullptr);
}

} // namespace
} // namespace gluond::lsp
