// Whatever edits led to a text, its tree is the one parsed from scratch; and nothing crashes on the
// way.
#include "diagnostics/Table.h"
#include "syntax/AstDump.h"
#include "syntax/SyntaxTree.h"
#include "syntax/tree/Visitor.h"

#include <llvm/Support/MemoryBuffer.h>

#include <filesystem>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <random>

using namespace gluond;
using namespace gluond::syntax;

namespace {

std::string errorsOf(const SyntaxTree& tree) {
  std::string out;
  for (const auto& error : tree.errors()) {
    auto range = [](text::Range r) {
      return std::to_string(r.begin) + "-" + std::to_string(r.end);
    };
    out +=
        range(error.location.range) + " " + diagnostics::slug(error.id).str() + " " + error.message;
    for (const auto& related : error.related)
      out += " related " + range(related.location.range) + related.message;
    for (const auto& fix : error.fixes)
      for (const auto& edit : fix.edits)
        out += " fix " + range(edit.range) + edit.text;
    out += "\n";
  }
  return out;
}
std::string everything(const SyntaxTree& tree) {
  return dump(tree, {.ranges = true, .ids = true}) + errorsOf(tree) +
         std::to_string(tree.nodeCount()) + tree.docstring().str();
}

constexpr llvm::StringLiteral kernelFile = R"py("""Doc
  of the module."""
from __future__ import annotations
import torch
from triton.experimental import gluon
from triton.experimental.gluon import language as gl

BLOCK: gl.constexpr = gl.constexpr(128)  # 𝛼 non-BMP


@gluon.jit
def helper(x, y: gl.constexpr = 3):
    if y > 2:
        return x + y
    elif y == 1:
        return x
    else:
        return x * 2 ** -y


class Config:
    A = 1

    def __init__(self, *args, n=[1, 2], **kw):
        self.text = f"{args!r:>{n[0]}} and {n = }" 'ü𝛽' "\N{DASH}\x41"
        try:
            self.n = [i ** 2 for i in n if i]
        except (ValueError, KeyError) as e:
            raise RuntimeError("x") from e
        finally:
            print(self.n, type(self).__name__)


@gluon.jit
def kernel(ptr, out, n, layout: gl.constexpr, num_warps: gl.constexpr = 4):
    """Copies.

    And adds."""
    pid = gl.program_id(0)
    offs = pid * BLOCK + gl.arange(
        0, BLOCK,
        layout=layout,
    )
    mask = (offs < n) & (offs >= 0)
    while pid < n:
        x = gl.load(ptr + offs, mask=mask, other=0.0)
        for i in gl.static_range(4):
            x = helper(x, i) if i else x
        gl.store(out + offs[None, :], x.to(gl.float32), \
                 mask=mask)
        pid += 1
	# a comment with a tab


if __name__ == "__main__":
    kernel[(1,)](None, None, 100, gl.BlockedLayout([1], [32], [4], [0]), num_warps=4)
)py";

using namespace std::string_literals;

struct ReparseTest : testing::Test {
  Interner interner;
  SyntaxTree::Ptr parse(std::string text) {
    return SyntaxTree::parse(std::make_shared<text::SourceText>(std::move(text)), {}, interner);
  }
  void followEdits(std::string text, unsigned seed, int steps) {
    std::mt19937 random(seed);
    static const std::vector<std::string> pieces = {
        "(",
        ")",
        "[",
        "]",
        "{",
        "}",
        "\"\"\"",
        "'''",
        "\"",
        "'",
        ":",
        ",",
        "\n",
        "\r",
        "\r\n",
        " ",
        "    ",
        "\t",
        "\\\n",
        "\\",
        "#",
        "def f(",
        "class",
        "@",
        "=",
        "==",
        ".",
        "x",
        "1",
        "f'",
        "f\"{x",
        "}}",
        "𝛼",
        "ü",
        "\xFF",
        "\0"s,
        "\xE2\x80\xA8",
        "\xC2\xA0",
        "if x:\n",
        "else:",
        "elif y",
        "try:\n",
        "except",
        "return",
        "print x",
        "type X = 1",
        "type(x).y = 2",
        "match x:\n case 1: pass\n",
        "lambda x: ",
        " for i in y",
        "*",
        "**",
        "import ",
        "from . import",
        ";",
        "async ",
        "await ",
        "yield",
        "\f",
        "\v",
        "0x",
        "1e5",
        "-",
    };
    auto source = std::make_shared<text::SourceText>(text);
    auto tree = SyntaxTree::parse(source, {}, interner);
    for (int step = 0; step < steps; ++step) {
      auto at = [&](size_t size) { return static_cast<text::Offset>(random() % (size + 1)); };
      text::Edit edit;
      switch (random() % 6) {
      case 0:
      case 1: { // insert something
        text::Offset place = at(source->size());
        edit = {{place, place}, pieces[random() % pieces.size()]};
        break;
      }
      case 2:
      case 3: { // delete a little
        text::Offset place = at(source->size());
        edit = {{place, std::min(source->size(), place + static_cast<text::Offset>(random() % 8))},
                ""};
        break;
      }
      case 4: { // move a piece of the text
        text::Offset from = at(source->size()), place = at(source->size());
        edit = {{place, place},
                source
                    ->slice({from, std::min(source->size(),
                                            from + static_cast<text::Offset>(random() % 60))})
                    .str()};
        break;
      }
      default: { // back to the beginning, or replace a stretch
        if (random() % 8 == 0)
          edit = {{0, source->size()}, text};
        else {
          text::Offset place = at(source->size());
          edit = {
              {place, std::min(source->size(), place + static_cast<text::Offset>(random() % 200))},
              pieces[random() % pieces.size()]};
        }
      }
      }
      source = std::make_shared<text::SourceText>(source->apply(edit));
      tree = SyntaxTree::reparse(*tree, source);
      auto fresh = SyntaxTree::parse(source, {}, interner);
      ASSERT_EQ(everything(*tree), everything(*fresh))
          << "seed " << seed << ", step " << step << ", text:\n"
          << source->text().str();
    }
  }
};
using namespace std::string_literals;

TEST_F(ReparseTest, EqualsParsingFromScratchAfterAnyEdits) {
  for (unsigned seed = 0; seed < 40; ++seed)
    followEdits(kernelFile.str(), seed, 60);
}

// Large definitions, of which only the statements that an edit touches are parsed: lines come and
// go, at every place and in every block, and most of the texts on the way are correct.
constexpr llvm::StringLiteral largeFile = R"py(@gluon.jit
def large(ptr, out, n, layout: gl.constexpr = None):
    pid = gl.program_id(0)  # a comment
    offs = pid * 4 + gl.arange(
        0, 128,
        layout=layout)

    for i in range(n):
        x = gl.load(ptr + offs, mask=offs < n, other=0.0); y = x
        if x > i:
            z = [a for a in (x, y) if a]
            while z:
                z = z[1:]
                print(z, f"{z!r:>{i}}")
            else:
                type(z).x = 1
        elif x == i:
            x += 1
        else:
            x = -x

            # another comment
            y = x
        with open(x) as f, open(y):
            try:
                f()
                g()
            except ValueError as e:
                h(e)
                i = 0
            finally:
                k()
                l()
        y = x; z = y;
    @decorated
    @decorated(twice)
    def inner(a, *b, c=1, **d):
        """Inner."""
        nonlocal x
        return lambda: a if b else c
    class Inner(Base, key=1):
        """Text"""
        a: int = 1
        def method(self):
            yield self
            return
        async def other(self):
            await self.method()
            async for i in x:
                pass
    match x:
        case 1 if y:
            pass
            z = 1
        case _:
            z = 2
    del x, (y, z)
    assert x, "y"
    gl.store(out + offs, x, mask=offs < \
             n)
    return inner


def after(a):
    return a
)py";

TEST_F(ReparseTest, OfLargeDefinitionsWhileLinesComeAndGo) {
  static const std::vector<std::string> pieces = {"x = 1\n",
                                                  "y = x\n",
                                                  "x\n",
                                                  "# comment\n",
                                                  "\n",
                                                  "if x:\n",
                                                  "else:\n",
                                                  "elif x:\n",
                                                  "for i in x:\n",
                                                  "    x = 2\n",
                                                  "pass\n",
                                                  "return x\n",
                                                  "@deco\n",
                                                  "x = (1,\n2)\n",
                                                  "a; b\n",
                                                  "a;\n",
                                                  "'text'\n",
                                                  "\"\"\"x\ny\"\"\"\n",
                                                  "x =\n",
                                                  "f(\n",
                                                  "x = '\n",
                                                  "x +\n",
                                                  "try:\n",
                                                  "finally:\n",
                                                  "except E:\n",
                                                  "with x:\n",
                                                  "def f(x):\n",
                                                  "class C:\n",
                                                  "case 2:\n",
                                                  "x \\\n",
                                                  "if x: y = 1\n",
                                                  "await x\n",
                                                  "1 = x\n",
                                                  "print x\n",
                                                  "type X = int\n",
                                                  "x = \"a\" 'b' f'{x}'\n",
                                                  "del (a, b)\n",
                                                  "raise E from x\n",
                                                  "\t x = 1\n",
                                                  "break\n"};
  static const std::vector<std::string> words = {" ", "    ", "x",  "1",   ":", "=",  "(",  ")",
                                                 "#", "'",    "\n", "+ 1", ";", "\\", "\t", "@"};
  std::string base = largeFile.str(), more;
  for (int i = 0; i < 30; ++i) // large enough for the parts of it to be used again
    more += "    value = value + gl.load(ptr)\n";
  base.insert(base.find("    return inner\n"), more);
  base += base;
  for (unsigned seed = 0; seed < 16; ++seed) {
    std::mt19937 random(seed);
    auto source = std::make_shared<text::SourceText>(base);
    auto tree = SyntaxTree::parse(source, {}, interner);
    ASSERT_TRUE(tree->errors().empty()) << errorsOf(*tree);
    for (int step = 0; step < 60; ++step) {
      std::string text = source->text().str();
      std::vector<size_t> starts{0};
      for (size_t at = 0; at < text.size(); ++at)
        if (text[at] == '\n') starts.push_back(at + 1);
      size_t line = random() % (starts.size() - 1), start = starts[line],
             indent = text.find_first_not_of(' ', start) - start;
      switch (random() % 8) {
      case 0:
      case 1: // a line comes, as deep as the one after it or not
        text.insert(start, std::string(random() % 4 ? indent : random() % 4 * 4, ' ') +
                               pieces[random() % pieces.size()]);
        break;
      case 2: // a line goes
        text.erase(start, starts[line + 1] - start);
        break;
      case 3: // lines go deeper or not so deep
        if (random() % 2)
          text.insert(start, "    ");
        else
          text.erase(start, std::min<size_t>(indent, 4));
        break;
      case 4: // words in a line
        text.insert(start + random() % (starts[line + 1] - start), words[random() % words.size()]);
        break;
      case 5:
        text.erase(start + random() % (starts[line + 1] - start), 1);
        break;
      default: // undo
        text = base;
      }
      source = std::make_shared<text::SourceText>(std::move(text));
      tree = SyntaxTree::reparse(*tree, source);
      auto fresh = SyntaxTree::parse(source, {}, interner);
      ASSERT_EQ(everything(*tree), everything(*fresh))
          << "seed " << seed << ", step " << step << ", text:\n"
          << source->text().str();
    }
  }
}

TEST_F(ReparseTest, AlsoWithOtherLineEnds) {
  std::string crlf, cr;
  for (char c : kernelFile) {
    if (c == '\n') crlf += '\r';
    crlf += c;
    cr += c == '\n' ? '\r' : c;
  }
  for (unsigned seed = 100; seed < 108; ++seed)
    followEdits(crlf, seed, 50);
  for (unsigned seed = 200; seed < 208; ++seed)
    followEdits(cr, seed, 50);
  // The line ends themselves change nothing.
  DumpOptions plain{.ranges = false};
  EXPECT_EQ(dump(*parse(crlf), plain), dump(*parse(kernelFile.str()), plain));
  EXPECT_EQ(dump(*parse(cr), plain), dump(*parse(kernelFile.str()), plain));
}

TEST_F(ReparseTest, AlsoOfTheSamples) {
  unsigned seed = 300;
  for (const auto& entry : std::filesystem::directory_iterator(GLUOND_SOURCE_DIR "/samples")) {
    if (entry.path().extension() != ".py") continue;
    auto buffer = llvm::MemoryBuffer::getFile(entry.path().string());
    ASSERT_TRUE(buffer);
    followEdits((*buffer)->getBuffer().str(), ++seed, 40);
  }
}

TEST_F(ReparseTest, AlsoOfTheCorpus) {
  const std::filesystem::path corpus = GLUOND_SHARED_DIR "/corpus";
  if (!std::filesystem::exists(corpus)) GTEST_SKIP() << "no " << corpus;
  unsigned seed = 400;
  for (const auto& entry : std::filesystem::directory_iterator(corpus)) {
    if (entry.path().extension() != ".py") continue;
    auto buffer = llvm::MemoryBuffer::getFile(entry.path().string());
    ASSERT_TRUE(buffer);
    followEdits((*buffer)->getBuffer().str(), ++seed, 25);
  }
}

TEST_F(ReparseTest, SharesWhatStandsBeforeTheEdit) {
  auto source = std::make_shared<text::SourceText>(kernelFile.str());
  auto tree = SyntaxTree::parse(source, {}, interner);
  text::Offset end = source->size();
  auto next = SyntaxTree::reparse(
      *tree, std::make_shared<text::SourceText>(source->apply({{end, end}, "x = 1\n"})));
  ASSERT_EQ(next->body().size(), tree->body().size() + 1);
  for (size_t i = 0; i < tree->body().size(); ++i)
    EXPECT_EQ(next->body()[i], tree->body()[i]);
}

// Nodes lie within their parents, ids are below nodeCount and used once: what side tables rely on.
// Otherwise all text between an edit and a mistake after it would be read anew with every key.
TEST_F(ReparseTest, AMistakeMovesAlong) {
  std::string text = "def f():\n    g(\n\n\ndef h():\n    return [1)\n\n\ndef i():\n    x = 'a\n";
  auto before = parse(text)->pieces(), after = parse("import a\n" + text)->pieces();
  ASSERT_EQ(before.size(), 3u);
  ASSERT_EQ(after.size(), 4u);
  for (size_t i = 0; i < before.size(); ++i) {
    EXPECT_TRUE(before[i].isRecovered);
    EXPECT_EQ(before[i].cut, after[i + 1].cut);
  }
}

TEST_F(ReparseTest, IdsAreUniqueAndRangesInTheFile) {
  std::mt19937 random(7);
  for (int round = 0; round < 200; ++round) {
    std::string text = kernelFile.str();
    for (int n = 0; n < 5; ++n)
      text.erase(random() % text.size(), random() % 30);
    auto tree = parse(text);
    std::vector<bool> seen(tree->nodeCount());
    for (const Stmt* stmt : tree->body())
      walk(stmt, [&](const Node* node) {
        EXPECT_LT(node->id, tree->nodeCount());
        EXPECT_FALSE(seen[node->id]) << node->id;
        seen[node->id] = true;
        EXPECT_LE(node->range.begin, node->range.end);
        EXPECT_LE(node->range.end, text.size());
        return true;
      });
  }
}

// ------------------------------------------------------------- hostile input

TEST_F(ReparseTest, DeepNestingIsBounded) {
  for (llvm::StringRef open : {"(", "[", "{", "f(", "x[", "-", "not ", "lambda: ", "a if b else ",
                               "f'{", "*", "await ", "(yield "}) {
    std::string text = "x = ";
    for (int i = 0; i < 10000; ++i)
      text += open;
    auto tree = parse(text + "\ny = 1\n");
    EXPECT_FALSE(tree->body().empty());
    EXPECT_EQ(tree->body().back()->kind, NodeKind::Assign) << open.str();
  }
  for (llvm::StringRef chain :
       {" + a", " and a", ".a", "[0]", "(1)", " < a", " or a if b else a", ", a", " ** a"}) {
    std::string text = "x = a";
    for (int i = 0; i < 10000; ++i)
      text += chain;
    auto tree = parse(text + "\ny = 1\n");
    EXPECT_EQ(tree->body().size(), 2u) << chain.str();
    unsigned depth = 0, deepest = 0;
    std::function<void(const Node*)> measure = [&](const Node* node) {
      deepest = std::max(deepest, ++depth);
      forEachChild(node, measure);
      --depth;
    };
    measure(tree->body()[0]);
    EXPECT_LE(deepest, 1100u) << chain.str();
  }
  std::string blocks, elifs = "if a: pass\n";
  for (int i = 0; i < 2000; ++i)
    blocks += std::string(static_cast<size_t>(i), ' ') + "if x:\n";
  for (int i = 0; i < 5000; ++i)
    elifs += "elif a: pass\n";
  parse(blocks);
  parse(elifs);
  parse(elifs + "elif (: pass\n");
  std::string steps = "x = f'{(\n"; // the grammar's scanner keeps 1 KB of indentation
  for (int i = 1; i < 1200; ++i)
    steps += std::string(static_cast<size_t>(i / 8), '\t') +
             std::string(static_cast<size_t>(i % 8), ' ') + "a b\n";
  parse(steps);
  parse("if x:\n" + steps);
}

TEST_F(ReparseTest, LargeAndRandomFiles) {
  std::mt19937 random(1);
  const size_t size = 1 << 18;
  std::string bytes(size, ' '), punctuation(size, ' '), statements, strings, brackets,
      oneLine = "x = [";
  for (char& c : bytes)
    c = static_cast<char>(random());
  for (char& c : punctuation)
    c = "()[]{}:,.'\"\\\n #@=+-*/x1"[random() % 23];
  while (statements.size() < size)
    statements += "x = f(a, b) + 1\n";
  while (strings.size() < size)
    strings += "'''\ndef f():\n";
  while (brackets.size() < size)
    brackets += "(\n";
  while (oneLine.size() < size)
    oneLine += "1, ";
  for (const std::string* text :
       {&bytes, &punctuation, &statements, &strings, &brackets, &oneLine}) {
    auto tree = parse(*text); // what is quadratic runs into the test's time limit
    EXPECT_LE(tree->errors().size(), 202u);
    EXPECT_EQ(tree->errors().empty(), text == &statements);
  }
}

TEST_F(ReparseTest, TruncationsAndSingleBytes) {
  for (size_t length = 0; length < kernelFile.size(); length += 3)
    parse(kernelFile.substr(0, length).str());
  for (int c = 0; c < 256; ++c) {
    parse(std::string(1, static_cast<char>(c)));
    parse("x = " + std::string(1, static_cast<char>(c)) + "\ny = 1\n");
    parse("x = f'{" + std::string(1, static_cast<char>(c)) + "}'\n");
  }
}

} // namespace
