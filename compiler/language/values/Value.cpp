#include "language/values/Value.h"

#include <limits>

namespace gluond::language {

Value Heap::str(llvm::StringRef text) {
  return Value::object(ValueKind::Str, make<StrObject>(Object{}, copy(text)));
}

Value Heap::tuple(Values items) {
  return Value::object(ValueKind::Tuple, make<TupleObject>(Object{}, copy(items)));
}

Value Heap::list(Values items) {
  auto* list = make<ListObject>();
  list->items.assign(items);
  return Value::object(ValueKind::List, list);
}

Value Heap::dict() {
  return Value::object(ValueKind::Dict, make<DictObject>());
}

Value Heap::bigInt(llvm::ArrayRef<uint64_t> magnitude, bool negative) {
  while (!magnitude.empty() && magnitude.back() == 0)
    magnitude = magnitude.drop_back();
  if (magnitude.empty()) return Value::integer(0);
  constexpr uint64_t top = uint64_t(std::numeric_limits<int64_t>::max());
  if (magnitude.size() == 1 && magnitude[0] <= top + negative)
    return Value::integer(static_cast<int64_t>(negative ? 0 - magnitude[0] : magnitude[0]));
  return Value::object(ValueKind::BigInt,
                       make<BigIntObject>(Object{}, copyArray(magnitude), negative));
}

} // namespace gluond::language
