#include "evaluate/Containers.h"

#include "evaluate/Classes.h"
#include "evaluate/Gluon.h"
#include "evaluate/Strings.h"

#include <llvm/ADT/Hashing.h>
#include <llvm/Support/xxhash.h>

#include <cmath>
#include <limits>

namespace gluond::evaluate {

int64_t rangeLength(const RangeObject& range) {
  if (range.step > 0 ? range.start >= range.stop : range.start <= range.stop) return 0;
  auto distance = range.step > 0
                      ? static_cast<uint64_t>(range.stop) - static_cast<uint64_t>(range.start)
                      : static_cast<uint64_t>(range.start) - static_cast<uint64_t>(range.stop);
  uint64_t step =
      range.step > 0 ? static_cast<uint64_t>(range.step) : 0 - static_cast<uint64_t>(range.step);
  uint64_t count = (distance - 1) / step + 1;
  return count > static_cast<uint64_t>(std::numeric_limits<int64_t>::max())
             ? std::numeric_limits<int64_t>::max()
             : static_cast<int64_t>(count);
}

// ---------------------------------------------------------------- subscripts

std::optional<Bounds> sliceBounds(Interpreter& in, const SliceObject& slice, int64_t length) {
  auto bound = [&](Value value, int64_t missing) -> std::optional<int64_t> {
    value = value.unwrapped();
    if (value.isNone()) return missing;
    if (value.isUnknown()) return std::nullopt;
    if (auto index = toIndex(value)) return *index;
    Value asIndex = in.callSpecial(value, in.names().index, {});
    if (auto index = toIndex(asIndex)) return *index;
    if (!in.failed() && !asIndex.isUnknown())
      in.raise("TypeError", "slice indices must be integers or None or have an __index__ method");
    return std::nullopt;
  };
  auto step = bound(slice.step, 1);
  if (!step) return std::nullopt;
  if (*step == 0) {
    in.raise("ValueError", "slice step cannot be zero");
    return std::nullopt;
  }
  *step = std::max(*step, -std::numeric_limits<int64_t>::max());
  bool down = *step < 0;
  auto start = bound(slice.start, down ? length - 1 : 0),
       stop = bound(slice.stop, down ? -1 : length);
  if (!start || !stop) return std::nullopt;
  auto clamp = [&](int64_t at) {
    if (at < 0) at += length;
    return at < 0 ? (down ? -1 : 0) : at >= length ? (down ? length - 1 : length) : at;
  };
  Bounds result{slice.start.unwrapped().isNone() ? *start : clamp(*start),
                slice.stop.unwrapped().isNone() ? *stop : clamp(*stop), *step, 0};
  result.count = rangeLength(RangeObject{{}, result.start, result.stop, result.step});
  return result;
}

// The index into a sequence of `length`; nullopt: raised or unknown.
static std::optional<int64_t> elementIndex(Interpreter& in, Value index, int64_t length,
                                           llvm::StringRef what, bool storing = false) {
  index = index.unwrapped();
  if (index.isUnknown()) return std::nullopt;
  if (!isInteger(index)) {
    Value asIndex = in.callSpecial(index, in.names().index, {});
    if (in.failed() || asIndex.isUnknown()) return std::nullopt;
    if (auto* member = index.as<EnumObject>(); member && isInteger(member->value))
      asIndex = member->value;
    if (!isInteger(asIndex)) {
      in.raise("TypeError", what +
                                (what == "string" ? " indices must be integers, not '"
                                                  : " indices must be integers or slices, not ") +
                                in.className(in.typeOf(index)) + (what == "string" ? "'" : ""));
      return std::nullopt;
    }
    index = asIndex;
  }
  auto at = *toIndex(index);
  if (at < 0) at += length;
  if (at < 0 || at >= length) {
    in.raise("IndexError",
             what + (storing ? " assignment index out of range" : " index out of range"));
    return std::nullopt;
  }
  return at;
}

Value Interpreter::getItem(Value object, Value index) {
  if (object.isConstexpr()) object = object.unwrapped();
  if (index.isConstexpr()) index = index.unwrapped();
  if (object.isUnknown()) return object;
  auto unknownOrRaised = [&] { return failed() ? Value::absent() : Value::unknown(); };
  switch (object.kind()) {
  case ValueKind::Tuple:
  case ValueKind::List: {
    bool isList = object.is(ValueKind::List);
    Values items =
        isList ? Values(object.as<ListObject>()->items) : object.as<TupleObject>()->items;
    auto length = static_cast<int64_t>(items.size());
    if (index.is(ValueKind::Int)) {
      int64_t at = index.asInt() < 0 ? index.asInt() + length : index.asInt();
      if (at >= 0 && at < length) return items[static_cast<size_t>(at)];
    }
    if (auto* slice = index.as<SliceObject>()) {
      auto bounds = sliceBounds(*this, *slice, length);
      if (!bounds || !charge(static_cast<size_t>(bounds->count) * sizeof(Value)))
        return unknownOrRaised();
      llvm::SmallVector<Value> result;
      for (int64_t i = 0, at = bounds->start; i < bounds->count; ++i, at += bounds->step)
        result.push_back(items[static_cast<size_t>(at)]);
      return isList ? heap().list(result) : heap().tuple(result);
    }
    auto at = elementIndex(*this, index, length, isList ? "list" : "tuple");
    return at ? items[static_cast<size_t>(*at)] : unknownOrRaised();
  }
  case ValueKind::Dict: {
    Value found = dictGet(object.as<DictObject>(), index);
    if (found.isAbsent() && !failed()) {
      return raiseKey(index);
    }
    return found;
  }
  case ValueKind::Str:
  case ValueKind::Bytes: {
    llvm::StringRef text = object.as<StrObject>()->text;
    bool isBytes = object.is(ValueKind::Bytes);
    int64_t length = isBytes ? static_cast<int64_t>(text.size()) : textLength(text);
    bool ascii = length == static_cast<int64_t>(text.size());
    auto character = [&](int64_t at) {
      if (ascii) return text.substr(static_cast<size_t>(at), 1);
      size_t begin = byteOffset(text, at);
      return text.slice(begin, byteOffset(text, at + 1));
    };
    auto same = [&](Value value) {
      return isBytes ? Value::object(ValueKind::Bytes, value.as<StrObject>()) : value;
    };
    if (auto* slice = index.as<SliceObject>()) {
      auto bounds = sliceBounds(*this, *slice, length);
      if (!bounds || !charge(static_cast<size_t>(bounds->count))) return unknownOrRaised();
      if (bounds->step == 1) {
        if (bounds->count == 0) return same(string(""));
        size_t begin = ascii ? static_cast<size_t>(bounds->start) : byteOffset(text, bounds->start);
        size_t end = ascii ? static_cast<size_t>(bounds->stop) : byteOffset(text, bounds->stop);
        return same(string(text.slice(begin, end)));
      }
      std::string result;
      for (int64_t i = 0, at = bounds->start; i < bounds->count; ++i, at += bounds->step)
        result += character(at);
      return same(string(result));
    }
    auto at = elementIndex(*this, index, length, isBytes ? "index" : "string");
    if (!at) return unknownOrRaised();
    return isBytes ? Value::integer(static_cast<unsigned char>(text[static_cast<size_t>(*at)]))
                   : string(character(*at));
  }
  case ValueKind::Range: {
    auto* range = object.as<RangeObject>();
    int64_t length = rangeLength(*range);
    if (auto* slice = index.as<SliceObject>()) {
      auto bounds = sliceBounds(*this, *slice, length);
      if (!bounds) return unknownOrRaised();
      return Value::object(ValueKind::Range,
                           heap().make<RangeObject>(language::Object{},
                                                    range->start + bounds->start * range->step,
                                                    range->start + bounds->stop * range->step,
                                                    range->step * bounds->step));
    }
    auto at = elementIndex(*this, index, length, "range object");
    return at ? Value::integer(range->start + *at * range->step) : unknownOrRaised();
  }
  case ValueKind::Host: {
    auto* host = object.as<HostObject>();
    if (host->cls->item) return host->cls->item(*this, object, index);
    break;
  }
  case ValueKind::Class: { // List[int], Enum["NAME"], class __class_getitem__
    auto* cls = object.as<ClassObject>();
    if (cls->flavour == ClassObject::Flavour::Enum)
      if (auto* text = index.as<StrObject>()) {
        Value member = findInClass(cls, name(text->text));
        return member.isAbsent() ? raiseKey(index) : member;
      }
    Value getter = findInClass(cls, known_.classGetitem);
    if (!getter.isAbsent()) return call(bindMember(getter, Value::absent(), object), index);
    return object; // a generic alias: its arguments are for type checkers
  }
  case ValueKind::Function: {
    auto* function = object.as<FunctionObject>();
    if (function->function == FunctionKind::Jit) return makeLauncher(*this, object, index);
    break;
  }
  case ValueKind::Builtin:
  case ValueKind::Type:
  case ValueKind::Layout:
  case ValueKind::Module:
    return gluonItem(*this, object, index);
  case ValueKind::Instance: {
    Value result = callSpecial(object, known_.getitem, index);
    if (failed() || !result.isAbsent()) return result;
    break;
  }
  default:
    break;
  }
  return raise("TypeError",
               "'" + llvm::Twine(className(typeOf(object))) + "' object is not subscriptable");
}

bool Interpreter::setItem(Value object, Value index, Value value) {
  if (object.isConstexpr()) object = object.unwrapped();
  if (index.isConstexpr()) index = index.unwrapped();
  switch (object.kind()) {
  case ValueKind::Unknown:
    return true;
  case ValueKind::List: {
    auto& items = object.as<ListObject>()->items;
    if (!mayMutate(object.as<ListObject>())) return false;
    auto length = static_cast<int64_t>(items.size());
    auto forgetAll = [&] {
      for (Value& item : items)
        item = Value::unknown();
      return true;
    };
    if (auto* slice = index.as<SliceObject>()) {
      auto bounds = sliceBounds(*this, *slice, length);
      if (!bounds) return failed() ? false : forgetAll();
      llvm::SmallVector<Value> more;
      if (!unpack(value, more)) return failed() ? false : forgetAll();
      if (bounds->step == 1) {
        auto begin = items.begin() + bounds->start,
             end = items.begin() + std::max(bounds->start, bounds->stop);
        if (!charge(more.size() * sizeof(Value))) return false;
        auto at = items.erase(begin, end);
        items.insert(at, more.begin(), more.end());
        return true;
      }
      if (static_cast<int64_t>(more.size()) != bounds->count)
        return raise("ValueError", "attempt to assign sequence of size " +
                                       llvm::Twine(more.size()) + " to extended slice of size " +
                                       llvm::Twine(bounds->count)),
               false;
      for (int64_t i = 0, at = bounds->start; i < bounds->count; ++i, at += bounds->step)
        items[static_cast<size_t>(at)] = more[static_cast<size_t>(i)];
      return true;
    }
    auto at = elementIndex(*this, index, length, "list", true);
    if (!at) return failed() ? false : forgetAll();
    items[static_cast<size_t>(*at)] = value;
    return true;
  }
  case ValueKind::Dict:
    return mayMutate(object.as<DictObject>()) && dictSet(object.as<DictObject>(), index, value);
  case ValueKind::Instance: {
    Value arguments[] = {index, value};
    Value result = callSpecial(object, known_.setitem, arguments);
    if (failed()) return false;
    if (!result.isAbsent()) return true;
    break;
  }
  case ValueKind::Host:
    if (object.as<HostObject>()->cls->setItem)
      return object.as<HostObject>()->cls->setItem(*this, object, index, value);
    if (object.as<HostObject>()->cls->item) return true; // tensors have no values
    break;
  default:
    break;
  }
  raise("TypeError",
        "'" + llvm::Twine(className(typeOf(object))) + "' object does not support item assignment");
  return false;
}

bool Interpreter::deleteItem(Value object, Value index) {
  index = index.unwrapped();
  if (object.isUnknown()) return true;
  if (auto* dict = object.as<DictObject>(); dict && object.is(ValueKind::Dict)) {
    if (!mayMutate(dict)) return false;
    if (dictErase(dict, index) || dict->uncertain) return !failed();
    if (!failed()) raiseKey(index);
    return false;
  }
  if (auto* list = object.as<ListObject>()) {
    if (!mayMutate(list)) return false;
    auto length = static_cast<int64_t>(list->items.size());
    if (auto* slice = index.as<SliceObject>()) {
      auto bounds = sliceBounds(*this, *slice, length);
      if (!bounds) return !failed();
      llvm::SmallVector<bool> gone(list->items.size(), false);
      for (int64_t i = 0, at = bounds->start; i < bounds->count; ++i, at += bounds->step)
        gone[static_cast<size_t>(at)] = true;
      size_t kept = 0;
      for (size_t i = 0; i < gone.size(); ++i)
        if (!gone[i]) list->items[kept++] = list->items[i];
      list->items.truncate(kept);
      return true;
    }
    auto at = elementIndex(*this, index, length, "list", true);
    if (!at) return !failed();
    list->items.erase(list->items.begin() + *at);
    return true;
  }
  Value result = callSpecial(object, known_.delitem, index);
  if (failed()) return false;
  if (!result.isAbsent() || object.is(ValueKind::Host)) return true;
  raise("TypeError",
        "'" + llvm::Twine(className(typeOf(object))) + "' object doesn't support item deletion");
  return false;
}

// ---------------------------------------------------------------- iteration, membership, length

bool Interpreter::unpack(Value iterable, llvm::SmallVectorImpl<Value>& out) {
  bool uncertain = false;
  return unpack(iterable, out, uncertain) && !uncertain;
}

bool Interpreter::unpack(Value iterable, llvm::SmallVectorImpl<Value>& out, bool& uncertain) {
  if (iterable.isConstexpr()) iterable = iterable.unwrapped();
  switch (iterable.kind()) {
  case ValueKind::Unknown:
    return false;
  case ValueKind::Tuple: {
    Values items = iterable.as<TupleObject>()->items;
    out.append(items.begin(), items.end());
    return true;
  }
  case ValueKind::List: {
    auto& items = iterable.as<ListObject>()->items;
    out.append(items.begin(), items.end());
    return true;
  }
  case ValueKind::Dict:
  case ValueKind::Set: {
    auto* dict = iterable.as<DictObject>();
    for (auto& [key, value] : dict->items)
      out.push_back(key);
    uncertain |= dict->uncertain;
    return true;
  }
  case ValueKind::Range: {
    auto* range = iterable.as<RangeObject>();
    int64_t count = rangeLength(*range);
    if (static_cast<uint64_t>(count) > stepsLeft() ||
        !charge(static_cast<size_t>(count) * sizeof(Value))) {
      if (!failed()) exhaust("a range of " + llvm::Twine(count) + " numbers");
      return false;
    }
    for (int64_t i = 0; i < count; ++i)
      out.push_back(Value::integer(range->start + i * range->step));
    return true;
  }
  case ValueKind::Str: {
    llvm::StringRef text = iterable.as<StrObject>()->text;
    if (!charge(text.size() * 32)) return false;
    while (!text.empty()) {
      size_t end = byteOffset(text, 1);
      out.push_back(heap().str(text.take_front(end)));
      text = text.drop_front(end);
    }
    return true;
  }
  case ValueKind::Bytes:
    for (char c : iterable.as<StrObject>()->text)
      out.push_back(Value::integer(static_cast<unsigned char>(c)));
    return true;
  case ValueKind::Host: {
    auto* host = iterable.as<HostObject>();
    if (auto* iterator = hostAs<IteratorObject>(iterable, iteratorClass)) {
      if (!mayMutate(iterator)) return false;
      auto rest = iterator->items.drop_front(iterator->next);
      iterator->next = iterator->items.size();
      out.append(rest.begin(), rest.end());
      uncertain |= iterator->uncertain;
      return true;
    }
    if (host->cls->unpack) return host->cls->unpack(*this, iterable, out);
    break;
  }
  case ValueKind::Class: {
    auto* cls = iterable.as<ClassObject>();
    if (cls->flavour != ClassObject::Flavour::Enum) break;
    enumMembers(*this, cls, out);
    return true;
  }
  case ValueKind::Instance: {
    Value result = callSpecial(iterable, known_.iter, {});
    if (failed()) return false;
    if (!result.isAbsent() && !result.identical(iterable)) return unpack(result, out, uncertain);
    if (!result.isAbsent() &&
        !findInClass(iterable.as<InstanceObject>()->cls, known_.next).isAbsent()) {
      while (true) {
        Value next = callSpecial(iterable, known_.next, {});
        if (next.isAbsent()) {
          if (isExhausted()) return false;
          if (auto caught = catchError("StopIteration")) return true;
          return false;
        }
        out.push_back(next);
        if (!step() || !charge(sizeof(Value))) return false;
      }
    }
    if (!findInClass(iterable.as<InstanceObject>()->cls, known_.getitem).isAbsent())
      for (int64_t i = 0;; ++i) {
        Value next = callSpecial(iterable, known_.getitem, Value::integer(i));
        if (next.isAbsent()) return !isExhausted() && catchError("IndexError");
        out.push_back(next);
        if (!step() || !charge(sizeof(Value))) return false;
      }
    break;
  }
  case ValueKind::Builtin:
  case ValueKind::Ir:
  case ValueKind::Module:
    return false; // not known to be wrong
  default:
    break;
  }
  raise("TypeError", "'" + llvm::Twine(className(typeOf(iterable))) + "' object is not iterable");
  return false;
}

std::optional<bool> Interpreter::contains(Value container, Value member) {
  container = container.unwrapped();
  member = member.unwrapped();
  if (container.isUnknown()) return std::nullopt;
  switch (container.kind()) {
  case ValueKind::Str: {
    if (member.isUnknown()) return std::nullopt;
    auto* text = member.as<StrObject>();
    if (!text) {
      raise("TypeError", "'in <string>' requires string as left operand, not " +
                             llvm::Twine(className(typeOf(member))));
      return std::nullopt;
    }
    return container.as<StrObject>()->text.contains(text->text);
  }
  case ValueKind::Dict:
  case ValueKind::Set:
    return dictContains(container.as<DictObject>(), member);
  case ValueKind::Range:
    if (isInteger(member)) {
      if (!member.isIntegral()) return false;
      auto* range = container.as<RangeObject>();
      int64_t value = member.asInt();
      bool inside = range->step > 0 ? value >= range->start && value < range->stop
                                    : value <= range->start && value > range->stop;
      return inside && (value - range->start) % range->step == 0;
    }
    break;
  case ValueKind::Instance: {
    Value result = callSpecial(container, known_.contains, member);
    if (failed()) return std::nullopt;
    if (!result.isAbsent()) return truth(result);
    break;
  }
  case ValueKind::Host:
    if (!container.as<HostObject>()->cls->unpack &&
        !hostAs<IteratorObject>(container, iteratorClass))
      return std::nullopt;
    break;
  case ValueKind::Builtin:
  case ValueKind::Module:
  case ValueKind::Ir:
    return std::nullopt;
  default:
    break;
  }
  llvm::SmallVector<Value> items;
  bool unknown = false;
  if (!unpack(container, items, unknown)) {
    if (!isExhausted() && !container.is(ValueKind::Instance) && catchError("TypeError"))
      raise("TypeError",
            "argument of type '" + llvm::Twine(className(typeOf(container))) + "' is not iterable");
    return std::nullopt;
  }
  for (Value item : items) {
    if (item.identical(member) && !item.isUnknown()) return true;
    auto same = equal(item, member);
    if (failed()) return std::nullopt;
    if (!same)
      unknown = true;
    else if (*same)
      return true;
  }
  return unknown ? std::nullopt : std::optional(false);
}

std::optional<int64_t> Interpreter::length(Value value) {
  value = value.unwrapped();
  switch (value.kind()) {
  case ValueKind::Unknown:
    return std::nullopt;
  case ValueKind::Str:
    return textLength(value.as<StrObject>()->text);
  case ValueKind::Bytes:
    return static_cast<int64_t>(value.as<StrObject>()->text.size());
  case ValueKind::Tuple:
    return static_cast<int64_t>(value.as<TupleObject>()->items.size());
  case ValueKind::List:
    return static_cast<int64_t>(value.as<ListObject>()->items.size());
  case ValueKind::Dict:
  case ValueKind::Set:
    if (value.as<DictObject>()->uncertain) return std::nullopt;
    return static_cast<int64_t>(value.as<DictObject>()->items.size());
  case ValueKind::Range:
    return rangeLength(*value.as<RangeObject>());
  case ValueKind::Host: {
    auto* host = value.as<HostObject>();
    if (host->cls->length) return host->cls->length(*this, value);
    break;
  }
  case ValueKind::Class: {
    llvm::SmallVector<Value> members;
    if (value.as<ClassObject>()->flavour != ClassObject::Flavour::Enum) break;
    enumMembers(*this, value.as<ClassObject>(), members);
    return static_cast<int64_t>(members.size());
  }
  case ValueKind::Instance: {
    Value result = callSpecial(value, known_.len, {});
    if (failed()) return std::nullopt;
    if (!result.isAbsent()) return toIndex(result);
    break;
  }
  case ValueKind::Builtin:
  case ValueKind::Layout:
  case ValueKind::Ir:
    return std::nullopt;
  default:
    break;
  }
  raise("TypeError", "object of type '" + llvm::Twine(className(typeOf(value))) + "' has no len()");
  return std::nullopt;
}

// ---------------------------------------------------------------- sorting

bool sortValues(Interpreter& in, llvm::SmallVectorImpl<Value>& items, Value key, bool reverse,
                bool& unknown) {
  llvm::SmallVector<std::pair<Value, Value>> keyed;
  for (Value item : items) {
    Value by = item;
    if (!key.isAbsent() && !key.isNone()) {
      by = in.call(key, item);
      if (by.isAbsent()) return false;
    }
    keyed.push_back({by, item});
  }
  if (reverse) std::reverse(keyed.begin(), keyed.end());
  // A merge sort of our own: comparisons may raise, or be unknown, and std::stable_sort trusts
  // them.
  llvm::SmallVector<std::pair<Value, Value>> other(keyed.size());
  for (size_t width = 1; width < keyed.size(); width *= 2) {
    for (size_t low = 0; low < keyed.size(); low += 2 * width) {
      size_t middle = std::min(low + width, keyed.size()),
             high = std::min(low + 2 * width, keyed.size());
      size_t left = low, right = middle;
      for (size_t out = low; out < high; ++out) {
        bool takeRight = left >= middle;
        if (!takeRight && right < high) {
          Value less = in.compare(syntax::CompareOp::Lt, keyed[right].first, keyed[left].first);
          if (less.isAbsent()) return false;
          auto known = in.truth(less);
          if (!known) unknown = true;
          takeRight = known.value_or(false);
        }
        other[out] = takeRight ? keyed[right++] : keyed[left++];
      }
    }
    std::swap(keyed, other);
  }
  if (reverse) std::reverse(keyed.begin(), keyed.end());
  for (size_t i = 0; i < items.size(); ++i)
    items[i] = keyed[i].second;
  return true;
}

} // namespace gluond::evaluate
