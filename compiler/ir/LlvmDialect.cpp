#include "ir/LlvmDialect.h"

#include <mlir/Dialect/LLVMIR/LLVMDialect.h>
#include <mlir/Transforms/InliningUtils.h>

using namespace mlir;

namespace gluond::ir {

namespace {
struct AssumeInliner : DialectInlinerInterface {
  using DialectInlinerInterface::DialectInlinerInterface;
  bool isLegalToInline(Operation*, Region*, bool, IRMapping&) const final { return true; }
};
} // namespace

void registerLlvmDialect(MLIRContext& context) {
  DialectRegistry onDemand;
  onDemand.insert<LLVM::LLVMDialect>();
  onDemand.addExtension(
      +[](MLIRContext*, LLVM::LLVMDialect* llvm) { llvm->addInterfaces<AssumeInliner>(); });
  context.appendDialectRegistry(onDemand);
}

void createAssume(OpBuilder& builder, Location location, Value condition) {
  builder.getContext()->getOrLoadDialect<LLVM::LLVMDialect>();
  LLVM::AssumeOp::create(builder, location, condition);
}

Attribute withoutInvariantCodeMotion(MLIRContext* context) {
  context->getOrLoadDialect<LLVM::LLVMDialect>();
  auto isOff = BoolAttr::get(context, true);
  auto motion = LLVM::LoopLICMAttr::get(context, isOff, isOff);
  return LLVM::LoopAnnotationAttr::get(context, {}, {}, {}, {}, {}, motion, {}, {}, {}, {}, {}, {},
                                       {}, {}, {});
}

} // namespace gluond::ir
