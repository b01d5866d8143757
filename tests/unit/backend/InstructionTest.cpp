// The instructions that matter: vector widths, barriers, fences.
#include "LoweredTtgir.h"

#include <gtest/gtest.h>

namespace gluond::test {
namespace {

// Copies 1024 floats; `hint` is what is known of the pointers, `mask` whether a bound is checked.
std::string copy(llvm::StringRef perThread, llvm::StringRef hint, bool masked) {
  std::string type = "tensor<1024x!tt.ptr<f32>, #b>", mask = masked ? ", %m" : "";
  std::string body =
      "tt.func public @k(%a: !tt.ptr<f32> " + hint.str() + ", %c: !tt.ptr<f32> " + hint.str() +
      ", %n: i32) {\n"
      "%r = tt.make_range {end = 1024 : i32, start = 0 : i32} : tensor<1024xi32, #b>\n"
      "%ns = tt.splat %n : i32 -> tensor<1024xi32, #b>\n%m = arith.cmpi slt, %r, %ns : "
      "tensor<1024xi32, #b>\n"
      "%as = tt.splat %a : !tt.ptr<f32> -> " +
      type + "\n%ap = tt.addptr %as, %r : " + type +
      ", tensor<1024xi32, #b>\n"
      "%cs = tt.splat %c : !tt.ptr<f32> -> " +
      type + "\n%cp = tt.addptr %cs, %r : " + type +
      ", tensor<1024xi32, #b>\n"
      "%v = tt.load %ap" +
      mask + " : " + type + "\ntt.store %cp, %v" + mask + " : " + type + "\ntt.return\n}";
  return nvidiaModule("#b = #ttg.blocked<{sizePerThread = [" + perThread.str() +
                          "], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>",
                      body);
}

TEST(Instructions, AccessesAreAsWideAsDivisibilityAllows) {
  PtxOf wide = ptxOf(copy("4", "{tt.divisibility = 16 : i32}", false));
  EXPECT_EQ(count(wide.ptx, "ld.global.v4.b32"), 2u) << wide.problem << wide.ptx;
  EXPECT_EQ(count(wide.ptx, "st.global.v4.b32"), 2u);
  PtxOf half = ptxOf(copy("4", "{tt.divisibility = 8 : i32}", false));
  EXPECT_EQ(count(half.ptx, "ld.global.v2.b32") + count(half.ptx, "ld.global.b64"), 4u) << half.ptx;
  PtxOf unknown = ptxOf(copy("4", "", false));
  EXPECT_EQ(count(unknown.ptx, "ld.global.b32"), 8u) << unknown.ptx;
  PtxOf narrow = ptxOf(copy("1", "{tt.divisibility = 16 : i32}", false));
  EXPECT_EQ(count(narrow.ptx, "ld.global.b32"), 8u) << narrow.ptx;
}

// Choosing which float travels to another lane folds with choices between the same floats before
// it, which it does not as a choice between their bits.
TEST(Instructions, FloatsThatAreExchangedStayFloats) {
  PtxOf made = ptxOf(nvidiaModule(
      "#b = #ttg.blocked<{sizePerThread = [2], threadsPerWarp = [32], warpsPerCTA = [4], order = "
      "[0]}>\n#l = #ttg.linear<{register = [[2]], lane = [[1], [4], [8], [16], [32]], warp = "
      "[[64], "
      "[128]], block = []}>",
      "tt.func public @k(%a: !tt.ptr<f32>) {\n"
      "%r = tt.make_range {end = 256 : i32, start = 0 : i32} : tensor<256xi32, #b>\n"
      "%as = tt.splat %a : !tt.ptr<f32> -> tensor<256x!tt.ptr<f32>, #b>\n"
      "%ap = tt.addptr %as, %r : tensor<256x!tt.ptr<f32>, #b>, tensor<256xi32, #b>\n"
      "%v = tt.load %ap : tensor<256x!tt.ptr<f32>, #b>\n"
      "%c = ttg.convert_layout %v : tensor<256xf32, #b> -> tensor<256xf32, #l>\n"
      "%rl = tt.make_range {end = 256 : i32, start = 0 : i32} : tensor<256xi32, #l>\n"
      "%cs = tt.splat %a : !tt.ptr<f32> -> tensor<256x!tt.ptr<f32>, #l>\n"
      "%cp = tt.addptr %cs, %rl : tensor<256x!tt.ptr<f32>, #l>, tensor<256xi32, #l>\n"
      "tt.store %cp, %c : tensor<256x!tt.ptr<f32>, #l>\ntt.return\n}"));
  EXPECT_EQ(count(made.ptx, "shfl.sync.bfly"), 1u) << made.problem << made.ptx;
  EXPECT_EQ(count(made.ptx, "selp.f32"), 1u) << made.ptx; // before it travels
}

TEST(Instructions, AMaskNarrowsThem) {
  // Nothing is known of n: each element has its own bound.
  PtxOf masked = ptxOf(copy("4", "{tt.divisibility = 16 : i32}", true));
  EXPECT_EQ(count(masked.ptx, "ld.global.b32"), 8u) << masked.problem << masked.ptx;
  // The elements of a thread lie side by side all the same, in two groups of four, loaded and
  // stored.
  for (const char* offset : {"+4]", "+8]", "+12]"})
    EXPECT_EQ(llvm::StringRef(masked.ptx).count(offset), 4u) << masked.ptx;
}

TEST(Instructions, CachePoliciesAreOnTheAccesses) {
  auto with = [](const std::string& load, const std::string& store) {
    std::string text = copy("4", "{tt.divisibility = 16 : i32}", false);
    auto add = [&](llvm::StringRef before, const std::string& policy) {
      text.insert(text.find(before) + before.size(),
                  " {cachePolicy = #tt.cache_policy<cache_modifier = " + policy + ">}");
    };
    add("tt.load %ap", load);
    add("tt.store %cp, %v", store);
    return ptxOf(text);
  };
  PtxOf modifiers =
      with("cv, eviction_policy = evict_normal", "wt, eviction_policy = evict_normal");
  EXPECT_EQ(count(modifiers.ptx, "ld.global.cv.v4.b32"), 2u) << modifiers.problem << modifiers.ptx;
  EXPECT_EQ(count(modifiers.ptx, "st.global.wt.v4.b32"), 2u);
  PtxOf evicted = with("none, eviction_policy = evict_last", "none, eviction_policy = evict_first");
  EXPECT_EQ(count(evicted.ptx, "createpolicy.fractional.L2::evict_last"), 1u)
      << evicted.problem << evicted.ptx;
  EXPECT_EQ(count(evicted.ptx, "ld.global.L1::evict_last.L2::cache_hint.v4.b32"), 2u);
  EXPECT_EQ(count(evicted.ptx, "st.global.L1::evict_first.L2::cache_hint.v4.b32"), 2u);
}

TEST(Instructions, CachePoliciesAreOnAsynchronousCopies) {
  auto copied = [](llvm::StringRef policy) {
    return ptxOf(nvidiaModule(
        "#b = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [4], order = "
        "[0]}>\n#s = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>\n"
        "#smem = #ttg.shared_memory",
        ("tt.func public @k(%a: !tt.ptr<f32> {tt.divisibility = 16 : i32}) {\n"
         "%r = tt.make_range {end = 512 : i32, start = 0 : i32} : tensor<512xi32, #b>\n"
         "%as = tt.splat %a : !tt.ptr<f32> -> tensor<512x!tt.ptr<f32>, #b>\n"
         "%ap = tt.addptr %as, %r : tensor<512x!tt.ptr<f32>, #b>, tensor<512xi32, #b>\n"
         "%m = ttg.local_alloc : () -> !ttg.memdesc<512xf32, #s, #smem, mutable>\n"
         "%t = ttg.async_copy_global_to_local %ap, %m {cachePolicy = #tt.cache_policy<"
         "cache_modifier = " +
         policy +
         ">} : tensor<512x!tt.ptr<f32>, #b> -> <512xf32, #s, #smem, mutable>\n"
         "tt.return\n}")
            .str()));
  };
  PtxOf through = copied("ca, eviction_policy = evict_normal");
  EXPECT_EQ(count(through.ptx, "cp.async.ca.shared.global"), 1u) << through.problem << through.ptx;
  PtxOf past = copied("cg, eviction_policy = evict_first");
  EXPECT_EQ(count(past.ptx, "cp.async.cg.shared.global.L2::cache_hint"), 1u)
      << past.problem << past.ptx;
}

TEST(Instructions, NothingStandsOnTheWayAroundALoop) {
  // What the loop needs before it begins and the store after it is calculated once, before both: a
  // block of its own on the way from one to the other would define accumulators there, and ptxas
  // serializes the products of a loop that does so.
  std::string numbers = "tensor<128xi32, #b>", floats = "tensor<128xf32, #b>",
              addresses = "tensor<128x!tt.ptr<f32>, #b>";
  auto address = [&](const std::string& name) {
    return "%o" + name + " = arith.muli %r, %three : " + numbers + "\n%q" + name +
           " = tt.addptr %s, %o" + name + " : " + addresses + ", " + numbers + "\n";
  };
  PtxOf made = ptxOf(nvidiaModule(
      "#b = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = "
      "[0]}>",
      "tt.func public @k(%p: !tt.ptr<f32>, %n: i32) {\n%c0 = arith.constant 0 : i32\n%c1 = "
      "arith.constant 1 : i32\n%three = arith.constant dense<3> : " +
          numbers + "\n%zero = arith.constant dense<0.0> : " + floats +
          "\n%r = tt.make_range {end = 128 : i32, start = 0 : i32} : " + numbers +
          "\n%s = tt.splat %p : !tt.ptr<f32> -> " + addresses +
          "\n%sum = scf.for %i = %c0 to %n step %c1 iter_args(%a = %zero) -> (" + floats +
          ") : i32 {\n" + address("1") + "%v = tt.load %q1 {isVolatile = true} : " + addresses +
          "\n%w = arith.addf %a, %v : " + floats + "\nscf.yield %w : " + floats + "\n}\n" +
          address("2") + "tt.store %q2, %sum : " + addresses + "\ntt.return\n}"));
  EXPECT_EQ(count(made.ptx, "bra.uni"), 0u) << made.problem << made.ptx;
}

TEST(Instructions, RegistersThatAWarpTurnsAroundAreNoRun) {
  // Bit 2 of the index is a register's, and the first bit of the warp turns it around.
  std::string type = "tensor<512x!tt.ptr<f16>, #l>";
  PtxOf made = ptxOf(
      nvidiaModule("#l = #ttg.generic_linear<{register = [[1], [2], [4]], lane = [[8], [16], [32], "
                   "[64], [128]], warp = "
                   "[[4], [256]], block = []}>",
                   "tt.func public @k(%a: !tt.ptr<f16> {tt.divisibility = 16 : i32}) {\n"
                   "%r = tt.make_range {end = 512 : i32, start = 0 : i32} : tensor<512xi32, #l>\n"
                   "%as = tt.splat %a : !tt.ptr<f16> -> " +
                       type + "\n%ap = tt.addptr %as, %r : " + type +
                       ", tensor<512xi32, #l>\n%v = tt.load %ap : " + type +
                       "\ntt.store %ap, %v : " + type + "\ntt.return\n}"));
  EXPECT_EQ(count(made.ptx, "ld.global.v2.b32") + count(made.ptx, "ld.global.b64"), 2u)
      << made.problem << made.ptx;
}

TEST(Instructions, ChoicesAmongWidenedHalvesAreMadeOfTheHalves) {
  auto ptx = [](llvm::StringRef element) {
    std::string e = element.str(), narrow = "tensor<1024x" + e + ", #b>",
                pointers = "tensor<1024x!tt.ptr<" + e + ">, #b>";
    return ptxOf(nvidiaModule(
        "#b = #ttg.blocked<{sizePerThread = [8], threadsPerWarp = [32], warpsPerCTA = [4], order = "
        "[0]}>",
        "tt.func public @k(%a: !tt.ptr<" + e + "> {tt.divisibility = 16 : i32}, %c: !tt.ptr<" + e +
            "> {tt.divisibility = 16 : i32}) {\n"
            "%r = tt.make_range {end = 1024 : i32, start = 0 : i32} : tensor<1024xi32, #b>\n"
            "%as = tt.splat %a : !tt.ptr<" +
            e + "> -> " + pointers + "\n%ap = tt.addptr %as, %r : " + pointers +
            ", tensor<1024xi32, #b>\n%cs = tt.splat %c : !tt.ptr<" + e + "> -> " + pointers +
            "\n%cp = tt.addptr %cs, %r : " + pointers +
            ", tensor<1024xi32, #b>\n%x = tt.load %ap : " + pointers +
            "\n%y = tt.load %cp : " + pointers + "\n%xf = arith.extf %x : " + narrow +
            " to tensor<1024xf32, #b>\n%yf = arith.extf %y : " + narrow +
            " to tensor<1024xf32, #b>\n%zero = arith.constant dense<0.0> : tensor<1024xf32, #b>\n"
            "%m = arith.maxnumf %xf, %zero : tensor<1024xf32, #b>\n"
            "%n = arith.minnumf %m, %yf : tensor<1024xf32, #b>\n"
            "%o = arith.truncf %n : tensor<1024xf32, #b> to " +
            narrow + "\ntt.store %cp, %o : " + pointers + "\ntt.return\n}"));
  };
  for (const char* element : {"f16", "bf16"}) {
    PtxOf made = ptx(element);
    EXPECT_EQ(count(made.ptx, "cvt."), 0u) << made.problem << made.ptx;
    EXPECT_GT(count(made.ptx, "max.") + count(made.ptx, "min."), 0u);
  }
}

// Adds 1024 numbers to memory, four in each thread.
std::string sum(llvm::StringRef element, llvm::StringRef order, bool isUsed,
                llvm::StringRef target = "cuda:90") {
  std::string e = element.str(), tensor = "tensor<1024x" + e + ", #b>",
              type = "tensor<1024x!tt.ptr<" + e + ">, #b>";
  std::string body =
      "tt.func public @k(%a: !tt.ptr<" + e + "> {tt.divisibility = 16 : i32}, %c: !tt.ptr<" + e +
      "> {tt.divisibility = 16 : i32}) {\n"
      "%r = tt.make_range {end = 1024 : i32, start = 0 : i32} : tensor<1024xi32, #b>\n"
      "%as = tt.splat %a : !tt.ptr<" +
      e + "> -> " + type + "\n%ap = tt.addptr %as, %r : " + type +
      ", tensor<1024xi32, #b>\n%cs = tt.splat %c : !tt.ptr<" + e + "> -> " + type +
      "\n%cp = tt.addptr %cs, %r : " + type + ", tensor<1024xi32, #b>\n%v = tt.load %cp : " + type +
      "\n%o = tt.atomic_rmw fadd, " + order.str() + ", gpu, %ap, %v : (" + type + ", " + tensor +
      ") -> " + tensor + "\n" + (isUsed ? "tt.store %cp, %o : " + type + "\n" : "") +
      "tt.return\n}";
  return nvidiaModule(
      "#b = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = "
      "[4], order = [0]}>",
      body, target);
}

TEST(Instructions, SumsOfNeighboursGoTogether) {
  auto expect = [](const std::string& text, llvm::StringRef instruction, unsigned times) {
    PtxOf made = ptxOf(text);
    EXPECT_EQ(test::count(made.ptx, instruction), times) << made.problem << made.ptx;
  };
  expect(sum("f32", "acq_rel", true), "atom.global.acq_rel.gpu.add.v4.f32", 2);
  expect(sum("f32", "acq_rel", false), "atom.global.acq_rel.gpu.add.v4.f32", 2);
  expect(sum("f32", "relaxed", false), "red.global.relaxed.gpu.add.v4.f32", 2);
  expect(sum("f16", "relaxed", true), "atom.global.relaxed.gpu.add.noftz.v2.f16x2", 2);
  expect(sum("bf16", "relaxed", false), "red.global.relaxed.gpu.add.noftz.v2.bf16x2", 2);
  // Before Hopper there are pairs of halves, and nothing else.
  expect(sum("f16", "relaxed", false, "cuda:80"), "red.global.relaxed.gpu.add.noftz.f16x2", 4);
  expect(sum("f32", "relaxed", false, "cuda:80"), "red.global.relaxed.gpu.add.f32", 8);
}

// The lane and the warp are bits of the thread's number: what moves by the same distance in both is
// one `and` and one shift, though the warp alone is needed as well.
TEST(Instructions, LaneAndWarpMoveTogether) {
  std::string floats = "tensor<512xf32, #b>", from = "tensor<512x!tt.ptr<f32>, #b>";
  PtxOf made = ptxOf(nvidiaModule(
      "#b = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [4], order = "
      "[0]}>",
      "tt.func public @k(%p: !tt.ptr<f32>, %q: !tt.ptr<f32>) {\n%i = tt.make_range {end = 512 : "
      "i32, start = 0 : i32} : tensor<512xi32, #b>\n%ps = tt.splat %p : !tt.ptr<f32> -> " +
          from + "\n%pi = tt.addptr %ps, %i : " + from +
          ", tensor<512xi32, #b>\n%v = tt.load %pi : " + from +
          "\n%s = \"tt.reduce\"(%v) <{axis = 0 : i32}> ({\n^bb0(%a: f32, %c: f32):\n%r = "
          "arith.addf %a, %c : f32\ntt.reduce.return %r : f32\n}) : (" +
          floats + ") -> f32\ntt.store %q, %s : !tt.ptr<f32>\ntt.return\n}"));
  EXPECT_EQ(count(made.ptx, "bar.sync"), 1u) << made.problem << made.ptx;
  EXPECT_FALSE(llvm::StringRef(made.ptx).contains("bfe.u32")) << made.ptx; // the warp alone
}

// A conversion makes two bytes at once; under a mask each is stored alone, the lower one as it is.
TEST(Instructions, BytesOfAPairAreStoredAsTheyAre) {
  std::string floats = "tensor<512xf32, #b>", bytes = "tensor<512xf8E4M3FN, #b>",
              from = "tensor<512x!tt.ptr<f32>, #b>", to = "tensor<512x!tt.ptr<f8E4M3FN>, #b>",
              index = "tensor<512xi32, #b>";
  PtxOf made = ptxOf(nvidiaModule(
      "#b = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [4], order = "
      "[0]}>",
      "tt.func public @k(%p: !tt.ptr<f32>, %q: !tt.ptr<f8E4M3FN>, %n: i32) {\n%i = tt.make_range "
      "{end = 512 : i32, start = 0 : i32} : " +
          index + "\n%ns = tt.splat %n : i32 -> " + index +
          "\n%m = arith.cmpi slt, %i, %ns : " + index + "\n%ps = tt.splat %p : !tt.ptr<f32> -> " +
          from + "\n%pi = tt.addptr %ps, %i : " + from + ", " + index +
          "\n%qs = tt.splat %q : !tt.ptr<f8E4M3FN> -> " + to + "\n%qi = tt.addptr %qs, %i : " + to +
          ", " + index + "\n%v = tt.load %pi, %m : " + from +
          "\n%f = tt.fp_to_fp %v, rounding = rtne : " + floats + " -> " + bytes +
          "\ntt.store %qi, %f, %m : " + to + "\ntt.return\n}"));
  EXPECT_EQ(count(made.ptx, "st.global.b8"), 4u) << made.problem << made.ptx;
  EXPECT_EQ(count(made.ptx, "and.b16"), 0u) << made.ptx;
}

TEST(Instructions, AbsoluteValuesOfByteFloatsHaveNoSign) {
  std::string type = "tensor<128x!tt.ptr<f8E5M2>, #b>";
  PtxOf made = ptxOf(nvidiaModule(
      "#b = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = "
      "[0]}>",
      "tt.func public @k(%p: !tt.ptr<f8E5M2>) {\n%i = tt.make_range {end = 128 : i32, start = 0 : "
      "i32} : tensor<128xi32, #b>\n%s = tt.splat %p : !tt.ptr<f8E5M2> -> " +
          type + "\n%q = tt.addptr %s, %i : " + type + ", tensor<128xi32, #b>\n%v = tt.load %q : " +
          type + "\n%a = math.absf %v : tensor<128xf8E5M2, #b>\ntt.store %q, %a : " + type +
          "\ntt.return\n}"));
  EXPECT_EQ(count(made.ptx, "and.b16"), 1u) << made.problem << made.ptx;
}

TEST(Instructions, ProductsThatNeedANewerPtxHaveIt) {
  auto versionOf = [](llvm::StringRef accumulator) {
    std::string c = "tensor<16x8x" + accumulator.str() + ", #m>";
    PtxOf made = ptxOf(nvidiaModule(
        "#m = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [4, 1], "
        "instrShape = [16, 8]}>\n#a = #ttg.dot_op<{opIdx = 0, parent = #m, kWidth = 4}>\n#c = "
        "#ttg.dot_op<{opIdx = 1, parent = #m, kWidth = 4}>",
        "tt.func public @k(%p: !tt.ptr<" + accumulator.str() +
            ">) {\n%x = arith.constant dense<1.0> : tensor<16x32xf8E5M2, #a>\n%y = arith.constant "
            "dense<1.0> : tensor<32x8xf8E5M2, #c>\n%z = arith.constant dense<0.0> : " +
            c +
            "\n%d = tt.dot %x, %y, %z : tensor<16x32xf8E5M2, #a> * tensor<32x8xf8E5M2, #c> -> " +
            c + "\n%q = tt.splat %p : !tt.ptr<" + accumulator.str() + "> -> tensor<16x8x!tt.ptr<" +
            accumulator.str() + ">, #m>\ntt.store %q, %d : tensor<16x8x!tt.ptr<" +
            accumulator.str() + ">, #m>\ntt.return\n}"));
    EXPECT_NE(made.ptx, "") << made.problem;
    llvm::StringRef rest = llvm::StringRef(made.ptx).split(".version ").second;
    return rest.take_until([](char c) { return c == '\n'; }).str();
  };
  EXPECT_EQ(versionOf("f16"), "8.7");
  EXPECT_EQ(versionOf("f32"), "8.6");
}

TEST(Instructions, AtomicLoadsOfBytesComeInWiderRegisters) {
  for (const std::string of : {"i1", "i8"}) {
    std::string pointer = "!tt.ptr<" + of + ">";
    PtxOf made = ptxOf(nvidiaModule(
        "",
        "tt.func public @k(%p: " + pointer + ", %q: " + pointer +
            ") {\n%t = arith.constant true\n%v = tt.atomic_load acquire, "
            "gpu, %p, %t : (" +
            pointer + ", i1) -> " + of + "\ntt.store %q, %v : " + pointer + "\ntt.return\n}",
        "cuda:90"));
    EXPECT_EQ(count(made.ptx, "ld.acquire.gpu.global.b8"), 1u) << made.problem << made.ptx;
    EXPECT_EQ(count(made.ptx, "st.global.b8"), 1u) << made.ptx;
  }
}

TEST(Instructions, AtomicsThatTheChipLacksAreLoops) {
  for (const char* chip : {"cuda:80", "cuda:86", "cuda:89"})
    for (bool isUsed : {false, true}) {
      PtxOf made = ptxOf(sum("bf16", "acq_rel", isUsed, chip));
      EXPECT_EQ(count(made.ptx, "atom.acq_rel.gpu.global.cas.b32"), 8u) << made.problem << made.ptx;
      EXPECT_EQ(llvm::StringRef(made.ptx).count(".add.noftz.bf16"), 0u) << made.ptx;
    }
  // Shared memory has no atomics on 16 bits but sums of floats.
  auto shared = [](llvm::StringRef kind, llvm::StringRef element, llvm::StringRef target) {
    std::string of = element.str(), tensor = "tensor<128x" + of + ", #b>",
                pointers = "tensor<128x!tt.ptr<" + of + ">, #b>",
                memory = "!ttg.memdesc<128x" + of + ", #s, #ttg.shared_memory, mutable>";
    return ptxOf(nvidiaModule(
        "#b = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = "
        "[0]}>\n#s = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>",
        "tt.func public @k(%p: !tt.ptr<" + of +
            ">) {\n%i = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, "
            "#b>\n%s = tt.splat %p : !tt.ptr<" +
            of + "> -> " + pointers + "\n%q = tt.addptr %s, %i : " + pointers +
            ", tensor<128xi32, #b>\n%v = tt.load %q : " + pointers +
            "\n%m = ttg.local_alloc %v : (" + tensor + ") -> " + memory +
            "\n%o = ttg.local_atomic_scatter_rmw " + kind.str() +
            ", %m[%i], %v {axis = 0 : i32} : (" + memory + ", " + tensor +
            ", tensor<128xi32, #b>) -> " + tensor + "\ntt.return\n}",
        target));
  };
  for (auto [kind, element] : {std::pair("add", "i16"), {"umax", "i16"}, {"exch", "f16"}}) {
    PtxOf made = shared(kind, element, "cuda:90");
    EXPECT_EQ(count(made.ptx, "atom.relaxed.cta.shared.cas.b32"), 1u) << made.problem << made.ptx;
  }
  PtxOf looped = shared("fadd", "bf16", "cuda:80"), direct = shared("fadd", "bf16", "cuda:90");
  EXPECT_EQ(count(looped.ptx, "atom.relaxed.cta.shared.cas.b32"), 1u) << looped.problem;
  EXPECT_EQ(count(direct.ptx, "red.shared.cta.relaxed.add.noftz.bf16"), 1u) << direct.problem;
}

TEST(Instructions, EveryChipHasItsPtx) {
  for (unsigned capability : {75, 80, 86, 89, 90, 100, 103, 110, 120, 121}) {
    std::string text = copy("4", "{tt.divisibility = 16 : i32}", false);
    size_t at = text.find("cuda:90");
    text.replace(at, 7, "cuda:" + std::to_string(capability));
    PtxOf result = ptxOf(text);
    // 16 bytes either way.
    EXPECT_EQ(count(result.ptx, "ld.global.v4.b32") + count(result.ptx, "ld.global.v2.b64"), 2u)
        << capability << result.problem << result.ptx;
    EXPECT_NE(result.ptx.find(".target sm_" + std::to_string(capability)), std::string::npos);
  }
}

TEST(Instructions, WhatAChipLacksIsSaid) {
  auto on = [](llvm::StringRef target) {
    return ptxOf(nvidiaModule(
        "", "tt.func public @k() {\n%t = ttg.async_commit_group\ntt.return\n}", target));
  };
  EXPECT_EQ(count(on("cuda:80").ptx, "cp.async.commit_group"), 1u) << on("cuda:80").problem;
  EXPECT_EQ(on("cuda:75").problem, "asynchronous copies need sm_80 or later");
  EXPECT_EQ(on("cuda:130").problem, "unknown chip");
}

TEST(Instructions, RowsOfATileAreOneProduct) {
  std::string type = "tensor<1024x!tt.ptr<f32>, #b>";
  PtxOf rows = ptxOf(nvidiaModule(
      "#b = #ttg.blocked<{sizePerThread = [8], threadsPerWarp = [32], warpsPerCTA = [4], order = "
      "[0]}>",
      "tt.func public @k(%p: !tt.ptr<f32>, %stride: i32) {\n%r = tt.make_range {end = 1024 : i32, "
      "start = 0 : i32} : tensor<1024xi32, #b>\n%ss = tt.splat %stride : i32 -> tensor<1024xi32, "
      "#b>\n%o = arith.muli %r, %ss : tensor<1024xi32, #b>\n%ps = tt.splat %p : !tt.ptr<f32> -> " +
          type + "\n%a = tt.addptr %ps, %o : " + type +
          ", tensor<1024xi32, #b>\n%z = arith.constant dense<1.0> : tensor<1024xf32, #b>\ntt.store "
          "%a, %z : " +
          type + "\ntt.return\n}"));
  EXPECT_EQ(count(rows.ptx, "mul.lo.s32"), 1u) << rows.problem << rows.ptx;
  EXPECT_EQ(count(rows.ptx, "st.global"), 8u);
}

TEST(Instructions, AnAddressAndAWideProductAreOneInstruction) {
  // An index that loads use once; and one that two arrays of equal elements share, whose product is
  // made once for both.
  auto copy = [](llvm::StringRef to) {
    std::string numbers = "tensor<128xi32, #b>", type = "tensor<128x!tt.ptr<f32>, #b>";
    return ptxOf(nvidiaModule(
        "#b = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = "
        "[0]}>",
        "tt.func public @k(%a: !tt.ptr<f32>, %c: !tt.ptr<f32>, %n: i32) {\n%r = tt.make_range {end "
        "= 128 : i32, start = 0 : i32} : " +
            numbers + "\n%ns = tt.splat %n : i32 -> " + numbers +
            "\n%i = arith.muli %r, %ns : " + numbers + "\n%as = tt.splat %a : !tt.ptr<f32> -> " +
            type + "\n%ap = tt.addptr %as, %i : " + type + ", " + numbers +
            "\n%cs = tt.splat %c : !tt.ptr<f32> -> " + type + "\n%cp = tt.addptr %cs, " + to.str() +
            " : " + type + ", " + numbers + "\n%v = tt.load %ap : " + type +
            "\ntt.store %cp, %v : " + type + "\ntt.return\n}"));
  };
  PtxOf apart = copy("%r");
  EXPECT_EQ(count(apart.ptx, "mad.wide.s32"), 1u) << apart.problem << apart.ptx;
  EXPECT_EQ(count(apart.ptx, "mad.wide.u32"), 1u) << apart.ptx;
  EXPECT_EQ(count(apart.ptx, "mul.wide"), 0u) << apart.ptx;
  PtxOf together = copy("%i");
  EXPECT_EQ(count(together.ptx, "mul.wide.s32"), 1u) << together.ptx;
  EXPECT_EQ(count(together.ptx, "mad.wide"), 0u) << together.ptx;
}

TEST(Instructions, MappedFunctionsMayReturnEarly) {
  std::string numbers = "tensor<128xi32, #b>", addresses = "tensor<128x!tt.ptr<i32>, #b>";
  PtxOf mapped = ptxOf(nvidiaModule(
      "#b = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = "
      "[0]}>",
      "tt.func public @k(%p: !tt.ptr<i32>) {\n%r = tt.make_range {end = 128 : i32, start = 0 : "
      "i32} : " +
          numbers + "\n%s = tt.splat %p : !tt.ptr<i32> -> " + addresses +
          "\n%a = tt.addptr %s, %r : " + addresses + ", " + numbers +
          "\n%v = tt.load %a : " + addresses +
          "\n%w = \"tt.map_elementwise\"(%v, %r) <{pack = 1 : i32}> ({\n^bb0(%x: i32, %y: "
          "i32):\n%c "
          "= arith.cmpi sgt, %x, %y : i32\ncf.cond_br %c, ^bb1, ^bb2\n^bb1:\n"
          "tt.map_elementwise.return %x : i32\n^bb2:\n%z = arith.divsi %y, %x : i32\n"
          "tt.map_elementwise.return %z : i32\n}) : (" +
          numbers + ", " + numbers + ") -> " + numbers + "\ntt.store %a, %w : " + addresses +
          "\ntt.return\n}"));
  EXPECT_EQ(count(mapped.ptx, "div.s32"), 1u) << mapped.problem << mapped.ptx;
  EXPECT_EQ(count(mapped.ptx, "st.global"), 1u);
}

TEST(Instructions, EveryMatrixOfABatchIsMultiplied) {
  std::string a = "tensor<8x32x32xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>>",
              b = "tensor<8x32x16xf16, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>>",
              aBuffer = "!ttg.memdesc<8x32x32xf16, #s, #smem, mutable>",
              bBuffer = "!ttg.memdesc<8x32x16xf16, #s, #smem, mutable>",
              d = "tensor<8x32x16xf32, #mma>", dBuffer = "!ttg.memdesc<8x32x16xf32, #s, #smem>";
  PtxOf batch = ptxOf(nvidiaModule(
      "#mma = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [4, 1, 1], "
      "instrShape = [1, 16, 8]}>\n#s = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, "
      "order = [2, 1, 0]}>\n#smem = #ttg.shared_memory",
      "tt.func public @k(%p: !tt.ptr<f32>) {\n%m = ttg.local_alloc : () -> " + aBuffer +
          "\n%n = ttg.local_alloc : () -> " + bBuffer + "\n%a = ttg.local_load %m : " + aBuffer +
          " -> " + a + "\n%b = ttg.local_load %n : " + bBuffer + " -> " + b +
          "\n%c = arith.constant dense<0.0> : " + d + "\n%d = tt.dot %a, %b, %c : " + a + " * " +
          b + " -> " + d + "\n%o = ttg.local_alloc %d : (" + d + ") -> " + dBuffer +
          "\ntt.return\n}",
      "cuda:80"));
  // 2 matrices a warp, of 2x2 tiles, and K in 2 halves.
  EXPECT_EQ(count(batch.ptx, "mma.sync.aligned.m16n8k16"), 16u) << batch.problem << batch.ptx;
}

// A default region and partitions of four warps each that capture `capture`, made by `before`, and
// do `body` with it as %c.
PtxOf specialized(llvm::StringRef requested, llvm::StringRef capture, llvm::StringRef type,
                  llvm::StringRef before, llvm::StringRef body,
                  llvm::StringRef target = "cuda:90") {
  std::string regions;
  for (size_t i = 0; i <= requested.count(','); ++i)
    regions += "partition" + std::to_string(i) + "(%c: " + type.str() + ") num_warps(4) {\n" +
               body.str() + "ttg.warp_return\n}\n";
  return ptxOf(nvidiaModule(
      "#a = #ttg.blocked<{sizePerThread = [2], threadsPerWarp = [32], warpsPerCTA "
      "= [4], order = [0]}>\n#s = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order "
      "= [0]}>",
      ("tt.func public @k(%p: !tt.ptr<f32>) {\n" + before + "ttg.warp_specialize(" + capture +
       ") attributes {requestedRegisters = array<i32: " + requested +
       ">}\ndefault {\nttg.warp_yield\n}\n" + regions + ": (" + type + ") -> ()\ntt.return\n}")
          .str(),
      target));
}

TEST(Instructions, RegistersMoveBetweenGroupsOfWarps) {
  PtxOf two = specialized("64", "%p", "!tt.ptr<f32>", "", "", "cuda:100");
  EXPECT_EQ(count(two.ptx, ".maxnreg"), 0u) << two.problem << two.ptx; // 256 are for all
  EXPECT_EQ(count(two.ptx, "setmaxnreg.dec.sync.aligned.u32 64"), 1u);
  EXPECT_EQ(count(two.ptx, "setmaxnreg.inc.sync.aligned.u32 256"), 1u);
  // 128 a thread at the launch; the default warps have 256 while they work alone, whose rest the
  // others wait with, and what the partitions leave when they run.
  PtxOf four = specialized("40, 40, 40", "%p", "!tt.ptr<f32>", "", "", "cuda:100");
  EXPECT_EQ(count(four.ptx, ".maxnreg 128"), 1u) << four.problem << four.ptx;
  EXPECT_GE(count(four.ptx, "setmaxnreg.inc.sync.aligned.u32 256"), 1u);
  EXPECT_EQ(count(four.ptx, "setmaxnreg.dec.sync.aligned.u32 80"), 1u);
  EXPECT_EQ(count(four.ptx, "setmaxnreg.dec.sync.aligned.u32 40"), 3u);
  EXPECT_EQ(count(four.ptx, "setmaxnreg.inc.sync.aligned.u32 80"), 3u);
  // The default warps give up theirs between the two meetings: after the second they would wait
  // for partitions that wait for registers.
  PtxOf large = specialized("152, 152, 152", "%p", "!tt.ptr<f32>", "", "");
  EXPECT_EQ(count(large.ptx, "setmaxnreg.inc.sync.aligned.u32 152"), 3u) << large.problem;
  size_t given = large.ptx.find("setmaxnreg.dec.sync.aligned.u32 56");
  ASSERT_NE(given, std::string::npos) << large.ptx;
  EXPECT_EQ(count(large.ptx.substr(0, given), "barrier.sync 1;"), 1u) << large.ptx;
}

// On Hopper two programs share a multiprocessor if the default warps need little and there is
// shared memory for both.
TEST(Instructions, SpecializedProgramsShareAMultiprocessor) {
  auto starting = [](const std::string& before) {
    return specialized("24", "%p", "!tt.ptr<f32>", before, "");
  };
  PtxOf small = starting("");
  EXPECT_EQ(count(small.ptx, ".maxnreg 128"), 1u) << small.problem << small.ptx;
  EXPECT_EQ(count(small.ptx, "setmaxnreg.inc.sync.aligned.u32 232"), 1u);
  EXPECT_EQ(count(small.ptx, "setmaxnreg.dec.sync.aligned.u32 24"), 1u);
  PtxOf tensor = starting("%t = arith.constant dense<1.0> : tensor<16384xf32, #a>\n");
  EXPECT_EQ(count(tensor.ptx, ".maxnreg"), 0u) << tensor.problem << tensor.ptx;
  PtxOf buffer = starting(
      "%m = ttg.local_alloc : () -> !ttg.memdesc<32768xf32, #s, #ttg.shared_memory, mutable>\n");
  EXPECT_EQ(count(buffer.ptx, ".maxnreg"), 0u) << buffer.problem << buffer.ptx;
}

TEST(Instructions, EveryThreadCapturesItsPartOfATensor) {
  PtxOf tensor = specialized(
      "64", "%t", "tensor<256x!tt.ptr<f32>, #a>",
      "%r = tt.make_range {end = 256 : i32, start = 0 : i32} : tensor<256xi32, #a>\n%s = tt.splat "
      "%p : !tt.ptr<f32> -> tensor<256x!tt.ptr<f32>, #a>\n%t = tt.addptr %s, %r : "
      "tensor<256x!tt.ptr<f32>, #a>, tensor<256xi32, #a>\n",
      "%z = arith.constant dense<1.0> : tensor<256xf32, #a>\ntt.store %c, %z : "
      "tensor<256x!tt.ptr<f32>, #a>\n");
  EXPECT_GE(tensor.facts.sharedBytes, 256 * 8) << tensor.problem;
  EXPECT_EQ(count(tensor.ptx, "st.shared.b64") + count(tensor.ptx, "st.shared.v2.b64"), 2u)
      << tensor.ptx;
}

// What follows from parameters, buffers and the number of the program is computed anew.
TEST(Instructions, WhatEveryWarpKnowsIsPassedToNoPartition) {
  const char* storing = "%z = arith.constant 1.0 : f32\ntt.store %c, %z : !tt.ptr<f32>\n";
  PtxOf parameter = specialized("64", "%p", "!tt.ptr<f32>", "", storing);
  EXPECT_EQ(count(parameter.ptx, "st.shared.b64"), 0u) << parameter.problem << parameter.ptx;
  EXPECT_EQ(count(parameter.ptx, "st.global.b32"), 1u) << parameter.ptx;
  PtxOf computed = specialized("64", "%q", "!tt.ptr<f32>",
                               "%i = tt.get_program_id x : i32\n"
                               "%q = tt.addptr %p, %i : !tt.ptr<f32>, i32\n",
                               storing);
  EXPECT_EQ(count(computed.ptx, "st.shared.b64"), 0u) << computed.problem << computed.ptx;
  EXPECT_EQ(count(computed.ptx, "st.global.b32"), 1u) << computed.ptx;
  PtxOf loaded = specialized("64", "%v", "f32", "%v = tt.load %p : !tt.ptr<f32>\n",
                             "%u = arith.addf %c, %c : f32\n");
  EXPECT_EQ(count(loaded.ptx, "st.shared.b32"), count(parameter.ptx, "st.shared.b32") + 1)
      << loaded.problem << loaded.ptx;
  PtxOf buffer = specialized(
      "64", "%m", "!ttg.memdesc<128xf32, #s, #ttg.shared_memory, mutable>",
      "%m = ttg.local_alloc : () -> !ttg.memdesc<128xf32, #s, #ttg.shared_memory, mutable>\n",
      "%v = arith.constant dense<1.0> : tensor<128xf32, #a>\nttg.local_store %v, %c : "
      "tensor<128xf32, #a> -> !ttg.memdesc<128xf32, #s, #ttg.shared_memory, mutable>\n");
  EXPECT_EQ(count(buffer.ptx, "ld.shared.b32"), 0u) << buffer.problem << buffer.ptx;
}

TEST(Instructions, NoLaneIsAskedForWhatNobodyUses) {
  PtxOf made = ptxOf(nvidiaModule("", "tt.func public @k(%p: !tt.ptr<f32>, %x: f32) {\ntt.store "
                                      "%p, %x : !tt.ptr<f32>\ntt.return\n}"));
  EXPECT_EQ(count(made.ptx, "st.global.b32"), 1u) << made.problem << made.ptx;
  EXPECT_EQ(count(made.ptx, "shfl"), 0u) << made.ptx;
}

TEST(Instructions, WhatCannotBeCompiledIsSaid) {
  PtxOf result =
      ptxOf(nvidiaModule("", "tt.func public @k() {\n\"test.unknown\"() : () -> ()\ntt.return\n}"));
  EXPECT_TRUE(result.ptx.empty());
  EXPECT_FALSE(result.problem.empty());
}

} // namespace
} // namespace gluond::test
