// Tensor semantics that Python's syntax uses directly: operators, subscripts, conversions. The
// visitor calls these if at least one operand is a tensor in IR; they are implemented in rules/
// beside the builtins that share their code.
//
// In all of them args holds the operands (constexpr scalars are allowed beside tensors) and their
// expressions; the results are those of Triton's tensor.__op__. nullopt is Python's NotImplemented
// or a missing method: the visitor then tries the other operand, and reports.
#pragma once

#include "codegen/builder/Arguments.h"
#include "language/types/Type.h"

#include <mlir/IR/Value.h>

#include <optional>

namespace gluond::codegen {

class IrBuilder;

// lhs op rhs, in source order; `reflected` when the method is __rop__ of the right operand (only
// `>>` looks at it).
std::optional<Value> tensorBinary(IrBuilder& emit, syntax::BinaryOp op, const Arguments& args,
                                  bool reflected);
// Eq, NotEq, Lt, LtE, Gt, GtE.
std::optional<Value> tensorCompare(IrBuilder& emit, syntax::CompareOp op, const Arguments& args);
// -x, ~x, not x; +x has no method.
std::optional<Value> tensorUnary(IrBuilder& emit, syntax::UnaryOperator op, const Arguments& args);
// logical_and, logical_or of two operands, the first a tensor.
Value tensorLogical(IrBuilder& emit, bool isAnd, const Arguments& args);
// value[index] of a tensor or memory descriptor: args are the value and the index (a Tuple for x[a,
// b], Slice objects for a:b).
std::optional<Value> subscript(IrBuilder& emit, const Arguments& args);

// Triton's semantic.to_tensor: constexpr numbers become constants, tensors stay. Returns Unknown
// after reporting.
Value toTensor(IrBuilder& emit, Value value, const syntax::Node* at);
// tensor.to(dtype).
Value castTo(IrBuilder& emit, Value tensor, const language::Type* scalar, const syntax::Node* at);
// semantic.scalar_constant(value, type): a number as an IR constant of a scalar or tensor type.
Value scalarConstant(IrBuilder& emit, Value number, const language::Type* type,
                     const syntax::Node* at);
// semantic.to_tensor_type(type): the scalar type that a Constexpr type would have as a tensor, or
// null if there is none.
const language::Type* toTensorType(IrBuilder& emit, const language::Type* type);
// semantic.integer_promote_impl.
const language::Type* integerPromote(IrBuilder& emit, const language::Type* a,
                                     const language::Type* b);
// builder.create_int_cast: extends, truncates, or bitcasts when the widths agree.
mlir::Value intCast(IrBuilder& emit, mlir::Value value, mlir::Type to, bool isSigned);
// Converts a one-element tensor to a scalar (tl._unsplat).
Value unsplat(IrBuilder& emit, Value tensor, const syntax::Node* at);

} // namespace gluond::codegen
