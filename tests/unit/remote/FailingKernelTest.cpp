// Kernels that hang, fault, write beside their tensors or need too much, and requests that do not
// fit.
#include "FakeRunner.h"

#include <cstring>
#include <fstream>

namespace gluond::remote {
namespace {

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

} // namespace
} // namespace gluond::remote
