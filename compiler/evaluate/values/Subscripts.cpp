// Subscripts of sequences and mappings: reading, storing, deleting, slices.
#include "evaluate/interpreter/Costs.h"
#include "evaluate/interpreter/Gluon.h"
#include "evaluate/values/Classes.h"
#include "evaluate/values/Containers.h"
#include "evaluate/values/PythonCoverage.h"
#include "evaluate/values/Strings.h"
#include "language/types/Structure.h"
#include "language/values/Integers.h"

#include <limits>

namespace gluond::evaluate {

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
    if (host->cls->item) return callHost(*this, host->cls->item, object, index);
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
  auto* function = object.as<FunctionObject>();
  ErrorKind kind = function && function->function == FunctionKind::Python
                       ? ErrorKind::FunctionSubscript
                       : ErrorKind::Other;
  return raise({kind, "", ""}, "TypeError",
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
      return callHost(*this, object.as<HostObject>()->cls->setItem, object, index, value);
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
  if (object.is(ValueKind::Host) && object.as<HostObject>()->cls->deleteItem)
    return callHost(*this, object.as<HostObject>()->cls->deleteItem, object, index);
  Value result = callSpecial(object, known_.delitem, index);
  if (failed()) return false;
  if (!result.isAbsent() || isKnownInPart(*this, object)) return true;
  raise("TypeError",
        "'" + llvm::Twine(className(typeOf(object))) + "' object doesn't support item deletion");
  return false;
}

} // namespace gluond::evaluate
