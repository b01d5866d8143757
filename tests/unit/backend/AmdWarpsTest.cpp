// AMD's back end: what the lanes of a warp, and the warps, do together.
#include "AmdCode.h"
#include "LoweredTtgir.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace gluond::test {
namespace {

using testing::HasSubstr;
using testing::Not;

// A number of a tensor whose elements are combined by `combiner`. Of several rows, each has half of
// a warp's lanes.
AmdCode reduced(llvm::StringRef target, unsigned lanes, llvm::StringRef combiner, unsigned rows) {
  std::string n = std::to_string(lanes / rows), r = std::to_string(rows);
  std::string layout = "#b = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [" + r + ", " +
                       n + "], warpsPerCTA = [1, 4], order = [1, 0]}>";
  std::string type = "tensor<" + r + "x" + std::to_string(4 * lanes / rows) + "xf32, #b>",
              slice = "tensor<" + r + "xf32, #ttg.slice<{dim = 1, parent = #b}>>";
  return codeOf(amdModule(
      target, lanes, layout,
      "tt.func public @k(%p: !tt.ptr<f32>, %x: f32) {\n%v = tt.splat %x : f32 -> " + type +
          "\n%r = \"tt.reduce\"(%v) <{axis = 1 : i32}> ({\n^bb0(%a: f32, %c: f32):\n%m = " +
          combiner.str() + " %a, %c : f32\ntt.reduce.return %m : f32\n}) : (" + type + ") -> " +
          slice + "\n%f = \"tt.reduce\"(%r) <{axis = 0 : i32}> ({\n^bb0(%a: f32, %c: f32):\n" +
          "%m = arith.addf %a, %c : f32\ntt.reduce.return %m : f32\n}) : (" + slice +
          ") -> f32\ntt.store %p, %f : !tt.ptr<f32>\ntt.return\n}"));
}

// Sums of floats round by the order: within rows of 16, then across them, as in Triton's code.
TEST(AmdWarps, AllLanesAreCombinedInTheLastOne) {
  for (llvm::StringRef target : {"hip:gfx942", "hip:gfx950"}) {
    AmdCode cdna = reduced(target, 64, "arith.addf", 1);
    size_t within = cdna.assembly.find("row_shr:8"), across = cdna.assembly.find("row_bcast:31");
    EXPECT_LT(within, across) << cdna.problem << cdna.assembly;
    EXPECT_NE(across, std::string::npos) << cdna.assembly;
    EXPECT_THAT(cdna.assembly, HasSubstr("v_readlane_b32"));
    EXPECT_EQ(count(cdna.assembly, "ds_bpermute"), 0u) << target.str();
    EXPECT_EQ(count(cdna.assembly, "ds_swizzle"), 0u) << target.str();
  }
  for (llvm::StringRef target : {"hip:gfx1100", "hip:gfx1201", "hip:gfx1250"}) {
    AmdCode rdna = reduced(target, 32, "arith.maxnumf", 1);
    EXPECT_LT(rdna.assembly.find("row_shr:8"), rdna.assembly.find("v_permlanex16"))
        << rdna.problem << rdna.assembly;
    EXPECT_THAT(rdna.assembly, HasSubstr("v_readlane_b32"));
  }
}

TEST(AmdWarps, SomeLanesExchangeWithoutMemoryWhereTheChipCan) {
  AmdCode cdna4 = reduced("hip:gfx950", 64, "arith.maxnumf", 2);
  EXPECT_THAT(cdna4.assembly, HasSubstr("v_permlane16_swap")) << cdna4.problem;
  EXPECT_THAT(cdna4.assembly, HasSubstr("row_ror:8"));
  EXPECT_THAT(cdna4.assembly, Not(HasSubstr("ds_bpermute")));
  AmdCode rdna = reduced("hip:gfx1100", 32, "arith.maxnumf", 2);
  EXPECT_THAT(rdna.assembly, HasSubstr("row_xmask:8")) << rdna.problem;
}

// Exchanges go through LDS as well: one access for each element is less than one for each register
// in which it may lie.
TEST(AmdWarps, GathersReadMemoryInPlaceOfManyShuffles) {
  auto gather = [](unsigned lanes, unsigned elements) {
    std::string n = std::to_string(elements), type = "tensor<" + n + "x4x",
                numbers = type + "i32, #b>", floats = type + "f32, #b>",
                addresses = type + "!tt.ptr<f32>, #b>";
    return codeOf(amdModule(
        lanes == 64 ? "hip:gfx942" : "hip:gfx1100", lanes,
        "#b = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [" + std::to_string(lanes) +
            ", 1], warpsPerCTA = [1, 4], order = [0, 1]}>",
        "tt.func public @k(%p: !tt.ptr<f32>, %i: i32) {\n%at = tt.splat %i : i32 -> " + numbers +
            "\n%s = tt.splat %p : !tt.ptr<f32> -> " + addresses + "\n%v = tt.load %s : " +
            addresses + "\n%g = tt.gather %v[%at] {axis = 0 : i32} : (" + floats + ", " + numbers +
            ") -> " + floats + "\ntt.store %s, %g : " + addresses + "\ntt.return\n}"));
  };
  for (unsigned lanes : {32u, 64u}) {
    AmdCode one = gather(lanes, lanes);
    EXPECT_EQ(count(one.assembly, "s_barrier"), 0u) << one.problem << one.assembly;
    AmdCode four = gather(lanes, 4 * lanes);
    EXPECT_EQ(count(four.assembly, "ds_bpermute"), 0u) << four.problem << four.assembly;
    EXPECT_GE(count(four.assembly, "s_barrier"), 1u);
  }
}

// The words of a copy's descriptor are scalar registers, whether it copies included.
TEST(AmdWarps, PredicatesOfTensorCopiesAreScalar) {
  AmdCode code = codeOf(amdModule(
      "hip:gfx1250", 32,
      "#s = #ttg.padded_shared<[64:+4] {order = [1, 0], shape = [32, 64]}>\n"
      "#smem = #ttg.shared_memory",
      "tt.func public @k(%p: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %m: i32, %n: i32) {\n"
      "%one = arith.constant 1 : i64\n%stride = arith.extsi %n : i32 to i64\n"
      "%d = tt.make_tensor_descriptor %p, [%m, %n], [%stride, %one] : <f16>, <32x64xf16, #s>\n"
      "%b = ttg.local_alloc : () -> !ttg.memdesc<32x64xf16, #s, #smem, mutable>\n"
      "%few = arith.constant 255 : i32\n%c = arith.cmpi sgt, %m, %few : i32\n"
      "%pred = arith.extui %c : i1 to i32\n"
      "%u = amdg.update_tensor_descriptor %d pred = %pred : !tt.tensordesc<32x64xf16, #s>\n"
      "%t = amdg.async_tdm_copy_global_to_local %u into %b : !tt.tensordesc<32x64xf16, #s> -> "
      "!ttg.memdesc<32x64xf16, #s, #smem, mutable>\n"
      "%w = amdg.async_tdm_wait {num = 0 : i32}\ntt.return\n}"));
  EXPECT_EQ(count(code.assembly, "tensor_load_to_lds"), 1u) << code.problem << code.assembly;
  EXPECT_EQ(count(code.assembly, "v_readfirstlane"), 0u) << code.assembly;
}

// Barriers that are initialized in a row, and one that each iteration waits for and arrives at:
// threads meet once, before the loop.
TEST(AmdWarps, BarriersInSharedMemoryNeedNoOthers) {
  AmdCode code = codeOf(amdModule(
      "hip:gfx1250", 32,
      "#s = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>\n"
      "#smem = #ttg.shared_memory",
      "tt.func public @k(%n: i32) {\n%z = arith.constant 0 : i32\n%one = arith.constant 1 : i32\n"
      "%a = ttg.local_alloc : () -> !ttg.memdesc<1xi64, #s, #smem, mutable>\n"
      "%b = ttg.local_alloc : () -> !ttg.memdesc<1xi64, #s, #smem, mutable>\n"
      "amdg.init_barrier %a, 128 : !ttg.memdesc<1xi64, #s, #smem, mutable>\n"
      "amdg.init_barrier %b, 128 : !ttg.memdesc<1xi64, #s, #smem, mutable>\n"
      "scf.for %i = %z to %n step %one : i32 {\n"
      "%x = amdg.arrive_barrier %a, 1 : !ttg.memdesc<1xi64, #s, #smem, mutable> -> i32\n"
      "amdg.wait_barrier %a, %x : !ttg.memdesc<1xi64, #s, #smem, mutable>\n"
      "%y = amdg.arrive_barrier %b, 1 : !ttg.memdesc<1xi64, #s, #smem, mutable> -> i32\n"
      "amdg.wait_barrier %b, %y : !ttg.memdesc<1xi64, #s, #smem, mutable>\n"
      "}\ntt.return\n}"));
  EXPECT_EQ(count(code.assembly, "s_barrier_wait"), 1u) << code.problem << code.assembly;
}

// Four products, each by one warp; all warps hold the left operand and its scales of all four.
TEST(AmdWarps, WarpsTakeTheOperandOfTheirBatch) {
  AmdCode code = codeOf(amdModule(
      "hip:gfx1250", 32,
      "#c = #ttg.amd_wmma<{version = 3, isTranspose = true, ctaLayout = {warp = [[1, 0, 0], [2, 0, "
      "0]]}, instrShape = [16, 16, 128]}>\n"
      "#all = #ttg.amd_wmma<{version = 3, isTranspose = true, ctaLayout = {warp = [[0, 0, 0], [0, "
      "0, 0]]}, instrShape = [16, 16, 128]}>\n"
      "#a = #ttg.dot_op<{opIdx = 0, parent = #all, kWidth = 16}>\n"
      "#b = #ttg.dot_op<{opIdx = 1, parent = #c, kWidth = 16}>\n"
      "#scales = #ttg.linear<{register = [[0, 0, 1], [0, 0, 2], [2, 0, 0]], lane = [[0, 1, 0], [0, "
      "2, 0], [0, 4, 0], [0, 8, 0], [1, 0, 0]], warp = [[0, 0, 0], [0, 0, 0]], block = []}>\n"
      "#own = #ttg.linear<{register = [[0, 0, 1], [0, 0, 2]], lane = [[0, 1, 0], [0, 2, 0], [0, 4, "
      "0], [0, 8, 0], [0, 0, 0]], warp = [[1, 0, 0], [2, 0, 0]], block = []}>\n"
      "#s = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [2, 1, 0]}>\n"
      "#smem = #ttg.shared_memory",
      "tt.func public @k(%sx: i8, %sy: i8) {\n"
      "%zero = arith.constant dense<0.0> : tensor<4x16x16xf32, #c>\n"
      "%x = ttg.local_alloc : () -> !ttg.memdesc<4x16x128xf8E4M3FN, #s, #smem, mutable>\n"
      "%y = ttg.local_alloc : () -> !ttg.memdesc<4x128x16xf8E4M3FN, #s, #smem, mutable>\n"
      "%z = ttg.local_alloc : () -> !ttg.memdesc<4x16x16xf32, #s, #smem, mutable>\n"
      "%l = ttg.local_load %x : !ttg.memdesc<4x16x128xf8E4M3FN, #s, #smem, mutable> -> "
      "tensor<4x16x128xf8E4M3FN, #a>\n"
      "%r = ttg.local_load %y : !ttg.memdesc<4x128x16xf8E4M3FN, #s, #smem, mutable> -> "
      "tensor<4x128x16xf8E4M3FN, #b>\n"
      "%p = tt.splat %sx : i8 -> tensor<4x16x4xi8, #scales>\n"
      "%q = tt.splat %sy : i8 -> tensor<4x16x4xi8, #own>\n"
      "%d = tt.dot_scaled %l scale %p, %r scale %q, %zero lhs = e4m3 rhs = e4m3 {fastMath = false} "
      ": tensor<4x16x128xf8E4M3FN, #a>, tensor<4x16x4xi8, #scales> * tensor<4x128x16xf8E4M3FN, "
      "#b>, tensor<4x16x4xi8, #own> -> tensor<4x16x16xf32, #c>\n"
      "ttg.local_store %d, %z : tensor<4x16x16xf32, #c> -> !ttg.memdesc<4x16x16xf32, #s, #smem, "
      "mutable>\ntt.return\n}"));
  EXPECT_EQ(count(code.assembly, "v_wmma_scale_f32_16x16x128"), 1u)
      << code.problem << code.assembly;
}

} // namespace
} // namespace gluond::test
