// Op traits of our dialects, and the checks that the op interfaces call. Each check reports through
// the op and fails; the words are Triton's, codegen maps them to our own diagnostics.
#pragma once

#include "ir/tt/Types.h"

#include <mlir/IR/OpDefinition.h>

namespace gluond::tt {

// Triton's limit on the size of a tensor, in elements.
constexpr int64_t maxTensorElements = 1048576;

mlir::LogicalResult verifyTensorSize(mlir::Operation* op);
mlir::LogicalResult verifyTensorLayouts(mlir::Operation* op);
// Calls `check` with the type of every operand and result, and a function that starts a message.
using LayoutCheck = mlir::LogicalResult(mlir::Type type,
                                        llvm::function_ref<mlir::InFlightDiagnostic()> emitError);
mlir::LogicalResult verifyLayoutsOf(mlir::Operation* op, llvm::function_ref<LayoutCheck> check);
mlir::LogicalResult verifySameOperandsEncoding(mlir::Operation* op);
mlir::LogicalResult verifySameResultsType(mlir::Operation* op);
mlir::LogicalResult verifySameOperandsAndResultEncoding(mlir::Operation* op);
mlir::LogicalResult verifySameLoadStoreOperandsShape(mlir::Operation* op);
mlir::LogicalResult verifySameLoadStoreOperandsAndResultShape(mlir::Operation* op);

// Whether two types are equal up to the spelling of an equivalent layout.
bool areEquivalentTensorTypes(mlir::Type a, mlir::Type b);
bool areEquivalentTensorTypes(mlir::TypeRange inferred, mlir::TypeRange actual);

mlir::LogicalResult verifyTransposeOp(mlir::Operation* op);
mlir::LogicalResult verifyDotOp(mlir::Operation* op);
// Defaults of DotOpInterface: A's last dimension is B's second to last; C is A's rows by B's
// columns.
bool dotContractionAgrees(mlir::Value a, mlir::Value b);
bool dotResultAgrees(mlir::Value a, mlir::Value b, mlir::Value c);

// Defines a trait that consists of one of the checks above.
#define GLUOND_VERIFYING_TRAIT(NAME, CHECK)                                                        \
  template <class ConcreteOp> struct NAME : mlir::OpTrait::TraitBase<ConcreteOp, NAME> {           \
    static mlir::LogicalResult verifyTrait(mlir::Operation* op) { return CHECK(op); }              \
  }
GLUOND_VERIFYING_TRAIT(TensorSizeTrait, verifyTensorSize);
GLUOND_VERIFYING_TRAIT(VerifyTensorLayoutsTrait, verifyTensorLayouts);
GLUOND_VERIFYING_TRAIT(SameOperandsEncoding, verifySameOperandsEncoding);
GLUOND_VERIFYING_TRAIT(SameResultsType, verifySameResultsType);
GLUOND_VERIFYING_TRAIT(SameOperandsAndResultEncoding, verifySameOperandsAndResultEncoding);
GLUOND_VERIFYING_TRAIT(SameLoadStoreOperandsShape, verifySameLoadStoreOperandsShape);
GLUOND_VERIFYING_TRAIT(SameLoadStoreOperandsAndResultShape,
                       verifySameLoadStoreOperandsAndResultShape);
GLUOND_VERIFYING_TRAIT(SameLoadStoreOperandsEncoding, verifySameOperandsEncoding);
GLUOND_VERIFYING_TRAIT(SameLoadStoreOperandsAndResultEncoding, verifySameOperandsAndResultEncoding);
#undef GLUOND_VERIFYING_TRAIT

// The regions of the op may run concurrently.
template <class ConcreteOp>
struct AsyncRegions : mlir::OpTrait::TraitBase<ConcreteOp, AsyncRegions> {};

} // namespace gluond::tt
