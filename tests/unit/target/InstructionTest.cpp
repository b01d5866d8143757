// The instructions that matter: vector widths, barriers, fences.
#include "LoweredTtgir.h"

#include <gtest/gtest.h>

namespace gluond::test {
namespace {

std::string module(llvm::StringRef attributes, llvm::StringRef body,
                   llvm::StringRef target = "cuda:90") {
  return (attributes +
          "\nmodule attributes {\"ttg.num-ctas\" = 1 : i32, \"ttg.num-warps\" = 4 : i32, "
          "ttg.target = \"" +
          target + "\", \"ttg.threads-per-warp\" = 32 : i32} {\n" + body + "\n}\n")
      .str();
}

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
  return module("#b = #ttg.blocked<{sizePerThread = [" + perThread.str() +
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
  PtxOf made = ptxOf(module(
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
    return ptxOf(module(
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
  PtxOf made = ptxOf(module(
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
  PtxOf made =
      ptxOf(module("#l = #ttg.generic_linear<{register = [[1], [2], [4]], lane = [[8], [16], [32], "
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
    return ptxOf(module(
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
  return module("#b = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = "
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

TEST(Instructions, AbsoluteValuesOfByteFloatsHaveNoSign) {
  std::string type = "tensor<128x!tt.ptr<f8E5M2>, #b>";
  PtxOf made = ptxOf(module(
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
    PtxOf made = ptxOf(module(
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
    PtxOf made = ptxOf(module("",
                              "tt.func public @k(%p: " + pointer + ", %q: " + pointer +
                                  ") {\n%t = arith.constant true\n%v = tt.atomic_load acquire, "
                                  "gpu, %p, %t : (" +
                                  pointer + ", i1) -> " + of + "\ntt.store %q, %v : " + pointer +
                                  "\ntt.return\n}",
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
    return ptxOf(module(
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

TEST(Instructions, ConversionsMeetOnceAndWithinAWarpNotAtAll) {
  auto convert = [](llvm::StringRef to) {
    return module("#a = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [1, 32], "
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

TEST(Instructions, AWarpExchangesByShuffles) {
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
    return ptxOf(module(
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

TEST(Instructions, BarriersStandOnlyBetweenThreadsThatShare) {
  auto through = [](llvm::StringRef load) {
    return module(
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
  return module(
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

TEST(Instructions, OperandsOfMatrixUnitsAreLoadedByMatrices) {
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

TEST(Instructions, AccumulatorsAreStoredByMatricesWhereTheChipCan) {
  auto store = [](llvm::StringRef target, llvm::StringRef element) {
    std::string buffer = "!ttg.memdesc<64x64x" + element.str() + ", #s, #smem, mutable>";
    return ptxOf(module(
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

// Sums of 1024 floats along the axis, `perThread` neighbours in each thread.
std::string scan(llvm::StringRef perThread, bool reverse) {
  return module("#b = #ttg.blocked<{sizePerThread = [" + perThread.str() +
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

TEST(Instructions, ScansMeetOnce) {
  for (bool reverse : {false, true}) {
    PtxOf made = ptxOf(scan("4", reverse));
    EXPECT_EQ(count(made.ptx, "bar.sync"), 1u) << made.problem << made.ptx;
    // Two runs of each thread: five steps through the lanes, then what the lane before has; and the
    // number of the warp.
    EXPECT_EQ(count(made.ptx, reverse ? "shfl.sync.down" : "shfl.sync.up"), 12u);
    EXPECT_EQ(count(made.ptx, "shfl.sync.idx"), 1u);
    EXPECT_EQ(count(made.ptx, "st.shared.b32"), 2u);
    EXPECT_EQ(count(made.ptx, "bra"), 0u); // the stores have predicates
    EXPECT_EQ(count(made.ptx, "ld.shared.v4.b32"), 2u);
    EXPECT_EQ(made.facts.sharedBytes, 32);
    // Six within the runs, ten through the lanes, six of the warps before the last, each element.
    EXPECT_EQ(count(made.ptx, "add.f32"), 6u + 10 + 6 + 8);
  }
}

TEST(Instructions, WhatRepeatsIsCalculatedOnce) {
  // Eight neighbours of a thread have one quotient and one bound.
  std::string type = "tensor<1024xi32, #b>", pointers = "tensor<1024x!tt.ptr<i32>, #b>";
  PtxOf made = ptxOf(module(
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

TEST(Instructions, SlotsOfARingAreApart) {
  auto ring = [](llvm::StringRef distance) {
    return module(
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

TEST(Instructions, ConversionsToOperandsAreLoadedByMatrices) {
  std::string from = "tensor<64x64xf16, #a>", to = "tensor<64x64xf16, #d>";
  std::string text = module(
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

TEST(Instructions, MatricesAConstantApartShareAnAddress) {
  std::string text = module(
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
    return ptxOf(
        module("", "tt.func public @k() {\n%t = ttg.async_commit_group\ntt.return\n}", target));
  };
  EXPECT_EQ(count(on("cuda:80").ptx, "cp.async.commit_group"), 1u) << on("cuda:80").problem;
  EXPECT_EQ(on("cuda:75").problem, "asynchronous copies need sm_80 or later");
  EXPECT_EQ(on("cuda:107").problem, "unknown chip");
}

TEST(Instructions, RowsOfATileAreOneProduct) {
  std::string type = "tensor<1024x!tt.ptr<f32>, #b>";
  PtxOf rows = ptxOf(module(
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
    return ptxOf(module(
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

TEST(Instructions, AGatherWithinAWarpNeedsNoMemory) {
  auto gather = [](llvm::StringRef warpsAlongAxis, llvm::StringRef warpsElsewhere) {
    std::string numbers = "tensor<128x4xi32, #b>", floats = "tensor<128x4xf32, #b>",
                addresses = "tensor<128x4x!tt.ptr<f32>, #b>";
    return ptxOf(module(
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

TEST(Instructions, LanesAreReducedAtOnce) {
  auto sum = [](llvm::StringRef element, llvm::StringRef op, llvm::StringRef target) {
    std::string pointer = ("!tt.ptr<" + element + ">").str(),
                addresses = "tensor<512x" + pointer + ", #b>", numbers = "tensor<512xi32, #b>",
                values = ("tensor<512x" + element + ", #b>").str();
    return ptxOf(module(
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

TEST(Instructions, MappedFunctionsMayReturnEarly) {
  std::string numbers = "tensor<128xi32, #b>", addresses = "tensor<128x!tt.ptr<i32>, #b>";
  PtxOf mapped = ptxOf(module(
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
  PtxOf batch = ptxOf(module(
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
                  llvm::StringRef before, llvm::StringRef body) {
  std::string regions;
  for (size_t i = 0; i <= requested.count(','); ++i)
    regions += "partition" + std::to_string(i) + "(%c: " + type.str() + ") num_warps(4) {\n" +
               body.str() + "ttg.warp_return\n}\n";
  return ptxOf(module("#a = #ttg.blocked<{sizePerThread = [2], threadsPerWarp = [32], warpsPerCTA "
                      "= [4], order = [0]}>",
                      ("tt.func public @k(%p: !tt.ptr<f32>) {\n" + before + "ttg.warp_specialize(" +
                       capture + ") attributes {requestedRegisters = array<i32: " + requested +
                       ">}\ndefault {\nttg.warp_yield\n}\n" + regions + ": (" + type +
                       ") -> ()\ntt.return\n}")
                          .str()));
}

TEST(Instructions, RegistersMoveBetweenGroupsOfWarps) {
  PtxOf two = specialized("64", "%p", "!tt.ptr<f32>", "", "");
  EXPECT_EQ(count(two.ptx, ".maxnreg"), 0u) << two.problem << two.ptx; // 256 are for all
  EXPECT_EQ(count(two.ptx, "setmaxnreg.dec.sync.aligned.u32 64"), 1u);
  EXPECT_EQ(count(two.ptx, "setmaxnreg.inc.sync.aligned.u32 256"), 1u);
  // 128 a thread at the launch; the default warps have 256 while they work alone, whose rest the
  // others wait with, and what the partitions leave when they run.
  PtxOf four = specialized("40, 40, 40", "%p", "!tt.ptr<f32>", "", "");
  EXPECT_EQ(count(four.ptx, ".maxnreg 128"), 1u) << four.problem << four.ptx;
  EXPECT_GE(count(four.ptx, "setmaxnreg.inc.sync.aligned.u32 256"), 1u);
  EXPECT_EQ(count(four.ptx, "setmaxnreg.dec.sync.aligned.u32 80"), 1u);
  EXPECT_EQ(count(four.ptx, "setmaxnreg.dec.sync.aligned.u32 40"), 3u);
  EXPECT_EQ(count(four.ptx, "setmaxnreg.inc.sync.aligned.u32 80"), 3u);
  // The default warps give up theirs between the two meetings: behind the second they would wait
  // for partitions that wait for registers.
  PtxOf large = specialized("152, 152, 152", "%p", "!tt.ptr<f32>", "", "");
  EXPECT_EQ(count(large.ptx, "setmaxnreg.inc.sync.aligned.u32 152"), 3u) << large.problem;
  size_t given = large.ptx.find("setmaxnreg.dec.sync.aligned.u32 56");
  ASSERT_NE(given, std::string::npos) << large.ptx;
  EXPECT_EQ(count(large.ptx.substr(0, given), "barrier.sync 1;"), 1u) << large.ptx;
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

TEST(Instructions, WhatCannotBeCompiledIsSaid) {
  PtxOf result =
      ptxOf(module("", "tt.func public @k() {\n\"test.unknown\"() : () -> ()\ntt.return\n}"));
  EXPECT_TRUE(result.ptx.empty());
  EXPECT_FALSE(result.problem.empty());
}

} // namespace
} // namespace gluond::test
