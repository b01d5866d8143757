// AMD's operations: the tensor data mover, barriers in shared memory, scaled conversions.
#include "Kernel.h"

#include <numeric>

namespace gluond::simulate {
namespace {

using testing::ElementsAre;

class AmdTest : public KernelTest {
protected:
  Outcome runAmd(const std::string& parameters, const std::string& body,
                 std::vector<Value> arguments) {
    return runModule(R"(
#rows = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [16, 2], warpsPerCTA = [4, 1], order = [1, 0]}>
#line = #ttg.slice<{dim = 1, parent = #rows}>
#lds = #ttg.padded_shared<[16:+4] {order = [1, 0], shape = [16, 16]}>
#bar = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "hip:gfx1250", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @kernel()" +
                         parameters + ") {\n" + body + "\n    tt.return\n  }\n}\n",
                     std::move(arguments));
  }
  static std::vector<float> counting(size_t count) {
    std::vector<float> all(count);
    std::iota(all.begin(), all.end(), 1.0f);
    return all;
  }
};

// A block of 16x16 from row and column 8 of a 20x20 matrix, to the same place of another.
std::string moving(const std::string& wait) {
  return R"(
    %extent = arith.constant 20 : i32
    %stride = arith.constant 20 : i64
    %one = arith.constant 1 : i64
    %eight = arith.constant 8 : i32
    %zero = arith.constant 0 : i32
    %d = tt.make_tensor_descriptor %x, [%extent, %extent], [%stride, %one] : !tt.ptr<f32>, !tt.tensordesc<16x16xf32, #lds>
    %e = tt.make_tensor_descriptor %y, [%extent, %extent], [%stride, %one] : !tt.ptr<f32>, !tt.tensordesc<16x16xf32, #lds>
    %dm = amdg.update_tensor_descriptor %d add_offsets = [%eight, %eight] {clamp_bounds} : !tt.tensordesc<16x16xf32, #lds>
    %em = amdg.update_tensor_descriptor %e add_offsets = [%eight, %eight] {clamp_bounds} : !tt.tensordesc<16x16xf32, #lds>
    %m = ttg.local_alloc : () -> !ttg.memdesc<16x16xf32, #lds, #smem, mutable>
    %b = ttg.local_alloc : () -> !ttg.memdesc<1xi64, #bar, #smem, mutable>
    amdg.init_barrier %b, 4 : !ttg.memdesc<1xi64, #bar, #smem, mutable>
)" + wait +
         R"(
    %v = ttg.local_load %m : !ttg.memdesc<16x16xf32, #lds, #smem, mutable> -> tensor<16x16xf32, #rows>
    %w = arith.addf %v, %v : tensor<16x16xf32, #rows>
    ttg.local_store %w, %m : tensor<16x16xf32, #rows> -> !ttg.memdesc<16x16xf32, #lds, #smem, mutable>
    %s = amdg.async_tdm_copy_local_to_global %em from %m : !ttg.memdesc<16x16xf32, #lds, #smem, mutable> -> !tt.tensordesc<16x16xf32, #lds>
    %t = amdg.async_tdm_wait {num = 0 : i32})";
}

TEST_F(AmdTest, TheDataMoverFillsAndDropsWhatIsOutside) {
  for (bool hasBarrier : {false, true}) {
    size_t result = hasBarrier ? 3 : 1;
    std::vector<Value> arguments{tensor("x", counting(400)), tensor("y", std::vector<float>(400))};
    Outcome outcome = runAmd(
        "%x: !tt.ptr<f32>, %y: !tt.ptr<f32>",
        moving(hasBarrier
                   ? "%l = amdg.async_tdm_copy_global_to_local %dm into %m, barrier = %b : "
                     "!tt.tensordesc<16x16xf32, #lds>, !ttg.memdesc<1xi64, #bar, #smem, mutable> "
                     "-> !ttg.memdesc<16x16xf32, #lds, #smem, mutable>\namdg.wait_barrier %b, "
                     "%zero : !ttg.memdesc<1xi64, #bar, #smem, mutable>"
                   : "%l = amdg.async_tdm_copy_global_to_local %dm into %m : "
                     "!tt.tensordesc<16x16xf32, #lds> -> !ttg.memdesc<16x16xf32, #lds, #smem, "
                     "mutable>\n%lw = amdg.async_tdm_wait {num = 0 : i32}"),
        arguments);
    EXPECT_TRUE(outcome.findings.empty()) << outcome.findings[0].message;
    std::vector<float> y = contents<float>(result);
    for (size_t i = 0; i < 20; ++i)
      for (size_t j = 0; j < 20; ++j)
        ASSERT_EQ(y[i * 20 + j],
                  i >= 8 && j >= 8 ? 2.0f * static_cast<float>(i * 20 + j + 1) : 0.0f);
  }
}

TEST_F(AmdTest, ABlockBeforeItsTensorIsOutsideOfIt) {
  std::vector<Value> arguments{tensor("x", counting(400)), tensor("y", counting(256))};
  Outcome outcome = runAmd("%x: !tt.ptr<f32>, %y: !tt.ptr<f32>", R"(
    %extent = arith.constant 20 : i32
    %block = arith.constant 16 : i32
    %stride = arith.constant 20 : i64
    %width = arith.constant 16 : i64
    %one = arith.constant 1 : i64
    %zero = arith.constant 0 : i32
    %before = arith.constant -1 : i32
    %d = tt.make_tensor_descriptor %x, [%extent, %extent], [%stride, %one] : !tt.ptr<f32>, !tt.tensordesc<16x16xf32, #lds>
    %e = tt.make_tensor_descriptor %y, [%block, %block], [%width, %one] : !tt.ptr<f32>, !tt.tensordesc<16x16xf32, #lds>
    %dm = amdg.update_tensor_descriptor %d add_offsets = [%zero, %before] {clamp_bounds} : !tt.tensordesc<16x16xf32, #lds>
    %m = ttg.local_alloc : () -> !ttg.memdesc<16x16xf32, #lds, #smem, mutable>
    %l = amdg.async_tdm_copy_global_to_local %dm into %m : !tt.tensordesc<16x16xf32, #lds> -> !ttg.memdesc<16x16xf32, #lds, #smem, mutable>
    %w = amdg.async_tdm_wait {num = 0 : i32}
    %s = amdg.async_tdm_copy_local_to_global %e from %m : !ttg.memdesc<16x16xf32, #lds, #smem, mutable> -> !tt.tensordesc<16x16xf32, #lds>
    %t = amdg.async_tdm_wait {num = 0 : i32})",
                           arguments);
  EXPECT_TRUE(outcome.findings.empty()) << outcome.findings[0].message;
  EXPECT_THAT(contents<float>(1), testing::Each(0.0f));
}

TEST_F(AmdTest, ACopyThatNobodyWaitsForIsMissing) {
  std::vector<Value> arguments{tensor("x", counting(400)), tensor("y", std::vector<float>(400))};
  Outcome outcome = runAmd("%x: !tt.ptr<f32>, %y: !tt.ptr<f32>",
                           moving("%l = amdg.async_tdm_copy_global_to_local %dm into %m : "
                                  "!tt.tensordesc<16x16xf32, #lds> -> !ttg.memdesc<16x16xf32, "
                                  "#lds, #smem, mutable>"),
                           arguments);
  EXPECT_THAT(codes(outcome), testing::Contains("run-read-before-write"));
}

TEST_F(AmdTest, EveryThreadArrives) {
  std::vector<Value> arguments{tensor("y", std::vector<int32_t>(2))};
  Outcome outcome = runAmd("%y: !tt.ptr<i32>", R"(
    %one = arith.constant 1 : i32
    %b = ttg.local_alloc : () -> !ttg.memdesc<1xi64, #bar, #smem, mutable>
    amdg.init_barrier %b, 128 : !ttg.memdesc<1xi64, #bar, #smem, mutable>
    %p = amdg.arrive_barrier %b, 1 : !ttg.memdesc<1xi64, #bar, #smem, mutable> -> i32
    amdg.wait_barrier %b, %p : !ttg.memdesc<1xi64, #bar, #smem, mutable>
    %q = amdg.arrive_barrier %b, 1 : !ttg.memdesc<1xi64, #bar, #smem, mutable> -> i32
    tt.store %y, %p : !tt.ptr<i32>
    %y1 = tt.addptr %y, %one : !tt.ptr<i32>, i32
    tt.store %y1, %q : !tt.ptr<i32>)",
                           arguments);
  EXPECT_TRUE(outcome.findings.empty()) << outcome.findings[0].message;
  EXPECT_THAT(contents<int32_t>(0), ElementsAre(0, 1));
}

} // namespace
} // namespace gluond::simulate
