#include "LoweredTtgir.h"

#include <gtest/gtest.h>

namespace gluond::test {
namespace {

// Two tensors of floats, loaded in each turn of a loop with `body` between the first's exchange and
// the second's load.
PtxOf loop(const std::string& size, const std::string& body) {
  std::string loaded = "tensor<" + size + "xf32, #b>", turned = "tensor<" + size + "xf32, #c>",
              index = "tensor<" + size + "xi32, #b>",
              from = "tensor<" + size + "x!tt.ptr<f32>, #b>",
              to = "tensor<" + size + "x!tt.ptr<f32>, #c>",
              pointer = ": !tt.ptr<f32> {tt.divisibility = 16 : i32}";
  auto load = [&](const std::string& name) {
    return "%" + name + "s = tt.splat %" + name + " : !tt.ptr<f32> -> " + from + "\n%" + name +
           "p = tt.addptr %" + name + "s, %at : " + from + ", " + index + "\n%" + name +
           "v = tt.load %" + name + "p : " + from + "\n";
  };
  return ptxOf(
      "#b = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [4], order = "
      "[0]}>\n#c = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], "
      "order = [0]}>\nmodule attributes {\"ttg.num-ctas\" = 1 : i32, \"ttg.num-warps\" = 4 : i32, "
      "ttg.target = \"cuda:90\", \"ttg.threads-per-warp\" = 32 : i32} {\ntt.func public @k(%a" +
      pointer + ", %d" + pointer + ", %o" + pointer +
      ", %n: i32) {\n%0 = arith.constant 0 : i32\n%1 = arith.constant 1 : i32\n%zero = "
      "arith.constant dense<0.0> : " +
      turned + "\n%r = tt.make_range {end = " + size + " : i32, start = 0 : i32} : " + index +
      "\n%rc = tt.make_range {end = " + size + " : i32, start = 0 : i32} : tensor<" + size +
      "xi32, #c>\n%os = tt.splat %o : !tt.ptr<f32> -> " + to +
      "\n%op = tt.addptr %os, %rc : " + to + ", tensor<" + size +
      "xi32, #c>\n%sum = scf.for %i = %0 to %n step %1 iter_args(%s = " + "%zero) -> (" + turned +
      ") : i32 {\n%step = arith.constant 4096 : i32\n%start = arith.muli " +
      "%i, %step : i32\n%starts = tt.splat %start : i32 -> " + index +
      "\n%at = arith.addi %starts, %r : " + index + "\n" + load("a") +
      "%x = ttg.convert_layout %av : " + loaded + " -> " + turned + "\n" + body + load("d") +
      "%y = ttg.convert_layout %dv : " + loaded + " -> " + turned +
      "\n%z = arith.mulf %x, %y : " + turned + "\n%t = arith.addf %s, %z : " + turned +
      "\nscf.yield %t : " + turned + "\n}\ntt.store %op, %sum : " + to + "\ntt.return\n}\n}\n");
}

std::string storesInTheLoop(const std::string& size) {
  return "tt.store %op, %x : tensor<" + size + "x!tt.ptr<f32>, #c>\n";
}

// Sums of a row's pieces; with a warp of its own for each row of `rows`, or with all warps on one.
PtxOf summed(const std::string& warps, const std::string& target = "cuda:90",
             const std::string& columns = "512") {
  std::string tensor = "tensor<4x" + columns + "xf32, #b>",
              index = "tensor<4x" + columns + "xi32, #b>",
              pointers = "tensor<4x" + columns + "x!tt.ptr<f32>, #b>",
              column = "#ttg.slice<{dim = 0, parent = #b}>",
              row = "#ttg.slice<{dim = 1, parent = #b}>";
  return ptxOf(nvidiaModule(
      "#b = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [1, 32], warpsPerCTA = [" +
          warps + "], order = [1, 0]}>",
      "tt.func public @k(%a: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %o: !tt.ptr<f32>, %n: i32) "
      "{\n%0 = arith.constant 0 : i32\n%1 = arith.constant 1 : i32\n%zero = arith.constant "
      "dense<0.0> : tensor<4xf32, " +
          row + ">\n%c = tt.make_range {end = " + columns +
          " : i32, start = 0 : "
          "i32} : tensor<" +
          columns + "xi32, " + column +
          ">\n%c1 = tt.expand_dims %c {axis = 0 : i32} : "
          "tensor<" +
          columns + "xi32, " + column + "> -> tensor<1x" + columns +
          "xi32, #b>\n%cs = tt.broadcast %c1 : "
          "tensor<1x" +
          columns + "xi32, #b> -> " + index + "\n%as = tt.splat %a : !tt.ptr<f32> -> " + pointers +
          "\n%sum = scf.for %i = %0 to %n step %1 iter_args(%s = %zero) -> (tensor<4xf32, " + row +
          ">) : i32 {\n%step = arith.constant 4096 : i32\n%start = arith.muli %i, %step : i32\n"
          "%starts = tt.splat %start : i32 -> " +
          index + "\n%at = arith.addi %starts, %cs : " + index + "\n%p = tt.addptr %as, %at : " +
          pointers + ", " + index + "\n%v = tt.load %p : " + pointers +
          "\n%r = \"tt.reduce\"(%v) <{axis = 1 : i32}> ({\n^bb0(%x: f32, %y: f32):\n%z = "
          "arith.addf %x, %y : f32\ntt.reduce.return %z : f32\n}) : (" +
          tensor + ") -> tensor<4xf32, " + row + ">\n%t = arith.addf %s, %r : tensor<4xf32, " +
          row + ">\nscf.yield %t : tensor<4xf32, " + row +
          ">\n}\n%w = tt.make_range {end = 4 : i32, start = 0 : i32} : tensor<4xi32, " + row +
          ">\n%os = tt.splat %o : !tt.ptr<f32> -> tensor<4x!tt.ptr<f32>, " + row +
          ">\n%op = tt.addptr %os, %w : tensor<4x!tt.ptr<f32>, " + row + ">, tensor<4xi32, " + row +
          ">\ntt.store %op, %sum : tensor<4x!tt.ptr<f32>, " + row + ">\ntt.return\n}",
      target));
}

// ptxas would order the turn for as many threads as there can be, and wait for one load after
// another. Where all threads meet in each turn, others have to run meanwhile.
TEST(Loops, HaveRoomForTheirLoadsUnlessThreadsMeetInThem) {
  PtxOf alone = summed("4, 1"), together = summed("1, 4"), elsewhere = summed("4, 1", "cuda:80");
  EXPECT_EQ(count(alone.ptx, ".maxnreg 64"), 1u) << alone.problem << alone.ptx;
  EXPECT_EQ(count(together.ptx, ".maxnreg"), 0u) << together.problem << together.ptx;
  EXPECT_EQ(count(elsewhere.ptx, ".maxnreg"), 0u) << elsewhere.problem << elsewhere.ptx;
}

// Values would go to memory.
TEST(Loops, HaveALimitThatTheLoadsOfATurnFitInto) {
  PtxOf wide = summed("4, 1", "cuda:90", "2048");
  EXPECT_EQ(count(wide.ptx, ".maxnreg 128"), 1u) << wide.problem << wide.ptx;
  EXPECT_EQ(count(wide.ptx, "ld.global.v4"), 16u) << wide.problem << wide.ptx;
}

// No assembler moves a load above a barrier: each turn would wait for memory twice.
TEST(Loops, LoadsStandAboveTheExchangesBetweenThem) {
  PtxOf made = loop("512", "");
  llvm::StringRef ptx = made.ptx;
  ASSERT_EQ(count(made.ptx, "ld.global.v4.b32"), 2u) << made.problem << made.ptx;
  EXPECT_LT(ptx.rfind("ld.global"), ptx.find("bar.sync")) << made.ptx;
}

// What one thread stores, another may load after the barrier.
TEST(Loops, LoadsStayBehindBarriersThatOrderThemAfterStores) {
  PtxOf made = loop("512", storesInTheLoop("512"));
  llvm::StringRef ptx = made.ptx;
  ASSERT_EQ(count(made.ptx, "ld.global.v4.b32"), 2u) << made.problem << made.ptx;
  EXPECT_LT(ptx.find("bar.sync"), ptx.rfind("ld.global")) << made.ptx;
  EXPECT_LT(ptx.find("st.global"), ptx.rfind("ld.global")) << made.ptx;
}

// Loads that would fill registers stay where they are.
TEST(Loops, ManyLoadsStayBehindTheExchange) {
  PtxOf made = loop("4096", "");
  ASSERT_EQ(count(made.ptx, "ld.global.v4.b32"), 16u) << made.problem << made.ptx;
  EXPECT_EQ(count(made.ptx.substr(0, made.ptx.find("bar.sync")), "ld.global.v4.b32"), 12u)
      << made.ptx;
}

// In a loop the barriers of further rounds cost more than the cache that is left to loads gains:
// two barriers for each of the two conversions of 128 bytes a thread.
TEST(Loops, ConversionsExchangeInOneRound) {
  PtxOf made = loop("4096", "");
  EXPECT_EQ(count(made.ptx, "bar.sync"), 4u) << made.problem << made.ptx;
  EXPECT_EQ(made.facts.sharedBytes, 16384) << made.problem;
}

// Addresses under a mask follow from the counter: ptxas loads one element after another by a
// pointer that is counted up.
TEST(Loops, NoPointerIsCountedForLoadsUnderAMask) {
  std::string pointers = "tensor<512x!tt.ptr<f32>, #b>", index = "tensor<512xi32, #b>",
              floats = "tensor<512xf32, #b>";
  PtxOf made = ptxOf(nvidiaModule(
      "#b = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [4], order = "
      "[0]}>",
      "tt.func public @k(%a: !tt.ptr<f32>, %o: !tt.ptr<f32>, %n: i32) {\n%0 = arith.constant 0 : "
      "i32\n%step = arith.constant 512 : i32\n%zero = arith.constant dense<0.0> : " +
          floats + "\n%r = tt.make_range {end = 512 : i32, start = 0 : i32} : " + index +
          "\n%ns = tt.splat %n : i32 -> " + index + "\n%os = tt.splat %o : !tt.ptr<f32> -> " +
          pointers + "\n%op = tt.addptr %os, %r : " + pointers + ", " + index +
          "\n%sum = scf.for %i = %0 to %n step %step iter_args(%s = %zero) -> (" + floats +
          ") : i32 {\n%from = tt.addptr %a, %i : !tt.ptr<f32>, i32\n%as = tt.splat %from : "
          "!tt.ptr<f32> -> " +
          pointers + "\n%ap = tt.addptr %as, %r : " + pointers + ", " + index +
          "\n%is = tt.splat %i : i32 -> " + index + "\n%at = arith.addi %is, %r : " + index +
          "\n%m = arith.cmpi slt, %at, %ns : " + index + "\n%x = tt.load %ap, %m : " + pointers +
          "\n%t = arith.addf %s, %x : " + floats + "\nscf.yield %t : " + floats +
          "\n}\ntt.store %op, %sum : " + pointers + "\ntt.return\n}"));
  EXPECT_EQ(count(made.ptx, "ld.global.b32"), 4u) << made.problem << made.ptx;
  EXPECT_FALSE(llvm::StringRef(made.ptx).contains(", 2048;")) << made.ptx; // bytes of a turn
}

// Copies into one of two buffers, if there is anything left to copy; `more` stands with them.
PtxOf ring(const std::string& more) {
  std::string pointers = "tensor<512x!tt.ptr<f32>, #b>", index = "tensor<512xi32, #b>",
              buffer = "!ttg.memdesc<512xf32, #s, #smem, mutable>";
  return ptxOf(nvidiaModule(
      "#b = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [4], order = "
      "[0]}>\n#s = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>\n"
      "#smem = #ttg.shared_memory",
      "tt.func public @k(%a: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %o: !tt.ptr<f32> "
      "{tt.divisibility = 16 : i32}, %n: i32) {\n%0 = arith.constant 0 : i32\n%1 = "
      "arith.constant 1 : i32\n%2 = arith.constant 2 : i32\n%full = ttg.local_alloc : () -> " +
          buffer + "\n%ring = ttg.local_alloc : () -> " + buffer +
          "\n%r = tt.make_range {end = 512 : i32, start = 0 : i32} : " + index +
          "\n%as = tt.splat %a : !tt.ptr<f32> -> " + pointers + "\n%os = tt.splat %o : " +
          "!tt.ptr<f32> -> " + pointers + "\n%op = tt.addptr %os, %r : " + pointers + ", " + index +
          "\nscf.for %i = %0 to %n step %1 : i32 {\nttg.async_wait {num = 0 : i32}\n%x = "
          "ttg.local_load %full : " +
          buffer +
          " -> tensor<512xf32, #b>\n%next = arith.addi %i, %2 : i32\n%has = arith.cmpi "
          "slt, %next, %n : i32\nscf.if %has {\n%step = arith.constant 512 : i32\n"
          "%start = arith.muli %next, %step : i32\n%starts = tt.splat %start : i32 -> " +
          index + "\n%at = arith.addi %starts, %r : " + index +
          "\n%ap = tt.addptr %as, %at : " + pointers + ", " + index +
          "\n%t = ttg.async_copy_global_to_local %ap, %ring : " + pointers +
          " -> <512xf32, #s, #smem, mutable>\n" + more +
          "}\n%c = ttg.async_commit_group\ntt.store %op, %x : " + pointers + "\n}\ntt.return\n}"));
}

// ptxas moves nothing across a branch that it keeps.
TEST(Loops, CopiesThatABranchGuardsHaveAPredicate) {
  PtxOf made = ring("");
  EXPECT_EQ(count(made.ptx, "cp.async.cg"), 1u) << made.problem << made.ptx;
  EXPECT_TRUE(llvm::StringRef(made.ptx).contains(" cp.async.cg")) << made.ptx;
  EXPECT_EQ(count(made.ptx, "bra"), 2u) << made.ptx; // around the loop, and back
}

// What else is done under the condition needs the branch.
TEST(Loops, CopiesBesideAStoreKeepTheirBranch) {
  PtxOf made = ring("tt.store %op, %x : tensor<512x!tt.ptr<f32>, #b>\n");
  EXPECT_EQ(count(made.ptx, "cp.async.cg"), 1u) << made.problem << made.ptx;
  EXPECT_GT(count(made.ptx, "bra"), 2u) << made.ptx;
}

// Attention: the accumulator is scaled while the next operand may still be under way.
TEST(Loops, WhatStandsBeforeAWaitStaysThere) {
  PtxOf kernel = ptxOf(
      R"(#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 64, 16]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#bar = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
#dot = #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32, "ttng.two-ctas" = false} {
tt.func public @k(%p: !tt.ptr<f32>, %n: i32) {
%cst = arith.constant dense<0.000000e+00> : tensor<64x64xf32, #mma>
%true = arith.constant true
%zero = arith.constant 0 : i32
%x = ttg.local_alloc : () -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
%ys = ttg.local_alloc : () -> !ttg.memdesc<2x64x64xf16, #shared, #smem, mutable>
%zs = ttg.local_alloc : () -> !ttg.memdesc<2x64x64xf16, #shared, #smem, mutable>
%m = ttg.local_alloc : () -> !ttg.memdesc<1xi64, #bar, #smem, mutable>
ttng.init_barrier %m, 1 : !ttg.memdesc<1xi64, #bar, #smem, mutable>
%one = arith.constant 1 : i32
%r = scf.for %i = %zero to %n step %one iter_args(%acc = %cst) -> (tensor<64x64xf32, #mma>) : i32 {
%y = ttg.memdesc_index %ys[%i] : !ttg.memdesc<2x64x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
%s = ttng.warp_group_dot %x, %y, %cst, %true {inputPrecision = 0 : i32} : !ttg.memdesc<64x64xf16, #shared, #smem, mutable> * !ttg.memdesc<64x64xf16, #shared, #smem, mutable> -> tensor<64x64xf32, #mma>
%g = "tt.reduce"(%s) <{axis = 1 : i32}> ({
^bb0(%u: f32, %v: f32):
%w = arith.maxnumf %u, %v : f32
tt.reduce.return %w : f32
}) : (tensor<64x64xf32, #mma>) -> tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma}>>
%e = tt.expand_dims %g {axis = 1 : i32} : tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma}>> -> tensor<64x1xf32, #mma>
%f = tt.broadcast %e : tensor<64x1xf32, #mma> -> tensor<64x64xf32, #mma>
%c = arith.mulf %f, %acc : tensor<64x64xf32, #mma>
ttng.wait_barrier %m, %zero, %true : !ttg.memdesc<1xi64, #bar, #smem, mutable>
%z = ttg.memdesc_index %zs[%i] : !ttg.memdesc<2x64x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
%h = arith.truncf %s : tensor<64x64xf32, #mma> to tensor<64x64xf16, #mma>
%o = ttg.convert_layout %h : tensor<64x64xf16, #mma> -> tensor<64x64xf16, #dot>
%d = ttng.warp_group_dot %o, %z, %c, %true {inputPrecision = 0 : i32} : tensor<64x64xf16, #dot> * !ttg.memdesc<64x64xf16, #shared, #smem, mutable> -> tensor<64x64xf32, #mma>
scf.yield %d : tensor<64x64xf32, #mma>
}
%q = tt.splat %p : !tt.ptr<f32> -> tensor<64x64x!tt.ptr<f32>, #mma>
tt.store %q, %r : tensor<64x64x!tt.ptr<f32>, #mma>
tt.return
}
}
)");
  size_t wait = kernel.ptx.find("mbarrier.try_wait");
  ASSERT_NE(wait, std::string::npos) << kernel.problem;
  EXPECT_LT(kernel.ptx.rfind("mul.f32"), wait) << kernel.ptx;
  EXPECT_LT(wait, kernel.ptx.rfind("wgmma.mma_async"));
}

// One counter is for the address and for the end, which ptxas has to see to unroll the loop.
TEST(Loops, CountersOfKnownEndsAreAsWideAsTheirAddresses) {
  auto counted = [](const std::string& end) {
    return ptxOf(nvidiaModule(
        "", "tt.func public @k(%o: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %x: f32, %n: i32) "
            "{\n%0 = arith.constant 0 : i32\n%1 = arith.constant 1 : i32\n%8 = arith.constant 8 : "
            "i32\nscf.for %i = %0 to " +
                end +
                " step %1 : i32 {\n%p = tt.addptr %o, %i : !tt.ptr<f32>, i32\ntt.store %p, %x : "
                "!tt.ptr<f32>\n}\ntt.return\n}"));
  };
  PtxOf known = counted("%8"), unknown = counted("%n");
  EXPECT_EQ(count(known.ptx, "setp.ne.b64"), 1u) << known.problem << known.ptx;
  EXPECT_EQ(count(known.ptx, "cvt.u32.u64"), 0u) << known.ptx;
  EXPECT_EQ(count(unknown.ptx, "setp.ne.b64"), 0u) << unknown.problem << unknown.ptx;
}

// Two rows at loaded indices are added: both indices are asked for before the first row is.
TEST(Loads, IndicesOfRowsStandTogether) {
  std::string row = "tensor<512xf32, #b>", rowPlaces = "tensor<512x!tt.ptr<f32>, #b>",
              pointer = ": !tt.ptr<f32> {tt.divisibility = 16 : i32}";
  auto taken = [&](const std::string& n) {
    return "%i" + n + "p = tt.addptr %i, %" + n + " : !tt.ptr<i32>, i32\n%i" + n + " = tt.load %i" +
           n + "p : !tt.ptr<i32>\n%s" + n + " = arith.muli %i" + n + ", %w : i32\n%x" + n +
           "a = tt.addptr %x, %s" + n + " : !tt.ptr<f32>, i32\n%x" + n + "s = tt.splat %x" + n +
           "a : !tt.ptr<f32> -> " + rowPlaces + "\n%x" + n + "p = tt.addptr %x" + n +
           "s, %r : " + rowPlaces + ", tensor<512xi32, #b>\n%x" + n + " = tt.load %x" + n +
           "p : " + rowPlaces + "\n";
  };
  PtxOf made = ptxOf(nvidiaModule(
      "#b = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [4], order = "
      "[0]}>",
      "tt.func public @k(%x" + pointer + ", %i: !tt.ptr<i32>, %o" + pointer +
          ") {\n%0 = arith.constant 0 : i32\n%1 = arith.constant 1 : i32\n%w = arith.constant 512 "
          ": i32\n%r = tt.make_range {end = 512 : i32, start = 0 : i32} : tensor<512xi32, #b>\n" +
          taken("0") + "%e = math.exp2 %x0 : " + row + "\n" + taken("1") +
          "%y = arith.addf %e, %x1 : " + row + "\n%os = tt.splat %o : !tt.ptr<f32> -> " +
          rowPlaces + "\n%op = tt.addptr %os, %r : " + rowPlaces +
          ", tensor<512xi32, #b>\ntt.store %op, %y : " + rowPlaces + "\ntt.return\n}"));
  EXPECT_LT(made.ptx.rfind("ld.global.b32"), made.ptx.find("ld.global.v4"))
      << made.problem << made.ptx;
}

} // namespace
} // namespace gluond::test
