// The ops of `ttg`. Heavy: include it only in files that build or match ops.
#pragma once

#include "ir/tt/Ops.h"
#include "ir/ttg/Dialect.h"
#include "ir/ttg/Traits.h"

#include "ir/ttg/Enums.h.inc"
#include "ir/ttg/OpInterfaces.h.inc"
#define GET_OP_CLASSES
#include "ir/ttg/Ops.h.inc"

namespace gluond::ttg {

// Result types of views, as their verifiers expect them.
mlir::FailureOr<MemDescType> inferMemDescReshapeType(MemDescType source,
                                                     llvm::ArrayRef<int64_t> shape,
                                                     std::optional<mlir::Location> loc);
mlir::FailureOr<MemDescType> inferMemDescTransType(MemDescType source,
                                                   llvm::ArrayRef<int32_t> order,
                                                   std::optional<mlir::Location> loc);

// Whether a concatenation may give its result in `encoding`: it must have as many different
// registers as the operands together.
bool isLegalCatEncoding(tt::CatOp cat, mlir::Attribute encoding);

// Checks that the types and shapes of a copy's sides agree; that an allocation is well-formed.
mlir::LogicalResult verifyMemoryOpTypes(mlir::Operation* op, mlir::ShapedType source,
                                        mlir::ShapedType destination);
mlir::LogicalResult verifyAllocOp(mlir::Operation* op, mlir::Value source, MemDescType destination);

} // namespace gluond::ttg
