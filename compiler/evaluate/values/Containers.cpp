#include "evaluate/values/Containers.h"

#include "evaluate/interpreter/Costs.h"
#include "evaluate/interpreter/Gluon.h"
#include "evaluate/values/Classes.h"
#include "evaluate/values/PythonCoverage.h"
#include "evaluate/values/Strings.h"
#include "language/types/Structure.h"
#include "language/values/Integers.h"

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

// ---------------------------------------------------------------- iteration, membership, length

bool Interpreter::unpack(Value iterable, llvm::SmallVectorImpl<Value>& out) {
  bool uncertain = false;
  return unpack(iterable, out, uncertain) && !uncertain;
}

bool Interpreter::unpack(Value iterable, llvm::SmallVectorImpl<Value>& out, bool& uncertain) {
  if (iterable.isConstexpr()) iterable = iterable.unwrapped();
  if (mayOverride(iterable)) {
    Nesting nesting(*this);
    if (!nesting) return false;
    Value own = callSpecial(iterable, known_.iter, {});
    if (failed()) return false;
    if (!own.isAbsent()) return unpack(own, out, uncertain);
  }
  switch (iterable.kind()) {
  case ValueKind::Unknown:
    return false;
  case ValueKind::Tuple:
  case ValueKind::List: {
    language::Items items = language::itemsOf(iterable);
    if (!spend(items.size() / valuesPerStep)) return false;
    out.append(items.begin(), items.end());
    if (auto* list = iterable.as<ListObject>()) uncertain |= list->uncertain;
    return true;
  }
  case ValueKind::Dict:
  case ValueKind::Set: {
    auto* dict = iterable.as<DictObject>();
    if (!spend(dict->items.size() / valuesPerStep)) return false;
    for (auto [key, value] : dict->items)
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
      out.push_back(Value::integer(rangeMember(*range, i)));
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
    if (!charge(iterable.as<StrObject>()->text.size() * sizeof(Value))) return false;
    for (char c : iterable.as<StrObject>()->text)
      out.push_back(Value::integer(static_cast<unsigned char>(c)));
    return true;
  case ValueKind::Host: {
    auto* host = iterable.as<HostObject>();
    if (auto* given = hostAs<IteratorObject>(iterable, iteratorClass)) {
      IteratorObject* iterator = writable(given);
      if (!iterator) return false;
      auto rest = iterator->items.drop_front(iterator->next);
      if (!spend(rest.size() / valuesPerStep)) return false;
      iterator->next = iterator->items.size();
      out.append(rest.begin(), rest.end());
      if (!iterator->isOnDemand) {
        uncertain |= iterator->uncertain;
        return true;
      }
      while (true) {
        Value member = advance(iterable, uncertain);
        if (member.isAbsent()) return !failed();
        out.push_back(member);
        if (!step() || !charge(sizeof(Value))) return false;
      }
    }
    if (host->cls->unpack) return callHost(*this, host->cls->unpack, iterable, out);
    break;
  }
  case ValueKind::Class: {
    auto* cls = iterable.as<ClassObject>();
    Value own = metaclassMember(*this, cls, known_.iter);
    if (!own.isAbsent() && !own.isUnknown()) own = call(own, Values());
    if (own.isAbsent() && failed()) return false;
    if (!own.isAbsent()) return unpack(own, out, uncertain);
    if (cls->flavour != ClassObject::Flavour::Enum) break;
    uncertain |= !listedMembers(*this, cls, out);
    return true;
  }
  case ValueKind::Enum: { // the flags of one bit that are set
    auto* flags = iterable.as<EnumObject>();
    if (!isFlagEnum(flags->cls)) break;
    llvm::SmallVector<Value> members;
    enumMembers(*this, flags->cls, members);
    for (Value member : members) {
      Value bits = member.as<EnumObject>()->value;
      if (!bits.isIntegral() || !flags->value.isIntegral()) return uncertain = true, false;
      if (llvm::has_single_bit(static_cast<uint64_t>(bits.asInt())) &&
          (bits.asInt() & flags->value.asInt()))
        out.push_back(member);
    }
    return true;
  }
  case ValueKind::Instance: {
    Nesting nesting(*this);
    if (!nesting) return false;
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
  if (isKnownInPart(*this, iterable)) return false;
  raise("TypeError", "'" + llvm::Twine(className(typeOf(iterable))) + "' object is not iterable");
  return false;
}

std::optional<bool> Interpreter::contains(Value container, Value member) {
  container = container.unwrapped();
  member = member.unwrapped();
  if (container.isUnknown()) return std::nullopt;
  if (mayOverride(container)) {
    Value own = callSpecial(container, known_.contains, member);
    if (failed()) return std::nullopt;
    if (!own.isAbsent()) return truth(own);
  }
  switch (container.kind()) {
  case ValueKind::Str: {
    if (member.isUnknown()) return std::nullopt;
    auto* text = member.as<StrObject>();
    if (!text && isKnownInPart(*this, member)) return std::nullopt;
    if (!text) {
      raise("TypeError", "'in <string>' requires string as left operand, not " +
                             llvm::Twine(className(typeOf(member))));
      return std::nullopt;
    }
    if (!spendBytes(container.as<StrObject>()->text.size())) return std::nullopt;
    return findText(container.as<StrObject>()->text, text->text) != llvm::StringRef::npos;
  }
  case ValueKind::Bytes: // a single byte is searched among the members below
    if (member.is(ValueKind::Bytes)) {
      llvm::StringRef text = container.as<StrObject>()->text;
      if (!spendBytes(text.size())) return std::nullopt;
      return findText(text, member.as<StrObject>()->text) != llvm::StringRef::npos;
    }
    break;
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
      // The distance may pass an int64, and so may the step's magnitude.
      auto away = range->step > 0
                      ? static_cast<uint64_t>(value) - static_cast<uint64_t>(range->start)
                      : static_cast<uint64_t>(range->start) - static_cast<uint64_t>(value);
      auto step = range->step > 0 ? static_cast<uint64_t>(range->step)
                                  : 0 - static_cast<uint64_t>(range->step);
      return inside && away % step == 0;
    }
    break;
  case ValueKind::Enum: {
    auto *whole = container.as<EnumObject>(), *part = member.as<EnumObject>();
    if (part && isFlagEnum(whole->cls) && whole->value.isIntegral() && part->value.isIntegral())
      return (whole->value.asInt() & part->value.asInt()) == part->value.asInt();
    [[fallthrough]];
  }
  case ValueKind::Instance:
  case ValueKind::Class: {
    Value result = callSpecial(container, known_.contains, member);
    if (failed()) return std::nullopt;
    if (!result.isAbsent()) return truth(result);
    if (isKnownInPart(*this, container)) return std::nullopt;
    break;
  }
  case ValueKind::Host:
    if (auto* host = container.as<HostObject>(); host->cls->contains)
      return callHost(*this, host->cls->contains, container, member);
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
  auto isThere = [&](language::Items items, bool unknown) -> std::optional<bool> {
    for (Value item : items) {
      if (!spend(1)) return std::nullopt;
      auto same = equalMembers(item, member);
      if (failed()) return std::nullopt;
      if (!same)
        unknown = true;
      else if (*same)
        return true;
    }
    return unknown ? std::nullopt : std::optional(false);
  };
  if (language::isSequence(container)) return isThere(language::itemsOf(container), false);
  if (hostAs<IteratorObject>(container, iteratorClass)) { // it is searched only up to the member
    bool isOpen = false;
    while (true) {
      Value item = advance(container, isOpen);
      if (item.isAbsent()) return failed() || isOpen ? std::nullopt : std::optional(false);
      auto found = isThere(Values(item), false);
      if (failed() || found.value_or(false)) return failed() ? std::nullopt : found;
      isOpen |= !found;
    }
  }
  llvm::SmallVector<Value> items;
  bool unknown = false;
  if (!unpack(container, items, unknown)) {
    if (!isExhausted() && !container.is(ValueKind::Instance) && catchError("TypeError"))
      raise("TypeError",
            "argument of type '" + llvm::Twine(className(typeOf(container))) + "' is not iterable");
    return std::nullopt;
  }
  return isThere(Values(items), unknown);
}

std::optional<int64_t> Interpreter::length(Value value) {
  value = value.unwrapped();
  if (mayOverride(value)) {
    Value own = callSpecial(value, known_.len, {});
    if (failed()) return std::nullopt;
    if (!own.isAbsent()) return toIndex(own);
  }
  switch (value.kind()) {
  case ValueKind::Unknown:
    return std::nullopt;
  case ValueKind::Str:
    if (!spendBytes(value.as<StrObject>()->text.size())) return std::nullopt;
    return textLength(value.as<StrObject>()->text);
  case ValueKind::Bytes:
    return static_cast<int64_t>(value.as<StrObject>()->text.size());
  case ValueKind::Tuple:
    return static_cast<int64_t>(value.as<TupleObject>()->items.size());
  case ValueKind::List:
    if (value.as<ListObject>()->uncertain) return std::nullopt;
    return static_cast<int64_t>(value.as<ListObject>()->items.size());
  case ValueKind::Dict:
  case ValueKind::Set:
    if (value.as<DictObject>()->uncertain) return std::nullopt;
    return static_cast<int64_t>(value.as<DictObject>()->items.size());
  case ValueKind::Range:
    return rangeLength(*value.as<RangeObject>());
  case ValueKind::Host: {
    auto* host = value.as<HostObject>();
    if (host->cls->length) return callHost(*this, host->cls->length, value);
    break;
  }
  case ValueKind::Class: {
    llvm::SmallVector<Value> members;
    Value own = callSpecial(value, known_.len, {});
    if (failed()) return std::nullopt;
    if (!own.isAbsent()) return toIndex(own);
    if (value.as<ClassObject>()->flavour != ClassObject::Flavour::Enum) break;
    if (!listedMembers(*this, value.as<ClassObject>(), members)) return std::nullopt;
    return static_cast<int64_t>(members.size());
  }
  case ValueKind::Instance: {
    Value result = callSpecial(value, known_.len, {});
    if (failed()) return std::nullopt;
    if (!result.isAbsent()) return toIndex(result);
    break;
  }
  case ValueKind::Enum: { // the flags that are set
    llvm::SmallVector<Value> flags;
    bool uncertain = false;
    if (!isFlagEnum(value.as<EnumObject>()->cls)) break;
    if (!unpack(value, flags, uncertain) || uncertain) return std::nullopt;
    return static_cast<int64_t>(flags.size());
  }
  case ValueKind::Ir:
    return std::nullopt;
  default:
    break;
  }
  if (isKnownInPart(*this, value)) return std::nullopt;
  raise("TypeError", "object of type '" + llvm::Twine(className(typeOf(value))) + "' has no len()");
  return std::nullopt;
}

// ---------------------------------------------------------------- sorting

bool sortValues(Interpreter& in, llvm::SmallVectorImpl<Value>& items, Value key, bool reverse,
                bool& unknown) {
  llvm::SmallVector<std::pair<Value, Value>> keyed;
  for (Value item : items) {
    Value by = item;
    if (!in.spend(1)) return false;
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
          if (!in.spend(1)) return false;
          Value less = in.compare(syntax::CompareOp::Lt, keyed[right].first, keyed[left].first);
          if (less.isAbsent()) return false;
          auto known = in.truth(less);
          if (in.failed()) return false;
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
