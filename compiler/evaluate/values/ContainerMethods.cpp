// The methods of list, tuple, dict, set, and of numbers.
#include "evaluate/interpreter/Gluon.h"
#include "evaluate/interpreter/NativeArguments.h"
#include "evaluate/values/Classes.h"
#include "evaluate/values/Containers.h"
#include "language/types/Structure.h"
#include "language/values/Integers.h"

#include <cmath>
#include <limits>

namespace gluond::evaluate {

namespace {

Value argument(const CallArguments& arguments, size_t index) {
  return index + 1 < arguments.positional.size() ? arguments.positional[index + 1]
                                                 : Value::absent();
}
const ListObject* selfList(const CallArguments& arguments) {
  return arguments.positional[0].as<ListObject>();
}
const DictObject* selfDict(const CallArguments& arguments) {
  return arguments.positional[0].as<DictObject>();
}
language::Items selfItems(const CallArguments& arguments) {
  return language::itemsOf(arguments.positional[0]);
}

bool needs(Interpreter& in, const CallArguments& arguments, llvm::StringRef method, size_t least,
           size_t most) {
  size_t given = arguments.positional.size() - 1;
  if (given >= least && given <= most) return true;
  in.raise("TypeError", method + "() takes " +
                            (least == most   ? "exactly "
                             : given < least ? "at least "
                                             : "at most ") +
                            llvm::Twine(given < least ? least : most) + " argument" +
                            ((given < least ? least : most) == 1 ? "" : "s") + " (" +
                            llvm::Twine(given) + " given)");
  return false;
}

#define GLUOND_NEEDS(method, least, most)                                                          \
  if (!needs(in, arguments, method, least, most)) return Value::absent()

// ---------------------------------------------------------------- list, tuple

Value append(Interpreter& in, const CallArguments& arguments) {
  GLUOND_NEEDS("list.append", 1, 1);
  auto* list = in.writable(selfList(arguments));
  if (!list || !in.charge(sizeof(Value))) return Value::absent();
  list->items.push_back(argument(arguments, 0));
  return Value::none();
}

Value extend(Interpreter& in, const CallArguments& arguments) {
  GLUOND_NEEDS("list.extend", 1, 1);
  Value result = in.inplace(syntax::BinaryOp::Add, arguments.positional[0], argument(arguments, 0));
  return result.isAbsent() ? result : Value::none();
}

Value insert(Interpreter& in, const CallArguments& arguments) {
  GLUOND_NEEDS("insert", 2, 2);
  auto* list = in.writable(selfList(arguments));
  auto at = toIndex(argument(arguments, 0).unwrapped());
  if (!list || !in.charge(sizeof(Value))) return Value::absent();
  auto size = static_cast<int64_t>(list->items.size());
  int64_t position = at ? *at : size;
  if (position < 0) position = std::max<int64_t>(position + size, 0);
  position = std::min(position, size);
  if (!in.spend(static_cast<size_t>(size - position) / valuesPerStep)) return Value::absent();
  list->items.insert(static_cast<size_t>(position), argument(arguments, 1));
  return Value::none();
}

Value pop(Interpreter& in, const CallArguments& arguments) {
  GLUOND_NEEDS("pop", 0, 1);
  auto* list = in.writable(selfList(arguments));
  if (!list) return Value::absent();
  auto size = static_cast<int64_t>(list->items.size());
  if (list->uncertain) return forgetItems(in, *list) ? Value::unknown() : Value::absent();
  if (size == 0) return in.raise("IndexError", "pop from empty list");
  Value index = argument(arguments, 0).unwrapped();
  if (index.isUnknown()) {
    if (!forgetItems(in, *list)) return Value::absent();
    list->items.erase(static_cast<size_t>(size - 1));
    return Value::unknown();
  }
  int64_t at = index.isAbsent() ? size - 1 : toIndex(index).value_or(0);
  if (at < 0) at += size;
  if (at < 0 || at >= size) return in.raise("IndexError", "pop index out of range");
  if (!in.spend(static_cast<size_t>(size - at) / valuesPerStep)) return Value::absent();
  Value item = list->items[static_cast<size_t>(at)];
  list->items.erase(static_cast<size_t>(at));
  return item;
}

// Returns the first item in [begin, end) that equals the given value.
std::optional<size_t> findIn(Interpreter& in, language::Items items, Value wanted, bool& unknown,
                             size_t begin = 0, size_t end = ~size_t(0)) {
  for (size_t i = begin; i < end && i < items.size(); ++i) {
    if (!in.spend(1)) return std::nullopt;
    auto same = in.equalMembers(items[i], wanted);
    if (in.failed()) return std::nullopt;
    if (!same)
      unknown = true;
    else if (*same)
      return i;
  }
  return std::nullopt;
}

Value removeItem(Interpreter& in, const CallArguments& arguments) {
  GLUOND_NEEDS("list.remove", 1, 1);
  auto* list = in.writable(selfList(arguments));
  if (!list) return Value::absent();
  bool unknown = false;
  auto at = findIn(in, list->items, argument(arguments, 0), unknown);
  if (in.failed()) return Value::absent();
  if (at)
    list->items.erase(*at);
  else if (!unknown)
    return in.raise("ValueError", "list.remove(x): x not in list");
  return Value::none();
}

Value index(Interpreter& in, const CallArguments& arguments) {
  GLUOND_NEEDS("index", 1, 3);
  language::Items items = selfItems(arguments);
  auto size = static_cast<int64_t>(items.size());
  auto bound = [&](size_t i, int64_t missing) {
    auto at = toIndex(argument(arguments, i).unwrapped());
    if (!at) return missing;
    return std::clamp<int64_t>(*at < 0 ? *at + size : *at, 0, size);
  };
  constexpr int64_t atTheEnd = std::numeric_limits<int64_t>::max(); // wherever that is by then
  int64_t begin = bound(1, 0), end = bound(2, atTheEnd);
  bool unknown = false;
  auto at = findIn(in, items, argument(arguments, 0), unknown, static_cast<size_t>(begin),
                   static_cast<size_t>(end));
  if (in.failed()) return Value::absent();
  if (unknown) return Value::unknown();
  if (at) return Value::integer(static_cast<int64_t>(*at));
  bool isList = arguments.positional[0].is(ValueKind::List);
  if (!isList) return in.raise("ValueError", "tuple.index(x): x not in tuple");
  return in.raise("ValueError", in.repr(argument(arguments, 0)) + " is not in list");
}

Value countItems(Interpreter& in, const CallArguments& arguments) {
  GLUOND_NEEDS("count", 1, 1);
  int64_t count = 0;
  for (Value item : selfItems(arguments)) {
    if (!in.spend(1)) return Value::absent();
    auto same = in.equalMembers(item, argument(arguments, 0));
    if (in.failed()) return Value::absent();
    if (!same) return Value::unknown();
    count += *same;
  }
  return Value::integer(count);
}

Value clearList(Interpreter& in, const CallArguments& arguments) {
  auto* list = in.writable(selfList(arguments));
  if (!list) return Value::absent();
  list->items.clear();
  list->uncertain = false;
  return Value::none();
}
Value copyList(Interpreter& in, const CallArguments& arguments) {
  auto items = selfList(arguments)->items.snapshot();
  return in.charge(items.size() * sizeof(Value)) ? in.heap().list(items) : Value::absent();
}
Value reverseList(Interpreter& in, const CallArguments& arguments) {
  auto* list = in.writable(selfList(arguments));
  if (!list || !in.spend(list->items.size() / valuesPerStep)) return Value::absent();
  list->items.reverse();
  return Value::none();
}
Value sortList(Interpreter& in, const CallArguments& arguments) {
  auto* list = in.writable(selfList(arguments));
  if (!list) return Value::absent();
  Value reverse = keyword(in, arguments, "reverse");
  bool isReversed = !reverse.isAbsent() && in.truth(reverse).value_or(false);
  if (in.failed()) return Value::absent();
  // During sorting the list is empty, as in Python, and items added meanwhile are lost.
  bool unknown = false;
  auto items = list->items.take();
  bool fine = sortValues(in, items, keyword(in, arguments, "key"), isReversed, unknown);
  bool wasChanged = !list->items.empty();
  list->items.assign(items);
  if (!fine) return Value::absent();
  if (unknown) list->items.fill(Value::unknown());
  return wasChanged ? in.raise("ValueError", "list modified during sort") : Value::none();
}

Value numelOf(Interpreter& in, const CallArguments& arguments) { // torch.Size
  Value product = Value::integer(1);
  for (Value item : selfItems(arguments))
    if ((product = in.binary(syntax::BinaryOp::Mult, product, item)).isAbsent()) break;
  return product;
}

constexpr NativeRow listRows[] = {
    {"append", append},     {"clear", clearList},     {"copy", copyList}, {"count", countItems},
    {"extend", extend},     {"index", index},         {"insert", insert}, {"pop", pop},
    {"remove", removeItem}, {"reverse", reverseList}, {"sort", sortList},
};
constexpr NativeRow tupleRows[] = {{"count", countItems}, {"index", index}, {"numel", numelOf}};

// ---------------------------------------------------------------- dict

Value get(Interpreter& in, const CallArguments& arguments) {
  GLUOND_NEEDS("get", 1, 2);
  Value found = in.dictGet(selfDict(arguments), argument(arguments, 0));
  if (!found.isAbsent() || in.failed()) return found;
  Value missing = argument(arguments, 1);
  if (missing.isAbsent()) missing = keyword(in, arguments, "default");
  return missing.isAbsent() ? Value::none() : missing;
}

template <int part> Value view(Interpreter& in, const CallArguments& arguments) {
  auto* dict = selfDict(arguments);
  llvm::SmallVector<Value> items;
  if (!in.charge(dict->items.size() * sizeof(Value) * (part == 2 ? 4 : 1))) return Value::absent();
  for (auto [key, value] : dict->items)
    items.push_back(part == 0 ? key : part == 1 ? value : in.tupleOf({key, value}));
  if (dict->uncertain) return in.iterator(items, true);
  return in.heap().list(items);
}

Value setDefault(Interpreter& in, const CallArguments& arguments) {
  GLUOND_NEEDS("setdefault", 1, 2);
  auto* dict = selfDict(arguments);
  Value found = getBeforeAdding(in, dict, argument(arguments, 0));
  if (!found.isAbsent() || in.failed()) return found;
  Value value = argument(arguments, 1);
  if (value.isAbsent()) value = Value::none();
  if (!in.dictSet(dict, argument(arguments, 0), value)) return Value::absent();
  return value;
}

Value popKey(Interpreter& in, const CallArguments& arguments) {
  GLUOND_NEEDS("pop", 1, 2);
  auto* dict = selfDict(arguments);
  Value erased;
  if (in.dictErase(dict, argument(arguments, 0), &erased)) return erased;
  if (in.failed()) return Value::absent();
  if (dict->uncertain) return Value::unknown();
  Value missing = argument(arguments, 1);
  if (!missing.isAbsent()) return missing;
  if (arguments.positional[0].is(ValueKind::Dict)) return in.raiseKey(argument(arguments, 0));
  return Value::absent();
}

// Whether an OrderedDict's method is about the last item, as its argument `last` says; nullopt if
// that is unknown.
std::optional<bool> isAboutLast(Interpreter& in, const CallArguments& arguments, size_t position) {
  Value last = argument(arguments, position);
  for (auto& keyword : arguments.keywords)
    if (in.text(keyword.name) == "last") last = keyword.value;
  return last.isAbsent() ? true : in.truth(last);
}

Value popItem(Interpreter& in, const CallArguments& arguments) {
  auto* dict = in.writable(selfDict(arguments));
  if (!dict) return Value::absent();
  auto isLast = isAboutLast(in, arguments, 0);
  if (!isLast) {
    dict->uncertain = true;
    return Value::unknown();
  }
  auto last = *isLast ? dict->items.last() : dict->items.first();
  if (!last)
    return dict->uncertain ? Value::unknown()
                           : in.raise("KeyError", "popitem(): dictionary is empty");
  Value item = in.tupleOf({dict->items.keyAt(*last), dict->items.valueAt(*last)});
  dict->items.erase(*last);
  return item;
}

Value update(Interpreter& in, const CallArguments& arguments) {
  auto* dict = selfDict(arguments);
  for (Value other : arguments.positional.drop_front())
    if (!updateDict(in, dict, other)) return Value::absent();
  for (auto& one : arguments.keywords)
    if (!in.dictSet(dict, in.string(in.text(one.name)), one.value)) return Value::absent();
  return Value::none();
}

Value clearDict(Interpreter& in, const CallArguments& arguments) {
  auto* dict = in.writable(selfDict(arguments));
  if (!dict) return Value::absent();
  dict->items.clear();
  dict->uncertain = false;
  return Value::none();
}

Value copyDict(Interpreter& in, const CallArguments& arguments) {
  auto* self = selfDict(arguments);
  if (!in.charge(self->items.size() * 48)) return Value::absent();
  return Value::object(arguments.positional[0].kind(), in.heap().make<DictObject>(*self));
}

Value moveToEnd(Interpreter& in, const CallArguments& arguments) {
  Value erased;
  auto* dict = in.writable(selfDict(arguments));
  if (!dict || !in.dictErase(dict, argument(arguments, 0), &erased))
    return in.failed() ? Value::absent() : Value::none();
  auto isLast = isAboutLast(in, arguments, 1);
  if (!in.spend(dict->items.size() / valuesPerStep)) return Value::absent();
  auto others = dict->items.snapshot();
  if (!isLast.value_or(true)) dict->items.clear(); // the others come after it
  if (!in.dictSet(dict, argument(arguments, 0), erased)) return Value::absent();
  if (!isLast.value_or(true))
    for (auto& [key, value] : others)
      if (!in.dictSet(dict, key, value)) return Value::absent();
  return Value::none();
}

constexpr NativeRow dictRows[] = {
    {"clear", clearDict}, {"copy", copyDict},   {"get", get},
    {"items", view<2>},   {"keys", view<0>},    {"move_to_end", moveToEnd},
    {"pop", popKey},      {"popitem", popItem}, {"setdefault", setDefault},
    {"update", update},   {"values", view<1>},
};

// ---------------------------------------------------------------- set

Value asSet(Interpreter& in, Value value) { // Unknown when its members are
  if (value.is(ValueKind::Set)) return value;
  auto* set = in.heap().make<DictObject>();
  llvm::SmallVector<Value> items;
  bool uncertain = false;
  if (!in.unpack(value, items, uncertain)) {
    if (in.failed()) return Value::absent();
    uncertain = true;
  }
  set->uncertain = uncertain;
  for (Value item : items)
    if (!in.dictSet(set, item, Value::none())) return Value::absent();
  return Value::object(ValueKind::Set, set);
}

template <syntax::BinaryOp op, bool inplace>
Value algebra(Interpreter& in, const CallArguments& arguments) {
  Value result = arguments.positional[0];
  for (Value other : arguments.positional.drop_front()) {
    Value set = asSet(in, other);
    if (set.isAbsent()) return set;
    result = in.binary(op, result, set);
    if (result.isAbsent()) return result;
  }
  if (!inplace) {
    if (!result.identical(arguments.positional[0])) return result;
    return copyDict(in, arguments);
  }
  auto* self = in.writable(selfDict(arguments));
  if (!self) return Value::absent();
  auto* changed = result.as<DictObject>();
  if (!in.charge(changed->items.size() * 48)) return Value::absent();
  self->items.assign(changed->items);
  self->uncertain = changed->uncertain;
  return Value::none();
}

template <syntax::CompareOp op> Value relation(Interpreter& in, const CallArguments& arguments) {
  GLUOND_NEEDS("set method", 1, 1);
  Value set = asSet(in, argument(arguments, 0));
  return set.isAbsent() ? set : in.compare(op, arguments.positional[0], set);
}

Value isDisjoint(Interpreter& in, const CallArguments& arguments) {
  Value common = algebra<syntax::BinaryOp::BitAnd, false>(in, arguments);
  if (common.isAbsent()) return common;
  auto* dict = common.as<DictObject>();
  return dict->uncertain ? Value::unknown() : Value::boolean(dict->items.empty());
}

Value add(Interpreter& in, const CallArguments& arguments) {
  GLUOND_NEEDS("set.add", 1, 1);
  if (!in.dictSet(selfDict(arguments), argument(arguments, 0), Value::none()))
    return Value::absent();
  return Value::none();
}

template <bool mustBeThere> Value discard(Interpreter& in, const CallArguments& arguments) {
  GLUOND_NEEDS("set.remove", 1, 1);
  auto* set = in.writable(selfDict(arguments));
  if (!set) return Value::absent();
  bool erased = in.dictErase(set, argument(arguments, 0));
  if (in.failed()) return Value::absent();
  if (!erased && mustBeThere && !set->uncertain) return in.raiseKey(argument(arguments, 0));
  return Value::none();
}

Value popMember(Interpreter& in, const CallArguments& arguments) {
  auto* set = in.writable(selfDict(arguments));
  if (!set) return Value::absent();
  auto first = set->items.first();
  if (!first)
    return set->uncertain ? Value::unknown() : in.raise("KeyError", "pop from an empty set");
  Value member = set->items.keyAt(*first);
  set->items.erase(*first);
  return member;
}

using syntax::BinaryOp;
using syntax::CompareOp;
constexpr NativeRow setRows[] = {
    {"add", add},
    {"clear", clearDict},
    {"copy", copyDict},
    {"difference", algebra<BinaryOp::Sub, false>},
    {"difference_update", algebra<BinaryOp::Sub, true>},
    {"discard", discard<false>},
    {"intersection", algebra<BinaryOp::BitAnd, false>},
    {"intersection_update", algebra<BinaryOp::BitAnd, true>},
    {"isdisjoint", isDisjoint},
    {"issubset", relation<CompareOp::LtE>},
    {"issuperset", relation<CompareOp::GtE>},
    {"pop", popMember},
    {"remove", discard<true>},
    {"symmetric_difference", algebra<BinaryOp::BitXor, false>},
    {"union", algebra<BinaryOp::BitOr, false>},
    {"update", algebra<BinaryOp::BitOr, true>},
};

// ---------------------------------------------------------------- numbers

Value bitLength(Interpreter&, const CallArguments& arguments) {
  llvm::APInt value = toAPInt(arguments.positional[0]);
  return Value::integer(value.sext(value.getBitWidth() + 1).abs().getActiveBits());
}
Value bitCount(Interpreter&, const CallArguments& arguments) {
  llvm::APInt value = toAPInt(arguments.positional[0]);
  return Value::integer(value.sext(value.getBitWidth() + 1).abs().popcount());
}
Value itself(Interpreter&, const CallArguments& arguments) {
  Value self = arguments.positional[0];
  return self.is(ValueKind::Bool) ? Value::integer(self.asInt()) : self;
}
Value always(Interpreter&, const CallArguments&) {
  return Value::boolean(true);
}
Value ratio(Interpreter& in, const CallArguments& arguments) {
  if (!arguments.positional[0].is(ValueKind::Float))
    return in.tupleOf({arguments.positional[0], Value::integer(1)});
  double value = arguments.positional[0].asFloat();
  if (!std::isfinite(value))
    return in.raise("OverflowError", "cannot convert Infinity to integer ratio");
  int exponent;
  double mantissa = std::frexp(value, &exponent);
  auto numerator = static_cast<int64_t>(std::ldexp(mantissa, 53));
  exponent -= 53;
  while (numerator && numerator % 2 == 0 && exponent < 0) {
    numerator /= 2;
    ++exponent;
  }
  if (numerator == 0) exponent = 0;
  Value top =
      in.binary(BinaryOp::LShift, Value::integer(numerator), Value::integer(std::max(exponent, 0)));
  return in.tupleOf({top, in.binary(BinaryOp::LShift, Value::integer(1),
                                    Value::integer(std::max(-exponent, 0)))});
}
Value isInteger_(Interpreter&, const CallArguments& arguments) {
  double value = arguments.positional[0].asFloat();
  return Value::boolean(std::isfinite(value) && value == std::floor(value));
}
Value floatHex(Interpreter&, const CallArguments&) {
  return Value::unknown();
}

constexpr NativeRow integerRows[] = {
    {"as_integer_ratio", ratio}, {"bit_count", bitCount}, {"bit_length", bitLength},
    {"conjugate", itself},       {"is_integer", always},  {"to_bytes", floatHex},
    {"__index__", itself},       {"__int__", itself},
};
constexpr NativeRow floatRows[] = {{"as_integer_ratio", ratio},
                                   {"conjugate", itself},
                                   {"hex", floatHex},
                                   {"is_integer", isInteger_}};

} // namespace

llvm::ArrayRef<NativeRow> listMethods() {
  return listRows;
}
llvm::ArrayRef<NativeRow> tupleMethods() {
  return tupleRows;
}
llvm::ArrayRef<NativeRow> dictMethods() {
  return dictRows;
}
llvm::ArrayRef<NativeRow> setMethods() {
  return setRows;
}
llvm::ArrayRef<NativeRow> integerMethods() {
  return integerRows;
}
llvm::ArrayRef<NativeRow> floatMethods() {
  return floatRows;
}

bool updateDict(Interpreter& in, const DictObject* object, Value other) {
  DictObject* dict = in.writable(object);
  Nesting nesting(in); // a mapping may be made of mappings, and of itself (ChainMap)
  if (!dict || !nesting) return false;
  other = other.unwrapped();
  if (other.isUnknown() || other.is(ValueKind::Instance) || other.is(ValueKind::Module)) {
    dict->uncertain = true;
    return true;
  }
  Value inner = hostDict(in, other);
  if (inner.isAbsent() && in.failed()) return false;
  if (!inner.isAbsent()) other = inner;
  if (auto* source = other.as<DictObject>(); source && other.is(ValueKind::Dict)) {
    dict->uncertain |= source->uncertain;
    if (!in.spend(source->items.size() / valuesPerStep)) return false;
    for (auto [key, value] : source->items.snapshot())
      if (!in.dictSet(dict, key, value)) return false;
    return true;
  }
  llvm::SmallVector<Value> pairs;
  bool uncertain = false;
  if (!in.unpack(other, pairs, uncertain)) {
    dict->uncertain = true;
    return !in.failed();
  }
  dict->uncertain |= uncertain;
  for (size_t i = 0; i < pairs.size(); ++i) {
    llvm::SmallVector<Value> pair;
    if (!in.unpack(pairs[i], pair)) {
      if (in.failed()) {
        if (in.isExhausted()) return false;
        in.dropError();
        in.raise("TypeError", "cannot convert dictionary update sequence element #" +
                                  llvm::Twine(i) + " to a sequence");
        return false;
      }
      dict->uncertain = true;
      continue;
    }
    if (pair.size() != 2) {
      in.raise("ValueError", "dictionary update sequence element #" + llvm::Twine(i) +
                                 " has length " + llvm::Twine(pair.size()) + "; 2 is required");
      return false;
    }
    if (!in.dictSet(dict, pair[0], pair[1])) return false;
  }
  return true;
}

} // namespace gluond::evaluate
