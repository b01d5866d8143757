// The instructions by which threads exchange: conversions of layouts, reductions, scans, gathers,
// and operands of matrix units.
#include "LoweredTtgir.h"

#include <gtest/gtest.h>

namespace gluond::test {
namespace {

TEST(Exchanges, ConversionsMeetOnceAndWithinAWarpNotAtAll) {
  auto convert = [](llvm::StringRef to) {
    return nvidiaModule(
        "#a = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [1, 32], "
        "warpsPerCTA = [4, 1], order = [1, 0]}>\n#b = " +
            to.str(),
        "tt.func public @k(%p: !tt.ptr<f32>) {\n%z = tt.splat %p : !tt.ptr<f32> -> "
        "tensor<16x128x!tt.ptr<f32>, #a>\n"
        "%v = tt.load %z : tensor<16x128x!tt.ptr<f32>, #a>\n%w = ttg.convert_layout %v : "
        "tensor<16x128xf32, #a> -> tensor<16x128xf32, #b>\n"
        "%q = tt.splat %p : !tt.ptr<f32> -> tensor<16x128x!tt.ptr<f32>, #b>\ntt.store "
        "%q, %w : tensor<16x128x!tt.ptr<f32>, #b>\ntt.return\n}");
  };
  PtxOf across = ptxOf(convert("#ttg.blocked<{sizePerThread = [4, 1], threadsPerWarp = [4, 8], "
                               "warpsPerCTA = [1, 4], order = [0, 1]}>"));
  EXPECT_EQ(count(across.ptx, "bar.sync"), 1u) << across.problem << across.ptx;
  EXPECT_GT(across.facts.sharedBytes, 0);
  PtxOf within = ptxOf(convert("#ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [1, 32], "
                               "warpsPerCTA = [4, 1], order = [0, 1]}>"));
  EXPECT_EQ(count(within.ptx, "bar.sync"), 0u) << within.problem;
  EXPECT_EQ(within.facts.sharedBytes, 0);
}

TEST(Exchanges, AWarpExchangesByShuffles) {
  auto convert = [](llvm::StringRef element, llvm::StringRef to, llvm::StringRef how) {
    auto tensor = [](llvm::StringRef of, llvm::StringRef layout) {
      return ("tensor<4096x" + of + ", " + layout + ">").str();
    };
    std::string pointer = ("!tt.ptr<" + element + ">").str();
    auto pointers = [&](llvm::StringRef name, llvm::StringRef layout) {
      return ("%r" + name + " = tt.make_range {end = 4096 : i32, start = 0 : i32} : " +
              tensor("i32", layout) + "\n%s" + name + " = tt.splat %p : " + pointer + " -> " +
              tensor(pointer, layout) + "\n%" + name + " = tt.addptr %s" + name + ", %r" + name +
              " : " + tensor(pointer, layout) + ", " + tensor("i32", layout) + "\n")
          .str();
    };
    return ptxOf(nvidiaModule(
        ("#a = #ttg.linear<{register = [[1], [2], [512], [1024], [2048]], lane = [[4], [8], [16], "
         "[32], [64]], warp = [[128], [256]], block = []}>\n#b = #ttg.linear<{" +
         to + ", [16], [32], [64]], warp = [[128], [256]], block = []}>")
            .str(),
        "tt.func public @k(%p: " + pointer + ") {\n" + pointers("in", "#a") +
            pointers("out", "#b") + "%v = tt.load %in : " + tensor(pointer, "#a") +
            "\n%w = ttg.convert_layout %v" + how.str() + " : " + tensor(element, "#a") + " -> " +
            tensor(element, "#b") + "\ntt.store %out, %w : " + tensor(pointer, "#b") +
            "\ntt.return\n}"));
  };
  // 32 elements a thread, half of which change lanes; two of 16 bits travel as one.
  llvm::StringRef pairs = "register = [[1], [4], [512], [1024], [2048]], lane = [[2], [8]";
  PtxOf words = convert("f32", pairs, "");
  EXPECT_EQ(count(words.ptx, "shfl.sync.bfly"), 16u) << words.problem << words.ptx;
  EXPECT_EQ(count(words.ptx, "selp"), 48u) << words.ptx;
  EXPECT_EQ(words.facts.sharedBytes, 0);
  EXPECT_EQ(count(convert("f16", pairs, "").ptx, "shfl.sync.bfly"), 8u);
  EXPECT_EQ(count(convert("f64", pairs, "").ptx, "shfl.sync.bfly"), 32u);
  // Two bits of 32 registers: shared memory is faster, unless the program says otherwise; in two
  // rounds of 64 bytes of a thread.
  llvm::StringRef single = "register = [[4], [8], [512], [1024], [2048]], lane = [[1], [2]";
  PtxOf through = convert("f32", single, "");
  EXPECT_EQ(count(through.ptx, "shfl.sync.bfly"), 0u);
  EXPECT_EQ(count(through.ptx, "bar.warp.sync"), 3u) << through.ptx;
  PtxOf forced = convert("f32", single, " {force_warp_shuffle}");
  EXPECT_EQ(count(forced.ptx, "shfl.sync.bfly"), 24u) << forced.problem << forced.ptx;
  EXPECT_EQ(forced.facts.sharedBytes, 0);
}

// Fragments of mma.sync are neighbouring registers. Wide loads of elements that belong to several
// fragments cost as many instructions as matrices do, and each fragment a copy.
TEST(Exchanges, OperandsOfProductsComeAsTheirFragments) {
  std::string loaded = "tensor<128x32xf16, #a>",
              operand = "tensor<128x32xf16, #ttg.dot_op<{opIdx = 0, parent = #m, kWidth = 2}>>",
              other = "tensor<32x64xf16, #ttg.dot_op<{opIdx = 1, parent = #m, kWidth = 2}>>",
              result = "tensor<128x64xf32, #m>";
  PtxOf made = ptxOf(nvidiaModule(
      "#a = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], "
      "order = [1, 0]}>\n#m = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = "
      "[2, 2], instrShape = [16, 8]}>",
      "tt.func public @k(%p: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %q: !tt.ptr<f32>) {\n"
      "%c = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, "
      "parent = #a}>>\n"
      "%e = tt.expand_dims %c {axis = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = "
      "#a}>> -> tensor<1x32xi32, #a>\n"
      "%b = tt.broadcast %e : tensor<1x32xi32, #a> -> tensor<128x32xi32, #a>\n"
      "%s = tt.splat %p : !tt.ptr<f16> -> tensor<128x32x!tt.ptr<f16>, #a>\n"
      "%i = tt.addptr %s, %b : tensor<128x32x!tt.ptr<f16>, #a>, tensor<128x32xi32, #a>\n"
      "%v = tt.load %i : tensor<128x32x!tt.ptr<f16>, #a>\n"
      "%x = ttg.convert_layout %v : " +
          loaded + " -> " + operand + "\n%y = arith.constant dense<1.0> : " + other +
          "\n%z = arith.constant dense<0.0> : " + result + "\n%d = tt.dot %x, %y, %z : " + operand +
          " * " + other + " -> " + result +
          "\n%o = tt.splat %q : !tt.ptr<f32> -> tensor<128x64x!tt.ptr<f32>, #m>\n"
          "tt.store %o, %d : tensor<128x64x!tt.ptr<f32>, #m>\ntt.return\n}"));
  EXPECT_EQ(count(made.ptx, "ldmatrix.sync.aligned.m8n8.x4.shared"), 8u)
      << made.problem << made.ptx;
  EXPECT_EQ(count(made.ptx, "ld.shared.v4"), 0u) << made.ptx;
}

TEST(Exchanges, BarriersStandOnlyBetweenThreadsThatShare) {
  auto through = [](llvm::StringRef load) {
    return nvidiaModule(
        "#a = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = "
        "[0]}>\n"
        "#r = #ttg.blocked<{sizePerThread = [2], threadsPerWarp = [32], warpsPerCTA = [4], order = "
        "[0]}>\n"
        "#s = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>\n#smem = "
        "#ttg.shared_memory",
        "tt.func public @k(%p: !tt.ptr<f32>) {\n%x = tt.splat %p : !tt.ptr<f32> -> "
        "tensor<256x!tt.ptr<f32>, #a>\n"
        "%v = tt.load %x : tensor<256x!tt.ptr<f32>, #a>\n%m = ttg.local_alloc : () -> "
        "!ttg.memdesc<256xf32, #s, #smem, mutable>\n"
        "ttg.local_store %v, %m : tensor<256xf32, #a> -> !ttg.memdesc<256xf32, #s, #smem, "
        "mutable>\n"
        "%w = ttg.local_load %m : !ttg.memdesc<256xf32, #s, #smem, mutable> -> tensor<256xf32, " +
            load.str() +
            ">\n"
            "%q = tt.splat %p : !tt.ptr<f32> -> tensor<256x!tt.ptr<f32>, " +
            load.str() + ">\ntt.store %q, %w : tensor<256x!tt.ptr<f32>, " + load.str() +
            ">\ntt.return\n}");
  };
  EXPECT_EQ(count(ptxOf(through("#r")).ptx, "bar.sync"), 1u) << ptxOf(through("#r")).problem;
  EXPECT_EQ(count(ptxOf(through("#a")).ptx, "bar.sync"), 0u)
      << "each thread reads what it wrote itself";
}

// Loads a 64x64 tile of f16, whose rows lie along k or along n, as an operand of a matrix unit.
std::string operand(unsigned index, unsigned fastest, llvm::StringRef target,
                    llvm::StringRef swizzle) {
  std::string type =
      "#ttg.dot_op<{opIdx = " + std::to_string(index) + ", parent = #mma, kWidth = 2}>";
  return nvidiaModule(
      "#mma = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [2, 2], "
      "instrShape = "
      "[16, 8]}>\n#s = #ttg.swizzled_shared<{" +
          swizzle.str() + ", order = [" + std::to_string(fastest) + ", " +
          std::to_string(1 - fastest) + "]}>\n#smem = #ttg.shared_memory",
      "tt.func public @k(%p: !tt.ptr<f16>) {\n%m = ttg.local_alloc : () -> !ttg.memdesc<64x64xf16, "
      "#s, #smem, mutable>\n%v = ttg.local_load %m : !ttg.memdesc<64x64xf16, #s, #smem, mutable> "
      "-> "
      "tensor<64x64xf16, " +
          type + ">\n%q = tt.splat %p : !tt.ptr<f16> -> tensor<64x64x!tt.ptr<f16>, " + type +
          ">\ntt.store %q, %v : tensor<64x64x!tt.ptr<f16>, " + type + ">\ntt.return\n}",
      target);
}

TEST(Exchanges, OperandsOfMatrixUnitsAreLoadedByMatrices) {
  const char* eight = "vec = 8, perPhase = 1, maxPhase = 8";
  for (llvm::StringRef target : {"cuda:80", "cuda:90"}) {
    // 64x64 elements over two warps along the other side: 32 registers of 2, 4 of them in each.
    PtxOf along = ptxOf(operand(0, 1, target, eight));
    EXPECT_EQ(count(along.ptx, "ldmatrix.sync.aligned.m8n8.x4.shared.b16"), 8u)
        << along.problem << along.ptx;
    EXPECT_EQ(count(along.ptx, "ld.shared"), 0u);
    PtxOf across = ptxOf(operand(1, 1, target, eight));
    EXPECT_EQ(count(across.ptx, "ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16"), 8u)
        << across.problem << across.ptx;
    EXPECT_EQ(count(across.ptx, "ld.shared"), 0u);
  }
  // Rows in pieces of 4 elements are no rows of a matrix.
  PtxOf pieces = ptxOf(operand(0, 1, "cuda:80", "vec = 4, perPhase = 1, maxPhase = 16"));
  EXPECT_EQ(count(pieces.ptx, "ldmatrix"), 0u) << pieces.problem;
  EXPECT_GT(count(pieces.ptx, "ld.shared"), 0u);
}

TEST(Exchanges, AccumulatorsAreStoredByMatricesWhereTheChipCan) {
  auto store = [](llvm::StringRef target, llvm::StringRef element) {
    std::string buffer = "!ttg.memdesc<64x64x" + element.str() + ", #s, #smem, mutable>";
    return ptxOf(nvidiaModule(
        "#mma = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [4, 1], "
        "instrShape = "
        "[16, 8]}>\n#s = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, "
        "elementBitWidth = " +
            std::to_string(element == "f32" ? 32 : 16) + "}>\n#smem = #ttg.shared_memory",
        "tt.func public @k(%p: !tt.ptr<" + element.str() + ">) {\n%q = tt.splat %p : !tt.ptr<" +
            element.str() + "> -> tensor<64x64x!tt.ptr<" + element.str() +
            ">, #mma>\n%v = tt.load %q : tensor<64x64x!tt.ptr<" + element.str() +
            ">, #mma>\n%m = ttg.local_alloc : () -> " + buffer +
            "\nttg.local_store %v, %m : "
            "tensor<64x64x" +
            element.str() + ", #mma> -> " + buffer + "\ntt.return\n}",
        target));
  };
  PtxOf hopper = store("cuda:90", "f16");
  EXPECT_EQ(count(hopper.ptx, "stmatrix.sync.aligned.m8n8.x4.shared.b16"), 4u)
      << hopper.problem << hopper.ptx;
  EXPECT_EQ(count(hopper.ptx, "st.shared"), 0u);
  PtxOf ampere = store("cuda:80", "f16");
  EXPECT_EQ(count(ampere.ptx, "stmatrix"), 0u) << ampere.problem;
  EXPECT_EQ(count(ampere.ptx, "st.shared.b32"), 16u);
  PtxOf words = store("cuda:90", "f32"); // two elements of a lane next to each other: 8 bytes
  EXPECT_EQ(count(words.ptx, "stmatrix"), 0u) << words.problem;
  EXPECT_EQ(count(words.ptx, "st.shared.v2"), 16u) << words.ptx;
}

// A warp meets after stmatrix where nothing else makes it meet.
TEST(Exchanges, AWarpDoesNotMeetRightBeforeAllWarpsDo) {
  PtxOf made = ptxOf(nvidiaModule(
      "#b = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], "
      "order = [1, 0]}>\n#m = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = "
      "[2, 2], instrShape = [16, 8]}>",
      "tt.func public @k(%p: !tt.ptr<f16> {tt.divisibility = 16 : i32}) {\n"
      "%q = tt.splat %p : !tt.ptr<f16> -> tensor<64x64x!tt.ptr<f16>, #m>\n"
      "%v = tt.load %q : tensor<64x64x!tt.ptr<f16>, #m>\n"
      "%w = ttg.convert_layout %v : tensor<64x64xf16, #m> -> tensor<64x64xf16, #b>\n"
      "%t = tt.splat %p : !tt.ptr<f16> -> tensor<64x64x!tt.ptr<f16>, #b>\n"
      "tt.store %t, %w : tensor<64x64x!tt.ptr<f16>, #b>\ntt.return\n}"));
  EXPECT_GT(count(made.ptx, "stmatrix"), 0u) << made.problem;
  EXPECT_EQ(count(made.ptx, "bar.sync"), 1u) << made.ptx;
  EXPECT_EQ(count(made.ptx, "bar.warp.sync"), 0u) << made.ptx;
}

// Sums of 1024 floats along the axis, `perThread` neighbours in each thread.
std::string scan(llvm::StringRef perThread, bool reverse) {
  return nvidiaModule(
      "#b = #ttg.blocked<{sizePerThread = [" + perThread.str() +
          "], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>",
      "tt.func public @k(%a: !tt.ptr<f32> {tt.divisibility = 16 : i32}) {\n"
      "%r = tt.make_range {end = 1024 : i32, start = 0 : i32} : tensor<1024xi32, #b>\n"
      "%as = tt.splat %a : !tt.ptr<f32> -> tensor<1024x!tt.ptr<f32>, #b>\n"
      "%ap = tt.addptr %as, %r : tensor<1024x!tt.ptr<f32>, #b>, tensor<1024xi32, #b>\n"
      "%v = tt.load %ap : tensor<1024x!tt.ptr<f32>, #b>\n"
      "%s = \"tt.scan\"(%v) <{axis = 0 : i32, reverse = " +
          std::string(reverse ? "true" : "false") +
          "}> ({\n^bb0(%x: f32, %y: f32):\n%z = arith.addf %x, %y : f32\n"
          "tt.scan.return %z : f32\n}) : (tensor<1024xf32, #b>) -> tensor<1024xf32, #b>\n"
          "tt.store %ap, %s : tensor<1024x!tt.ptr<f32>, #b>\ntt.return\n}");
}

// A branch would part what is loaded and exchanged before it from what is behind.
TEST(Exchanges, SeveralResultsOfAScanAreStoredUnderOnePredicate) {
  std::string tensor = "tensor<64x64xf32, #b>", places = "tensor<64x64x!tt.ptr<f32>, #b>";
  auto scanned = [&](const std::string& before, const std::string& after) {
    return ptxOf(nvidiaModule(
        "#b = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [2, 16], warpsPerCTA = [4, "
        "1], "
        "order = [1, 0]}>",
        "tt.func public @k(%a: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %n: i32) {\n%0 = "
        "arith.constant 0 : i32\n%1 = arith.constant 1 : i32\n%as = tt.splat %a : !tt.ptr<f32> "
        "-> " +
            places + "\n" + before + "%v = tt.load %as : " + places +
            "\n%s = \"tt.scan\"(%v) <{axis = 0 : i32, reverse = false}> ({\n^bb0(%x: f32, %y: "
            "f32):\n%z = arith.addf %x, %y : f32\ntt.scan.return %z : f32\n}) : (" +
            tensor + ") -> " + tensor + "\ntt.store %as, %s : " + places + "\n" + after +
            "tt.return\n}"));
  };
  PtxOf once = scanned("", ""), inTurns = scanned("scf.for %i = %0 to %n step %1 : i32 {\n", "}\n");
  EXPECT_GE(count(once.ptx, "st.shared.v"), 1u) << once.problem << once.ptx;
  EXPECT_EQ(count(once.ptx, "bra"), 0u) << once.ptx;
  EXPECT_GE(count(inTurns.ptx, "bra"), 2u) << inTurns.problem << inTurns.ptx;
}

TEST(Exchanges, ScansMeetOnce) {
  for (bool reverse : {false, true}) {
    PtxOf made = ptxOf(scan("4", reverse));
    EXPECT_EQ(count(made.ptx, "bar.sync"), 1u) << made.problem << made.ptx;
    // Two runs of each thread: five steps through the lanes, then what the lane before has. The
    // number of the warp follows from the thread's.
    EXPECT_EQ(count(made.ptx, reverse ? "shfl.sync.down" : "shfl.sync.up"), 12u);
    EXPECT_EQ(count(made.ptx, "shfl.sync.idx"), 0u);
    EXPECT_EQ(count(made.ptx, "st.shared.b32"), 2u);
    EXPECT_EQ(count(made.ptx, "bra"), 0u); // the stores have predicates
    EXPECT_EQ(count(made.ptx, "ld.shared.v4.b32"), 2u);
    EXPECT_EQ(made.facts.sharedBytes, 32);
    // Six within the runs, ten through the lanes, six of the warps before the last, each element.
    EXPECT_EQ(count(made.ptx, "add.f32"), 6u + 10 + 6 + 8);
  }
}

TEST(Exchanges, WhatRepeatsIsCalculatedOnce) {
  // Eight neighbours of a thread have one quotient and one bound.
  std::string type = "tensor<1024xi32, #b>", pointers = "tensor<1024x!tt.ptr<i32>, #b>";
  PtxOf made = ptxOf(nvidiaModule(
      "#b = #ttg.blocked<{sizePerThread = [8], threadsPerWarp = [32], warpsPerCTA = [4], order = "
      "[0]}>",
      "tt.func public @k(%a: !tt.ptr<i32>, %n: i32) {\n%r = tt.make_range {end = 1024 : i32, start "
      "= 0 : i32} : " +
          type + "\n%e = arith.constant dense<8> : " + type +
          "\n%q = arith.divsi %r, %e : " + type + "\n%ns = tt.splat %n : i32 -> " + type +
          "\n%m = arith.cmpi slt, %q, %ns : " + type + "\n%as = tt.splat %a : !tt.ptr<i32> -> " +
          pointers + "\n%ap = tt.addptr %as, %r : " + pointers + ", " + type +
          "\ntt.store %ap, %q, %m : " + pointers + "\ntt.return\n}"));
  EXPECT_EQ(count(made.ptx, "setp.lt.s32"), 1u) << made.problem << made.ptx;
}

TEST(Exchanges, SlotsOfARingAreApart) {
  auto ring = [](llvm::StringRef distance) {
    return nvidiaModule(
        "#b = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = "
        "[0]}>\n#c = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [4], "
        "order = [0]}>\n#s = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = "
        "[0]}>\n#smem = #ttg.shared_memory",
        "tt.func public @k(%a: !tt.ptr<i32>, %n: i32) {\n%0 = arith.constant 0 : i32\n%1 = "
        "arith.constant 1 : i32\n%3 = arith.constant 3 : i32\n%d = arith.constant " +
            distance.str() +
            " : i32\n%as = tt.splat %a : !tt.ptr<i32> -> tensor<512x!tt.ptr<i32>, #b>\n%w = "
            "tt.make_range {end = 512 : i32, start = 0 : i32} : tensor<512xi32, #c>\n"
            "%m = ttg.local_alloc : () -> !ttg.memdesc<3x512xi32, #s, #smem, mutable>\n"
            "scf.for %k = %0 to %n step %1 : i32 {\n%i = arith.remsi %k, %3 : i32\n%v = "
            "ttg.memdesc_index %m[%i] : !ttg.memdesc<3x512xi32, #s, #smem, mutable> -> "
            "!ttg.memdesc<512xi32, #s, #smem, mutable>\n%x = ttg.local_load %v : "
            "!ttg.memdesc<512xi32, #s, #smem, mutable> -> tensor<512xi32, #b>\ntt.store %as, %x : "
            "tensor<512x!tt.ptr<i32>, #b>\n%j = arith.addi %k, %d : i32\n%o = arith.remsi %j, %3 "
            ": i32\n%u = ttg.memdesc_index %m[%o] : !ttg.memdesc<3x512xi32, #s, #smem, mutable> -> "
            "!ttg.memdesc<512xi32, #s, #smem, mutable>\nttg.local_store %w, %u : tensor<512xi32, "
            "#c> -> !ttg.memdesc<512xi32, #s, #smem, mutable>\n}\ntt.return\n}");
  };
  PtxOf other = ptxOf(ring("2")), same = ptxOf(ring("3"));
  EXPECT_EQ(count(other.ptx, "bar.sync"), 1u) << other.problem << other.ptx;
  EXPECT_EQ(count(same.ptx, "bar.sync"), 2u) << same.problem << same.ptx;
}

TEST(Exchanges, ConversionsToOperandsAreLoadedByMatrices) {
  std::string from = "tensor<64x64xf16, #a>", to = "tensor<64x64xf16, #d>";
  std::string text = nvidiaModule(
      "#a = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], "
      "order = [1, 0]}>\n#m = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = "
      "[2, 2], instrShape = [16, 8]}>\n#d = #ttg.dot_op<{opIdx = 0, parent = #m, kWidth = 2}>",
      "tt.func public @k(%p: !tt.ptr<f16> {tt.divisibility = 16 : i32}) {\n%r = tt.make_range {end "
      "= "
      "64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #a}>>\n%e = "
      "tt.expand_dims %r {axis = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #a}>> -> "
      "tensor<1x64xi32, #a>\n%i = tt.broadcast %e : tensor<1x64xi32, #a> -> tensor<64x64xi32, #a>\n"
      "%s = tt.splat %p : !tt.ptr<f16> -> tensor<64x64x!tt.ptr<f16>, #a>\n%q = tt.addptr %s, %i : "
      "tensor<64x64x!tt.ptr<f16>, #a>, tensor<64x64xi32, #a>\n%v = tt.load %q : "
      "tensor<64x64x!tt.ptr<f16>, #a>\n%w = ttg.convert_layout %v : " +
          from + " -> " + to +
          "\n%t = tt.splat %p : !tt.ptr<f16> -> tensor<64x64x!tt.ptr<f16>, #d>\ntt.store %t, %w : "
          "tensor<64x64x!tt.ptr<f16>, #d>\ntt.return\n}");
  PtxOf made = ptxOf(text);
  EXPECT_EQ(count(made.ptx, "st.shared.v4"), 4u) << made.problem << made.ptx;
  EXPECT_EQ(count(made.ptx, "ldmatrix.sync.aligned.m8n8.x4"), 8u);
}

// As many wide loads would do, with an instruction for each word of the operand that has elements
// of two rows.
TEST(Exchanges, WhatWouldBePackedWordByWordIsLoadedByMatrices) {
  PtxOf made = ptxOf(nvidiaModule(
      "#a = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [2, 16], warpsPerCTA = [4, 1], "
      "order = [1, 0]}>\n#m = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = "
      "[4, 1], instrShape = [16, 8]}>\n#d = #ttg.dot_op<{opIdx = 1, parent = #m, kWidth = 2}>",
      "tt.func public @k(%p: !tt.ptr<f16> {tt.divisibility = 16 : i32}) {\n"
      "%q = tt.splat %p : !tt.ptr<f16> -> tensor<64x128x!tt.ptr<f16>, #a>\n"
      "%v = tt.load %q : tensor<64x128x!tt.ptr<f16>, #a>\n"
      "%w = ttg.convert_layout %v : tensor<64x128xf16, #a> -> tensor<64x128xf16, #d>\n"
      "%t = tt.splat %p : !tt.ptr<f16> -> tensor<64x128x!tt.ptr<f16>, #d>\n"
      "tt.store %t, %w : tensor<64x128x!tt.ptr<f16>, #d>\ntt.return\n}"));
  EXPECT_EQ(count(made.ptx, "ldmatrix.sync.aligned.m8n8.x4.trans"), 32u) << made.problem;
  EXPECT_EQ(count(made.ptx, "ld.shared"), 0u) << made.ptx;
}

TEST(Exchanges, MatricesAConstantApartShareAnAddress) {
  std::string text = nvidiaModule(
      "#a = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], "
      "order = [1, 0]}>\n#m = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = "
      "[4, 1], instrShape = [16, 8]}>\n#d = #ttg.dot_op<{opIdx = 1, parent = #m, kWidth = 2}>",
      "tt.func public @k(%p: !tt.ptr<f16> {tt.divisibility = 16 : i32}) {\n"
      "%q = tt.splat %p : !tt.ptr<f16> -> tensor<32x64x!tt.ptr<f16>, #a>\n"
      "%v = tt.load %q : tensor<32x64x!tt.ptr<f16>, #a>\n"
      "%w = ttg.convert_layout %v : tensor<32x64xf16, #a> -> tensor<32x64xf16, #d>\n"
      "%t = tt.splat %p : !tt.ptr<f16> -> tensor<32x64x!tt.ptr<f16>, #d>\n"
      "tt.store %t, %w : tensor<32x64x!tt.ptr<f16>, #d>\ntt.return\n}");
  PtxOf made = ptxOf(text);
  EXPECT_EQ(count(made.ptx, "ldmatrix.sync.aligned.m8n8.x4.trans"), 8u) << made.problem << made.ptx;
  // The second half of K lies 16 rows of 128 bytes further, in a store of the first layout too.
  llvm::StringRef ptx = made.ptx;
  EXPECT_EQ(ptx.count("+2048]") + ptx.count("+2560]"), 4u + 1u) << made.ptx;
}

TEST(Exchanges, AGatherWithinAWarpNeedsNoMemory) {
  auto gather = [](llvm::StringRef warpsAlongAxis, llvm::StringRef warpsElsewhere) {
    std::string numbers = "tensor<128x4xi32, #b>", floats = "tensor<128x4xf32, #b>",
                addresses = "tensor<128x4x!tt.ptr<f32>, #b>";
    return ptxOf(nvidiaModule(
        "#b = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [32, 1], warpsPerCTA = [" +
            warpsAlongAxis.str() + ", " + warpsElsewhere.str() + "], order = [0, 1]}>",
        "tt.func public @k(%p: !tt.ptr<f32>, %i: i32) {\n%at = tt.splat %i : i32 -> " + numbers +
            "\n%s = tt.splat %p : !tt.ptr<f32> -> " + addresses + "\n%v = tt.load %s : " +
            addresses + "\n%g = tt.gather %v[%at] {axis = 0 : i32} : (" + floats + ", " + numbers +
            ") -> " + floats + "\ntt.store %s, %g : " + addresses + "\ntt.return\n}"));
  };
  // Each warp has a column, four elements a thread: four shuffles for each.
  PtxOf within = gather("1", "4");
  EXPECT_EQ(count(within.ptx, "bar.sync"), 0u) << within.problem << within.ptx;
  EXPECT_EQ(count(within.ptx, "ld.shared"), 0u) << within.ptx;
  EXPECT_GE(count(within.ptx, "shfl.sync.idx"), 4u) << within.ptx;
  EXPECT_EQ(within.facts.sharedBytes, 0);
  PtxOf across = gather("4", "1");
  EXPECT_GE(count(across.ptx, "bar.sync"), 1u) << across.problem << across.ptx;
}

TEST(Exchanges, AGatherOfNeighboursReadsThemTogether) {
  // Element i ^ 4 of each i: of eight elements a thread, two groups of four change places.
  std::string numbers = "tensor<1024xi32, #b>", floats = "tensor<1024xf32, #b>",
              addresses = "tensor<1024x!tt.ptr<f32>, #b>";
  PtxOf swapped = ptxOf(nvidiaModule(
      "#b = #ttg.blocked<{sizePerThread = [8], threadsPerWarp = [32], warpsPerCTA = [4], order = "
      "[0]}>",
      "tt.func public @k(%p: !tt.ptr<f32> {tt.divisibility = 16 : i32}) {\n%r = tt.make_range {end "
      "= 1024 : i32, start = 0 : i32} : " +
          numbers + "\n%c = arith.constant dense<4> : " + numbers +
          "\n%at = arith.xori %r, %c : " + numbers + "\n%s = tt.splat %p : !tt.ptr<f32> -> " +
          addresses + "\n%a = tt.addptr %s, %r : " + addresses + ", " + numbers +
          "\n%v = tt.load %a : " + addresses + "\n%g = tt.gather %v[%at] {axis = 0 : i32} : (" +
          floats + ", " + numbers + ") -> " + floats + "\ntt.store %a, %g : " + addresses +
          "\ntt.return\n}",
      "cuda:90"));
  EXPECT_EQ(count(swapped.ptx, "ld.shared.v4"), 2u) << swapped.problem << swapped.ptx;
  EXPECT_EQ(count(swapped.ptx, "ld.shared"), 2u) << swapped.ptx;
}

TEST(Exchanges, ElementsOfOneMaskAreCountedInOneBranch) {
  // Four elements a thread, and a size of a multiple of 16: they are all counted or none is.
  std::string numbers = "tensor<512xi32, #b>", bits = "tensor<512xi1, #b>",
              addresses = "tensor<512x!tt.ptr<i32>, #b>";
  PtxOf counted = ptxOf(nvidiaModule(
      "#b = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [4], order = "
      "[0]}>\n#c = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], "
      "order = [0]}>",
      "tt.func public @k(%p: !tt.ptr<i32> {tt.divisibility = 16 : i32}, %n: i32 {tt.divisibility = "
      "16 : i32}) {\n%r = tt.make_range {end = 512 : i32, start = 0 : i32} : " +
          numbers + "\n%m = tt.splat %n : i32 -> " + numbers +
          "\n%k = arith.cmpi slt, %r, %m : " + numbers +
          "\n%z = arith.constant dense<0> : " + numbers + "\n%s = tt.splat %p : !tt.ptr<i32> -> " +
          addresses + "\n%a = tt.addptr %s, %r : " + addresses + ", " + numbers +
          "\n%v = tt.load %a, %k, %z : " + addresses + "\n%h = tt.histogram %v, %k : " + numbers +
          " -> tensor<128xi32, #c>\n%q = tt.make_range {end = 128 : i32, start = 0 : i32} : "
          "tensor<128xi32, #c>\n%t = tt.splat %p : !tt.ptr<i32> -> tensor<128x!tt.ptr<i32>, #c>\n"
          "%w = tt.addptr %t, %q : tensor<128x!tt.ptr<i32>, #c>, tensor<128xi32, #c>\ntt.store %w, "
          "%h : tensor<128x!tt.ptr<i32>, #c>\ntt.return\n}"));
  EXPECT_EQ(count(counted.ptx, "red.shared.add.u32"), 4u) << counted.problem << counted.ptx;
  EXPECT_EQ(count(counted.ptx, "bra"), 1u) << counted.ptx;
}

TEST(Exchanges, LanesAreReducedAtOnce) {
  auto sum = [](llvm::StringRef element, llvm::StringRef op, llvm::StringRef target) {
    std::string pointer = ("!tt.ptr<" + element + ">").str(),
                addresses = "tensor<512x" + pointer + ", #b>", numbers = "tensor<512xi32, #b>",
                values = ("tensor<512x" + element + ", #b>").str();
    return ptxOf(nvidiaModule(
        "#b = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [4], order = "
        "[0]}>",
        "tt.func public @k(%p: " + pointer +
            ") {\n%r = tt.make_range {end = 512 : i32, start = 0 : i32} : " + numbers +
            "\n%s = tt.splat %p : " + pointer + " -> " + addresses + "\n%a = tt.addptr %s, %r : " +
            addresses + ", " + numbers + "\n%v = tt.load %a : " + addresses +
            "\n%w = \"tt.reduce\"(%v) <{axis = 0 : i32}> ({\n^bb0(%x: " + element.str() +
            ", %y: " + element.str() + "):\n%z = " + op.str() + " %x, %y : " + element.str() +
            "\ntt.reduce.return %z : " + element.str() + "\n}) : (" + values + ") -> " +
            element.str() + "\ntt.store %p, %w : " + pointer + "\ntt.return\n}",
        target));
  };
  // The largest of the four warps' is the largest of all lanes that hold them, again and again;
  // sums are combined by two shuffles.
  auto largest = [&](llvm::StringRef element, llvm::StringRef op, llvm::StringRef target) {
    PtxOf kernel = sum(element, op, target);
    EXPECT_EQ(count(kernel.ptx, "shfl.sync.bfly"), 0u) << kernel.problem << kernel.ptx;
    return kernel.ptx;
  };
  EXPECT_EQ(count(largest("i32", "arith.maxsi", "cuda:80"), "redux.sync.max.s32"), 2u);
  EXPECT_EQ(count(largest("i8", "arith.minsi", "cuda:90"), "redux.sync.min.s32"), 2u);
  // 64 bits: the upper halves, then the lower ones of the lanes with the largest upper half.
  std::string wide = largest("i64", "arith.maxsi", "cuda:90");
  EXPECT_EQ(count(wide, "redux.sync.max.s32"), 2u);
  EXPECT_EQ(count(wide, "redux.sync.max.u32"), 2u);
  EXPECT_EQ(count(largest("i64", "arith.ori", "cuda:90"), "redux.sync.or.b32"), 4u);
  EXPECT_EQ(count(sum("i64", "arith.addi", "cuda:90").ptx, "shfl.sync.bfly"), 2u * (5u + 2u));
  PtxOf whole = sum("i32", "arith.addi", "cuda:80");
  EXPECT_EQ(count(whole.ptx, "redux.sync.add.s32"), 1u) << whole.problem << whole.ptx;
  EXPECT_EQ(count(whole.ptx, "shfl.sync.bfly"), 2u);
  EXPECT_EQ(count(sum("i32", "arith.maxui", "cuda:90").ptx, "redux.sync.max.u32"), 2u);
  EXPECT_EQ(count(sum("i32", "arith.muli", "cuda:90").ptx, "shfl.sync.bfly"), 5u + 2u);
  EXPECT_EQ(count(sum("i32", "arith.addi", "cuda:75").ptx, "shfl.sync.bfly"), 5u + 2u);
  EXPECT_EQ(count(sum("f32", "arith.addf", "cuda:90").ptx, "shfl.sync.bfly"), 5u + 2u);
}

} // namespace
} // namespace gluond::test
