// Rewrites shared by canonicalization patterns of several dialects.
#pragma once

#include <mlir/IR/PatternMatch.h>

namespace gluond::tt {
// Erases a PredicatedOpInterface op whose predicate is the constant false; fails otherwise.
mlir::LogicalResult eraseIfPredicateIsFalse(mlir::Operation* op, mlir::PatternRewriter& rewriter);
} // namespace gluond::tt
