// The processes of gluond-amdgpu: many jobs for one, and jobs that end it.
#include "backend/amd/CompilerProcess.h"

#include "backend/Bitcode.h"
#include "backend/amd/GluondAmdgpu.h"
#include "backend/amd/GluondAmdgpuJobs.h"

#include <llvm/AsmParser/Parser.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/Support/SourceMgr.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <thread>

namespace gluond::test {
namespace {

namespace amd = backend::amd;
using Text = tl::expected<std::string, std::string>;

Text assemblyOf(llvm::StringRef ir) {
  llvm::LLVMContext context;
  llvm::SMDiagnostic problem;
  auto module = llvm::parseAssemblyString(ir, problem, context);
  EXPECT_TRUE(module) << problem.getMessage().str();
  return amd::doJob(
      amd::compilerProgram(),
      {amd::jobs::assembly, amd::jobs::chipFlag, "hip:gfx942", amd::jobs::fusionFlag, "true"},
      backend::toBitcode(*module), {});
}

constexpr llvm::StringLiteral head = "target triple = \"amdgcn-amd-amdhsa\"\n";
const std::string small = (head + "define amdgpu_kernel void @k(ptr addrspace(1) %p) {\n"
                                  "store i32 7, ptr addrspace(1) %p\nret void\n}\n")
                              .str();
// No instruction of AMD's does this, and LLVM ends the process.
const std::string unselectable = (head + "declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n"
                                         "define amdgpu_kernel void @k(ptr addrspace(1) %p) {\n"
                                         "%t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n"
                                         "store i32 %t, ptr addrspace(1) %p\nret void\n}\n")
                                     .str();

TEST(CompilerProcess, JobsAfterEachOtherAreAlike) {
  Text first = assemblyOf(small), second = assemblyOf(small);
  ASSERT_TRUE(first) << first.error();
  ASSERT_TRUE(second) << second.error();
  EXPECT_THAT(*first, testing::HasSubstr("s_endpgm"));
  EXPECT_EQ(*first, *second);
}

TEST(CompilerProcess, AnErrorIsAnAnswer) {
  Text unknown = amd::doJob(amd::compilerProgram(), {"cook"}, "", {});
  ASSERT_FALSE(unknown);
  EXPECT_EQ(unknown.error(), "gluond-amdgpu does not know this job");
  EXPECT_TRUE(assemblyOf(small));
}

TEST(CompilerProcess, OneThatEndsIsReplaced) {
  for (int turn = 0; turn < 2; ++turn) {
    Text failed = assemblyOf(unselectable);
    ASSERT_FALSE(failed);
    EXPECT_THAT(failed.error(), testing::HasSubstr("annot select"));
    EXPECT_TRUE(assemblyOf(small));
  }
}

TEST(CompilerProcess, ACancelledJobEnds) {
  CancellationSource source;
  source.cancel();
  std::string many = (head + "define amdgpu_kernel void @k(ptr addrspace(1) %p) {\n").str();
  for (int i = 0; i < 20'000; ++i)
    many += "store volatile i32 " + std::to_string(i * 77) + ", ptr addrspace(1) %p\n";
  many += "ret void\n}\n";
  llvm::LLVMContext context;
  llvm::SMDiagnostic problem;
  auto module = llvm::parseAssemblyString(many, problem, context);
  ASSERT_TRUE(module);
  Text result =
      amd::doJob(amd::compilerProgram(), {amd::jobs::assembly, amd::jobs::chipFlag, "hip:gfx942"},
                 backend::toBitcode(*module), source.token());
  EXPECT_FALSE(result);
  EXPECT_TRUE(assemblyOf(small));
}

TEST(CompilerProcess, ThreadsHaveTheirOwn) {
  std::string expected = *assemblyOf(small);
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([&] {
      for (int turn = 0; turn < 5; ++turn)
        EXPECT_EQ(assemblyOf(small).value_or(""), expected);
    });
  for (std::thread& thread : threads)
    thread.join();
}

} // namespace
} // namespace gluond::test
