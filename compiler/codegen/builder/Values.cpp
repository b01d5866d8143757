#include "codegen/builder/Values.h"

namespace gluond::codegen {

using language::FunctionKind;
using language::FunctionObject;
using language::Heap;
using language::InstanceObject;
using language::TupleObject;

bool isConstexprLike(Value value) {
  if (value.isConstexpr() || value.isNone()) return true;
  if (value.is(ValueKind::Type))
    return value.asType()->isScalar() || value.asType()->isPointer() || value.asType()->isTensor();
  auto* function = value.as<FunctionObject>();
  return function && function->function != FunctionKind::Python;
}

bool hasUnknown(Value value) {
  if (value.isUnknown()) return true;
  if (auto* tuple = value.as<TupleObject>()) return llvm::any_of(tuple->items, hasUnknown);
  if (isAggregate(value))
    return llvm::any_of(*value.as<InstanceObject>()->attributes,
                        [](auto attribute) { return hasUnknown(attribute.value); });
  return false;
}

bool hasDynamic(Value value) {
  if (isDynamicOperand(value)) return true;
  auto* tuple = value.as<TupleObject>();
  return tuple && llvm::any_of(tuple->items, hasDynamic);
}

Value tritonTuple(Heap& heap, Values items, llvm::ArrayRef<Name> fields,
                  const language::ClassObject* namedtuple) {
  auto* tuple = heap.make<TupleObject>();
  tuple->items = heap.copy(items);
  tuple->namedtuple = namedtuple;
  tuple->fields = fields;
  tuple->triton = true;
  return Value::object(ValueKind::Tuple, tuple);
}

namespace {
// The tuple with f of every item; the same tuple when nothing changes.
template <typename F> Value mapTuple(Heap& heap, Value value, F&& f) {
  auto* tuple = value.as<TupleObject>();
  llvm::SmallVector<Value, 8> items;
  bool changed = false;
  for (Value item : tuple->items) {
    Value mapped = f(item);
    changed |= !mapped.identical(item) || mapped.isConstexpr() != item.isConstexpr();
    items.push_back(mapped);
  }
  if (!changed && tuple->triton) return value.unwrapped();
  llvm::ArrayRef<Name> fields = tuple->fields;
  llvm::SmallVector<Name, 8> names;
  if (tuple->namedtuple && fields.empty()) {
    for (const auto& field : tuple->namedtuple->fields)
      names.push_back(field.name);
    fields = heap.copyArray(llvm::ArrayRef<Name>(names));
  }
  return tritonTuple(heap, items, fields, tuple->namedtuple);
}
} // namespace

Value normalize(Heap& heap, Value value) {
  if (value.isUnknown() || value.isAbsent()) return value;
  if (isTuple(value))
    return mapTuple(heap, value, [&](Value item) { return normalize(heap, item); });
  return isTritonValue(value) ? value : value.wrapped();
}

Value unwrapDeep(Heap& heap, Value value) {
  if (value.isConstexpr()) return value.unwrapped();
  if (isTuple(value))
    return mapTuple(heap, value, [&](Value item) { return unwrapDeep(heap, item); });
  return value;
}

} // namespace gluond::codegen
