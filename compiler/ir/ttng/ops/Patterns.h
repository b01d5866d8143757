// ttng's canonicalization patterns for ops of other dialects, and rewrites that its ops share.
#pragma once

#include "ir/tt/ReleaseInForce.h"
#include "ir/tt/ops/Patterns.h"

namespace gluond::ttng {
// tmem_store(cvt(x)) -> tmem_store(x), if x has a layout that tensor memory supports. It is a
// pattern of convert_layout.
void addTensorMemoryStoreOfConvert(mlir::RewritePatternSet& patterns);

// Erases an op whose predicate is the constant false; fails otherwise.
inline mlir::LogicalResult eraseIfIdle(mlir::Operation* op, mlir::PatternRewriter& rewriter) {
  if (tt::follows(releases::Rule::IdleOperationsStay, op->getContext())) return mlir::failure();
  return tt::eraseIfPredicateIsFalse(op, rewriter);
}
} // namespace gluond::ttng
