// Blackwell: tensor memory, its matrix unit, clusters that work in pairs, and what else came with
// it.
#include "LoweredTtgir.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace gluond::test {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr llvm::StringLiteral layouts = R"(
#rows = #ttg.linear<{register = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = [[32, 0], [64, 0]], block = []}>
#b = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#smem = #ttg.shared_memory
#bar = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#k128 = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#t64 = #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1>
)";
constexpr llvm::StringLiteral mbarrier = "!ttg.memdesc<1xi64, #bar, #smem, mutable>";
constexpr llvm::StringLiteral accumulator =
    "!ttg.memdesc<128x64xf32, #t64, #ttng.tensor_memory, mutable>";

struct Kernel {
  std::string body, parameters = "%p: !tt.ptr<f32>", target = "cuda:100";
  unsigned ctas = 1;
  bool pairs = false;
  std::string more = {}; // layouts
};
PtxOf compiled(const Kernel& kernel) {
  return ptxOf(layouts.str() + kernel.more +
               "\nmodule attributes {\"ttg.num-ctas\" = " + std::to_string(kernel.ctas) +
               " : i32, \"ttg.num-warps\" = 4 : i32, ttg.target = \"" + kernel.target +
               "\", \"ttg.threads-per-warp\" = 32 : i32, \"ttng.two-ctas\" = " +
               (kernel.pairs ? "true" : "false") + "} {\ntt.func public @k(" + kernel.parameters +
               ") {\n%true = arith.constant true\n%false = arith.constant false\n%zero = "
               "arith.constant 0 : i32\n%ones = arith.constant dense<1.0> : tensor<128x64xf32, "
               "#rows>\n" +
               kernel.body + "\ntt.return\n}\n}\n");
}

// `name`: 128 rows of 64 fp32 in tensor memory.
std::string allocated(const std::string& name) {
  return name + " = ttng.tmem_alloc : () -> " + accumulator.str() + "\n";
}
std::string stored(const std::string& name) {
  return "ttng.tmem_store %ones, " + name + ", %true : tensor<128x64xf32, #rows> -> " +
         accumulator.str() + "\n";
}
// Loaded, and given to a program that LLVM does not look into.
std::string loaded(const std::string& name, const std::string& into) {
  return into + " = ttng.tmem_load " + name + " : " + accumulator.str() +
         " -> tensor<128x64xf32, #rows>\n" + into +
         "s = ttg.local_alloc : () -> !ttg.memdesc<128x64xf32, #f, #smem, mutable>\n"
         "ttg.local_store " +
         into + ", " + into +
         "s : tensor<128x64xf32, #rows> -> !ttg.memdesc<128x64xf32, #f, #smem, mutable>\n";
}
constexpr llvm::StringLiteral plainFloats =
    "#f = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>\n";

// ---- Tensor memory.

TEST(TensorMemory, IsTakenOnceAndGivenBack) {
  PtxOf kernel =
      compiled(Kernel{.body = allocated("%d") + stored("%d"), .more = plainFloats.str()});
  EXPECT_THAT(kernel.ptx, HasSubstr("tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32"))
      << kernel.problem;
  EXPECT_EQ(count(kernel.ptx, "tcgen05.relinquish_alloc_permit.cta_group::1"), 1u);
  EXPECT_EQ(count(kernel.ptx, "tcgen05.dealloc.cta_group::1"), 1u);
  EXPECT_THAT(kernel.ptx, HasSubstr(", 64;")); // columns
  EXPECT_EQ(count(kernel.ptx, "tcgen05.st.sync.aligned.32x32b.x64.b32"), 1u) << kernel.ptx;
  EXPECT_GE(kernel.facts.sharedBytes, 4);
  EXPECT_EQ(kernel.facts.tensorColumns, 64);
}

TEST(TensorMemory, BuffersThatDoNotLiveTogetherShareColumns) {
  auto columns = [](const std::string& body) {
    PtxOf kernel = compiled(Kernel{.body = body, .more = plainFloats.str()});
    EXPECT_EQ(kernel.problem, "");
    size_t at = kernel.ptx.find("tcgen05.alloc");
    size_t begin = kernel.ptx.find("], ", at) + 3;
    return std::stoi(kernel.ptx.substr(begin));
  };
  std::string first = allocated("%d") + stored("%d") + loaded("%d", "%v"),
              second = allocated("%e") + stored("%e") + loaded("%e", "%w");
  EXPECT_EQ(columns(first + second), 64);
  EXPECT_EQ(columns(allocated("%d") + allocated("%e") + stored("%d") + stored("%e") +
                    loaded("%d", "%v") + loaded("%e", "%w")),
            128);
}

TEST(TensorMemory, AKernelThatNeedsMoreThanThereIsDoesNotRun) {
  std::string body;
  for (int i = 0; i < 9; ++i)
    body += allocated("%d" + std::to_string(i));
  for (int i = 0; i < 9; ++i)
    body += stored("%d" + std::to_string(i));
  PtxOf kernel = compiled(Kernel{.body = body});
  EXPECT_EQ(count(kernel.ptx, "trap"), 1u) << kernel.problem;
  EXPECT_EQ(count(kernel.ptx, "tcgen05.alloc"), 0u);
}

TEST(TensorMemory, NothingUsesARegisterBeforeItIsLoaded) {
  PtxOf kernel = compiled(Kernel{.body = allocated("%d") + stored("%d") + loaded("%d", "%v"),
                                 .more = plainFloats.str()});
  size_t load = kernel.ptx.find("tcgen05.ld"), wait = kernel.ptx.find("tcgen05.wait::ld"),
         use = kernel.ptx.find("st.shared", load);
  ASSERT_NE(load, std::string::npos) << kernel.problem;
  EXPECT_LT(load, wait);
  EXPECT_LT(wait, use);
  // The thread's own stores come first.
  EXPECT_LT(kernel.ptx.find("tcgen05.wait::st"), load);
}

TEST(TensorMemory, TheWarpsMeetOnceBetweenTheirStoresAndTheMatrixUnit) {
  std::string body =
      allocated("%d") + allocated("%e") + stored("%d") + stored("%e") +
      "%a = ttg.local_alloc : () -> !ttg.memdesc<128x64xf16, #k128, #smem, mutable>\n"
      "%b = ttg.local_alloc : () -> !ttg.memdesc<64x64xf16, #k128, #smem, mutable>\n"
      "%t = ttng.tc_gen5_mma %a, %b, %d[], %true, %true : !ttg.memdesc<128x64xf16, #k128, #smem, "
      "mutable>, !ttg.memdesc<64x64xf16, #k128, #smem, mutable>, " +
      accumulator.str() + "\n";
  PtxOf kernel = compiled(Kernel{.body = body});
  EXPECT_EQ(count(kernel.ptx, "tcgen05.wait::st"), 1u) << kernel.problem;
  size_t store = kernel.ptx.rfind("tcgen05.st."), wait = kernel.ptx.find("tcgen05.wait::st"),
         meeting = kernel.ptx.find("bar.sync", wait), product = kernel.ptx.find("tcgen05.mma");
  EXPECT_LT(store, wait);
  EXPECT_LT(meeting, product);
  EXPECT_EQ(kernel.ptx.find("bar.sync", meeting + 1) < product, false) << kernel.ptx;
}

TEST(TensorMemory, ASliceAndAStageBeginFurtherRight) {
  std::string stages = "!ttg.memdesc<2x128x64xf32, #t64, #ttng.tensor_memory, mutable>";
  PtxOf kernel = compiled(Kernel{
      .body = "%d = ttng.tmem_alloc : () -> " + stages +
              "\n%one = arith.constant 1 : i32\n%s = ttg.memdesc_index %d[%one] : " + stages +
              " -> " + accumulator.str() +
              "\n%h = ttng.tmem_subslice %s {offset = 32 : i32} : " + accumulator.str() +
              " -> !ttg.memdesc<128x32xf32, #t64, #ttng.tensor_memory, mutable, 128x64>\n"
              "%c = arith.constant dense<1.0> : tensor<128x32xf32, #half>\n"
              "ttng.tmem_store %c, %h, %true : tensor<128x32xf32, #half> -> "
              "!ttg.memdesc<128x32xf32, #t64, #ttng.tensor_memory, mutable, 128x64>\n",
      .more = "#half = #ttg.linear<{register = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16]], "
              "lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = [[32, 0], [64, 0]], "
              "block = []}>\n"});
  EXPECT_THAT(kernel.ptx, HasSubstr(", 96;")) << kernel.problem << kernel.ptx;
  EXPECT_EQ(count(kernel.ptx, "tcgen05.st.sync.aligned.32x32b.x32.b32"), 1u);
}

TEST(TensorMemory, ALoadReducesItsRowsWhereTheChipDoes) {
  auto reduced = [](const std::string& target) {
    return compiled(Kernel{
        .body = allocated("%d") + stored("%d") +
                "%v, %r = ttng.tmem_load %d {redOp = #ttng.redOp<max>, abs = true} : " +
                accumulator.str() +
                " -> tensor<128x64xf32, #rows>, tensor<128xf32, #ttg.slice<{dim = 1, parent = "
                "#rows}>>\n%s = ttg.local_alloc : () -> !ttg.memdesc<128xf32, #bar, #smem, "
                "mutable>\nttg.local_store %r, %s : tensor<128xf32, #ttg.slice<{dim = 1, parent "
                "= #rows}>> -> !ttg.memdesc<128xf32, #bar, #smem, mutable>\n",
        .target = target});
  };
  EXPECT_EQ(count(reduced("cuda:103").ptx, "tcgen05.ld.red.sync.aligned.32x32b.x64.max.abs.f32"),
            1u)
      << reduced("cuda:103").problem << reduced("cuda:103").ptx;
  EXPECT_THAT(reduced("cuda:100").problem, HasSubstr("needs sm_103 or later"));
}

// ---- Products.

struct Matmul {
  std::string a = "f16", b = "f16", d = "f32", attributes = {};
  unsigned m = 128, n = 64, k = 64, blockN = 64;
  std::string isBTransposed = "true"; // its K is contiguous
};
PtxOf product(const Matmul& matmul, const std::string& target = "cuda:100") {
  auto bits = [](const std::string& type) {
    return type == "f32" ? 32u : type == "f16" || type == "bf16" ? 16u : 8u;
  };
  auto number = [](unsigned value) { return std::to_string(value); };
  unsigned colStride = 32 / (matmul.d == "f16" ? 16 : 32);
  std::string a = "!ttg.memdesc<" + number(matmul.m) + "x" + number(matmul.k) + "x" + matmul.a +
                  ", #sa, #smem, mutable>",
              b = "!ttg.memdesc<" + number(matmul.k) + "x" + number(matmul.n) + "x" + matmul.b +
                  ", #sb, #smem, mutable>",
              d = "!ttg.memdesc<" + number(matmul.m) + "x" + number(matmul.n) + "x" + matmul.d +
                  ", #td, #ttng.tensor_memory, mutable>";
  return compiled(Kernel{
      .body = "%a = ttg.local_alloc : () -> " + a + "\n%b = ttg.local_alloc : () -> " + b +
              "\n%d = ttng.tmem_alloc : () -> " + d +
              "\n%t = ttng.tc_gen5_mma %a, %b, %d[], %false, %true " + matmul.attributes + " : " +
              a + ", " + b + ", " + d + "\n",
      .target = target,
      .more =
          "#sa = #ttg.nvmma_shared<{swizzlingByteWidth = 64, transposed = false, "
          "elementBitWidth = " +
          number(bits(matmul.a)) +
          "}>\n#sb = #ttg.nvmma_shared<{swizzlingByteWidth = 64, transposed = " +
          matmul.isBTransposed + ", elementBitWidth = " + number(bits(matmul.b)) +
          "}>\n#td = #ttng.tensor_memory_encoding<blockM = " + number(std::min(matmul.m, 128u)) +
          ", blockN = " + number(matmul.blockN) + ", colStride = " + number(colStride) + ">\n"});
}

// The instruction descriptor's fields (PTX ISA): the result's type at bit 4, the operands' at 7 and
// 10, N / 8 at 17, M / 16 at 24.
constexpr unsigned descriptor(unsigned d, unsigned a, unsigned b, unsigned m, unsigned n) {
  return d << 4 | a << 7 | b << 10 | (n / 8) << 17 | (m / 16) << 24;
}

TEST(Products, EveryKindHasItsInstruction) {
  struct Row {
    Matmul matmul;
    const char* kind;
    unsigned instructions, word;
  };
  const Row rows[] = {
      {{.a = "f16", .b = "f16"}, "f16", 4, descriptor(1, 0, 0, 128, 64)},
      {{.a = "f16", .b = "f16", .d = "f16"}, "f16", 4, descriptor(0, 0, 0, 128, 64)},
      {{.a = "bf16", .b = "bf16"}, "f16", 4, descriptor(1, 1, 1, 128, 64)},
      {{.a = "f32", .b = "f32"}, "tf32", 8, descriptor(1, 2, 2, 128, 64)},
      {{.a = "f8E4M3FN", .b = "f8E5M2"}, "f8f6f4", 2, descriptor(1, 0, 1, 128, 64)},
      {{.a = "i8", .b = "i8", .d = "i32"}, "i8", 2, descriptor(2, 1, 1, 128, 64)},
      {{.a = "i8", .b = "i8", .d = "i32", .attributes = "{is_unsigned}"},
       "i8",
       2,
       descriptor(2, 0, 0, 128, 64)},
      {{.m = 64}, "f16", 4, descriptor(1, 0, 0, 64, 64)},
  };
  for (const Row& row : rows) {
    PtxOf kernel = product(row.matmul);
    EXPECT_EQ(count(kernel.ptx, std::string("tcgen05.mma.cta_group::1.kind::") + row.kind),
              row.instructions)
        << row.kind << " " << row.matmul.a << kernel.problem;
    EXPECT_THAT(kernel.ptx, HasSubstr(", " + std::to_string(row.word) + ";")) << row.matmul.a;
  }
}

TEST(Products, NotEveryChipMultipliesIntegers) {
  EXPECT_EQ(product({.a = "i8", .b = "i8", .d = "i32"}, "cuda:103").problem,
            "the tensor core of sm_103 (Blackwell) does not multiply integers");
  EXPECT_EQ(product({.a = "i8", .b = "i8", .d = "i32"}, "cuda:110").problem, "");
}

TEST(Products, BlocksInARowKeepOperandA) {
  PtxOf kernel = product({.n = 192 + 64, .blockN = 64});
  EXPECT_EQ(count(kernel.ptx, "tcgen05.mma.cta_group::1.kind::f16.collector::a::fill"), 4u)
      << kernel.problem;
  EXPECT_EQ(count(kernel.ptx, "tcgen05.mma.cta_group::1.kind::f16.collector::a::use"), 8u);
  EXPECT_EQ(count(kernel.ptx, "tcgen05.mma.cta_group::1.kind::f16.collector::a::lastuse"), 4u);
}

TEST(Products, OneThreadOfTheFirstWarpAsks) {
  PtxOf kernel = product({});
  EXPECT_EQ(count(kernel.ptx, "elect.sync"), 1u) << kernel.problem;
  EXPECT_EQ(count(kernel.ptx, "bra"), 1u) << kernel.ptx;
}

TEST(Products, TheUnitMustReadTheLayout) {
  PtxOf kernel = compiled(Kernel{
      .body = "%a = ttg.local_alloc : () -> !ttg.memdesc<128x64xf16, #odd, #smem, mutable>\n"
              "%b = ttg.local_alloc : () -> !ttg.memdesc<64x64xf16, #k128, #smem, mutable>\n" +
              allocated("%d") +
              "%t = ttng.tc_gen5_mma %a, %b, %d[], %true, %true : !ttg.memdesc<128x64xf16, #odd, "
              "#smem, mutable>, !ttg.memdesc<64x64xf16, #k128, #smem, mutable>, " +
              accumulator.str() + "\n",
      .more = "#odd = #ttg.shared_linear<{offset = [[1, 0], [0, 1], [0, 2], [0, 4], [0, 8], "
              "[0, 16], [0, 32], [2, 0], [4, 0], [8, 0], [16, 0], [32, 0], [64, 0]]}, alignment = "
              "1024>\n"});
  EXPECT_THAT(kernel.problem, HasSubstr("cannot read the first operand")) << kernel.ptx;
}

TEST(Products, TheUnitsReadSinglesOnlyAlongK) {
  const char* words = "reads operands of float32 only where K is contiguous, and in the second "
                      "operand it is not";
  PtxOf ofBlackwell = product({.a = "f32", .b = "f32", .isBTransposed = "false"});
  EXPECT_THAT(ofBlackwell.problem, HasSubstr(words));
  EXPECT_EQ(product({.isBTransposed = "false"}).problem, "");
  auto ofHopper = [](const std::string& isBTransposed) {
    return ptxOf(
        "#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], "
        "instrShape = [16, 32, 8]}>\n#a = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed "
        "= false, elementBitWidth = 32}>\n#b = #ttg.nvmma_shared<{swizzlingByteWidth = 128, "
        "transposed = " +
        isBTransposed +
        ", elementBitWidth = 32}>\n#smem = #ttg.shared_memory\nmodule attributes "
        "{\"ttg.num-ctas\" = 1 : i32, \"ttg.num-warps\" = 4 : i32, ttg.target = \"cuda:90\", "
        "\"ttg.threads-per-warp\" = 32 : i32} {\ntt.func public @k(%p: !tt.ptr<f32>) {\n%cst = "
        "arith.constant dense<0.0> : tensor<64x32xf32, #mma>\n%true = arith.constant true\n%x = "
        "ttg.local_alloc : () -> !ttg.memdesc<64x32xf32, #a, #smem, mutable>\n%y = "
        "ttg.local_alloc : () -> !ttg.memdesc<32x32xf32, #b, #smem, mutable>\n%d = "
        "ttng.warp_group_dot %x, %y, %cst, %true {inputPrecision = 0 : i32} : "
        "!ttg.memdesc<64x32xf32, #a, #smem, mutable> * !ttg.memdesc<32x32xf32, #b, #smem, mutable> "
        "-> tensor<64x32xf32, #mma>\n%q = tt.splat %p : !tt.ptr<f32> -> "
        "tensor<64x32x!tt.ptr<f32>, #mma>\ntt.store %q, %d : tensor<64x32x!tt.ptr<f32>, "
        "#mma>\ntt.return\n}\n}\n");
  };
  EXPECT_THAT(ofHopper("false").problem, HasSubstr(words));
  EXPECT_EQ(count(ofHopper("true").ptx, "wgmma.mma_async"), 4u) << ofHopper("true").problem;
}

// ---- Pairs of CTAs.

TEST(Pairs, MeetBeforeTheyAllocateAndBeforeTheyGiveBack) {
  std::string d = "!ttg.memdesc<256x64xf32, #tp, #ttng.tensor_memory, mutable>",
              a = "!ttg.memdesc<256x64xf16, #pa, #smem, mutable>",
              b = "!ttg.memdesc<64x64xf16, #pb, #smem, mutable>",
              two = "!ttg.memdesc<2xi64, #both, #smem, mutable>";
  PtxOf kernel = compiled(Kernel{
      .body = "%a = ttg.local_alloc : () -> " + a + "\n%b = ttg.local_alloc : () -> " + b +
              "\n%bar = ttg.local_alloc : () -> " + two + "\nttng.init_barrier %bar, 1 : " + two +
              "\n%d = ttng.tmem_alloc : () -> " + d +
              "\n%t = ttng.tc_gen5_mma %a, %b, %d[], %false, %true {two_ctas} : " + a + ", " + b +
              ", " + d + "\nttng.tc_gen5_commit %bar, %true : " + two +
              "\nttng.wait_barrier %bar, %zero, %true : " + two + "\n",
      .ctas = 2,
      .pairs = true,
      .more = "#pa = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, "
              "elementBitWidth = 16, CGALayout = [[1, 0]]}>\n"
              "#pb = #ttg.nvmma_shared<{swizzlingByteWidth = 64, transposed = false, "
              "elementBitWidth = 16, CGALayout = [[0, 1]]}>\n"
              "#both = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0], "
              "CGALayout = [[1]]}>\n"
              "#tp = #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1, "
              "CGALayout = [[1, 0]], twoCTAs = true>\n"});
  ASSERT_EQ(kernel.problem, "");
  size_t alloc = kernel.ptx.find("tcgen05.alloc.cta_group::2"),
         dealloc = kernel.ptx.find("tcgen05.dealloc.cta_group::2"),
         product = kernel.ptx.find("tcgen05.mma.cta_group::2"),
         fence = kernel.ptx.find("fence.mbarrier_init.release.cluster");
  EXPECT_LT(kernel.ptx.find("barrier.cluster.wait"), alloc);
  EXPECT_LT(product, kernel.ptx.rfind("barrier.cluster.wait"));
  EXPECT_LT(kernel.ptx.rfind("barrier.cluster.wait"), dealloc);
  // The barrier is there for both CTAs before the unit's end tells both.
  EXPECT_LT(fence, kernel.ptx.find("barrier.cluster.arrive.relaxed"));
  EXPECT_LT(fence, product);
  EXPECT_EQ(count(kernel.ptx, "tcgen05.commit.cta_group::2.mbarrier::arrive::one.shared::cluster."
                              "multicast::cluster.b64"),
            1u)
      << kernel.ptx;
}

// ---- What else came with Blackwell.

TEST(LaunchControl, AProgramTakesOverAnother) {
  PtxOf kernel = compiled(Kernel{
      .body = "%r = ttg.local_alloc : () -> !ttg.memdesc<2xi64, #bar, #smem, mutable>\n"
              "%m = ttg.local_alloc : () -> " +
              mbarrier.str() + "\nttng.init_barrier %m, 1 : " + mbarrier.str() +
              "\nttng.clc_try_cancel %r, %m : !ttg.memdesc<2xi64, #bar, #smem, mutable>, " +
              mbarrier.str() + "\nttng.wait_barrier %m, %zero, %true : " + mbarrier.str() +
              "\n%w = ttng.clc_load_result %r : !ttg.memdesc<2xi64, #bar, #smem, mutable> -> "
              "i128\n%c = ttng.clc_is_canceled %w : i128 -> i1\n%x = ttng.clc_get_program_id %w, x "
              ": i128 -> i32\n%y = ttng.clc_get_program_id %w, y : i128 -> i32\n%s = arith.addi "
              "%x, %y : i32\n%n = arith.select %c, %s, %zero : i32\ntt.store %p, %n : "
              "!tt.ptr<i32>",
      .parameters = "%p: !tt.ptr<i32>"});
  EXPECT_EQ(count(kernel.ptx, "clusterlaunchcontrol.try_cancel.async.shared::cta"), 1u)
      << kernel.problem;
  EXPECT_EQ(count(kernel.ptx, "clusterlaunchcontrol.query_cancel.is_canceled"), 1u);
  EXPECT_EQ(count(kernel.ptx, "clusterlaunchcontrol.query_cancel.get_first_ctaid::x"), 1u);
  EXPECT_EQ(count(kernel.ptx, "clusterlaunchcontrol.query_cancel.get_first_ctaid::y"), 1u);
}

TEST(PackedArithmetic, HasOneInstructionForTwoFloats) {
  auto sum = [](const std::string& element, const std::string& target) {
    std::string type = "tensor<512x" + element + ", #b>",
                pointers = "tensor<512x!tt.ptr<" + element + ">, #b>";
    return compiled(Kernel{
        .body = "%r = tt.make_range {end = 512 : i32, start = 0 : i32} : tensor<512xi32, #b>\n%ps "
                "= tt.splat %q : !tt.ptr<" +
                element + "> -> " + pointers + "\n%a = tt.addptr %ps, %r : " + pointers +
                ", tensor<512xi32, #b>\n%v = tt.load %a : " + pointers +
                "\n%w = ttng.packed_arith fma %v, %v, %v : (" + type + ", " + type + ", " + type +
                ") -> " + type + "\ntt.store %a, %w : " + pointers,
        .parameters = "%q: !tt.ptr<" + element + "> {tt.divisibility = 16 : i32}",
        .target = target});
  };
  EXPECT_EQ(count(sum("f32", "cuda:100").ptx, "fma.rn.f32x2"), 2u)
      << sum("f32", "cuda:100").problem;
  EXPECT_EQ(count(sum("f16", "cuda:120").ptx, "fma.rn.f16x2"), 2u);
}

TEST(Lanes, AreReducedAtOnceInFloatsToo) {
  auto greatest = [](const std::string& element, const std::string& target) {
    std::string type = "tensor<512x" + element + ", #b>",
                pointers = "tensor<512x!tt.ptr<" + element + ">, #b>";
    return compiled(Kernel{
        .body = "%r = tt.make_range {end = 512 : i32, start = 0 : i32} : tensor<512xi32, #b>\n%ps "
                "= tt.splat %q : !tt.ptr<" +
                element + "> -> " + pointers + "\n%a = tt.addptr %ps, %r : " + pointers +
                ", tensor<512xi32, #b>\n%v = tt.load %a : " + pointers +
                "\n%m = \"tt.reduce\"(%v) <{axis = 0 : i32}> ({\n^bb0(%x: " + element +
                ", %y: " + element + "):\n%z = arith.maxnumf %x, %y : " + element +
                "\ntt.reduce.return %z : " + element + "\n}) : (" + type + ") -> " + element +
                "\ntt.store %q, %m : !tt.ptr<" + element + ">",
        .parameters = "%q: !tt.ptr<" + element + "> {tt.divisibility = 16 : i32}",
        .target = target});
  };
  EXPECT_GE(count(greatest("f32", "cuda:100").ptx, "redux.sync.max.f32"), 1u)
      << greatest("f32", "cuda:100").problem;
  EXPECT_GE(count(greatest("f16", "cuda:103").ptx, "redux.sync.max.f32"), 1u);
  EXPECT_EQ(count(greatest("f32", "cuda:120").ptx, "redux"), 0u);
}

TEST(Fp4, IsConvertedInPairs) {
  auto converted = [](const std::string& element, const std::string& target) {
    std::string wide = "tensor<1024x" + element + ", #b8>";
    return compiled(Kernel{
        .body = "%r = tt.make_range {end = 512 : i32, start = 0 : i32} : tensor<512xi32, #b>\n%ps "
                "= tt.splat %q : !tt.ptr<i8> -> tensor<512x!tt.ptr<i8>, #b>\n%a = tt.addptr %ps, "
                "%r : tensor<512x!tt.ptr<i8>, #b>, tensor<512xi32, #b>\n%v = tt.load %a : "
                "tensor<512x!tt.ptr<i8>, #b>\n%w = ttg.fp4_to_fp %v {axis = 0 : i32} : "
                "tensor<512xi8, #b> -> " +
                wide + "\n%s = ttg.local_alloc : () -> !ttg.memdesc<1024x" + element +
                ", #bar, #smem, mutable>\nttg.local_store %w, %s : " + wide +
                " -> !ttg.memdesc<1024x" + element + ", #bar, #smem, mutable>\n",
        .parameters = "%q: !tt.ptr<i8> {tt.divisibility = 16 : i32}",
        .target = target,
        .more = "#b8 = #ttg.blocked<{sizePerThread = [8], threadsPerWarp = [32], warpsPerCTA = "
                "[4], order = [0]}>\n"});
  };
  EXPECT_EQ(count(converted("f16", "cuda:100").ptx, "cvt.rn.f16x2.e2m1x2"), 4u)
      << converted("f16", "cuda:100").problem;
  // Where there is no instruction, a product of two halves at once.
  EXPECT_EQ(count(converted("f16", "cuda:90").ptx, "mul.f16x2"), 4u)
      << converted("f16", "cuda:90").ptx;
  EXPECT_EQ(count(converted("bf16", "cuda:100").ptx, "mul.bf16x2"), 4u)
      << converted("bf16", "cuda:100").ptx;
}

TEST(Clusters, MeetBetweenInitializationsAndTheFirstUseBeyondACta) {
  std::string two = "!ttg.memdesc<1xi64, #one, #smem, mutable>";
  PtxOf kernel = compiled(Kernel{
      .body = "%m = ttg.local_alloc : () -> " + two + "\nttng.init_barrier %m, 1 : " + two +
              "\nttng.arrive_barrier %m, 1, %true : " + two +
              "\nttng.wait_barrier %m, %zero, %true : " + two + "\n",
      .target = "cuda:90",
      .ctas = 2,
      .more = "#one = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0], "
              "CGALayout = [[0]]}>\n"});
  ASSERT_EQ(kernel.problem, "");
  size_t init = kernel.ptx.find("mbarrier.init"), fence = kernel.ptx.find("fence.mbarrier_init"),
         meeting = kernel.ptx.find("barrier.cluster.wait"),
         use = kernel.ptx.find("mbarrier.arrive");
  EXPECT_LT(init, fence) << kernel.ptx;
  EXPECT_LT(fence, meeting);
  EXPECT_LT(meeting, use);
  EXPECT_GT(kernel.ptx.rfind("barrier.cluster.wait"), use); // none ends before all are done
}

// Captures and states have memory of their own: the meetings of all warps are enough.
TEST(Partitions, TheWarpsOfTheDefaultPartitionNeedNoMeetingOfTheirOwn) {
  PtxOf kernel = ptxOf(nvidiaModule(
      "", "tt.func public @k(%p: !tt.ptr<f32>) {\n%v = tt.load %p : !tt.ptr<f32>\n"
          "ttg.warp_specialize(%v, %p) attributes {requestedRegisters = array<i32: 24>}\ndefault "
          "{\nttg.warp_yield\n}\npartition0(%c: f32, %q: !tt.ptr<f32>) num_warps(4) {\ntt.store "
          "%q, %c : !tt.ptr<f32>\nttg.warp_return\n}\n : (f32, !tt.ptr<f32>) -> ()\ntt.return\n}"));
  EXPECT_EQ(count(kernel.ptx, "bar.sync"), 0u) << kernel.problem << kernel.ptx;
  // Before and after the partition's number is read, at its end, and when the kernel ends; the
  // waiting warps come to each of them.
  EXPECT_GE(count(kernel.ptx, "barrier.sync 1"), 4u) << kernel.ptx;
}

} // namespace
} // namespace gluond::test
