// Conversions between distributed layouts, for convert_layout and for ops that are made of one.
#pragma once

#include "lowering/FunctionEmitter.h"

namespace gluond::lowering {

// Whether the threads of a warp exchange only among themselves.
bool exchangesWithinWarp(mlir::RankedTensorType source, mlir::RankedTensorType target);

// `registers` of `source` as registers of `target`, through the scratch of `op` where threads
// exchange.
bool convertRegisters(FunctionEmitter& e, mlir::Operation* op, mlir::RankedTensorType source,
                      mlir::RankedTensorType target, Registers registers, RegisterList& results);

} // namespace gluond::lowering
