// What only AMD's driver has: code objects, descriptors of the tensor data mover, occupancy.
#include "../runner/CodeObjects.h"
#include "FakeRunner.h"

#include <cstring>
#include <fstream>

namespace gluond::remote {
namespace {

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

} // namespace
} // namespace gluond::remote
