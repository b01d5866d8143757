// Compiling behind ttgir: what is kept on disk, and stopping in the middle.
#include "driver/stages/Compile.h"

#include "ir/Context.h"

#include <llvm/Support/FileSystem.h>
#include <llvm/Support/Path.h>

#include <chrono>
#include <csignal>
#include <fstream>
#include <gtest/gtest.h>
#include <thread>

namespace gluond::driver {
namespace {

namespace fs = llvm::sys::fs;
using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

// `steps` additions on as many elements as there are threads, each at a line of k.py.
std::string kernel(unsigned steps, unsigned firstLine = 10, llvm::StringRef constant = "1.5") {
  std::string text =
      "#b = #ttg.blocked<{sizePerThread = [8], threadsPerWarp = [32], warpsPerCTA = [4], order = "
      "[0]}>\nmodule attributes {\"ttg.num-ctas\" = 1 : i32, \"ttg.num-warps\" = 4 : i32, "
      "ttg.target = \"cuda:90\", \"ttg.threads-per-warp\" = 32 : i32} {\n"
      "tt.func public @k(%p: !tt.ptr<f32>) {\n"
      "%r = tt.make_range {end = 1024 : i32, start = 0 : i32} : tensor<1024xi32, #b>\n"
      "%s = tt.splat %p : !tt.ptr<f32> -> tensor<1024x!tt.ptr<f32>, #b>\n"
      "%a = tt.addptr %s, %r : tensor<1024x!tt.ptr<f32>, #b>, tensor<1024xi32, #b>\n"
      "%c = arith.constant dense<" +
      constant.str() +
      "> : tensor<1024xf32, #b>\n"
      "%v0 = tt.load %a : tensor<1024x!tt.ptr<f32>, #b>\n";
  for (unsigned i = 0; i < steps; ++i)
    text += "%v" + std::to_string(i + 1) + " = arith." + (i % 2 ? "mulf" : "addf") + " %v" +
            std::to_string(i) + ", " + (i % 3 ? "%c" : "%v0") +
            " : tensor<1024xf32, #b> loc(\"k.py\":" + std::to_string(firstLine + i) + ":1)\n";
  return text + "tt.store %a, %v" + std::to_string(steps) +
         " : tensor<1024x!tt.ptr<f32>, #b>\ntt.return\n}\n}\n";
}

tl::expected<Compiled, passes::PassFailure> compiled(llvm::StringRef text, llvm::StringRef stage,
                                                     const CompileOptions& options = {},
                                                     llvm::StringRef target = "cuda:90") {
  auto context = ir::createContext();
  auto module = ir::parseModule(text, *context);
  EXPECT_TRUE(module);
  auto result = compile(*module, target, stage, options);
  // The location is of the context.
  if (!result) result.error().location = mlir::UnknownLoc::get(context.get());
  return result;
}

class CompileTest : public testing::Test {
protected:
  void SetUp() override { ASSERT_FALSE(fs::createUniqueDirectory("gluond-compile", folder_)); }
  void TearDown() override {
    ::unsetenv("GLUOND_CUDA");
    (void)fs::remove_directories(folder_);
  }
  CompileOptions cached() const {
    CompileOptions options;
    options.cache = DiskCache((folder_ + "/cache").str(), uint64_t{64} << 20);
    return options;
  }
  // A toolkit whose ptxas runs `script`.
  void pretendPtxas(llvm::StringRef script) {
    std::string bin = (folder_ + "/bin").str();
    ASSERT_FALSE(fs::create_directories(bin));
    std::ofstream(bin + "/ptxas") << "#!/bin/sh\n" << script.str();
    ASSERT_FALSE(fs::setPermissions(bin + "/ptxas", fs::all_all));
    ::setenv("GLUOND_CUDA", folder_.c_str(), 1);
  }
  llvm::SmallString<128> folder_;
};

std::vector<std::string> made(const Compiled& compiled) {
  std::vector<std::string> stages;
  for (auto [stage, ms] : compiled.milliseconds)
    stages.push_back(stage.str());
  return stages;
}

TEST_F(CompileTest, theSecondTimeItIsLookedUp) {
  auto first = compiled(kernel(3), "ptx", cached());
  ASSERT_TRUE(first) << first.error().message;
  EXPECT_EQ(made(*first), (std::vector<std::string>{"llir", "ptx"}));
  auto second = compiled(kernel(3), "ptx", cached());
  ASSERT_TRUE(second);
  EXPECT_EQ(made(*second), (std::vector<std::string>{"ptx"}));
  EXPECT_EQ(second->text, first->text);
  EXPECT_EQ(second->lines, first->lines);
  EXPECT_FALSE(second->lines.empty());
  EXPECT_EQ(second->facts.name, "k");
  EXPECT_EQ(second->facts.warps, first->facts.warps);
  EXPECT_EQ(second->facts.sharedBytes, first->facts.sharedBytes);
  EXPECT_EQ(compiled(kernel(3), "ptx")->text, first->text) << "and is what is made without";
}

TEST_F(CompileTest, whatDiffersIsMadeAnew) {
  ASSERT_TRUE(compiled(kernel(3), "ptx", cached()));
  auto isMade = [&](llvm::StringRef text, llvm::StringRef stage, llvm::StringRef target = "cuda:90",
                    bool alsoLlir = false) {
    CompileOptions options = cached();
    options.alsoLlir = alsoLlir;
    auto result = compiled(text, stage, options, target);
    EXPECT_TRUE(result);
    return result && made(*result).front() == "llir";
  };
  EXPECT_TRUE(isMade(kernel(4), "ptx"));
  EXPECT_TRUE(isMade(kernel(3, 10, "2.5"), "ptx"));
  EXPECT_TRUE(isMade(kernel(3, 11), "ptx")) << "its lines";
  EXPECT_TRUE(isMade(kernel(3), "llir"));
  EXPECT_TRUE(isMade(kernel(3), "ptx", "cuda:80"));
  EXPECT_TRUE(isMade(kernel(3), "ptx", "cuda:90", true));
  EXPECT_FALSE(isMade(kernel(3), "ptx"));
}

TEST_F(CompileTest, anotherAssemblerMakesAnotherCubin) {
  pretendPtxas("echo one >/proc/self/fd/4\necho 'ptxas info : Used 17 registers'");
  auto one = compiled(kernel(1), "cubin", cached());
  ASSERT_TRUE(one) << one.error().message;
  EXPECT_EQ(one->text, "one\n");
  EXPECT_EQ(one->assembled->registers, 17u);
  one = compiled(kernel(1), "cubin", cached());
  EXPECT_EQ(made(*one), (std::vector<std::string>{"cubin"}));
  EXPECT_EQ(one->assembled->registers, 17u);
  pretendPtxas("echo another >/proc/self/fd/4");
  auto another = compiled(kernel(1), "cubin", cached());
  EXPECT_EQ(another->text, "another\n");
  EXPECT_EQ(made(*another), (std::vector<std::string>{"ptx", "cubin"})) << "the PTX is the same";
}

// A pass of LLVM cannot be stopped, and some take minutes for a kernel of this size.
TEST_F(CompileTest, whatIsTooLargeForLlvmIsRefused) {
  auto result = compiled(kernel(20'000), "ptx");
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().kind, passes::FailureKind::Unsupported);
  EXPECT_NE(result.error().message.find("instructions of LLVM"), std::string::npos)
      << result.error().message;
}
// LLVM ends the process on a kernel that is not void.
TEST_F(CompileTest, kernelsThatReturnAValueAreRefused) {
  struct Case {
    std::string target, stage, threads;
  };
  for (const Case& each : {Case{"cuda:90", "ptx", "32"}, Case{"hip:gfx942", "amdgcn", "64"}})
    for (std::string type : {"i32", "!tt.ptr<f32>", "i32, !tt.ptr<f32>"}) {
      std::string values = type == "i32" ? "%n" : type == "!tt.ptr<f32>" ? "%p" : "%n, %p";
      auto result = compiled(
          "module attributes {\"ttg.num-ctas\" = 1 : i32, \"ttg.num-warps\" = 4 : i32, ttg.target "
          "= \"" +
              each.target + "\", \"ttg.threads-per-warp\" = " + each.threads +
              " : i32} {\ntt.func public @k(%p: !tt.ptr<f32>, %n: i32) -> (" + type +
              ") {\ntt.return " + values + " : " + type + "\n}\n}\n",
          each.stage, {}, each.target);
      ASSERT_FALSE(result) << each.target << type;
      EXPECT_EQ(result.error().kind, passes::FailureKind::Invalid) << result.error().message;
    }
}

// LLVM has no floats of 8 bits, and makes something of anything.
TEST_F(CompileTest, arithmeticOnByteFloatsIsRefused) {
  for (std::string target : {"cuda:90", "hip:gfx942", "hip:gfx950"})
    for (std::string line :
         {"%x = arith.truncf %f : f32 to f8E5M2", "%x = arith.sitofp %n : i32 to f8E4M3FN"}) {
      bool isAmd = target[0] == 'h';
      auto result = compiled(
          "module attributes {\"ttg.num-ctas\" = 1 : i32, \"ttg.num-warps\" = 4 : i32, ttg.target "
          "= \"" +
              target + "\", \"ttg.threads-per-warp\" = " + (isAmd ? "64" : "32") +
              " : i32} {\ntt.func public @k(%f: f32, %n: i32) {\n" + line + "\ntt.return\n}\n}\n",
          "llir", {}, target);
      ASSERT_FALSE(result) << target << line;
      EXPECT_EQ(result.error().kind, passes::FailureKind::Invalid) << result.error().message;
    }
}

TEST_F(CompileTest, failuresAreNotKept) {
  pretendPtxas("echo 'no licence'; exit 3");
  auto failed = compiled(kernel(1), "cubin", cached());
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.error().kind, passes::FailureKind::Unsupported);
  EXPECT_EQ(failed.error().message, "no licence\n");
  pretendPtxas("cat $4 >/dev/null; echo fine >/proc/self/fd/4");
  auto fine = compiled(kernel(1), "cubin", cached());
  ASSERT_TRUE(fine) << fine.error().message;
  EXPECT_EQ(fine->text, "fine\n");
}

TEST_F(CompileTest, cancelledBeforeItBegins) {
  CancellationSource source;
  source.cancel();
  CompileOptions options = cached();
  options.cancellation = source.token();
  auto result = compiled(kernel(3), "ptx", options);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().kind, passes::FailureKind::Cancelled);
  EXPECT_EQ(options.cache.usage().entries, 0u);
}

// Wherever in lowering, optimizing or writing PTX it is: the rest is not done, and nothing is kept.
TEST_F(CompileTest, cancelledInTheMiddle) {
  std::string text = kernel(1500);
  Clock::time_point begin = Clock::now();
  ASSERT_TRUE(compiled(text, "ptx"));
  auto whole = Clock::now() - begin;
  for (int part : {2, 4, 6, 8}) {
    CancellationSource source;
    CompileOptions options = cached();
    options.cancellation = source.token();
    std::thread canceller([&] {
      std::this_thread::sleep_for(whole * part / 10);
      source.cancel();
    });
    auto result = compiled(text, "ptx", options);
    canceller.join();
    if (result) continue; // this machine was quicker this time
    EXPECT_EQ(result.error().kind, passes::FailureKind::Cancelled) << result.error().message;
    EXPECT_EQ(options.cache.usage().entries, 0u);
  }
}

TEST_F(CompileTest, cancellingKillsTheAssembler) {
  std::string started = (folder_ + "/started").str();
  pretendPtxas("echo $$ >" + started + ".new; mv " + started + ".new " + started +
               "; exec sleep 100");
  CancellationSource source;
  CompileOptions options;
  options.cancellation = source.token();
  std::thread canceller([&] {
    for (int i = 0; i < 3000 && !fs::exists(started); ++i)
      std::this_thread::sleep_for(10ms);
    source.cancel();
  });
  Clock::time_point begin = Clock::now();
  auto result = compiled(kernel(1), "cubin", options);
  EXPECT_LT(Clock::now() - begin, 60s);
  canceller.join();
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().kind, passes::FailureKind::Cancelled);
  pid_t process = 0;
  std::ifstream(started) >> process;
  ASSERT_GT(process, 0);
  EXPECT_NE(::kill(process, 0), 0) << "it still runs";
}

} // namespace
} // namespace gluond::driver
