#include "ir/Context.h"

#include "ir/amdg/Dialect.h"
#include "ir/gluon/Dialect.h"
#include "ir/rocdl/Dialect.h"
#include "ir/tt/Dialect.h"
#include "ir/ttg/Dialect.h"
#include "ir/tti/Dialect.h"
#include "ir/ttng/Dialect.h"

#include <mlir/Dialect/Arith/IR/Arith.h>
#include <mlir/Dialect/ControlFlow/IR/ControlFlow.h>
#include <mlir/Dialect/GPU/IR/GPUDialect.h>
#include <mlir/Dialect/LLVMIR/LLVMDialect.h>
#include <mlir/Dialect/Math/IR/Math.h>
#include <mlir/Dialect/SCF/IR/SCF.h>
#include <mlir/Dialect/UB/IR/UBOps.h>
#include <mlir/Parser/Parser.h>
#include <mlir/Transforms/InliningUtils.h>

using namespace mlir;

namespace gluond::ir {

namespace {
struct AssumeInliner : DialectInlinerInterface {
  using DialectInlinerInterface::DialectInlinerInterface;
  bool isLegalToInline(Operation*, Region*, bool, IRMapping&) const final { return true; }
};
} // namespace

std::unique_ptr<MLIRContext> createContext() {
  auto context = std::make_unique<MLIRContext>(MLIRContext::Threading::DISABLED);
  context->printOpOnDiagnostic(false); // printing one op numbers the values of all its function
  context->loadDialect<arith::ArithDialect, cf::ControlFlowDialect, math::MathDialect,
                       scf::SCFDialect, ub::UBDialect, mlir::gpu::GPUDialect, tt::TTDialect,
                       ttg::TTGDialect, ttng::TTNGDialect, tti::TTIDialect, amdg::AMDGDialect,
                       rocdl::ROCDLDialect, gluon::GluonDialect>();
  // For llvm.intr.assume alone; too many ops to load where nobody assumes anything.
  DialectRegistry onDemand;
  onDemand.insert<LLVM::LLVMDialect>();
  onDemand.addExtension(
      +[](MLIRContext*, LLVM::LLVMDialect* llvm) { llvm->addInterfaces<AssumeInliner>(); });
  context->appendDialectRegistry(onDemand);
  return context;
}

std::string printModule(ModuleOp module) {
  std::string text;
  llvm::raw_string_ostream os(text);
  module.print(os, OpPrintingFlags().assumeVerified());
  return text;
}

OwningOpRef<ModuleOp> parseModule(StringRef text, MLIRContext& context) {
  return parseSourceString<ModuleOp>(text, &context);
}

} // namespace gluond::ir
