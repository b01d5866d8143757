// The ops of `tt`. Heavy: include it only in files that build or match ops.
#pragma once

#include "ir/tt/Dialect.h"
#include "ir/tt/Traits.h"

#include <mlir/Bytecode/BytecodeOpInterface.h>
#include <mlir/IR/Builders.h>
#include <mlir/IR/BuiltinOps.h>
#include <mlir/IR/OpImplementation.h>
#include <mlir/IR/SymbolTable.h>
#include <mlir/Interfaces/CallInterfaces.h>
#include <mlir/Interfaces/ControlFlowInterfaces.h>
#include <mlir/Interfaces/FunctionInterfaces.h>
#include <mlir/Interfaces/InferTypeOpInterface.h>
#include <mlir/Interfaces/SideEffectInterfaces.h>

#include "ir/tt/OpInterfaces.h.inc"
#define GET_OP_CLASSES
#include "ir/tt/Ops.h.inc"

namespace gluond::tt {

// Result types of ops whose builders take them.
mlir::FailureOr<mlir::RankedTensorType> inferReshapeType(mlir::RankedTensorType source,
                                                         llvm::ArrayRef<int64_t> shape,
                                                         bool allowReorder,
                                                         std::optional<mlir::Location> loc);
mlir::FailureOr<mlir::RankedTensorType> inferJoinType(mlir::RankedTensorType operand,
                                                      std::optional<mlir::Location> loc);

// The axis at which a reshape inserts one dimension of size 1, if that is all it does.
std::optional<unsigned> expandDimsAxis(ReshapeOp op);
// Returns the only op of a reduction's combiner if it is applied to the combiner's two arguments;
// null for more complex combiners.
mlir::Operation* singleCombiner(ReduceOp op);

// K elements per scale of a scaled dot: 16 or 32. On failure `error` has the reason.
mlir::FailureOr<int32_t> deduceScaleFactor(llvm::ArrayRef<int64_t> a,
                                           std::optional<llvm::ArrayRef<int64_t>> aScale,
                                           ScaleDotElemType aType, bool aKPack,
                                           llvm::ArrayRef<int64_t> b,
                                           std::optional<llvm::ArrayRef<int64_t>> bScale,
                                           ScaleDotElemType bType, bool bKPack, std::string& error);

// Checks shared with the TMA ops of ttng.
mlir::LogicalResult verifyGatherScatterResult(mlir::Operation* op, mlir::ShapedType result,
                                              mlir::ShapedType indices);
mlir::LogicalResult verifyGatherScatter(mlir::Operation* op, mlir::ShapedType block,
                                        mlir::ShapedType result, mlir::ShapedType indices);
mlir::LogicalResult verifyDescriptorLoadStore(mlir::Operation* op, TensorDescInterface desc,
                                              mlir::ShapedType tensor);

} // namespace gluond::tt
