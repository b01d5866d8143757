// Kernels of several CTAs: their parts of a buffer, their barriers.
#include "Kernel.h"

namespace gluond::simulate {
namespace {

using testing::ElementsAre;

// Runs the body of a kernel of two CTAs, whose tensors have 64 elements: 32 in each.
class ClusterTest : public KernelTest {
protected:
  Outcome runPair(const std::string& body, std::vector<Value> arguments) {
    return runModule(R"(
#split = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [1], order = [0], CGALayout = [[1]]}>
#own = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0], CGALayout = [[1]]}>
#both = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0], CGALayout = [[0]]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 2 : i32, "ttg.num-warps" = 1 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @kernel(%x: !tt.ptr<f32>, %y: !tt.ptr<f32>) {
    %r = tt.make_range {start = 0 : i32, end = 64 : i32} : tensor<64xi32, #split>
    %xs = tt.splat %x : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>, #split>
    %xp = tt.addptr %xs, %r : tensor<64x!tt.ptr<f32>, #split>, tensor<64xi32, #split>
    %ys = tt.splat %y : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>, #split>
    %yp = tt.addptr %ys, %r : tensor<64x!tt.ptr<f32>, #split>, tensor<64xi32, #split>
    %v = tt.load %xp : tensor<64x!tt.ptr<f32>, #split>
    %zero = arith.constant 0 : i32
    %true = arith.constant true
)" + body + "\n    tt.return\n  }\n}\n",
                     std::move(arguments));
  }
};

TEST_F(ClusterTest, EachHasItsPartOfABuffer) {
  std::vector<Value> arguments{tensor("x", counting(64)), tensor("y", std::vector<float>(64))};
  Outcome outcome = runPair(R"(
    %m = ttg.local_alloc %v : (tensor<64xf32, #split>) -> !ttg.memdesc<64xf32, #own, #smem, mutable>
    %w = ttg.local_load %m : !ttg.memdesc<64xf32, #own, #smem, mutable> -> tensor<64xf32, #split>
    tt.store %yp, %w : tensor<64x!tt.ptr<f32>, #split>)",
                            arguments);
  EXPECT_TRUE(outcome.findings.empty());
  EXPECT_EQ(contents<float>(1), counting(64));
}

// Stores asynchronously: each CTA's barrier counts 32 elements of 4 bytes; one for both counts all.
std::string storing(const std::string& layout, const std::string& elements,
                    const std::string& bytes) {
  std::string barrier = "!ttg.memdesc<" + elements + "xi64, " + layout + ", #smem, mutable>";
  return "%m = ttg.local_alloc : () -> !ttg.memdesc<64xf32, #own, #smem, mutable>\n"
         "%b = ttg.local_alloc : () -> " +
         barrier + "\nttng.init_barrier %b, 1 : " + barrier + "\nttng.barrier_expect %b, " + bytes +
         ", %true : " + barrier +
         "\nttng.async_shared_store %v, %m, %b : tensor<64xf32, #split> -> !ttg.memdesc<64xf32, "
         "#own, #smem, mutable>, " +
         barrier + "\nttng.wait_barrier %b, %zero, %true : " + barrier +
         "\n%w = ttg.local_load %m : !ttg.memdesc<64xf32, #own, #smem, mutable> -> tensor<64xf32, "
         "#split>\ntt.store %yp, %w : tensor<64x!tt.ptr<f32>, #split>";
}

TEST_F(ClusterTest, EachCtasBarrierCountsItsBytes) {
  std::vector<Value> arguments{tensor("x", counting(64)), tensor("y", std::vector<float>(64))};
  EXPECT_TRUE(runPair(storing("#own", "2", "128"), arguments).findings.empty());
  EXPECT_EQ(contents<float>(1), counting(64));
  EXPECT_THAT(codes(runPair(storing("#own", "2", "256"), arguments)), ElementsAre("run-deadlock"));
}

TEST_F(ClusterTest, ABarrierThatTwoShareHearsOfBoth) {
  std::vector<Value> arguments{tensor("x", counting(64)), tensor("y", std::vector<float>(64))};
  // Each of them arrives and expects its own bytes: the phase needs two arrivals.
  Outcome outcome = runPair(R"(
    %b = ttg.local_alloc : () -> !ttg.memdesc<1xi64, #both, #smem, mutable>
    ttng.init_barrier %b, 1 : !ttg.memdesc<1xi64, #both, #smem, mutable>
    ttng.arrive_barrier %b, 1, %true : !ttg.memdesc<1xi64, #both, #smem, mutable>
    ttng.wait_barrier %b, %zero, %true : !ttg.memdesc<1xi64, #both, #smem, mutable>
    tt.store %yp, %v : tensor<64x!tt.ptr<f32>, #split>)",
                            arguments);
  EXPECT_TRUE(outcome.findings.empty());
  EXPECT_EQ(contents<float>(1), counting(64));
}

} // namespace
} // namespace gluond::simulate
