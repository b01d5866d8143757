// Which completions come first.
#include "CompletionFixture.h"

#include <gtest/gtest.h>
#include <map>

namespace gluond::lsp {
namespace {

std::map<std::string, Completion> itemsAt(llvm::StringRef marked) {
  Opened opened(marked);
  std::map<std::string, Completion> found;
  for (Completion& item :
       completionsAt(opened.resolver, opened.file(), opened.source.point(), {}).items)
    found[item.label] = std::move(item);
  return found;
}

// Names that begin with the typed letters, then words of names, then names that merely have them.
TEST(Completion, theBestMatchComesFirst) {
  auto distances = [](llvm::StringRef typed) {
    std::map<std::string, unsigned> result;
    for (const auto& [label, item] :
         itemsAt("@gluon.jit\ndef f(x):\n    y = ttgl." + typed.str() + "^\n"))
      result[label] = item.distance;
    return result;
  };
  auto load = distances("load");
  EXPECT_EQ(load.at("load"), 0u);
  EXPECT_EQ(load.at("atomic_load"), 2u);
  auto begun = distances("lay");
  EXPECT_EQ(begun.at("BlockedLayout"), 2u);
  auto sum = distances("sum");
  EXPECT_EQ(sum.at("sum"), 0u);
  EXPECT_EQ(sum.at("cumsum"), 3u);
  EXPECT_EQ(distances("blo").at("BlockedLayout"), 1u);
  EXPECT_EQ(distances("").at("load"), 0u);
  // The prefix of the language does not count, nor do the signs around a name.
  auto argument = itemsAt("@gluon.jit\ndef f(x):\n    y = ttgl.full([4], 0, flo^\n");
  EXPECT_EQ(argument.at("ttgl.float16").distance, 1u);
  auto keyword = itemsAt("@gluon.jit\ndef f(x):\n    y = ttgl.full([4], dtype^\n");
  EXPECT_EQ(keyword.at("dtype=").distance, 0u);
}

// Of layouts, only those of the kind that the parameter takes.
TEST(Completion, layoutsOfTheKindThatIsTaken) {
  auto at = [](llvm::StringRef line) { return itemsAt(kernel("  " + line.str() + "\n")); };
  auto buffer = at("s = ttgl.allocate_shared_memory(ttgl.float32, [64, 64], ^");
  EXPECT_EQ(buffer.at("shared").rank, 0u);
  EXPECT_EQ(buffer.at("parent").rank, 4u); // a distributed layout, after all others
  EXPECT_TRUE(buffer.contains("ttgl.SwizzledSharedLayout"));
  EXPECT_FALSE(buffer.contains("ttgl.BlockedLayout"));
  for (const char* line :
       {"a = ttgl.arange(0, B, layout=^", "a = ttgl.convert_layout(rows, ^", "a = smem.load(^",
        "a: ttgl.constexpr = ttgl.SliceLayout(0, ^",
        "a: ttgl.constexpr = ttgl.DotOperandLayout(0, ^", "a = ttgl.zeros([B], ttgl.float32, ^"}) {
    auto found = at(line);
    EXPECT_TRUE(found.contains("ttgl.BlockedLayout")) << line;
    EXPECT_FALSE(found.contains("ttgl.SwizzledSharedLayout")) << line;
    EXPECT_LT(found.at("parent").rank, found.at("shared").rank) << line;
  }
  auto dotted = at("s = ttgl.allocate_shared_memory(ttgl.float32, [64, 64], ttgl.^");
  EXPECT_LT(dotted.at("SwizzledSharedLayout").rank, dotted.at("BlockedLayout").rank);
  auto any = at("a = ttgl.to_linear_layout(^");
  EXPECT_TRUE(any.contains("ttgl.BlockedLayout") && any.contains("ttgl.SwizzledSharedLayout"));
  // Bases of CTAs are no layout.
  auto bases = at("a: ttgl.constexpr = ttgl.BlockedLayout([1], [32], [4], [0], ^");
  EXPECT_FALSE(bases.contains("ttgl.BlockedLayout"));
  // A function of the file may take any.
  auto own = itemsAt("@gluon.jit\ndef g(layout): pass\n@gluon.jit\ndef f(x):\n    g(^\n");
  EXPECT_TRUE(own.contains("ttgl.BlockedLayout") && own.contains("ttgl.SwizzledSharedLayout"));
}

TEST(Completion, valuesThatFitComeFirst) {
  auto at = [](llvm::StringRef line) {
    return itemsAt("from triton.experimental.gluon.language.nvidia.hopper import mbarrier, tma\n" +
                   kernel("  ready = mbarrier.allocate_mbarrier()\n  x = ttgl.load(p + rows)\n  " +
                          line.str() + "\n"));
  };
  auto rank = [](auto& items, const char* name) { return items.at(name).rank; };
  auto barrier = at("mbarrier.expect(^");
  EXPECT_EQ(rank(barrier, "ready"), 0u);
  for (const char* other : {"smem", "B", "x", "p", "parent"})
    EXPECT_EQ(rank(barrier, other), 4u) << other;
  EXPECT_LT(rank(barrier, "ring"), 4u); // one of its fields may fit
  auto pointer = at("y = ttgl.load(^");
  EXPECT_EQ(rank(pointer, "p"), 0u);
  EXPECT_EQ(rank(pointer, "smem"), 4u);
  auto source = at("tma.async_store(p, [0, 0], ^");
  EXPECT_EQ(rank(source, "smem"), 0u);
  EXPECT_EQ(rank(source, "ready"), 4u);
  auto value = at("smem.index(0).store(^");
  EXPECT_EQ(rank(value, "x"), 0u);
  EXPECT_EQ(rank(value, "B"), 4u);
  // Constants, where Triton takes no other values.
  for (const char* line : {"C: ttgl.constexpr = ^", "i = ttgl.arange(0, ^",
                           "l = ttgl.BlockedLayout(^", "z = ttgl.zeros(^"}) {
    auto constant = at(line);
    EXPECT_EQ(rank(constant, "B"), 0u) << line;
    EXPECT_EQ(rank(constant, "x"), 4u) << line;
  }
  auto compared = at("if x.dtype == ^");
  EXPECT_EQ(rank(compared, "ttgl.float32"), 0u);
  auto any = at("ttgl.static_print(^");
  EXPECT_EQ(rank(any, "x"), rank(any, "B"));
}

} // namespace
} // namespace gluond::lsp
