// Tensor memory, as the handlers of this folder see it.
//
// ADDRESSES. A descriptor of tensor memory is a word: the column in bits 0 to 15, counted in cells
// of 32 bits, and the row in bits 16 and up. Instructions take an address and a constant that they
// add to it. Descriptors point at the first cell of their view.
#pragma once

#include "lowering/FunctionEmitter.h"

namespace gluond::lowering::nvidia {

// Returns the place of an element relative to the first cell of the buffer, in the form of an
// address: the row in the upper 16 bits, the column in the lower ones.
int64_t cellOf(ttg::MemDescType buffer, uint64_t row, uint64_t column);

// Registers to tensor memory at `address`, where `predicate` holds. The stores are done after
// finishTensorStores(). False after fail().
bool storeTensor(FunctionEmitter& e, mlir::Operation* op, mlir::RankedTensorType tensor,
                 ttg::MemDescType memory, llvm::Value* address, Registers values,
                 llvm::Value* predicate);

// Returns how many CTAs execute the tensor core's instructions together: "cta_group::1" or
// "cta_group::2".
std::string ctaGroup(FunctionEmitter& e);
// Returns whether this is the CTA of a pair that gives the instructions, or null if each works
// alone.
llvm::Value* leadsPair(FunctionEmitter& e);

} // namespace gluond::lowering::nvidia
