// collections.deque, as a list with the operations at its left end and a greatest length.
#include "evaluate/interpreter/Interpreter.h"
#include "evaluate/interpreter/NativeArguments.h"
#include "evaluate/interpreter/Rebinding.h"
#include "evaluate/stdlib/StandardModules.h"

namespace gluond::evaluate {

namespace {

struct DequeObject : HostObject {
  Value list;
  Value maxlen; // an Int, or None
};
extern const HostClass dequeClass;

const DequeObject* selfOf(const CallArguments& arguments) {
  return hostAs<DequeObject>(at(arguments, 0), dequeClass);
}

Value onList(Interpreter& in, const DequeObject& self, llvm::StringRef method, Values arguments) {
  Value function = in.lookupAttribute(self.list, in.name(method));
  if (function.isAbsent()) return unknownOrRaised(in);
  return in.call(function, CallArguments{arguments, {}});
}

// Drops what is too much, at the end where nothing was added.
bool trim(Interpreter& in, const DequeObject& self, bool fromLeft) {
  if (!self.maxlen.isIntegral()) return true;
  auto* list = self.list.as<ListObject>();
  while (!list->uncertain && static_cast<int64_t>(list->items.size()) > self.maxlen.asInt()) {
    llvm::SmallVector<Value, 1> place;
    if (fromLeft) place.push_back(Value::integer(0));
    if (onList(in, self, "pop", place).isAbsent()) return false;
  }
  return true;
}

Value append(Interpreter& in, const CallArguments& arguments) {
  GLUOND_COUNT("deque.append", 2, 2);
  auto* self = selfOf(arguments);
  if (onList(in, *self, "append", {at(arguments, 1)}).isAbsent()) return Value::absent();
  return trim(in, *self, true) ? Value::none() : Value::absent();
}

Value appendLeft(Interpreter& in, const CallArguments& arguments) {
  GLUOND_COUNT("deque.appendleft", 2, 2);
  auto* self = selfOf(arguments);
  if (onList(in, *self, "insert", {Value::integer(0), at(arguments, 1)}).isAbsent())
    return Value::absent();
  return trim(in, *self, false) ? Value::none() : Value::absent();
}

Value extend(Interpreter& in, const CallArguments& arguments) {
  GLUOND_COUNT("deque.extend", 2, 2);
  auto* self = selfOf(arguments);
  if (onList(in, *self, "extend", {at(arguments, 1)}).isAbsent()) return Value::absent();
  return trim(in, *self, true) ? Value::none() : Value::absent();
}

Value extendLeft(Interpreter& in, const CallArguments& arguments) {
  GLUOND_COUNT("deque.extendleft", 2, 2);
  auto* self = selfOf(arguments);
  llvm::SmallVector<Value> items;
  if (!in.unpack(at(arguments, 1), items)) {
    if (in.failed()) return Value::absent();
    auto* list = in.writable(self->list.as<ListObject>());
    if (!list) return Value::absent();
    list->items.fill(Value::unknown());
    list->uncertain = true;
    return Value::none();
  }
  for (Value item : items)
    if (onList(in, *self, "insert", {Value::integer(0), item}).isAbsent()) return Value::absent();
  return trim(in, *self, false) ? Value::none() : Value::absent();
}

template <bool isLeft> Value pop(Interpreter& in, const CallArguments& arguments) {
  GLUOND_COUNT(isLeft ? "deque.popleft" : "deque.pop", 1, 1);
  auto* self = selfOf(arguments);
  auto* list = self->list.as<ListObject>();
  if (!list->uncertain && list->items.empty())
    return in.raise("IndexError", "pop from an empty deque");
  llvm::SmallVector<Value, 1> place;
  if (isLeft) place.push_back(Value::integer(0));
  return onList(in, *self, "pop", place);
}

Value rotate(Interpreter& in, const CallArguments& arguments) {
  GLUOND_COUNT("deque.rotate", 1, 2);
  auto* list = in.writable(selfOf(arguments)->list.as<ListObject>());
  Value by = at(arguments, 1).isAbsent() ? Value::integer(1) : at(arguments, 1).unwrapped();
  if (!list || !in.spend(list->items.size())) return Value::absent();
  auto items = list->items.take();
  if (!items.empty() && by.isIntegral()) {
    auto size = static_cast<int64_t>(items.size());
    auto left = static_cast<size_t>((size - by.asInt() % size) % size);
    std::rotate(items.begin(), items.begin() + left, items.end());
  }
  list->items.assign(items);
  if (!by.isIntegral()) list->items.fill(Value::unknown());
  return Value::none();
}

Value makeDeque(Interpreter& in, Value list, Value maxlen) {
  auto* object = in.heap().make<DequeObject>();
  object->cls = &dequeClass;
  object->list = list;
  object->maxlen = maxlen;
  return Value::object(ValueKind::Host, object);
}

Value copy(Interpreter& in, const CallArguments& arguments) {
  auto* self = selfOf(arguments);
  Value list = onList(in, *self, "copy", {});
  return list.is(ValueKind::List) ? makeDeque(in, list, self->maxlen) : list;
}

constexpr NativeRow dequeRows[] = {
    {"__copy__", copy},  {"append", append},     {"appendleft", appendLeft},
    {"copy", copy},      {"extend", extend},     {"extendleft", extendLeft},
    {"pop", pop<false>}, {"popleft", pop<true>}, {"rotate", rotate},
};
// These a list does in the same way.
constexpr llvm::StringLiteral ofLists[] = {"clear",  "count",  "index",
                                           "insert", "remove", "reverse"};

Value attribute(Interpreter& in, Value self, Name name) {
  auto* deque = hostAs<DequeObject>(self, dequeClass);
  llvm::StringRef text = in.text(name);
  if (text == "maxlen") return deque->maxlen;
  for (const NativeRow& row : dequeRows)
    if (row.name == text) return in.function(row.name, row.function, self);
  if (llvm::is_contained(ofLists, text)) return in.lookupAttribute(deque->list, name);
  return text.starts_with("__") ? Value::unknown() : Value::absent();
}

const HostClass dequeClass = {
    .name = "deque",
    .attribute = attribute,
    .item =
        [](Interpreter& in, Value self, Value index) {
          return in.getItem(hostAs<DequeObject>(self, dequeClass)->list, index);
        },
    .repr =
        [](Interpreter& in, Value self) {
          return "deque(" + in.repr(hostAs<DequeObject>(self, dequeClass)->list) + ")";
        },
    .unpack =
        [](Interpreter& in, Value self, llvm::SmallVectorImpl<Value>& out) {
          return in.unpack(hostAs<DequeObject>(self, dequeClass)->list, out);
        },
    .binary = [](Interpreter&, int, bool, Value, Value) { return Value::unknown(); },
    .length = [](Interpreter& in,
                 Value self) { return in.length(hostAs<DequeObject>(self, dequeClass)->list); },
    .setItem =
        [](Interpreter& in, Value self, Value index, Value value) {
          return in.setItem(hostAs<DequeObject>(self, dequeClass)->list, index, value);
        },
    .equal = [](Interpreter& in, Value self, Value other) -> std::optional<bool> {
      auto* deque = hostAs<DequeObject>(other, dequeClass);
      if (!deque) return other.isUnknown() ? std::nullopt : std::optional(false);
      return in.equal(hostAs<DequeObject>(self, dequeClass)->list, deque->list);
    },
    .rebinding = &copiedHost<DequeObject, &DequeObject::list, &DequeObject::maxlen>};

} // namespace

Value deque(Interpreter& in, const CallArguments& arguments) {
  Value maxlen = given(in, arguments, 1, "maxlen"), first = given(in, arguments, 0, "iterable");
  if (maxlen.isAbsent()) maxlen = Value::none();
  if (!maxlen.isNone() && !maxlen.unwrapped().isIntegral()) return Value::unknown();
  Value list = in.heap().list({});
  Value made = makeDeque(in, list, maxlen.unwrapped());
  if (first.isAbsent()) return made;
  auto* self = hostAs<DequeObject>(made, dequeClass);
  if (onList(in, *self, "extend", {first}).isAbsent()) return Value::absent();
  return trim(in, *self, true) ? made : Value::absent();
}

} // namespace gluond::evaluate
