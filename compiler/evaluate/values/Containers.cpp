#include "evaluate/values/Containers.h"

#include "evaluate/interpreter/Gluon.h"
#include "evaluate/values/Classes.h"
#include "evaluate/values/PythonCoverage.h"
#include "evaluate/values/Strings.h"
#include "language/types/Structure.h"

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

namespace {
// The parts of a slice after __index__ ran. That may have changed the sliced object, so its length
// is read only afterwards.
struct SliceParts {
  std::optional<int64_t> start, stop; // nullopt for None
  int64_t step;

  Bounds within(int64_t length) const {
    bool down = step < 0;
    length = std::max<int64_t>(length, 0); // a size that the program chose may be none
    auto clamp = [&](std::optional<int64_t> given, int64_t missing) {
      if (!given) return missing;
      int64_t at = *given < 0 ? *given + length : *given;
      return at < 0 ? (down ? -1 : 0) : at >= length ? (down ? length - 1 : length) : at;
    };
    Bounds result{clamp(start, down ? length - 1 : 0), clamp(stop, down ? -1 : length), step, 0};
    result.count = rangeLength(RangeObject{{}, result.start, result.stop, step});
    return result;
  }
};

// Returns nullopt if unknown, or raised.
std::optional<SliceParts> partsOf(Interpreter& in, const SliceObject& slice) {
  bool fine = true;
  auto part = [&](Value value) -> std::optional<int64_t> {
    value = value.unwrapped();
    if (!fine || value.isNone()) return std::nullopt;
    if (auto index = toIndex(value)) return index;
    if (!value.isUnknown()) {
      Value asIndex = in.callSpecial(value, in.names().index, {});
      if (auto index = toIndex(asIndex)) return index;
      if (!in.failed() && !asIndex.isUnknown() && !isKnownInPart(in, value))
        in.raise("TypeError", "slice indices must be integers or None or have an __index__ method");
    }
    fine = false;
    return std::nullopt;
  };
  auto step = part(slice.step);
  if (step == 0) {
    in.raise("ValueError", "slice step cannot be zero");
    return std::nullopt;
  }
  SliceParts parts{part(slice.start), part(slice.stop), 1};
  parts.step = std::max(step.value_or(1), -std::numeric_limits<int64_t>::max());
  return fine ? std::optional(parts) : std::nullopt;
}

// Returns the integer value of an index; nullopt if raised or unknown.
std::optional<int64_t> wholeIndex(Interpreter& in, Value index, llvm::StringRef what) {
  index = index.unwrapped();
  if (index.isUnknown()) return std::nullopt;
  if (!isInteger(index)) {
    Value asIndex = in.callSpecial(index, in.names().index, {});
    if (in.failed() || asIndex.isUnknown()) return std::nullopt;
    if (auto* member = index.as<EnumObject>(); member && isInteger(member->value))
      asIndex = member->value;
    if (!isInteger(asIndex) && isKnownInPart(in, index)) return std::nullopt; // a subclass of int
    if (!isInteger(asIndex)) {
      in.raise("TypeError", what +
                                (what == "string" ? " indices must be integers, not '"
                                                  : " indices must be integers or slices, not ") +
                                in.className(in.typeOf(index)) + (what == "string" ? "'" : ""));
      return std::nullopt;
    }
    index = asIndex;
  }
  return toIndex(index);
}

std::optional<int64_t> inside(Interpreter& in, int64_t at, int64_t length, llvm::StringRef what,
                              bool storing) {
  if (at < 0) at += length;
  if (at >= 0 && at < length) return at;
  in.raise("IndexError",
           what + (storing ? " assignment index out of range" : " index out of range"));
  return std::nullopt;
}

// Returns the index into a sequence of a fixed length; nullopt if raised or unknown.
std::optional<int64_t> elementIndex(Interpreter& in, Value index, int64_t length,
                                    llvm::StringRef what) {
  auto at = wholeIndex(in, index, what);
  return at ? inside(in, *at, length, what, false) : std::nullopt;
}

// The index into a list, whose length __index__ may change.
std::optional<size_t> listIndex(Interpreter& in, const ListObject& list, Value index,
                                bool storing) {
  auto at = wholeIndex(in, index, "list");
  bool isInside = at && *at >= 0 && static_cast<size_t>(*at) < list.items.size();
  if (list.uncertain && !isInside) return std::nullopt; // counted from an unknown end, or beyond it
  if (at) at = inside(in, *at, static_cast<int64_t>(list.items.size()), "list", storing);
  return at ? std::optional(static_cast<size_t>(*at)) : std::nullopt;
}

std::optional<Bounds> listBounds(Interpreter& in, const ListObject& list,
                                 const SliceObject& slice) {
  auto parts = partsOf(in, slice);
  if (!parts) return std::nullopt;
  return parts->within(static_cast<int64_t>(list.items.size()));
}

// Copies the members selected by a slice. Returns false if it raised.
bool take(Interpreter& in, language::Items items, const Bounds& bounds,
          llvm::SmallVectorImpl<Value>& out) {
  auto count = static_cast<size_t>(bounds.count);
  if (!in.charge(count * sizeof(Value)) || !in.spend(count / valuesPerStep)) return false;
  out.reserve(count);
  for (size_t i = 0; i < count; ++i)
    out.push_back(items[bounds.at(i)]);
  return true;
}
} // namespace

std::optional<Bounds> sliceBounds(Interpreter& in, const SliceObject& slice, int64_t length) {
  auto parts = partsOf(in, slice);
  if (!parts) return std::nullopt;
  return parts->within(length);
}

Value Interpreter::getItem(Value object, Value index) {
  if (object.isConstexpr()) object = object.unwrapped();
  if (index.isConstexpr()) index = index.unwrapped();
  if (object.isUnknown()) return object;
  if (mayOverride(object)) {
    Value own = callSpecial(object, known_.getitem, index);
    if (failed() || !own.isAbsent()) return own;
  }
  auto unknownOrRaised = [&] { return failed() ? Value::absent() : Value::unknown(); };
  switch (object.kind()) {
  case ValueKind::List: {
    auto* list = object.as<ListObject>();
    if (index.is(ValueKind::Int)) {
      int64_t at = index.asInt();
      if (at < 0 && !list->uncertain) at += static_cast<int64_t>(list->items.size());
      if (Value item = list->items[static_cast<size_t>(at)]; !item.isAbsent()) return item;
    }
    if (auto* slice = index.as<SliceObject>()) {
      auto bounds = listBounds(*this, *list, *slice);
      llvm::SmallVector<Value> taken;
      if (!bounds || !take(*this, list->items, *bounds, taken)) return unknownOrRaised();
      return list->uncertain ? Value::unknown() : heap().list(taken);
    }
    auto at = listIndex(*this, *list, index, false);
    return at ? list->items[*at] : unknownOrRaised();
  }
  case ValueKind::Tuple: {
    Values items = object.as<TupleObject>()->items;
    auto length = static_cast<int64_t>(items.size());
    if (index.is(ValueKind::Int)) {
      int64_t at = index.asInt() < 0 ? index.asInt() + length : index.asInt();
      if (at >= 0 && at < length) return items[static_cast<size_t>(at)];
    }
    if (auto* slice = index.as<SliceObject>()) {
      auto bounds = sliceBounds(*this, *slice, length);
      llvm::SmallVector<Value> taken;
      if (!bounds || !take(*this, items, *bounds, taken)) return unknownOrRaised();
      return heap().tuple(taken);
    }
    auto at = elementIndex(*this, index, length, "tuple");
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
    if (!isBytes && !spendBytes(text.size())) return Value::absent(); // its characters are counted
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
      // Every character outside ASCII is looked for from the beginning.
      auto count = static_cast<size_t>(bounds->count);
      if (!spend(count / valuesPerStep) || (!ascii && !spendBytes(count * text.size())))
        return Value::absent();
      std::string result;
      for (size_t i = 0; i < count; ++i)
        result += character(static_cast<int64_t>(bounds->at(i)));
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
    auto number = [&](int64_t at, int64_t& out) { // false if it is no machine int
      return !__builtin_mul_overflow(at, range->step, &out) &&
             !__builtin_add_overflow(range->start, out, &out);
    };
    if (auto* slice = index.as<SliceObject>()) {
      auto bounds = sliceBounds(*this, *slice, length);
      if (!bounds) return unknownOrRaised();
      int64_t start, stop, step;
      if (!number(bounds->start, start) || !number(bounds->stop, stop) ||
          __builtin_mul_overflow(range->step, bounds->step, &step))
        return Value::unknown();
      return Value::object(ValueKind::Range,
                           heap().make<RangeObject>(language::Object{}, start, stop, step));
    }
    auto at = elementIndex(*this, index, length, "range object");
    if (!at) return unknownOrRaised();
    int64_t member;
    return number(*at, member) ? Value::integer(member) : Value::unknown();
  }
  case ValueKind::Host: {
    auto* host = object.as<HostObject>();
    if (host->cls->item) return host->cls->item(*this, object, index);
    break;
  }
  case ValueKind::Class: { // List[int], Enum["NAME"], class __class_getitem__
    auto* cls = object.as<ClassObject>();
    Value getter = metaclassMember(*this, cls, known_.getitem);
    if (!getter.isAbsent()) return call(getter, index);
    if (cls->flavour == ClassObject::Flavour::Enum)
      if (auto* text = index.as<StrObject>()) {
        Value member = findInClass(cls, name(text->text));
        return member.isAbsent() ? raiseKey(index) : member;
      }
    getter = findInClass(cls, known_.classGetitem);
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
  if (isKnownInPart(*this, object)) return Value::unknown();
  return raise("TypeError",
               "'" + llvm::Twine(className(typeOf(object))) + "' object is not subscriptable");
}

bool forgetItems(Interpreter& in, ListObject& list) {
  if (!in.spend(list.items.size() / valuesPerStep)) return false;
  list.items.fill(Value::unknown());
  return true;
}

bool Interpreter::setItem(Value object, Value index, Value value) {
  if (object.isConstexpr()) object = object.unwrapped();
  if (index.isConstexpr()) index = index.unwrapped();
  switch (object.kind()) {
  case ValueKind::Unknown:
    mayHaveRaised_ = true;
    return true;
  case ValueKind::List: {
    ListObject* list = writable(object.as<ListObject>());
    if (!list) return false;
    if (auto* slice = index.as<SliceObject>()) {
      llvm::SmallVector<Value> more;
      auto parts = partsOf(*this, *slice);
      if (!parts || !unpack(value, more)) return failed() ? false : forgetItems(*this, *list);
      auto bounds = parts->within(static_cast<int64_t>(list->items.size()));
      if (bounds.step == 1) {
        if (!charge(more.size() * sizeof(Value)) || !spend(list->items.size() / valuesPerStep))
          return false;
        list->items.replace(static_cast<size_t>(bounds.start), static_cast<size_t>(bounds.stop),
                            more);
        return true;
      }
      if (static_cast<int64_t>(more.size()) != bounds.count)
        return raise("ValueError", "attempt to assign sequence of size " +
                                       llvm::Twine(more.size()) + " to extended slice of size " +
                                       llvm::Twine(bounds.count)),
               false;
      for (size_t i = 0; i < more.size(); ++i)
        list->items.set(bounds.at(i), more[i]);
      return true;
    }
    auto at = listIndex(*this, *list, index, true);
    if (!at) return failed() ? false : forgetItems(*this, *list);
    list->items.set(*at, value);
    return true;
  }
  case ValueKind::Dict:
    return dictSet(object.as<DictObject>(), index, value);
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
    break;
  default:
    break;
  }
  if (isKnownInPart(*this, object)) return true;
  raise("TypeError",
        "'" + llvm::Twine(className(typeOf(object))) + "' object does not support item assignment");
  return false;
}

bool Interpreter::deleteItem(Value object, Value index) {
  index = index.unwrapped();
  if (object.isUnknown()) return true;
  if (object.is(ValueKind::Dict)) {
    DictObject* dict = writable(object.as<DictObject>());
    if (!dict) return false;
    if (index.isUnknown()) { // any of them, or none
      dict->uncertain = true;
      return true;
    }
    if (dictErase(dict, index) || dict->uncertain) return !failed();
    if (!failed()) raiseKey(index);
    return false;
  }
  if (object.is(ValueKind::List)) {
    ListObject* list = writable(object.as<ListObject>());
    if (!list) return false;
    if (auto* slice = index.as<SliceObject>()) {
      auto bounds = listBounds(*this, *list, *slice);
      if (!bounds) return !failed();
      if (!spend(list->items.size() / valuesPerStep)) return false;
      llvm::SmallVector<bool> gone(list->items.size(), false);
      for (size_t i = 0; i < static_cast<size_t>(bounds->count); ++i)
        gone[bounds->at(i)] = true;
      llvm::SmallVector<Value> kept;
      for (size_t i = 0; i < gone.size(); ++i)
        if (!gone[i]) kept.push_back(list->items[i]);
      list->items.assign(kept);
      return true;
    }
    auto at = listIndex(*this, *list, index, true);
    if (!at) return !failed();
    if (!spend((list->items.size() - *at) / valuesPerStep)) return false;
    list->items.erase(*at);
    return true;
  }
  Value result = callSpecial(object, known_.delitem, index);
  if (failed()) return false;
  if (!result.isAbsent() || isKnownInPart(*this, object)) return true;
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
    if (host->cls->unpack) return host->cls->unpack(*this, iterable, out);
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
      return host->cls->contains(*this, container, member);
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
      if (item.identical(member) && !item.isUnknown()) return true;
      auto same = equal(item, member);
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
    if (host->cls->length) return host->cls->length(*this, value);
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
  case ValueKind::Builtin:
  case ValueKind::Layout:
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
