// Machines without a GPU or a driver, and processes that are no runners at all.
#include "FakeRunner.h"

#include <csignal>
#include <fstream>
#include <thread>
#include <unistd.h>

namespace gluond::remote {
namespace {

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
      {"printf 'Content-Length: 35\\r\\n\\r\\n{\"id\":1,\"result\":{\"protocol\":2222}}'; exec "
       "sleep 5",
       ProblemKind::Protocol, "speaks version 2222 of the protocol, gluond 3: start the"},
      {"printf 'Content-Length: 60\\r\\n\\r\\n"
       "{\"id\":1,\"error\":{\"message\":\"old\",\"data\":{\"kind\":\"request\"}}}'; exec sleep 5",
       ProblemKind::Request, "old: start the gluond-runner that was installed together"},
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

} // namespace
} // namespace gluond::remote
