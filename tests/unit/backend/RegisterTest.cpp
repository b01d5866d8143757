// What keeps the registers of a thread few: where operands are converted, numbers of pairs,
// products of several sums.
#include "LoweredTtgir.h"
#include "backend/nvidia/indices/StrengthReduction.h"

#include <llvm/AsmParser/Parser.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Support/SourceMgr.h>

#include <gtest/gtest.h>

namespace gluond::test {
namespace {

// `body` reads %x and %y, eight numbers of each thread, and makes %z of them.
std::string numbers(const std::string& body, const std::string& target = "cuda:100") {
  const std::string pointers = "tensor<1024x!tt.ptr<f32>, #b>";
  std::string text =
      "tt.func public @k(%px: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %py: !tt.ptr<f32> "
      "{tt.divisibility = 16 : i32}, %pz: !tt.ptr<f32> {tt.divisibility = 16 : i32}) {\n"
      "%r = tt.make_range {end = 1024 : i32, start = 0 : i32} : tensor<1024xi32, #b>\n";
  for (const std::string name : {"x", "y", "z"}) {
    text += "%s" + name + " = tt.splat %p" + name + " : !tt.ptr<f32> -> " + pointers + "\n%a" +
            name + " = tt.addptr %s" + name + ", %r : " + pointers + ", tensor<1024xi32, #b>\n";
    if (name != "z") text += "%" + name + " = tt.load %a" + name + " : " + pointers + "\n";
  }
  return nvidiaModule("#b = #ttg.blocked<{sizePerThread = [8], threadsPerWarp = [32], warpsPerCTA "
                      "= [4], order = [0]}>",
                      text + body + "\ntt.return\n}", target);
}

const std::string sumOfAll = R"(
%s = "tt.reduce"(%x) <{axis = 0 : i32}> ({
^bb0(%l: f32, %m: f32):
  %n = arith.addf %l, %m : f32
  tt.reduce.return %n : f32
}) : (tensor<1024xf32, #b>) -> f32
tt.store %pz, %s : !tt.ptr<f32>)";

TEST(Registers, TheLastSumOfAThreadIsOfNumbers) {
  PtxOf made = ptxOf(numbers(sumOfAll));
  EXPECT_EQ(count(made.ptx, "add.f32x2"), 3u) << made.problem << made.ptx; // of four pairs
}

TEST(Registers, TheThreadsNumberIsNotTakenApart) {
  PtxOf made = ptxOf(numbers(sumOfAll, "cuda:80"));
  llvm::StringRef ptx = made.ptx;
  size_t read = ptx.find(", %tid.x;");
  ASSERT_NE(read, llvm::StringRef::npos) << made.problem;
  llvm::StringRef number = ptx.take_front(read).rsplit('%').second;
  EXPECT_TRUE(ptx.contains(("setp.eq.b32 \t%p1, %" + number + ", 0;").str()) ||
              ptx.contains(("setp.ne.b32 \t%p1, %" + number + ", 0;").str()))
      << made.ptx;
}

// The second operand of the second product is four times as large in registers as the tensor that
// the program converts before the first product.
std::string twoProducts() {
  std::string from = "tensor<64x64xf16, #b>", left = "tensor<64x64xf16, #d0>",
              right = "tensor<64x64xf16, #d1>", sum = "tensor<64x64xf32, #m>",
              at = "tensor<64x64x!tt.ptr<f16>, #b>";
  std::string text = "tt.func public @k(%p: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %o: "
                     "!tt.ptr<f32>) {\n";
  for (const std::string name : {"x", "y", "z"})
    text += "%a" + name + " = tt.splat %p : !tt.ptr<f16> -> " + at + "\n%" + name +
            " = tt.load %a" + name + " {isVolatile = true} : " + at + "\n";
  auto convert = [&](const std::string& name, const std::string& to) {
    return "%" + name + "c = ttg.convert_layout %" + name + " : " + from + " -> " + to + "\n";
  };
  text += convert("x", left) + convert("y", right) + convert("z", right) +
          "%zero = arith.constant dense<0.0> : " + sum + "\n%f = tt.dot %xc, %yc, %zero : " + left +
          " * " + right + " -> " + sum + "\n%fh = arith.truncf %f : " + sum +
          " to tensor<64x64xf16, #m>\n" +
          "%fc = ttg.convert_layout %fh : tensor<64x64xf16, #m> -> " + left +
          "\n%g = tt.dot %fc, %zc, %zero : " + left + " * " + right + " -> " + sum +
          "\n%ao = tt.splat %o : !tt.ptr<f32> -> tensor<64x64x!tt.ptr<f32>, #m>\ntt.store %ao, %g "
          ": tensor<64x64x!tt.ptr<f32>, #m>\ntt.return\n}";
  return nvidiaModule(
      "#b = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], "
      "order = [1, 0]}>\n#m = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = "
      "[4, 1], instrShape = [16, 8]}>\n#d0 = #ttg.dot_op<{opIdx = 0, parent = #m, kWidth = 2}>\n"
      "#d1 = #ttg.dot_op<{opIdx = 1, parent = #m, kWidth = 2}>",
      text);
}

TEST(Registers, OperandsAreConvertedAfterTheProductsBeforeTheirs) {
  PtxOf made = ptxOf(twoProducts());
  llvm::StringRef ptx = made.ptx;
  size_t first = ptx.find("mma.sync"), converted = ptx.rfind("ldmatrix");
  ASSERT_NE(first, llvm::StringRef::npos) << made.problem << made.ptx;
  EXPECT_GT(converted, first) << made.ptx;
}

// Two rows of a tile, of which each thread has two columns: the second row's place is derived from
// the first one's, and added to the columns.
TEST(Registers, AProductOfSeveralSumsStaysAProduct) {
  llvm::LLVMContext context;
  llvm::SMDiagnostic problem;
  std::unique_ptr<llvm::Module> module = llvm::parseAssemblyString(R"(
define void @k(i32 %x, i32 %s, i32 %c, i32 %d, ptr %p) {
  %p0 = mul i32 %x, %s
  %y = add i32 %x, 4
  %p1 = mul i32 %y, %s
  %a0 = add i32 %p0, %c
  %a1 = add i32 %p0, %d
  %b0 = add i32 %p1, %c
  %b1 = add i32 %p1, %d
  store volatile i32 %a0, ptr %p
  store volatile i32 %a1, ptr %p
  store volatile i32 %b0, ptr %p
  store volatile i32 %b1, ptr %p
  ret void
})",
                                                                   problem, context);
  ASSERT_TRUE(module) << problem.getMessage().str();
  llvm::PassBuilder builder;
  llvm::FunctionAnalysisManager analyses;
  builder.registerFunctionAnalyses(analyses);
  llvm::Function& function = *module->getFunction("k");
  backend::nvidia::StrengthReduction().run(function, analyses);
  for (llvm::Instruction& each : function.getEntryBlock())
    if (each.getName().starts_with("a")) EXPECT_TRUE(each.hasOneUse()) << each.getName().str();
}

} // namespace
} // namespace gluond::test
