#include "ir/tti/Dialect.h"

#include <mlir/IR/Builders.h>
#include <mlir/IR/DialectImplementation.h>
#include <mlir/Transforms/InliningUtils.h>

#include "ir/tti/Dialect.cpp.inc"
#define GET_OP_CLASSES
#include "ir/tti/Ops.cpp.inc"

using namespace mlir;

namespace gluond::tti {

namespace {
struct Inliner : DialectInlinerInterface {
  using DialectInlinerInterface::DialectInlinerInterface;
  bool isLegalToInline(Operation*, Region*, bool, IRMapping&) const final { return true; }
};

// Each undoes the other where the types agree.
template <class Inverse, class Op> OpFoldResult foldInverse(Op op) {
  auto inverse = op.getVal().template getDefiningOp<Inverse>();
  if (!inverse || inverse.getVal().getType() != op.getType()) return {};
  return inverse.getVal();
}
} // namespace

void TTIDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "ir/tti/Ops.cpp.inc"
      >();
  addInterfaces<Inliner>();
}

OpFoldResult FpsanEmbedOp::fold(FoldAdaptor) {
  return foldInverse<FpsanUnembedOp>(*this);
}
OpFoldResult FpsanUnembedOp::fold(FoldAdaptor) {
  return foldInverse<FpsanEmbedOp>(*this);
}

} // namespace gluond::tti
