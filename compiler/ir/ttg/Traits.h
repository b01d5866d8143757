// Op traits of `ttg`.
#pragma once

#include "ir/tt/Traits.h"
#include "ir/ttg/Types.h"

namespace gluond::ttg {

mlir::LogicalResult verifyMemDescLayouts(mlir::Operation* op);
mlir::LogicalResult verifyMBarrierOp(mlir::Operation* op);

// Layouts of memory descriptors fit their context.
template <class ConcreteOp>
struct VerifyMemDescLayoutsTrait : mlir::OpTrait::TraitBase<ConcreteOp, VerifyMemDescLayoutsTrait> {
  static mlir::LogicalResult verifyTrait(mlir::Operation* op) { return verifyMemDescLayouts(op); }
};

// The result is a view of the first operand's memory.
template <class ConcreteOp>
struct MemDescViewTrait : mlir::OpTrait::TraitBase<ConcreteOp, MemDescViewTrait> {};
// The op loads from shared memory to registers.
template <class ConcreteOp>
struct LocalLoadTrait : mlir::OpTrait::TraitBase<ConcreteOp, LocalLoadTrait> {};
// The op waits for asynchronous memory operations.
template <class ConcreteOp>
struct MemWaitOpTrait : mlir::OpTrait::TraitBase<ConcreteOp, MemWaitOpTrait> {};
// The op copies asynchronously from global to shared memory.
template <class ConcreteOp>
struct GlobalToLocalCopyTrait : mlir::OpTrait::TraitBase<ConcreteOp, GlobalToLocalCopyTrait> {};

} // namespace gluond::ttg
