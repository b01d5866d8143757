// The questions that Triton's code generator asks about its values, answered for language::Value.
// See language's Value.h: the constexpr bit is Triton's constexpr wrapper; a value without it is a
// plain Python object, a tuple, or in IR.
#pragma once

#include "language/types/Type.h"
#include "language/values/Value.h"

namespace gluond::codegen {

using language::Value;
using language::ValueKind;
using language::Values;

inline bool isAggregate(Value value) {
  auto* instance = value.as<language::InstanceObject>();
  return instance && !value.isConstexpr() &&
         instance->cls->flavour == language::ClassObject::Flavour::Aggregate;
}
inline bool isIr(Value value) {
  return value.is(ValueKind::Ir);
}
// gl.tuple
inline bool isTuple(Value value) {
  return value.is(ValueKind::Tuple) && !value.isConstexpr();
}
inline Values itemsOf(Value tuple) {
  return tuple.as<language::TupleObject>()->items;
}

// isinstance(value, base_value): constexprs, tuples, aggregates, everything in IR.
inline bool isTritonValue(Value value) {
  return value.isConstexpr() || isIr(value) || isTuple(value) || isAggregate(value);
}
// _is_dynamic_boolean_operand
inline bool isDynamicOperand(Value value) {
  return isIr(value) || isAggregate(value);
}
// _is_constexpr: a constexpr, None, a dtype, a jit or constexpr function.
bool isConstexprLike(Value value);
// Whether it is Triton's `tensor`: in IR, and a scalar, pointer or block of them.
inline bool isTensorType(const language::Type* type) {
  using enum language::TypeKind;
  return type->is(Scalar) || type->is(Pointer) || type->is(Tensor);
}
inline bool isTensor(Value value) {
  auto* ir = value.as<language::IrObject>();
  return ir && isTensorType(ir->type);
}
// Whether it is the result of an asynchronous warpgroup_mma.
inline bool isAccumulator(Value value) {
  auto* ir = value.as<language::IrObject>();
  return ir && ir->type->is(language::TypeKind::Opaque) &&
         ir->type->opaqueKind() == language::OpaqueKind::WarpgroupMmaAccumulator;
}
inline const language::Type* irTypeOf(Value value) {
  return value.as<language::IrObject>()->type;
}
// Whether it is a tensor of more than one element.
inline bool isNonScalarTensor(Value value) {
  return isTensor(value) && irTypeOf(value)->isTensor() && irTypeOf(value)->numel() != 1;
}
// Returns the rank of a value's class in an operator, which the class of the highest rank decides:
// 2 for aggregates, 1 for tensors, 0 for the rest.
inline int operatorPriority(Value value) {
  return isAggregate(value) ? 2 : isTensor(value) ? 1 : 0;
}

// Whether the value is Unknown or contains Unknown in a tuple or aggregate.
bool hasUnknown(Value value);

// Whether the value is in IR, an aggregate, or a tuple that holds one.
bool hasDynamic(Value value);

// A gl.tuple.
Value tritonTuple(language::Heap& heap, Values items, llvm::ArrayRef<Name> fields = {},
                  const language::ClassObject* namedtuple = nullptr);

// normalize_value: what a plain Python object becomes when it is an argument or result.
Value normalize(language::Heap& heap, Value value);
// _unwrap_if_constexpr, through tuples.
Value unwrapDeep(language::Heap& heap, Value value);

} // namespace gluond::codegen
