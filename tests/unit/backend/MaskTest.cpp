#include "LoweredTtgir.h"

#include <gtest/gtest.h>

namespace gluond::test {
namespace {

// 16 rows of 64 integers, `each` of them in each thread, are stored where `%mask` holds, which
// `body` makes of the row %r, the column %c and the arguments %a and %b of each element.
PtxOf masked(const std::string& body, const std::string& each = "[1, 8]",
             const std::string& threads = "[4, 8]") {
  std::string numbers = "tensor<16x64xi32, #b>", places = "tensor<16x64x!tt.ptr<i32>, #b>";
  auto axis = [&](const std::string& name, int removed, const std::string& count,
                  const std::string& shape) {
    std::string parent = "#ttg.slice<{dim = " + std::to_string(removed) + ", parent = #b}>",
                line = "tensor<" + count + "xi32, " + parent + ">",
                column = "tensor<" + shape + "xi32, #b>";
    return "%" + name + "0 = tt.make_range {end = " + count + " : i32, start = 0 : i32} : " + line +
           "\n%" + name + "1 = tt.expand_dims %" + name + "0 {axis = " + std::to_string(removed) +
           " : i32} : " + line + " -> " + column + "\n%" + name + " = tt.broadcast %" + name +
           "1 : " + column + " -> " + numbers + "\n";
  };
  auto all = [&](const std::string& name) {
    return "%" + name + " = tt.splat %" + name + "x : i32 -> " + numbers + "\n";
  };
  return ptxOf(nvidiaModule(
      "#b = #ttg.blocked<{sizePerThread = " + each + ", threadsPerWarp = " + threads +
          ", warpsPerCTA = [4, 1], order = [1, 0]}>",
      "tt.func public @k(%o: !tt.ptr<i32>, %ax: i32, %bx: i32) {\n" + axis("r", 1, "16", "16x1") +
          axis("c", 0, "64", "1x64") + all("a") + all("b") +
          "%f = arith.constant dense<64> : " + numbers + "\n%m = arith.muli %r, %f : " + numbers +
          "\n%i = arith.addi %m, %c : " + numbers + "\n%os = tt.splat %o : !tt.ptr<i32> -> " +
          places + "\n%p = tt.addptr %os, %i : " + places + ", " + numbers + "\n" + body +
          "tt.store %p, %c, %mask : " + places + "\ntt.return\n}"));
}

std::string compared(const std::string& name, const std::string& what) {
  return "%" + name + " = arith.cmpi " + what + " : tensor<16x64xi32, #b>\n";
}
std::string both(const std::string& name, const std::string& what) {
  return "%" + name + " = arith.andi " + what + " : tensor<16x64xi1, #b>\n";
}

// One comparison of each of a thread's eight elements.
TEST(Mask, SeveralBoundsOfANumberAreOne) {
  PtxOf made =
      masked("%ra = arith.addi %r, %a : tensor<16x64xi32, #b>\n" + compared("x", "sle, %c, %ra") +
             compared("y", "slt, %c, %b") + both("mask", "%x, %y"));
  EXPECT_EQ(count(made.ptx, "setp"), 8u) << made.problem << made.ptx;
  EXPECT_EQ(count(made.ptx, "and.pred"), 0u) << made.ptx;
}

// Zero and a bound are one comparison without signs, also where LLVM tests two signs at once.
TEST(Mask, BordersOfAnImageAreOneComparison) {
  std::string zero = "%z = arith.constant dense<0> : tensor<16x64xi32, #b>\n";
  PtxOf made = masked(zero +
                      "%x = arith.addi %c, %a : tensor<16x64xi32, #b>\n"
                      "%y = arith.addi %r, %a : tensor<16x64xi32, #b>\n" +
                      compared("x0", "sge, %x, %z") + compared("x1", "slt, %x, %b") +
                      compared("y0", "sge, %y, %z") + compared("y1", "slt, %y, %b") +
                      both("xs", "%x0, %x1") + both("ys", "%y0, %y1") + both("mask", "%xs, %ys"));
  EXPECT_EQ(count(made.ptx, "setp.lt.u32"), 9u) << made.problem << made.ptx;
  EXPECT_EQ(count(made.ptx, "setp"), 9u) << made.ptx;
}

// The elements' distances are constants: all masks need one register. Eight of them, of two rows in
// each thread, are held in predicates.
TEST(Mask, NeighboursAreComparedByTheirDistances) {
  PtxOf made = masked(compared("mask", "slt, %c, %a"), "[1, 16]", "[8, 4]");
  EXPECT_EQ(count(made.ptx, "max.s32"), 1u) << made.problem << made.ptx;
  EXPECT_EQ(count(made.ptx, "setp.gt.s32"), 16u) << made.ptx;
  PtxOf few = masked(compared("mask", "slt, %c, %a"));
  EXPECT_EQ(count(few.ptx, "max.s32"), 0u) << few.problem << few.ptx;
}

} // namespace
} // namespace gluond::test
