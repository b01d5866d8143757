// Launches, timings and comparisons.
#include "FakeRunner.h"

#include <cmath>
#include <cstring>
#include <fstream>
#include <thread>

namespace gluond::remote {
namespace {

INSTANTIATE_TEST_SUITE_P(Runner, OnEachVendor, testing::Values(nvidia, amd),
                         [](const auto& info) { return info.param.name; });

TEST(Runner, saysWhoItIs) {
  Fake fake;
  auto greeting = fake.runner.connect();
  ASSERT_TRUE(greeting) << greeting.error().message;
  ASSERT_EQ(greeting->drivers.size(), 2u);
  EXPECT_EQ(greeting->drivers[0].vendor, "NVIDIA");
  EXPECT_EQ(greeting->drivers[0].version, "12.8");
  EXPECT_EQ(greeting->drivers[0].problem, "");
  EXPECT_TRUE(greeting->drivers[1].isMissing);
  EXPECT_THAT(greeting->drivers[1].problem, HasSubstr("there is no HIP library of ROCm here"));
  ASSERT_EQ(greeting->devices.size(), 1u);
  EXPECT_EQ(greeting->devices[0].name, "NVIDIA H200");
  EXPECT_EQ(greeting->devices[0].target, "cuda:90");
  EXPECT_EQ(greeting->devices[0].driver, "CUDA 12.8");
  EXPECT_EQ(greeting->devices[0].capability, 90u);
  EXPECT_EQ(greeting->devices[0].sharedPerBlock, 232448u);
}

TEST(Runner, saysWhichAmdGpuItHas) {
  struct Case {
    const char *environment, *target;
    unsigned warpSize;
  };
  for (const Case& one :
       {Case{"", "hip:gfx942", 64}, Case{"GLUOND_FAKE_ARCH=gfx1201", "hip:gfx1201", 32},
        Case{"GLUOND_FAKE_ARCH=gfx90a:sramecc+:xnack-", "hip:gfx90a", 64},
        Case{"GLUOND_FAKE_ARCH=strange", "hip:unknown", 32}}) {
    Runner runner(onFake(one.environment, amd));
    auto greeting = runner.connect();
    ASSERT_TRUE(greeting) << greeting.error().message;
    ASSERT_EQ(greeting->devices.size(), 1u);
    const DeviceInfo& device = greeting->devices[0];
    EXPECT_EQ(device.name, "AMD Instinct MI300X");
    EXPECT_EQ(device.target, one.target);
    EXPECT_EQ(device.warpSize, one.warpSize);
    EXPECT_EQ(device.driver, "HIP 6.4");
    EXPECT_EQ(device.capability, 0u);
    EXPECT_EQ(device.multiprocessors, 304u);
    EXPECT_EQ(device.sharedPerBlock, 65536u);
    EXPECT_EQ(device.clockMHz, 2100u);
  }
  // The properties of ROCm 5 have another layout.
  Runner old(onLibrary(amd, FAKE_OLD_HIP, "GLUOND_FAKE_HIP_VERSION=50322061"));
  ASSERT_TRUE(old.connect());
  EXPECT_EQ(old.connect()->devices[0].target, "hip:gfx942");
  EXPECT_EQ(old.connect()->devices[0].driver, "HIP 5.3");
}

TEST(Runner, aMachineMayHaveBothVendors) {
  Runner runner({"exec env GLUOND_CUDA_LIBRARY=" FAKE_CUDA " GLUOND_HIP_LIBRARY=" FAKE_HIP
                 " GLUOND_FAKE_DEVICES=2 " RUNNER_PROGRAM,
                 20'000, 20'000});
  auto greeting = runner.connect();
  ASSERT_TRUE(greeting) << greeting.error().message;
  ASSERT_EQ(greeting->devices.size(), 4u);
  for (unsigned i = 0; i < 4; ++i) {
    EXPECT_EQ(greeting->devices[i].index, i);
    EXPECT_EQ(greeting->devices[i].target, i < 2 ? "cuda:90" : "hip:gfx942");
    auto loaded = runner.load({i, "config", {0, 11}, 128, 0, 1}, "FAKE config");
    ASSERT_TRUE(loaded) << loaded.error().message;
    RunParams params;
    params.launch.module = loaded->module;
    auto ran = runner.run(params, {});
    ASSERT_TRUE(ran) << ran.error().message;
    EXPECT_EQ(ran->result.printed, "grid 1 1 1 block 128 shared 0\n");
  }
}

TEST_P(OnEachVendor, runsAndGivesBackFiles) {
  Fake fake({}, GetParam());
  RunParams params;
  params.outputs = {"dst"};
  auto ran =
      fake.run("copy_kernel", {tensor("src", {2, 3}), tensor("dst", {2, 3}, "constant")}, params);
  ASSERT_TRUE(ran) << ran.error().message;
  const TensorSummary &source = ran->result.tensors[0], &copied = ran->result.tensors[1];
  EXPECT_FALSE(source.isChanged);
  EXPECT_TRUE(copied.isChanged);
  EXPECT_EQ(copied.first, (std::vector<runner::Json>{0.0, 1.0, 2.0, 3.0, 4.0, 5.0}));
  ASSERT_TRUE(copied.data);
  EXPECT_THAT(ran->binary, HasSubstr("'shape': (2, 3)"));
  EXPECT_GT(ran->result.microseconds, 0);
  // What came out goes in again.
  fake.binary = ran->binary;
  Argument again = tensor("src", {2, 3}, "data");
  again.tensor->fill.data = copied.data;
  auto second = fake.run("copy_kernel", {again, tensor("dst", {2, 3}, "constant")});
  ASSERT_TRUE(second) << second.error().message;
  EXPECT_EQ(second->result.tensors[1].first, copied.first);
}

TEST_P(OnEachVendor, argumentsOfOneTensorShareIt) {
  Fake fake({}, GetParam());
  Argument same = tensor("dst", {4});
  same.aliases = "src";
  auto ran = fake.run("add1", {tensor("src", {4}), same});
  ASSERT_TRUE(ran) << ran.error().message;
  EXPECT_EQ(ran->result.tensors[1].first, (std::vector<runner::Json>{1.0, 2.0, 3.0, 4.0}));
}

TEST(Runner, launchesAsAsked) {
  Fake fake;
  RunParams params;
  params.launch.grid = {5, 2, 1};
  params.launch.threads = 384;
  params.launch.sharedBytes = 100'000;
  params.launch.cluster = 4;
  params.launch.isCooperative = true;
  params.launch.scratchBytes = 128;
  auto ran = fake.run("config", {}, params);
  ASSERT_TRUE(ran) << ran.error().message;
  EXPECT_EQ(ran->result.printed,
            "grid 20 2 1 block 384 shared 100000 attribute 2: 1 attribute 4: 4 attribute 5: 1\n");
}

TEST(Runner, makesTensorMaps) {
  Fake fake;
  Argument argument = tensor("desc", {64, 32});
  argument.tensor->dtype = "fp16";
  argument.descriptor.emplace();
  argument.descriptor->elementType = 6;
  argument.descriptor->swizzle = 3;
  argument.descriptor->elementBytes = 2;
  argument.descriptor->box = {16, 32};
  argument.descriptor->nanPadding = true;
  auto ran = fake.run("tensormap", {argument});
  ASSERT_TRUE(ran) << ran.error().message;
  // type, rank, dims and box from the innermost on, the stride in bytes; then shape and strides.
  EXPECT_EQ(ran->result.printed, "0 6 2 32 64 64 32 16 0 3 2 1 0 0 0 0 then 64 32 32 1\n");
  argument.descriptor->box = {16, 512};
  Problem problem = fake.problemOf("tensormap", {argument});
  EXPECT_EQ(problem.kind, ProblemKind::Launch);
  EXPECT_THAT(problem.message, HasSubstr("'desc' (shape 64 32, strides 32 1, block 16 512"));
  fake.expectItWorks();
}

TEST_P(OnEachVendor, timesUntilTheMedianIsKnown) {
  Fake fake({}, GetParam());
  auto loaded = fake.load("steady");
  ASSERT_TRUE(loaded);
  TimeParams params;
  params.launch.module = loaded->module;
  params.warmupMs = 1;
  auto timed = fake.runner.time(params, {});
  ASSERT_TRUE(timed) << timed.error().message;
  EXPECT_NEAR(timed->times.median, 100.3, 0.2);
  EXPECT_LT(timed->times.precision, 0.005);
  EXPECT_LT(timed->times.runs, 1000u);
  // One whose times differ takes all that it may, and says how far they are apart.
  loaded = fake.load("noisy");
  params.launch.module = loaded->module;
  params.precision = 1e-6;
  params.mostRuns = 500;
  params.budgetMs = 60'000;
  unsigned news = 0;
  timed = fake.runner.time(params, {}, {}, [&](const Times& times) { news += times.runs > 0; });
  ASSERT_TRUE(timed) << timed.error().message;
  EXPECT_GE(timed->times.runs, 500u);
  EXPECT_GT(timed->times.spread, 0.5);
  EXPECT_GT(news, 0u);
}

TEST_P(OnEachVendor, comparesWithTolerances) {
  Fake fake({}, GetParam());
  RunParams params;
  params.keep = "a";
  params.outputs = {"dst"};
  auto ran = fake.run("copy", {tensor("src", {2, 4}), tensor("dst", {2, 4}, "constant")}, params);
  ASSERT_TRUE(ran);
  CompareParams compare;
  compare.result = {"a", "dst", std::nullopt};
  compare.reference = {"a", "src", std::nullopt};
  auto same = fake.runner.compare(compare, {});
  ASSERT_TRUE(same) << same.error().message;
  EXPECT_TRUE(same->isEqual);
  EXPECT_EQ(same->elements, 8u);
  params.keep = "b";
  ASSERT_TRUE(fake.run("add1", {tensor("src", {2, 4})}, {params.launch, 10'000, true, {}, "b"}));
  compare.reference = {"b", "src", std::nullopt};
  compare.absolute = 0.5;
  auto other = fake.runner.compare(compare, {});
  ASSERT_TRUE(other);
  EXPECT_FALSE(other->isEqual);
  EXPECT_EQ(other->differing, 8u);
  EXPECT_EQ(other->first->index, (std::vector<int64_t>{0, 0}));
  compare.reference = {std::nullopt, std::nullopt, ran->result.tensors[1].data};
  EXPECT_TRUE(fake.runner.compare(compare, ran->binary)->isEqual);
  compare.result.kept = "nothing";
  EXPECT_EQ(fake.runner.compare(compare, ran->binary).error().kind, ProblemKind::Request);
}

TEST_P(OnEachVendor, cancellingStopsTiming) {
  Fake fake({}, GetParam());
  auto loaded = fake.load("noisy");
  TimeParams params;
  params.launch.module = loaded->module;
  params.precision = 0;
  params.budgetMs = 3'600'000;
  params.mostRuns = ~uint64_t{0} >> 1;
  CancellationSource source;
  std::thread later([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
    source.cancel();
  });
  auto start = Clock::now();
  auto timed = fake.runner.time(params, {}, source.token());
  later.join();
  ASSERT_FALSE(timed);
  EXPECT_EQ(timed.error().kind, ProblemKind::Cancelled);
  EXPECT_LT(Clock::now() - start, std::chrono::seconds(10));
  fake.expectItWorks();
}

TEST(Runner, cancellingAHangEndsTheProcess) {
  Fake fake;
  CancellationSource source;
  std::thread later([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    source.cancel();
  });
  auto loaded = fake.load("hang");
  RunParams params;
  params.launch.module = loaded->module;
  params.limitMs = 600'000;
  auto start = Clock::now();
  auto ran = fake.runner.run(params, {}, source.token());
  later.join();
  ASSERT_FALSE(ran);
  EXPECT_EQ(ran.error().kind, ProblemKind::Cancelled);
  EXPECT_LT(Clock::now() - start, std::chrono::seconds(10));
  fake.expectItWorks();
}

} // namespace
} // namespace gluond::remote
