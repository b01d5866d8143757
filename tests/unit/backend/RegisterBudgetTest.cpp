// Which kernels get a limit of registers, and which: every row of the table, and what lies beside.
#include "backend/nvidia/registers/RegisterBudget.h"

#include "backend/nvidia/registers/RegisterPressure.h"

#include <llvm/AsmParser/Parser.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/SourceMgr.h>

#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace gluond::backend::nvidia {
namespace {

// What a kernel of a test does.
struct Kernel {
  unsigned threads, registers;
  bool loops = true;
  bool meets = false; // in the loop, or, without one, anywhere
  bool multiplies = false;
  unsigned loads = 0; // of 32 bits, of a turn
  bool copies = false;
  unsigned ownLimit = 0;
  std::vector<std::string> units = {}; // instructions of units that work by themselves
};

// `count` numbers that are all held before they are added up: `count` registers, and one for what
// a loop counts.
std::string textOf(const Kernel& kernel) {
  unsigned held = kernel.registers - (kernel.loops ? 1 : 0);
  std::string body;
  for (unsigned i = 0; i < held; ++i)
    body += i < kernel.loads
                ? "%v" + std::to_string(i) + " = load volatile i32, ptr addrspace(1) %p\n"
                : "%v" + std::to_string(i) + " = add i32 %x, " + std::to_string(i) + "\n";
  std::string sum = "%v0";
  for (unsigned i = 1; i < held; ++i) {
    std::string next = "%s" + std::to_string(i);
    body += next + " = xor i32 " + sum + ", %v" + std::to_string(i) + "\n";
    sum = next;
  }
  body += "store i32 " + sum + ", ptr addrspace(1) %p\n";
  if (kernel.meets) body += "call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)\n";
  if (kernel.multiplies) body += "call void asm sideeffect \"mma.sync.aligned.m16n8k16\", \"\"()\n";
  if (kernel.copies) body += "call void asm sideeffect \"cp.async.commit_group;\", \"\"()\n";
  for (const std::string& unit : kernel.units)
    body += "call void asm sideeffect \"" + unit + ";\", \"\"()\n";
  std::string attributes = "\"nvvm.reqntid\"=\"" + std::to_string(kernel.threads) + "\"";
  if (kernel.ownLimit)
    attributes += " \"nvvm.maxnreg\"=\"" + std::to_string(kernel.ownLimit) + "\"";
  std::string around =
      kernel.loops ? "br label %loop\nloop:\n%i = phi i32 [ 0, %entry ], [ %j, %loop ]\n" + body +
                         "%j = add i32 %i, 1\n%more = icmp slt i32 %j, %n\n"
                         "br i1 %more, label %loop, label %end\nend:\n"
                   : body;
  return "declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)\n"
         "define void @k(ptr addrspace(1) %p, i32 %x, i32 %n) " +
         attributes + " {\nentry:\n" + around + "ret void\n}\n";
}

// The limit that the kernel gets, 0 for none.
unsigned limitOf(const Kernel& kernel) {
  llvm::LLVMContext context;
  llvm::SMDiagnostic problem;
  std::unique_ptr<llvm::Module> module =
      llvm::parseAssemblyString(textOf(kernel), problem, context);
  EXPECT_TRUE(module) << problem.getMessage().str() << textOf(kernel);
  if (!module) return ~0u;
  llvm::Function& function = *module->getFunction("k");
  EXPECT_EQ(mostRegisters(function), kernel.registers);
  budgetRegisters(function);
  unsigned limit = 0;
  function.getFnAttribute("nvvm.maxnreg").getValueAsString().getAsInteger(10, limit);
  return limit;
}

TEST(RegisterBudget, LoopsWhoseThreadsDoNotMeet) {
  EXPECT_EQ(limitOf({.threads = 128, .registers = 20}), 64u);
  EXPECT_EQ(limitOf({.threads = 32, .registers = 84}), 64u);
  // The loads of a turn would not fit: more room.
  EXPECT_EQ(limitOf({.threads = 128, .registers = 84, .loads = 60}), 128u);
  // ptxas has them under way by itself.
  EXPECT_EQ(limitOf({.threads = 128, .registers = 43}), 64u);
  EXPECT_EQ(limitOf({.threads = 128, .registers = 44}), 0u);
  EXPECT_EQ(limitOf({.threads = 128, .registers = 55, .loads = 20}), 0u);
  EXPECT_EQ(limitOf({.threads = 128, .registers = 55, .loads = 40}), 64u);
  EXPECT_EQ(limitOf({.threads = 128, .registers = 56}), 64u);
  EXPECT_EQ(limitOf({.threads = 128, .registers = 82, .loads = 45}), 80u);
  EXPECT_EQ(limitOf({.threads = 128, .registers = 79, .loads = 45}), 64u);
  EXPECT_EQ(limitOf({.threads = 128, .registers = 88}), 0u);
  EXPECT_EQ(limitOf({.threads = 128, .registers = 92}), 128u);
  EXPECT_EQ(limitOf({.threads = 128, .registers = 180}), 128u);
  EXPECT_EQ(limitOf({.threads = 128, .registers = 160, .loads = 125}), 0u);
  EXPECT_EQ(limitOf({.threads = 256, .registers = 49}), 0u);
  EXPECT_EQ(limitOf({.threads = 256, .registers = 50}), 64u);
  EXPECT_EQ(limitOf({.threads = 256, .registers = 64}), 64u);
  EXPECT_EQ(limitOf({.threads = 256, .registers = 65}), 0u);
  EXPECT_EQ(limitOf({.threads = 512, .registers = 60}), 0u);
}

TEST(RegisterBudget, LoopsWhoseThreadsMeet) {
  EXPECT_EQ(limitOf({.threads = 128, .registers = 84, .meets = true}), 0u);
  EXPECT_EQ(limitOf({.threads = 128, .registers = 92, .meets = true}), 96u);
  EXPECT_EQ(limitOf({.threads = 128, .registers = 132, .meets = true}), 96u);
  EXPECT_EQ(limitOf({.threads = 128, .registers = 133, .meets = true}), 128u);
  EXPECT_EQ(limitOf({.threads = 128, .registers = 180, .meets = true}), 128u);
  // Above that, only what is held for a moment, not what is loaded and carried.
  EXPECT_EQ(limitOf({.threads = 128, .registers = 181, .meets = true}), 128u);
  EXPECT_EQ(limitOf({.threads = 128, .registers = 300, .meets = true}), 128u);
  EXPECT_EQ(limitOf({.threads = 128, .registers = 200, .meets = true, .loads = 40}), 0u);
  EXPECT_EQ(limitOf({.threads = 128, .registers = 301, .meets = true}), 0u);
  EXPECT_EQ(limitOf({.threads = 128, .registers = 200, .meets = true, .loads = 120}), 200u);
  EXPECT_EQ(limitOf({.threads = 256, .registers = 119, .meets = true}), 0u);
  EXPECT_EQ(limitOf({.threads = 256, .registers = 128, .meets = true, .loads = 30}), 64u);
  EXPECT_EQ(limitOf({.threads = 256, .registers = 139, .meets = true}), 0u);
  EXPECT_EQ(limitOf({.threads = 256, .registers = 140, .meets = true}), 128u);
  EXPECT_EQ(limitOf({.threads = 256, .registers = 210, .meets = true}), 128u);
  EXPECT_EQ(limitOf({.threads = 512, .registers = 140, .meets = true}), 0u);
}

TEST(RegisterBudget, ProductsInLoops) {
  EXPECT_EQ(limitOf({.threads = 128, .registers = 110, .meets = true, .multiplies = true}), 96u);
  EXPECT_EQ(limitOf({.threads = 128, .registers = 140, .multiplies = true}), 96u);
  EXPECT_EQ(limitOf({.threads = 128, .registers = 141, .multiplies = true}), 0u);
  EXPECT_EQ(limitOf({.threads = 128, .registers = 181, .multiplies = true}), 200u);
  EXPECT_EQ(limitOf({.threads = 128, .registers = 220, .meets = true, .multiplies = true}), 200u);
  // A turn that loads much keeps the next operands in registers.
  EXPECT_EQ(limitOf({.threads = 128, .registers = 200, .multiplies = true, .loads = 48}), 0u);
  EXPECT_EQ(limitOf({.threads = 256, .registers = 120, .multiplies = true}), 0u);
  EXPECT_EQ(limitOf({.threads = 256, .registers = 160, .meets = true, .multiplies = true}), 128u);
  EXPECT_EQ(limitOf({.threads = 128, .registers = 93, .multiplies = true}), 0u);
  EXPECT_EQ(limitOf({.threads = 128, .registers = 96, .multiplies = true}), 80u);
}

TEST(RegisterBudget, KernelsWithoutLoops) {
  EXPECT_EQ(limitOf({.threads = 64, .registers = 72, .loops = false}), 64u);
  EXPECT_EQ(limitOf({.threads = 32, .registers = 96, .loops = false}), 64u);
  EXPECT_EQ(limitOf({.threads = 128, .registers = 65, .loops = false}), 0u);
  EXPECT_EQ(limitOf({.threads = 128, .registers = 66, .loops = false}), 56u);
  EXPECT_EQ(limitOf({.threads = 128, .registers = 69, .loops = false}), 56u);
  EXPECT_EQ(limitOf({.threads = 128, .registers = 70, .loops = false}), 96u);
  EXPECT_EQ(limitOf({.threads = 128, .registers = 79, .loops = false}), 96u);
  EXPECT_EQ(limitOf({.threads = 128, .registers = 80, .loops = false}), 128u);
  EXPECT_EQ(limitOf({.threads = 128, .registers = 96, .loops = false}), 128u);
  EXPECT_EQ(limitOf({.threads = 256, .registers = 45, .loops = false}), 48u);
  EXPECT_EQ(limitOf({.threads = 256, .registers = 64, .loops = false}), 48u);
  EXPECT_EQ(limitOf({.threads = 256, .registers = 36, .loops = false}), 48u);
  EXPECT_EQ(limitOf({.threads = 256, .registers = 35, .loops = false}), 0u);
}

TEST(RegisterBudget, KernelsWithoutLoopsWhoseThreadsExchangeValues) {
  EXPECT_EQ(limitOf({.threads = 64, .registers = 84, .loops = false, .meets = true}), 0u);
  EXPECT_EQ(limitOf({.threads = 64, .registers = 85, .loops = false, .meets = true}), 80u);
  EXPECT_EQ(limitOf({.threads = 64, .registers = 96, .loops = false, .meets = true}), 80u);
  EXPECT_EQ(limitOf({.threads = 128, .registers = 89, .loops = false, .meets = true}), 0u);
  EXPECT_EQ(limitOf({.threads = 128, .registers = 100, .loops = false, .meets = true}), 96u);
  EXPECT_EQ(limitOf({.threads = 128, .registers = 145, .loops = false, .meets = true}), 128u);
  EXPECT_EQ(limitOf({.threads = 128, .registers = 160, .loops = false, .meets = true}), 128u);
  EXPECT_EQ(limitOf({.threads = 128, .registers = 161, .loops = false, .meets = true}), 0u);
}

TEST(RegisterBudget, OwnLimitsAndCopiesAreLeftAlone) {
  EXPECT_EQ(limitOf({.threads = 128, .registers = 20, .ownLimit = 40}), 40u);
  EXPECT_EQ(limitOf({.threads = 128, .registers = 20, .copies = true}), 0u);
  // Beside products, copies are of their operands.
  EXPECT_EQ(limitOf({.threads = 128, .registers = 120, .multiplies = true, .copies = true}), 96u);
}

// Threads that copy the operands of the next wgmma get all registers, unless others do that for
// them or registers are handed over.
TEST(RegisterBudget, ProductsAsideOfWhatThreadsCopy) {
  const std::string product = "wgmma.mma_async.sync.aligned.m64n128k16.f32.f16.f16";
  Kernel kernel{.threads = 128, .registers = 200, .copies = true, .units = {product}};
  EXPECT_EQ(limitOf(kernel), 256u);
  kernel.registers = 150; // as fast without
  EXPECT_EQ(limitOf(kernel), 0u);
  kernel.registers = 200;
  kernel.threads = 256;
  EXPECT_EQ(limitOf(kernel), 0u);
  kernel.threads = 128;
  kernel.copies = false;
  EXPECT_EQ(limitOf(kernel), 0u);
  kernel.copies = true;
  for (const char* other :
       {"mbarrier.try_wait", "cp.async.bulk.tensor.2d", "setmaxnreg.dec.sync.aligned.u32 24"}) {
    kernel.units = {product, other};
    EXPECT_EQ(limitOf(kernel), 0u) << other;
  }
}

} // namespace
} // namespace gluond::backend::nvidia
