// Where loads from shared memory stand beside bulk copies.
#include "backend/nvidia/LateSharedLoads.h"

#include <llvm/AsmParser/Parser.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/SourceMgr.h>
#include <llvm/Support/raw_ostream.h>

#include <gtest/gtest.h>

namespace gluond::backend::nvidia {
namespace {

// A load whose value is used after `between` and a lot of arithmetic, beside a bulk copy or not.
std::string made(llvm::StringRef between, bool copies = true) {
  std::string text = "declare i32 @llvm.nvvm.shfl.sync.bfly.i32(i32, i32, i32, i32)\n"
                     "define float @k(ptr addrspace(3) %p, float %x) {\n"
                     "%v = load half, ptr addrspace(3) %p\n%w = fpext half %v to float\n";
  for (int i = 0; i < 20; ++i)
    text += "%a" + std::to_string(i) + " = fmul float " +
            (i ? "%a" + std::to_string(i - 1) : std::string("%x")) + ", %x\n";
  text += between.str() + "%r = fadd float %a19, %w\n";
  if (copies) text += "call void asm sideeffect \"cp.async.bulk.tensor.2d\", \"\"()\n";
  text += "ret float %r\n}\n";
  llvm::LLVMContext context;
  llvm::SMDiagnostic problem;
  std::unique_ptr<llvm::Module> module = llvm::parseAssemblyString(text, problem, context);
  EXPECT_TRUE(module) << problem.getMessage().str() << text;
  if (!module) return "";
  delaySharedLoads(*module->getFunction("k"));
  std::string result;
  llvm::raw_string_ostream(result) << *module;
  return result;
}

bool isBefore(llvm::StringRef text, llvm::StringRef first, llvm::StringRef second) {
  return text.find(first) < text.find(second);
}

TEST(LateSharedLoads, StandWhereTheirValuesAreNeeded) {
  std::string moved = made("");
  EXPECT_TRUE(isBefore(moved, "%a19 =", "%v = load")) << moved;
  EXPECT_TRUE(isBefore(moved, "%v = load", "%w = fpext")) << moved;
  EXPECT_TRUE(isBefore(moved, "%w = fpext", "%r = fadd")) << moved;
}

TEST(LateSharedLoads, StayBeforeWhatMayWriteOrWaits) {
  std::string stored = made("store float %a19, ptr addrspace(3) %p\n");
  EXPECT_TRUE(isBefore(stored, "%v = load", "store float")) << stored;
  std::string met = made("call void asm sideeffect \"bar.sync 0;\", \"\"()\n");
  EXPECT_TRUE(isBefore(met, "%v = load", "bar.sync")) << met;
}

// Chains of several rows run side by side if the rows are there.
TEST(LateSharedLoads, StayWhereThreadsExchangeValues) {
  std::string kept = made("%o = call i32 @llvm.nvvm.shfl.sync.bfly.i32(i32 -1, i32 1, i32 16, "
                          "i32 31)\n");
  EXPECT_TRUE(isBefore(kept, "%v = load", "%a0 =")) << kept;
}

TEST(LateSharedLoads, StayWithoutBulkCopies) {
  std::string kept = made("", /*copies=*/false);
  EXPECT_TRUE(isBefore(kept, "%v = load", "%a0 =")) << kept;
}

} // namespace
} // namespace gluond::backend::nvidia
