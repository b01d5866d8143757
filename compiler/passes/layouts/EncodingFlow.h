// How a layout passes through an op: what the results have when the operands have it, and the other
// way.
#pragma once

#include <mlir/IR/Operation.h>

namespace gluond::passes {

// The encoding of the results where the operands have `encoding`. Null where the op does not say.
mlir::Attribute resultEncoding(mlir::Operation* op, mlir::Attribute encoding);
// The encoding of the tensor operands where the results have `encoding`. Null where the op does not
// say.
mlir::Attribute operandEncoding(mlir::Operation* op, mlir::Attribute encoding);

// Whether other encodings than the inferred one would do as well.
bool encodingMayVary(mlir::Operation* op);

} // namespace gluond::passes
