// A run as lanes and slices, and its buffers at any moment.
#include "debug/Timeline.h"

#include "../simulate/Kernel.h"

namespace gluond::debug {
namespace {

using namespace simulate;
using testing::Contains;
using testing::ElementsAre;
using testing::Field;

class TimelineTest : public KernelTest {
protected:
  // Two stages of 128 numbers each: stores 1 to the first, copies x to the second one, and reads
  // it, perhaps after a wait.
  std::unique_ptr<Timeline> run(bool waits, TimelineLimits limits = {}) {
    std::string wait = waits ? "%w = ttg.async_wait {num = 0 : i32}" : "";
    module = ir::parseModule(R"(
#blocked = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#plain = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @kernel(%x: !tt.ptr<i32>) {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %ones = tt.splat %one : i32 -> tensor<128xi32, #blocked>
    %r = tt.make_range {start = 0 : i32, end = 128 : i32} : tensor<128xi32, #blocked>
    %s = tt.splat %x : !tt.ptr<i32> -> tensor<128x!tt.ptr<i32>, #blocked>
    %p = tt.addptr %s, %r : tensor<128x!tt.ptr<i32>, #blocked>, tensor<128xi32, #blocked>
    %m = ttg.local_alloc : () -> !ttg.memdesc<2x128xi32, #plain, #smem, mutable>
    %a = ttg.memdesc_index %m[%zero] : !ttg.memdesc<2x128xi32, #plain, #smem, mutable> -> !ttg.memdesc<128xi32, #plain, #smem, mutable>
    %b = ttg.memdesc_index %m[%one] : !ttg.memdesc<2x128xi32, #plain, #smem, mutable> -> !ttg.memdesc<128xi32, #plain, #smem, mutable>
    ttg.local_store %ones, %a : tensor<128xi32, #blocked> -> !ttg.memdesc<128xi32, #plain, #smem, mutable>
    %t = ttg.async_copy_global_to_local %p, %b : tensor<128x!tt.ptr<i32>, #blocked> -> <128xi32, #plain, #smem, mutable>
    %g = ttg.async_commit_group tokens %t
    )" + wait + R"(
    %v = ttg.local_load %b : !ttg.memdesc<128xi32, #plain, #smem, mutable> -> tensor<128xi32, #blocked>
    %w2 = arith.addi %v, %v : tensor<128xi32, #blocked>
    tt.return
  }
})",
                             *context);
    EXPECT_TRUE(module);
    code = *translate(*module);
    setting = {{1, 1, 1}, {tensor("x", std::vector<int32_t>(128, 7))}};
    return std::make_unique<Timeline>(*code, setting, memory, schedule, ProgramId{}, limits);
  }
  std::shared_ptr<const KernelCode> code;
  Setting setting;
  Schedule schedule;
};

TEST_F(TimelineTest, OperationsHaveLanesOfTheirEngines) {
  auto timeline = run(true);
  EXPECT_EQ(timeline->end(), Timeline::End::Finished);
  EXPECT_TRUE(timeline->findings().empty());
  const Trace& trace = timeline->trace();
  ASSERT_EQ(trace.lanes().size(), 2u);
  EXPECT_EQ(trace.lanes()[1].name, "copies");
  EXPECT_TRUE(trace.lanes()[1].isEngine && !trace.lanes()[0].isEngine);
  auto copy = llvm::find_if(trace.slices(), [](const Trace::Slice& slice) {
    return slice.kind == Trace::Slice::Kind::Operation;
  });
  ASSERT_NE(copy, trace.slices().end());
  EXPECT_EQ(copy->bytes, 512u);
  EXPECT_FALSE(copy->isOpen);
  EXPECT_LT(copy->from, copy->to);
  EXPECT_EQ(trace.flows().size(), 1u); // who issued it
  for (const Trace::Slice& slice : trace.slices())
    EXPECT_LE(slice.to, timeline->steps());
}

TEST_F(TimelineTest, BuffersAreAsTheyWereAtEachMoment) {
  auto timeline = run(true);
  ASSERT_EQ(timeline->buffers().size(), 1u);
  auto accesses = timeline->accessesOf(timeline->buffers()[0]);
  ASSERT_EQ(accesses.size(), 3u); // store, copy, load
  EXPECT_TRUE(accesses[0].isWrite && accesses[1].isWrite && !accesses[2].isWrite);
  auto at = [&](uint64_t moment, std::optional<size_t> stage = std::nullopt) {
    EXPECT_TRUE(timeline->seek(moment));
    return *timeline->contents(0, stage, std::nullopt);
  };
  // Backwards as well as forwards.
  for (int round = 0; round < 2; ++round) {
    auto end = at(timeline->steps());
    EXPECT_EQ(end.stages, 2u);
    EXPECT_EQ(end.stage, 1u); // written last
    EXPECT_EQ(end.values[5], "7");
    EXPECT_EQ(end.changed.size(), 128u);
    EXPECT_EQ(end.last->moment, accesses[1].moment);
    auto stored = at(accesses[0].moment);
    EXPECT_EQ(stored.stage, 0u);
    EXPECT_EQ(stored.values[5], "1");
    EXPECT_EQ(at(accesses[0].moment, 1).values[5], "");
    auto before = at(accesses[0].moment - 1);
    EXPECT_EQ(before.values[5], "");
    EXPECT_EQ(before.last, nullptr);
    EXPECT_TRUE(before.changed.empty());
  }
}

TEST_F(TimelineTest, FindingsHaveTheirMoment) {
  auto timeline = run(false);
  ASSERT_EQ(timeline->findings().size(), 1u);
  const TimelineFinding& finding = timeline->findings()[0];
  EXPECT_EQ(diagnostics::row(finding.finding.id).slug, "run-race");
  // The load is what made it; the copy is still under way.
  auto accesses = timeline->accessesOf(timeline->buffers()[0]);
  EXPECT_THAT(accesses, Contains(Field(&TimelineAccess::moment, finding.moment)));
  const Trace::Slice& copy =
      *llvm::find_if(timeline->trace().slices(), [](const Trace::Slice& slice) {
        return slice.kind == Trace::Slice::Kind::Operation;
      });
  EXPECT_TRUE(copy.isOpen || copy.to >= finding.moment);
  ASSERT_TRUE(timeline->seek(finding.moment));
  EXPECT_EQ(timeline->contents(0, 1, 0)->touched.size(), 128u);
  EXPECT_TRUE(timeline->contents(0, 0, 0)->touched.empty());
}

TEST_F(TimelineTest, EndsWhereItIsFull) {
  TimelineLimits limits;
  limits.steps = 5;
  auto timeline = run(true, limits);
  EXPECT_EQ(timeline->end(), Timeline::End::TooManySteps);
  EXPECT_EQ(timeline->steps(), 5u);
  EXPECT_TRUE(timeline->seek(100));
  EXPECT_EQ(timeline->history().now(), 5u);
  limits = {};
  limits.events = 3;
  EXPECT_EQ(run(true, limits)->end(), Timeline::End::TooManyEvents);
  CancellationSource source;
  source.cancel();
  EXPECT_EQ(Timeline(*code, setting, memory, schedule, ProgramId{}, {}, source.token()).end(),
            Timeline::End::Cancelled);
}

} // namespace
} // namespace gluond::debug
