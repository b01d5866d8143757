#include "codegen/Values.h"

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
  if (auto* tuple = value.as<TupleObject>())
    return llvm::any_of(tuple->items, hasUnknown);
  if (isAggregate(value))
    return llvm::any_of(value.as<InstanceObject>()->attributes->entries,
                        [](const auto& entry) { return hasUnknown(entry.second); });
  return false;
}

bool hasDynamic(Value value) {
  if (isDynamicOperand(value)) return true;
  auto* tuple = value.as<TupleObject>();
  return tuple && llvm::any_of(tuple->items, hasDynamic);
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
  if (!changed) return value.unwrapped();
  return Value::object(ValueKind::Tuple,
                       heap.make<TupleObject>(language::Object{}, heap.copy(items), tuple->namedtuple, tuple->fields));
}
} // namespace

Value normalize(Heap& heap, Value value) {
  if (value.isUnknown() || value.isAbsent()) return value;
  if (isTuple(value)) return mapTuple(heap, value, [&](Value item) { return normalize(heap, item); });
  return isTritonValue(value) ? value : value.wrapped();
}

Value unwrapDeep(Heap& heap, Value value) {
  if (value.isConstexpr()) return value.unwrapped();
  if (isTuple(value)) return mapTuple(heap, value, [&](Value item) { return unwrapDeep(heap, item); });
  return value;
}

} // namespace gluond::codegen
