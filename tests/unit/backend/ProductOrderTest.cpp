// Which of two products comes first in their sum: the back end fuses that one with it.
#include "backend/nvidia/rounding/ProductOrder.h"

#include <llvm/AsmParser/Parser.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/SourceMgr.h>
#include <llvm/Support/raw_ostream.h>

#include <gtest/gtest.h>

namespace gluond::backend::nvidia {
namespace {

// %deep is computed of much that follows from the first function's result, %flat of little that
// follows from the second one's.
std::string ordered(llvm::StringRef function, llvm::StringRef sum) {
  std::string text = "declare float @llvm.nvvm." + function.str() +
                     "(float)\ndefine float @k(float %a, float %b, float %c) {\n"
                     "%first = call float @llvm.nvvm." +
                     function.str() + "(float %a)\n%second = call float @llvm.nvvm." +
                     function.str() +
                     "(float %b)\n%x = fmul float %first, %c\n%y = fmul float %x, %c\n"
                     "%deep = fmul float %y, %c\n%flat = fmul float %second, %c\n"
                     "%sum = fadd float " +
                     sum.str() + "\nret float %sum\n}\n";
  llvm::LLVMContext context;
  llvm::SMDiagnostic problem;
  std::unique_ptr<llvm::Module> module = llvm::parseAssemblyString(text, problem, context);
  EXPECT_TRUE(module) << problem.getMessage().str() << text;
  if (!module) return "";
  llvm::FunctionAnalysisManager analyses;
  ProductOrder().run(*module->getFunction("k"), analyses);
  std::string result;
  llvm::raw_string_ostream(result) << *module;
  return result;
}

TEST(ProductOrder, WhatFollowsFromLaterFunctionsOfTheLibraryComesLast) {
  for (llvm::StringRef sum : {"%flat, %deep", "%deep, %flat"}) {
    std::string made = ordered("sqrt.approx.ftz.f", sum);
    EXPECT_NE(made.find("fadd float %deep, %flat"), std::string::npos) << made;
  }
}

// Others end no block, and LLVM's own order stays.
TEST(ProductOrder, OtherFunctionsChangeNothing) {
  std::string made = ordered("rcp.rn.f", "%flat, %deep");
  EXPECT_NE(made.find("fadd float %flat, %deep"), std::string::npos) << made;
}

} // namespace
} // namespace gluond::backend::nvidia
