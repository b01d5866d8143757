#include "driver/inspect/LayoutStudy.h"
#include "language/types/LayoutClass.h"

#include <llvm/ADT/STLExtras.h>

#include <gtest/gtest.h>

namespace gluond::driver {
namespace {

tl::expected<LayoutMap, std::string> map(const char* expression, std::vector<int64_t> shape = {},
                                         const char* dtype = "") {
  Interner names;
  return layoutMap(names, {expression, std::move(shape), dtype, "cuda:90"});
}

TEST(LayoutMap, expressionsUnderAnyAlias) {
  for (const char* spelled :
       {"gl.BlockedLayout([1, 2], [8, 4], [4, 1], [1, 0])",
        "ttgl.BlockedLayout([1,2],[8,4],[4,1],[1,0])",
        "BlockedLayout([1, 2], [8, 4], warps_per_cta=[4, 1], order=[1, 0])"}) {
    auto result = map(spelled, {32, 64});
    ASSERT_TRUE(result) << spelled << ": " << result.error();
    EXPECT_EQ(layout::report(result->picture).shape.size(), 2u);
  }
  EXPECT_TRUE(map("SliceLayout(1, BlockedLayout([1, 2], [8, 4], [4, 1], [1, 0]))", {32}));
  EXPECT_TRUE(map("gl.NVMMASharedLayout(128, 16)", {64, 64}, "f16"));
}

// Every class of layouts can be written without a module.
TEST(LayoutMap, classesByTheirNames) {
  for (const language::LayoutClass& cls : language::layoutClasses()) {
    if (cls.name.starts_with("_") || cls.family == language::LayoutFamily::Policy) continue;
    auto result = map(cls.name.data());
    ASSERT_FALSE(result) << cls.name.str(); // a class is no layout
    EXPECT_NE(result.error().find("not a layout"), std::string::npos) << result.error();
  }
}

TEST(LayoutMap, oneTileWithoutAShape) {
  auto result = map("gl.BlockedLayout([1, 2], [8, 4], [4, 1], [1, 0])");
  ASSERT_TRUE(result) << result.error();
  EXPECT_EQ(layout::report(result->picture).shape, (llvm::SmallVector<int64_t, 4>{32, 8}));
}

TEST(LayoutStudy, instructionsOfWarpGroupsAndElementsOfDescriptors) {
  Interner names;
  auto saysOf = [&](const char* expression, const char* dtype, llvm::StringRef words) {
    auto study = studyLayout(names, {{expression, {128, 64}, dtype, "cuda:90"}, {}, ""});
    return study && llvm::any_of(study->warnings, [&](const StudyWarning& each) {
             return llvm::StringRef(each.message).contains(words);
           });
  };
  llvm::StringRef groups = "must be a multiple of 4", width = "element_bitwidth is";
  EXPECT_TRUE(saysOf("gl.NVMMADistributedLayout([3, 0], [2, 1], [16, 64, 16])", "f32", groups));
  EXPECT_TRUE(saysOf("gl.NVMMADistributedLayout([3, 0], [2, 2], [16, 32, 16])", "f32", groups));
  EXPECT_FALSE(saysOf("gl.NVMMADistributedLayout([3, 0], [4, 1], [16, 64, 16])", "f32", groups));
  EXPECT_FALSE(saysOf("gl.NVMMADistributedLayout([2, 0], [2, 1], [16, 8])", "f32", groups));
  EXPECT_TRUE(saysOf("gl.NVMMASharedLayout(128, 16, rank=2)", "f32", width));
  EXPECT_FALSE(saysOf("gl.NVMMASharedLayout(128, 16, rank=2)", "bf16", width));
}

// Tensors are as large as whoever asks wants.
TEST(LayoutMap, conversionsOfLargeTensorsAreStudiedAtOnce) {
  Interner names;
  auto study = studyConversion(
      names,
      {"gl.BlockedLayout([1, 1], [1, 32], [1, 1], [1, 0])", {1 << 24, 1 << 24}, "f16", "cuda:90"},
      "gl.BlockedLayout([1, 1], [32, 1], [1, 1], [0, 1])");
  ASSERT_TRUE(study) << study.error();
  EXPECT_TRUE(study->instructions);
}

TEST(LayoutMap, saysWhatIsWrong) {
  for (const char* wrong : {"", "1 +", "42", "nonsense", "gl.BlockedLayout([1], [32])",
                            "gl.BlockedLayout([3], [32], [4], [0])", "[x for x in range(10**9)]",
                            "gl.AutoLayout()", "x = 1"})
    EXPECT_FALSE(map(wrong, {64})) << wrong;
  EXPECT_FALSE(map("gl.BlockedLayout([1], [32], [4], [0])", {64, 64}));
  EXPECT_FALSE(map("gl.BlockedLayout([1], [32], [4], [0])", {64}, "f17"));
}

TEST(LayoutMap, shapes) {
  EXPECT_EQ(parseShape("32x64"), (std::vector<int64_t>{32, 64}));
  EXPECT_EQ(parseShape("[8, 4]"), (std::vector<int64_t>{8, 4}));
  for (const char* wrong : {"", "x", "0x4", "-1", "4xq", "99999999999999999999"})
    EXPECT_FALSE(parseShape(wrong)) << wrong;
}

} // namespace
} // namespace gluond::driver
