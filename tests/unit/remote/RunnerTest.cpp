// The client with the real gluond-runner over fake drivers of both vendors, and with processes that
// are no runners at all.
#include "remote/Runner.h"

#include "../runner/CodeObjects.h"

#include <chrono>
#include <cmath>
#include <csignal>
#include <cstring>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <thread>
#include <unistd.h>

namespace gluond::remote {
namespace {

using namespace runner;
using testing::HasSubstr;
using testing::Not;
using Clock = std::chrono::steady_clock;

struct Vendor {
  const char *name, *library, *oldLibrary, *device, *faultPrefix;
  const char* environment; // in which the runner finds only this vendor's library
};
constexpr Vendor nvidia = {"Nvidia",      FAKE_CUDA,
                           FAKE_OLD_CUDA, "NVIDIA H200",
                           "CUDA_ERROR_", "GLUOND_HIP_LIBRARY=/nowhere GLUOND_CUDA_LIBRARY="};
constexpr Vendor amd = {"Amd",        FAKE_HIP,
                        FAKE_OLD_HIP, "AMD Instinct MI300X",
                        "hipError",   "GLUOND_CUDA_LIBRARY=/nowhere GLUOND_HIP_LIBRARY="};

RunnerOptions onLibrary(const Vendor& vendor, const char* library,
                        const std::string& environment = {}) {
  return {std::string("exec env ") + vendor.environment + library + " " + environment +
              " " RUNNER_PROGRAM,
          20'000, 20'000};
}
RunnerOptions onFake(const std::string& environment = {}, const Vendor& vendor = nvidia) {
  return onLibrary(vendor, vendor.library, environment);
}

Argument tensor(const char* name, std::vector<int64_t> shape, const char* fill = "iota") {
  Argument argument;
  argument.name = name;
  argument.tensor.emplace();
  argument.tensor->dtype = "fp32";
  argument.tensor->shape = shape;
  argument.tensor->strides.resize(shape.size());
  int64_t next = 1;
  for (size_t i = shape.size(); i-- > 0; next *= shape[i])
    argument.tensor->strides[i] = next;
  argument.tensor->fill.kind = fill;
  return argument;
}
Argument number(const char* name, int64_t value, const char* type = "i32") {
  Argument argument;
  argument.name = name;
  argument.type = type;
  argument.value = value;
  return argument;
}

struct Fake {
  explicit Fake(const std::string& environment = {}, const Vendor& vendor = nvidia)
      : runner(onFake(environment, vendor)) {}

  Expected<LoadResult> load(const std::string& kernel, unsigned shared = 0, unsigned threads = 128,
                            unsigned cluster = 1) {
    std::string code = "FAKE " + kernel;
    return runner.load({0, kernel, {0, code.size()}, threads, shared, cluster}, code);
  }
  Expected<Runner::Ran> run(const std::string& kernel, std::vector<Argument> arguments,
                            RunParams params = {}) {
    auto loaded =
        load(kernel, params.launch.sharedBytes, params.launch.threads, params.launch.cluster);
    if (!loaded) return tl::unexpected(loaded.error());
    params.launch.module = loaded->module;
    params.launch.arguments = std::move(arguments);
    return runner.run(params, binary);
  }
  Problem problemOf(const std::string& kernel, std::vector<Argument> arguments = {},
                    RunParams params = {}) {
    auto ran = run(kernel, std::move(arguments), params);
    EXPECT_FALSE(ran) << kernel;
    return ran ? Problem() : ran.error();
  }
  // A launch that works, as the first after something went wrong.
  void expectItWorks() {
    auto ran = run("copy", {tensor("src", {8}), tensor("dst", {8}, "constant")});
    ASSERT_TRUE(ran) << ran.error().message;
    EXPECT_EQ(ran->result.tensors[1].mean, 3.5);
  }

  Runner runner;
  std::string binary;
};

// What every vendor's driver must show.
class OnEachVendor : public testing::TestWithParam<Vendor> {};
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
  EXPECT_EQ(copied.first, (std::vector<double>{0, 1, 2, 3, 4, 5}));
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

TEST(Runner, launchesOnAmdAsTritonDoes) {
  Fake fake({}, amd);
  RunParams params;
  params.launch.grid = {5, 2, 1};
  params.launch.threads = 256;
  params.launch.sharedBytes = 60'000;
  auto ran = fake.run("config", {}, params);
  ASSERT_TRUE(ran) << ran.error().message;
  EXPECT_EQ(ran->result.printed, "grid 5 2 1 block 256 shared 60000\n");
  params.launch.isCooperative = true;
  ran = fake.run("config", {}, params);
  ASSERT_TRUE(ran) << ran.error().message;
  EXPECT_EQ(ran->result.printed, "cooperative grid 5 2 1 block 256 shared 60000\n");
  params.launch.cluster = 4;
  ran = fake.run("config", {}, params);
  ASSERT_TRUE(ran) << ran.error().message;
  EXPECT_EQ(ran->result.printed,
            "grid 20 2 1 block 256 shared 60000 attribute 4: 4 attribute 2: 1\n");
  // An old ROCm has no clusters.
  Runner old(onLibrary(amd, FAKE_OLD_HIP));
  auto loaded = old.load({0, "config", {0, 11}, 128, 0, 4}, "FAKE config");
  ASSERT_FALSE(loaded);
  EXPECT_EQ(loaded.error().error, "hipErrorNotSupported");
  EXPECT_THAT(loaded.error().message, HasSubstr("clusters of 4 CTAs"));
}

TEST(Runner, makesTdmDescriptors) {
  Fake fake("GLUOND_FAKE_ARCH=gfx1250", amd);
  Argument argument = tensor("desc", {512, 512});
  argument.tensor->dtype = "fp16";
  argument.descriptor.emplace();
  argument.descriptor->elementBytes = 2;
  argument.descriptor->box = {64, 32};
  auto ran = fake.run("tdm", {argument});
  ASSERT_TRUE(ran) << ran.error().message;
  // The block of one of 4 warps; then shape and strides (HipTest.cpp has the words of others).
  EXPECT_EQ(ran->result.printed,
            "1 0 0 0 10000 2000000 2000000 200000 10 200 0 0 0 0 0 0 0 0 0 0 then 512 512 512 1\n");
  // As much of it as the code takes.
  std::string code = codeObject("gfx1250", "tdm", {48, 4, 4, 8, 8, 8, 8});
  auto loaded = fake.runner.load({0, "tdm", {0, code.size()}, 128, 0, 1}, code);
  ASSERT_TRUE(loaded) << loaded.error().message;
  RunParams params;
  params.launch.module = loaded->module;
  params.launch.arguments = {argument};
  EXPECT_TRUE(fake.runner.run(params, {}));
  argument.descriptor->box = {64};
  Problem problem = fake.problemOf("tdm", {argument});
  EXPECT_EQ(problem.kind, ProblemKind::Request);
  EXPECT_EQ(problem.message, "the tensor descriptor 'desc' has a block of another rank");
  fake.expectItWorks();
}

TEST(Runner, codeObjectsAreChecked) {
  Fake fake({}, amd);
  std::string code = codeObject("gfx950", "copy", {8, 8, 8, 8});
  auto loaded = fake.runner.load({0, "copy", {0, code.size()}, 128, 0, 1}, code);
  ASSERT_FALSE(loaded);
  EXPECT_EQ(loaded.error().kind, ProblemKind::Code);
  EXPECT_EQ(loaded.error().message, "this code is for gfx950, but the GPU is AMD Instinct MI300X "
                                    "(hip:gfx942): compile for hip:gfx942");
  code = codeObject("gfx9-4-generic", "copy", {8, 8, 8, 8});
  EXPECT_TRUE(fake.runner.load({0, "copy", {0, code.size()}, 128, 0, 1}, code));
  code = codeObject("gfx942", "copy", {8, 8, 8, 8});
  loaded = fake.runner.load({0, "copy", {0, code.size()}, 128, 0, 1}, code);
  ASSERT_TRUE(loaded) << loaded.error().message;
  EXPECT_EQ(loaded->registers, 84u);
  EXPECT_EQ(loaded->accumulatorRegisters, 16u);
  EXPECT_EQ(loaded->scalarRegisters, 30u);
  EXPECT_EQ(loaded->spilledRegisters, 3u);
  RunParams params;
  params.launch.module = loaded->module;
  params.launch.arguments = {tensor("src", {8}), tensor("dst", {8}, "constant")};
  auto ran = fake.runner.run(params, {});
  ASSERT_TRUE(ran) << ran.error().message;
  EXPECT_EQ(ran->result.tensors[1].mean, 3.5);
  // HIP itself would read beyond the arguments.
  params.launch.arguments = {tensor("src", {8}), number("n", 4)};
  ran = fake.runner.run(params, {});
  ASSERT_FALSE(ran);
  EXPECT_THAT(ran.error().message,
              HasSubstr("takes parameters of 8 8 8 8 bytes, the launch gives 8 4 8 8"));
  // Code of one vendor on a GPU of the other.
  Fake other;
  loaded = other.runner.load({0, "copy", {0, code.size()}, 128, 0, 1}, code);
  ASSERT_FALSE(loaded);
  EXPECT_EQ(loaded.error().message, "this code is for an AMD GPU, but the GPU is NVIDIA H200 "
                                    "(cuda:90): compile for cuda:90");
  loaded = fake.runner.load({0, "copy", {0, 13}, 128, 0, 1}, ".version copy");
  ASSERT_FALSE(loaded);
  EXPECT_EQ(loaded.error().kind, ProblemKind::Code);
  EXPECT_THAT(loaded.error().message, HasSubstr("it is no hsaco"));
  fake.expectItWorks();
}

TEST(Runner, whatLimitsTheOccupancyOfAnAmdGpu) {
  Fake fake({}, amd);
  EXPECT_EQ(fake.load("k", 40'000)->limitedBy, "shared memory");
  EXPECT_EQ(fake.load("k")->limitedBy, "warps");
  EXPECT_EQ(fake.load("heavy")->limitedBy, "registers");
  EXPECT_EQ(fake.load("k")->occupancy, 1.0);
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

// ---------------------------------------------------------------- kernels that fail

TEST_P(OnEachVendor, aHangIsEndedAndTheNextLaunchWorks) {
  Fake fake({}, GetParam());
  RunParams params;
  params.limitMs = 300;
  auto start = Clock::now();
  Problem problem = fake.problemOf("hang_kernel", {}, params);
  EXPECT_LT(Clock::now() - start, std::chrono::seconds(5));
  EXPECT_EQ(problem.kind, ProblemKind::Hang);
  EXPECT_EQ(problem.kernel, "hang_kernel");
  EXPECT_TRUE(problem.isFatal);
  EXPECT_THAT(problem.message, HasSubstr("hang_kernel did not end within 300 ms"));
  uint64_t before = fake.runner.generation();
  fake.expectItWorks();
  EXPECT_EQ(fake.runner.generation(), before + 1);
}

TEST_P(OnEachVendor, aHangWhileTimingIsEndedToo) {
  Fake fake({}, GetParam());
  auto loaded = fake.load("hang");
  TimeParams params;
  params.launch.module = loaded->module;
  params.limitMs = 200;
  auto timed = fake.runner.time(params, {});
  ASSERT_FALSE(timed);
  EXPECT_EQ(timed.error().kind, ProblemKind::Hang);
  fake.expectItWorks();
}

TEST_P(OnEachVendor, faultsAreNamedAndExplained) {
  struct Case {
    int result;
    const char *cuda, *hip, *words;
  };
  for (const Case& one :
       {Case{700, "ILLEGAL_ADDRESS", "IllegalAddress", "an index is out of bounds"},
        Case{716, "MISALIGNED_ADDRESS", nullptr, "not aligned"},
        Case{715, "ILLEGAL_INSTRUCTION", nullptr, "a trap"},
        Case{710, "ASSERT", "Assert", "device_assert failed"},
        Case{719, "LAUNCH_FAILED", "LaunchFailure", "a trap"}}) {
    bool isAmd = GetParam().library == amd.library;
    const char* name = isAmd ? one.hip : one.cuda;
    if (!name) continue; // HIP has no such result
    Fake fake({}, GetParam());
    std::string kernel = "fault_" + std::to_string(one.result),
                error = std::string(GetParam().faultPrefix) + name;
    Problem problem = fake.problemOf(kernel);
    EXPECT_EQ(problem.kind, ProblemKind::Fault);
    EXPECT_EQ(problem.kernel, kernel);
    EXPECT_EQ(problem.error, error);
    EXPECT_TRUE(problem.isFatal);
    EXPECT_THAT(problem.message, HasSubstr(kernel + " failed on the GPU with " + error));
    EXPECT_THAT(problem.message, HasSubstr(one.words));
    fake.expectItWorks();
  }
}

// ROCm tells of most faults on its error output, and ends the process.
TEST(Runner, faultsThatEndTheProcessAreExplained) {
  struct Case {
    const char *kernel, *words, *log;
  };
  for (const Case& one :
       {Case{"abort_0", "abort_0 failed on the GPU. The kernel reads or writes an invalid address",
             "Memory access fault by GPU"},
        Case{"abort_1", "abort_1 failed on the GPU. The kernel failed: a trap", "0x1016"},
        Case{"abort_2", "ran too long", "GPU Hang"}}) {
    Fake fake({}, amd);
    Problem problem = fake.problemOf(one.kernel);
    EXPECT_EQ(problem.kind, ProblemKind::Fault);
    EXPECT_EQ(problem.kernel, one.kernel);
    EXPECT_TRUE(problem.isFatal);
    EXPECT_THAT(problem.message, HasSubstr(one.words));
    EXPECT_THAT(problem.log, HasSubstr(one.log));
    fake.expectItWorks();
  }
  Fake fake({}, amd);
  Problem problem = fake.problemOf("abort_3");
  EXPECT_EQ(problem.kind, ProblemKind::Driver);
  EXPECT_EQ(problem.message, "the driver ended the process");
  fake.expectItWorks();
}

TEST_P(OnEachVendor, whatAKernelPrintsIsKept) {
  Fake fake({}, GetParam());
  auto ran = fake.run("print", {});
  ASSERT_TRUE(ran);
  EXPECT_EQ(ran->result.printed, "pid (0, 0, 0) x: 42\n");
  Problem problem = fake.problemOf("assert");
  EXPECT_EQ(problem.kind, ProblemKind::Fault);
  EXPECT_THAT(problem.log, HasSubstr("k.py:12"));
  fake.expectItWorks();
}

TEST_P(OnEachVendor, writesBesideATensorAreSeen) {
  Fake fake({}, GetParam());
  auto ran = fake.run("touch", {tensor("x", {8}), number("at", 32)});
  ASSERT_TRUE(ran) << ran.error().message;
  EXPECT_EQ(ran->result.overwritten, (std::vector<std::string>{"x"}));
  EXPECT_TRUE(ran->result.isGuarded);
  ran = fake.run("touch", {tensor("x", {8}), number("at", 31)});
  EXPECT_TRUE(ran->result.overwritten.empty());
  ran = fake.run("before", {tensor("x", {8})});
  EXPECT_EQ(ran->result.overwritten, (std::vector<std::string>{"x"}));
  // Far enough is no memory at all: here the process itself dies of it.
  Problem problem = fake.problemOf("far", {tensor("x", {8})});
  EXPECT_EQ(problem.kind, ProblemKind::Lost);
  fake.expectItWorks();
}

TEST_P(OnEachVendor, tooMuchOfAResourceIsSaid) {
  Fake fake({}, GetParam());
  bool isAmd = GetParam().library == amd.library;
  Problem problem = [&] {
    RunParams params;
    params.launch.sharedBytes = 300'000;
    return fake.problemOf("greedy", {}, params);
  }();
  EXPECT_EQ(problem.kind, ProblemKind::Resources);
  EXPECT_THAT(problem.message,
              HasSubstr("greedy needs 300000 bytes of shared memory per CTA, but " +
                        std::string(GetParam().device) + " has at most "));
  EXPECT_FALSE(problem.isFatal);
  RunParams params;
  params.launch.threads = 512;
  problem = fake.problemOf("threads_256", {}, params);
  EXPECT_EQ(problem.kind, ProblemKind::Resources);
  EXPECT_THAT(problem.message,
              HasSubstr("a CTA can have at most 256 threads, but the launch needs 512 (" +
                        std::string(isAmd ? "8" : "16") + " warps)"));
  problem = fake.problemOf("crowded");
  EXPECT_THAT(problem.message,
              HasSubstr(isAmd ? "not one CTA of crowded fits on a CU of AMD Instinct MI300X"
                              : "not one CTA of crowded fits on an SM of NVIDIA H200"));
  params = {};
  params.launch.cluster = 8;
  if (!isAmd) // HIP cannot be asked
    EXPECT_THAT(fake.problemOf("lonely", {}, params).message,
                HasSubstr("not one cluster of 8 CTAs"));
  problem = fake.problemOf("refuse_701");
  EXPECT_EQ(problem.kind, ProblemKind::Resources);
  problem = fake.problemOf("refuse_720");
  EXPECT_EQ(problem.kind, ProblemKind::Launch);
  EXPECT_THAT(problem.message, HasSubstr("more programs than fit"));
  EXPECT_EQ(fake.runner.generation(), 1u) << "none of this costs the process";
  fake.expectItWorks();
}

TEST_P(OnEachVendor, tooLittleMemoryIsSaid) {
  Fake fake("GLUOND_FAKE_MEMORY=10000000", GetParam());
  Problem problem = fake.problemOf("copy", {tensor("big", {1 << 24})});
  EXPECT_EQ(problem.kind, ProblemKind::Memory);
  EXPECT_THAT(problem.message, HasSubstr("argument 'big' takes 64 MiB"));
  fake.expectItWorks();
}

TEST(Runner, codeThatIsNoneIsRefused) {
  Fake fake;
  std::string code = "broken";
  auto loaded = fake.runner.load({0, "k", {0, code.size()}, 128, 0, 1}, code);
  ASSERT_FALSE(loaded);
  EXPECT_EQ(loaded.error().kind, ProblemKind::Code);
  EXPECT_THAT(loaded.error().log, HasSubstr("Parsing error near 'broken'"));
  loaded = fake.runner.load({0, "k", {0, 3}, 128, 0, 1}, "xyz");
  EXPECT_EQ(loaded.error().kind, ProblemKind::Code);
  loaded = fake.runner.load({0, "other", {0, 6}, 128, 0, 1}, "FAKE k");
  EXPECT_THAT(loaded.error().message, HasSubstr("the code has no function other"));
  loaded = fake.runner.load({0, "k", {4, 100}, 128, 0, 1}, "FAKE k");
  EXPECT_EQ(loaded.error().kind, ProblemKind::Request);
  loaded = fake.runner.load({7, "k", {0, 6}, 128, 0, 1}, "FAKE k");
  EXPECT_EQ(loaded.error().kind, ProblemKind::NoDevice);
  fake.expectItWorks();
}

TEST(Runner, argumentsThatDoNotFitAreRefused) {
  Fake fake;
  EXPECT_THAT(fake.problemOf("params", {number("a", 1)}).message,
              HasSubstr("takes parameters of 8 4 8 8 bytes, the launch gives 4 8 8"));
  auto ran = fake.run("params", {tensor("x", {4}), number("n", 4)});
  EXPECT_TRUE(ran) << ran.error().message;
  EXPECT_EQ(fake.problemOf("copy", {number("a", 1, "i77")}).kind, ProblemKind::Request);
  Argument wrong = tensor("x", {4});
  wrong.tensor->dtype = "fp12";
  EXPECT_THAT(fake.problemOf("copy", {wrong}).message, HasSubstr("unknown element type 'fp12'"));
  Argument lost = tensor("x", {4});
  lost.aliases = "nobody";
  EXPECT_EQ(fake.problemOf("copy", {lost}).kind, ProblemKind::Request);
  RunParams params;
  params.launch.grid = {0, 1, 1};
  EXPECT_EQ(fake.problemOf("copy", {}, params).kind, ProblemKind::Request);
  params.launch.grid = {1, 1, 1};
  params.outputs = {"nobody"};
  EXPECT_EQ(fake.problemOf("copy", {tensor("x", {4}), tensor("y", {4})}, params).kind,
            ProblemKind::Request);
  EXPECT_EQ(fake.runner.generation(), 1u);
  fake.expectItWorks();
}

TEST_P(OnEachVendor, oldDriversDoWithoutGuards) {
  Runner runner(onLibrary(GetParam(), GetParam().oldLibrary));
  auto loaded = runner.load({0, "copy", {0, 9}, 128, 0, 1}, "FAKE copy");
  ASSERT_TRUE(loaded) << loaded.error().message;
  RunParams params;
  params.launch.module = loaded->module;
  params.launch.arguments = {tensor("a", {4}), tensor("b", {4}, "constant")};
  auto ran = runner.run(params, {});
  ASSERT_TRUE(ran) << ran.error().message;
  EXPECT_EQ(ran->result.tensors[1].mean, 1.5);
  EXPECT_FALSE(ran->result.isGuarded);
}

TEST_P(OnEachVendor, deathInTheMiddleIsSurvived) {
  Fake fake({}, GetParam());
  Problem problem = fake.problemOf("die");
  EXPECT_EQ(problem.kind, ProblemKind::Lost);
  EXPECT_THAT(problem.message, HasSubstr("ended without an answer (it ended with code 9)"));
  fake.expectItWorks();
}

// ---------------------------------------------------------------- no GPU, no driver, no runner

Problem startProblem(const RunnerOptions& options) {
  Runner runner(options);
  auto greeting = runner.connect();
  EXPECT_FALSE(greeting);
  return greeting ? Problem() : greeting.error();
}

// Why a runner has no GPU.
std::string whyNone(const RunnerOptions& options) {
  Runner runner(options);
  auto greeting = runner.connect();
  if (!greeting) return greeting.error().message;
  EXPECT_TRUE(greeting->devices.empty());
  Problem problem = runner.load({0, "k", {0, 6}, 128, 0, 1}, "FAKE k").error();
  std::string why = whyNoDevice(greeting->drivers);
  EXPECT_EQ(problem.message, why);
  return why;
}

TEST(Runner, noDriverSaysWhatWasLookedFor) {
  std::string why = whyNone({"exec env GLUOND_CUDA_LIBRARY=/nowhere/libcuda.so.1 "
                             "GLUOND_HIP_LIBRARY=/nowhere/libamdhip64.so " RUNNER_PROGRAM,
                             20'000, 20'000});
  EXPECT_THAT(why, HasSubstr("there is no CUDA driver library here; looked for "
                             "/nowhere/libcuda.so.1"));
  EXPECT_THAT(why, HasSubstr("there is no HIP library of ROCm here; looked for "
                             "/nowhere/libamdhip64.so"));
  why = whyNone(onFake("GLUOND_FAKE_INIT=100"));
  EXPECT_THAT(why, HasSubstr("CUDA_ERROR_NO_DEVICE"));
  EXPECT_THAT(why, Not(HasSubstr("ROCm"))) << "nobody misses the other vendor's";
  EXPECT_EQ(whyNone(onFake("GLUOND_FAKE_DEVICES=0")), "the CUDA driver finds no GPU");
}

TEST(Runner, aRocmThatIsNoUseSaysWhy) {
  // Without a GPU hipInit fails, too.
  for (const char* environment :
       {"GLUOND_FAKE_DEVICES=0", "GLUOND_FAKE_INIT=100 GLUOND_FAKE_DEVICES=0"})
    EXPECT_THAT(whyNone(onFake(environment, amd)), HasSubstr("the HIP driver finds no GPU: "));
  EXPECT_THAT(whyNone(onFake("GLUOND_FAKE_INIT=999", amd)),
              HasSubstr("does not start: hipErrorUnknown"));
  EXPECT_THAT(whyNone(onFake("GLUOND_FAKE_HIP_VERSION=40221131", amd)),
              HasSubstr("is too old: it is HIP 4.2 (ROCm 5.0 or newer is required; install a newer "
                        "ROCm)"));
  // A library without the functions of HIP.
  std::string why = whyNone(onLibrary(amd, FAKE_CUDA));
  EXPECT_THAT(why, HasSubstr("is too old: it has no hipInit, "));
  EXPECT_THAT(why, Not(HasSubstr("CUDA driver library")));
}

// Whatever stands in a runner's place costs a moment and some memory, and leaves nothing running.
TEST(Runner, hostileRunnersAreEnded) {
  struct Case {
    const char* command;
    ProblemKind kind;
    const char* words;
  } cases[] = {
      {"exec yes", ProblemKind::Protocol, "no message, but much else"},
      {"exec yes >&2", ProblemKind::Start, "ended without an answer"},
      {"yes >&2 & exec sleep 100", ProblemKind::Start, "does not answer within"},
      {"yes >&2 & exec yes", ProblemKind::Protocol, "no message, but much else"},
      {"exec tr '\\0' C < /dev/zero", ProblemKind::Protocol, "no message, but much else"},
      {"trap '' TERM INT HUP PIPE; while :; do sleep 1; done", ProblemKind::Start,
       "does not answer within"},
      {"printf 'Content-Length: 99999999999999999999\r\n\r\n'; exec sleep 100",
       ProblemKind::Protocol, "impossible length"},
      {"printf 'Content-Length: -1\r\n\r\n'; exec sleep 100", ProblemKind::Protocol,
       "impossible length"},
      {"printf 'Content-Length: 2\r\nBinary-Length: 8000000000\r\n\r\n{}'; exec cat /dev/zero",
       ProblemKind::Protocol, "impossible length"},
      {"printf 'Content-Length: 100\r\n\r\n{'; exec sleep 100", ProblemKind::Start,
       "does not answer within"},
      {"printf 'Content-Length: 100\r\n\r\n{'", ProblemKind::Start, "in the middle"},
      {"printf 'Content-Length: 4\r\n\r\nnull'; exec sleep 100", ProblemKind::Protocol,
       "no message"},
      {"printf 'Content-Length: '; exec tr '\\0' 1 < /dev/zero", ProblemKind::Protocol,
       "header that does not end"},
      {"while :; do printf 'Content-Length: 27\r\n\r\n{\"id\":77,\"result\":{\"a\":[]}}'; done",
       ProblemKind::Start, "does not answer within"},
      {"while :; do printf 'Content-Length: "
       "38\r\n\r\n{\"method\":\"progress\",\"params\":[1,2,3]}'; done",
       ProblemKind::Start, "does not answer within"},
      {"exec <&- >&- 2>&-; sleep 100", ProblemKind::Start, "ended without an answer"},
  };
  for (const Case& each : cases) {
    auto began = Clock::now();
    Runner runner({each.command, 1500, 1500});
    auto greeting = runner.connect();
    ASSERT_FALSE(greeting) << each.command;
    EXPECT_EQ(static_cast<int>(greeting.error().kind), static_cast<int>(each.kind)) << each.command;
    EXPECT_THAT(greeting.error().message, HasSubstr(each.words)) << each.command;
    EXPECT_LT(greeting.error().log.size(), 10'000u) << each.command;
    EXPECT_LT(Clock::now() - began, std::chrono::seconds(60)) << each.command;
  }
}

TEST(Runner, whatItStartedEndsWithIt) {
  std::string file = testing::TempDir() + "/group-" + std::to_string(::getpid());
  for (const char* ending : {"sleep 1000 & sleep 1000 & wait", "sleep 1000 & exit 3",
                             "trap '' TERM HUP INT; sleep 1000"}) {
    std::string command = "echo $$ > '" + file + "'; " + ending;
    {
      Runner runner({command, 500, 500});
      EXPECT_FALSE(runner.connect());
    }
    std::ifstream in(file);
    pid_t group = 0;
    in >> group;
    ASSERT_GT(group, 1);
    // Killed ones may take a moment to be buried by init.
    bool isGone = false;
    for (int i = 0; i < 200 && !isGone; ++i) {
      isGone = ::kill(-group, 0) != 0;
      if (!isGone) std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
    EXPECT_TRUE(isGone) << ending;
  }
  ::unlink(file.c_str());
}

TEST(Runner, aRunnerThatDoesNotReadIsNotWaitedFor) {
  // It greets, and then reads nothing: what is written to it fills its pipe.
  Runner runner({"exec sleep 1000", 1000, 1000});
  auto began = Clock::now();
  std::string code(size_t{4} << 20, 'x');
  EXPECT_FALSE(runner.load({0, "k", {0, code.size()}, 128, 0, 1}, code));
  EXPECT_LT(Clock::now() - began, std::chrono::seconds(30));
}

TEST(Runner, whatIsNoRunnerIsSaidToBeNone) {
  struct Case {
    const char* command;
    ProblemKind kind;
    const char* words;
  };
  const Case cases[] = {
      {"exec /nowhere/gluond-runner", ProblemKind::Start, "ended with code 127"},
      {"echo 'ssh: connect to host box port 22: Connection refused' >&2; exit 255",
       ProblemKind::Start, "ended with code 255"},
      {"exec true", ProblemKind::Start, "ended without an answer"},
      {"kill -9 $$", ProblemKind::Start, "by signal 9"},
      {"cat > /dev/null", ProblemKind::Start, "does not answer within"},
      {"printf 'Content-Length: 100\\r\\n\\r\\n{'; exec sleep 0.2", ProblemKind::Start,
       "in the middle of an answer"},
      {"printf 'Content-Length: 99999999999\\r\\n\\r\\n'; exec sleep 5", ProblemKind::Protocol,
       "impossible length"},
      {"printf 'Content-Length: 3\\r\\n\\r\\n{{{'; exec sleep 5", ProblemKind::Protocol,
       "no message"},
      {"printf 'Content-Length: 8\\r\\n\\r\\n{\"id\":1}'; exec sleep 5", ProblemKind::Protocol,
       "without a result"},
      {"printf 'Content-Length: 31\\r\\n\\r\\n{\"id\":1,\"result\":{\"driver\":-1}}'; exec sleep 5",
       ProblemKind::Protocol, "greets with something else"},
      {"printf 'Content-Length: 21\\r\\n\\r\\n{\"id\":1,\"error\":\"no\"}'; exec sleep 5",
       ProblemKind::Driver, "does not say which"},
      {"yes nonsense", ProblemKind::Protocol, "no message, but much else"},
  };
  for (const Case& one : cases) {
    auto start = Clock::now();
    Problem problem = startProblem({one.command, 1000, 1000});
    EXPECT_EQ(problem.kind, one.kind) << one.command << ": " << problem.message;
    EXPECT_THAT(problem.message, HasSubstr(one.words)) << one.command;
    EXPECT_LT(Clock::now() - start, std::chrono::seconds(10)) << one.command;
  }
  EXPECT_THAT(startProblem({"echo 'Host key verification failed.' >&2; exit 255", 1000, 1000}).log,
              HasSubstr("Host key verification failed."));
}

TEST(Runner, wordsBeforeTheAnswersAreSkipped) {
  Runner runner({"echo 'Welcome to box'; exec env GLUOND_CUDA_LIBRARY=" FAKE_CUDA
                 " " RUNNER_PROGRAM,
                 20'000, 20'000});
  EXPECT_TRUE(runner.connect());
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
