// Propagates a layout through an op: from the operands to the results, and from the results to the
// operands.
#pragma once

#include <mlir/IR/Operation.h>

namespace gluond::passes {

// Returns the encoding of results for operands with `encoding`; null if the op does not fix it.
mlir::Attribute resultEncoding(mlir::Operation* op, mlir::Attribute encoding);
// Returns the encoding of tensor operands for results with `encoding`; null if the op does not fix
// it.
mlir::Attribute operandEncoding(mlir::Operation* op, mlir::Attribute encoding);

// Whether encodings other than the inferred one are possible as well.
bool encodingMayVary(mlir::Operation* op);

} // namespace gluond::passes
