#include "LoweredTtgir.h"

#include <gtest/gtest.h>

namespace gluond::test {
namespace {

// 16 elements a thread are loaded as `type` and stored after `body` made %w of %v.
PtxOf elements(const std::string& from, const std::string& to, const std::string& body) {
  auto tensor = [](const std::string& of) { return "tensor<2048x" + of + ", #b>"; };
  auto pointers = [&](const std::string& name, const std::string& of) {
    return "%" + name + "s = tt.splat %" + name + " : !tt.ptr<" + of + "> -> " +
           tensor("!tt.ptr<" + of + ">") + "\n%" + name + "p = tt.addptr %" + name +
           "s, %r : " + tensor("!tt.ptr<" + of + ">") + ", " + tensor("i32") + "\n";
  };
  return ptxOf(
      "#b = #ttg.blocked<{sizePerThread = [16], threadsPerWarp = [32], warpsPerCTA = [4], order = "
      "[0]}>\nmodule attributes {\"ttg.num-ctas\" = 1 : i32, \"ttg.num-warps\" = 4 : i32, "
      "ttg.target = \"cuda:90\", \"ttg.threads-per-warp\" = 32 : i32} {\ntt.func public @k(%a: "
      "!tt.ptr<" +
      from + "> {tt.divisibility = 16 : i32}, %c: !tt.ptr<" + to +
      "> {tt.divisibility = 16 : i32}, %s: f32) {\n%r = tt.make_range {end = 2048 : i32, start = 0 "
      ": i32} : " +
      tensor("i32") + "\n" + pointers("a", from) + pointers("c", to) + "%v = tt.load %ap : " +
      tensor("!tt.ptr<" + from + ">") + "\n%ss = tt.splat %s : f32 -> " + tensor("f32") + "\n" +
      body + "tt.store %cp, %w : " + tensor("!tt.ptr<" + to + ">") + "\ntt.return\n}\n}\n");
}

// 16 bytes become 16 floats and these 8 pairs of halves: computed pair by pair, a thread never
// holds all floats.
TEST(StoreOrder, ValuesOfAnElementStandTogether) {
  PtxOf made = elements("i8", "f16",
                        "%f = arith.sitofp %v : tensor<2048xi8, #b> to tensor<2048xf32, #b>\n"
                        "%m = arith.mulf %f, %ss : tensor<2048xf32, #b>\n"
                        "%w = arith.truncf %m : tensor<2048xf32, #b> to tensor<2048xf16, #b>\n");
  llvm::StringRef ptx = made.ptx;
  ASSERT_EQ(count(made.ptx, "sub.f32"), 16u) << made.problem << made.ptx;
  EXPECT_LT(ptx.find("cvt.rn.f16x2.f32"), ptx.rfind("sub.f32")) << made.ptx;
  // Both stores of a sector stay together.
  EXPECT_LT(ptx.rfind("cvt.rn.f16x2.f32"), ptx.find("st.global")) << made.ptx;
}

// The second half of the values is computed after the first half is stored: 16 floats are two
// sectors of a thread.
TEST(StoreOrder, SectorsAreStoredOneAfterTheOther) {
  PtxOf made = elements("i8", "f32",
                        "%f = arith.sitofp %v : tensor<2048xi8, #b> to tensor<2048xf32, #b>\n"
                        "%w = arith.mulf %f, %ss : tensor<2048xf32, #b>\n");
  llvm::StringRef ptx = made.ptx;
  ASSERT_EQ(count(made.ptx, "st.global.v4.b32"), 4u) << made.problem << made.ptx;
  size_t second = ptx.find("st.global", ptx.find("st.global") + 1);
  EXPECT_EQ(ptx.take_front(second).count("mul.f32"), 8u) << made.ptx;
}

// The operands of a moved value move with it, although an address or a later store needs them as
// well.
TEST(StoreOrder, OperandsStandBeforeWhatMoves) {
  PtxOf made = elements("i8", "f16",
                        "%f = arith.sitofp %v : tensor<2048xi8, #b> to tensor<2048xf32, #b>\n"
                        "%m = arith.mulf %f, %ss : tensor<2048xf32, #b>\n"
                        "%h = arith.truncf %m : tensor<2048xf32, #b> to tensor<2048xf16, #b>\n"
                        "tt.store %cp, %h : tensor<2048x!tt.ptr<f16>, #b>\n"
                        "%j = arith.sitofp %r : tensor<2048xi32, #b> to tensor<2048xf32, #b>\n"
                        "%k = arith.mulf %f, %j : tensor<2048xf32, #b>\n"
                        "%l = arith.addf %k, %ss : tensor<2048xf32, #b>\n"
                        "%w = arith.truncf %l : tensor<2048xf32, #b> to tensor<2048xf16, #b>\n");
  llvm::StringRef ptx = made.ptx;
  ASSERT_EQ(count(made.ptx, "cvt.rn.f32.u32"), 16u) << made.problem << made.ptx;
  for (size_t at = ptx.find("cvt.rn.f32.u32"); at != llvm::StringRef::npos;
       at = ptx.find("cvt.rn.f32.u32", at + 1)) {
    llvm::StringRef made = ptx.drop_front(at).split('%').second.split(',').first;
    EXPECT_GT(ptx.find(("%" + made + ",").str()), at) << made.str() << ptx.str();
    EXPECT_GT(ptx.find(("%" + made + ";").str()), at) << made.str() << ptx.str();
  }
}

// Numbers that follow from the index alone, such as random ones, are made where a loaded value
// meets them.
TEST(StoreOrder, NumbersOfElementsStandWithWhatUsesThem) {
  std::string numbers = "tensor<2048xi32, #b>";
  PtxOf made = elements(
      "f32", "f32",
      "%n1 = arith.constant dense<747796405> : " + numbers +
          "\n%n2 = arith.constant dense<277803737> : " + numbers +
          "\n%h1 = arith.muli %r, %n1 : " + numbers + "\n%h2 = arith.muli %h1, %h1 : " + numbers +
          "\n%h3 = arith.xori %h2, %n2 : " + numbers + "\n%g1 = arith.muli %h3, %n2 : " + numbers +
          "\n%g2 = arith.xori %g1, %h1 : " + numbers + "\n%g3 = arith.muli %g2, %h2 : " + numbers +
          "\n%k = arith.cmpi ult, %g3, %h3 : " + numbers +
          "\n%w = arith.select %k, %v, %ss : tensor<2048xi1, #b>, "
          "tensor<2048xf32, #b>\n");
  llvm::StringRef ptx = made.ptx;
  ASSERT_GE(count(made.ptx, "xor.b32"), 32u) << made.problem << made.ptx;
  EXPECT_LT(ptx.find("st.global"), ptx.rfind("xor.b32")) << made.ptx;
}

// Nothing is gained where as many values are needed at once: the order of the operations stays.
TEST(StoreOrder, OperationsStayInOrderWhereTheyNeedNoMoreRegisters) {
  PtxOf made = elements("f32", "f32",
                        "%m = arith.mulf %v, %ss : tensor<2048xf32, #b>\n"
                        "%w = math.absf %m : tensor<2048xf32, #b>\n");
  llvm::StringRef ptx = made.ptx;
  ASSERT_EQ(count(made.ptx, "abs"), 16u) << made.problem << made.ptx;
  EXPECT_LT(ptx.rfind("mul.f32"), ptx.find("abs")) << made.ptx;
}

// A product that is added to something is part of the sum (fma): to sum first is to store sooner,
// and to delay the loads of the next sums.
TEST(StoreOrder, SumsOfProductsStayTogether) {
  PtxOf made = elements("f32", "f32",
                        "%m = arith.mulf %v, %ss : tensor<2048xf32, #b>\n"
                        "%w = arith.addf %m, %v : tensor<2048xf32, #b>\n");
  llvm::StringRef ptx = made.ptx;
  ASSERT_EQ(count(made.ptx, "fma.rn.f32"), 16u) << made.problem << made.ptx;
  EXPECT_LT(ptx.rfind("fma.rn.f32"), ptx.find("st.global")) << made.ptx;
}

} // namespace
} // namespace gluond::test
