// The mappings of collections: defaultdict, OrderedDict, Counter and ChainMap.
#include "evaluate/interpreter/NativeArguments.h"
#include "evaluate/interpreter/Rebinding.h"
#include "evaluate/stdlib/StandardModules.h"
#include "evaluate/values/Classes.h"
#include "evaluate/values/Containers.h"
#include "evaluate/values/NamespaceMapping.h"

namespace gluond::evaluate {

// ---------------------------------------------------------------- ChainMap

namespace {

struct ChainMapObject : HostObject {
  Value maps; // a list
};

extern const HostClass chainMapClass;

Value makeChainMap(Interpreter& in, Values maps) {
  auto* object = in.heap().make<ChainMapObject>();
  object->cls = &chainMapClass;
  object->maps = in.heap().list(maps);
  return Value::object(ValueKind::Host, object);
}

llvm::SmallVector<Value> mapsOf(Interpreter& in, Value self) {
  llvm::SmallVector<Value> maps;
  in.unpack(hostAs<ChainMapObject>(self, chainMapClass)->maps, maps);
  return maps;
}

Value firstOf(Interpreter& in, Value self) {
  llvm::SmallVector<Value> maps = mapsOf(in, self);
  return maps.empty() ? Value::unknown() : maps.front();
}

Value newChild(Interpreter& in, const CallArguments& arguments) {
  llvm::SmallVector<Value> maps = mapsOf(in, at(arguments, 0));
  Value first = at(arguments, 1).isAbsent() || at(arguments, 1).isNone() ? in.heap().dict()
                                                                         : at(arguments, 1);
  maps.insert(maps.begin(), first);
  for (auto& keyword : arguments.keywords)
    if (in.text(keyword.name) == "m")
      maps.front() = keyword.value;
    else if (!in.setItem(maps.front(), in.string(in.text(keyword.name)), keyword.value))
      return Value::absent();
  return makeChainMap(in, maps);
}

Value copied(Interpreter& in, const CallArguments& arguments) {
  llvm::SmallVector<Value> maps = mapsOf(in, at(arguments, 0));
  if (maps.empty()) return Value::unknown();
  Value dict = in.heap().dict();
  if (!updateDict(in, dict.as<DictObject>(), maps.front())) return Value::absent();
  maps.front() = dict;
  return makeChainMap(in, maps);
}

Value setDefault(Interpreter& in, const CallArguments& arguments) {
  Value self = at(arguments, 0), key = at(arguments, 1);
  Value all = chainDict(in, self);
  if (all.isAbsent() || key.isAbsent()) return in.failed() ? Value::absent() : Value::unknown();
  Value found = in.dictGet(all.as<DictObject>(), key);
  if (!found.isAbsent() || in.failed()) return found;
  Value value = at(arguments, 2).isAbsent() ? Value::none() : at(arguments, 2);
  return in.setItem(firstOf(in, self), key, value) ? value : Value::absent();
}

Value chainAttribute(Interpreter& in, Value self, Name name) {
  llvm::StringRef text = in.text(name);
  if (text == "maps") return hostAs<ChainMapObject>(self, chainMapClass)->maps;
  if (text == "parents") return makeChainMap(in, Values(mapsOf(in, self)).drop_front());
  static constexpr NativeRow own[] = {
      {"copy", copied}, {"new_child", newChild}, {"setdefault", setDefault}};
  for (const NativeRow& row : own)
    if (row.name == text) return in.function(row.name, row.function, self);
  // Changes go to the first mapping, everything else looks through all of them.
  if (text == "clear" || text == "pop" || text == "popitem" || text == "update")
    return in.lookupAttribute(firstOf(in, self), name);
  Value all = chainDict(in, self);
  return all.isAbsent() ? all : in.lookupAttribute(all, name);
}

Value chainItem(Interpreter& in, Value self, Value index) {
  Value all = chainDict(in, self);
  if (all.isAbsent()) return all;
  if (!all.as<DictObject>()) return Value::unknown();
  Value found = in.dictGet(all.as<DictObject>(), index);
  return found.isAbsent() && !in.failed() ? in.raiseKey(index) : found;
}

bool chainUnpack(Interpreter& in, Value self, llvm::SmallVectorImpl<Value>& out) {
  Value all = chainDict(in, self);
  return !all.isAbsent() && in.unpack(all, out);
}

std::optional<int64_t> chainLength(Interpreter& in, Value self) {
  Value all = chainDict(in, self);
  return all.isAbsent() ? std::nullopt : in.length(all);
}

bool chainSetItem(Interpreter& in, Value self, Value index, Value value) {
  return in.setItem(firstOf(in, self), index, value);
}

bool chainDeleteItem(Interpreter& in, Value self, Value index) {
  return in.deleteItem(firstOf(in, self), index);
}

// `chain | other`; other operators are not modelled.
Value chainBinary(Interpreter& in, int op, bool isCompare, Value left, Value right) {
  if (isCompare || op != static_cast<int>(syntax::BinaryOp::BitOr) ||
      !hostAs<ChainMapObject>(left, chainMapClass))
    return Value::unknown();
  Value self[] = {left};
  Value result = copied(in, {self, {}});
  if (!hostAs<ChainMapObject>(result, chainMapClass)) return result;
  auto* first = firstOf(in, result).as<DictObject>();
  if (!first) return Value::unknown();
  return updateDict(in, first, right) ? result : Value::absent();
}

const HostClass chainMapClass = {
    .name = "ChainMap",
    .attribute = chainAttribute,
    .item = chainItem,
    .unpack = chainUnpack,
    .binary = chainBinary,
    .length = chainLength,
    .setItem = chainSetItem,
    .deleteItem = chainDeleteItem,
    .equal = [](Interpreter& in, Value self, Value other) -> std::optional<bool> {
      Value all = chainDict(in, self), dict = hostDict(in, other);
      if (all.isAbsent()) return std::nullopt;
      return in.equal(all, dict.isAbsent() ? other : dict);
    },
    .rebinding = &copiedHost<ChainMapObject, &ChainMapObject::maps>};

} // namespace

Value chainMap(Interpreter& in, const CallArguments& arguments) {
  Value empty[] = {in.heap().dict()};
  return makeChainMap(in,
                      arguments.positional.empty() ? Values(empty) : Values(arguments.positional));
}

Value chainDict(Interpreter& in, Value value) {
  if (!hostAs<ChainMapObject>(value, chainMapClass)) return Value::absent();
  Value dict = in.heap().dict();
  llvm::SmallVector<Value> maps = mapsOf(in, value); // the range below does not keep it
  for (Value map : llvm::reverse(maps))
    if (!updateDict(in, dict.as<DictObject>(), map)) return Value::absent();
  return dict;
}

// ---------------------------------------------------------------- defaultdict, Counter

namespace {

// defaultdict and Counter: a dict whose missing keys have a value.
struct DefaultDictObject : HostObject {
  Value dict, factory;
  bool isCounter = false;
};

Value defaultItem(Interpreter& in, Value self, Value index);
extern const HostClass defaultDictClass;
Value makeDefaultDict(Interpreter& in, Value factory, Value dict, bool isCounter = false);
llvm::ArrayRef<NativeRow> counterMethods();
Value copyOf(Interpreter& in, const CallArguments& arguments) {
  auto* self = hostAs<DefaultDictObject>(at(arguments, 0), defaultDictClass);
  if (!self) return Value::unknown();
  Value dict = in.heap().dict();
  if (!updateDict(in, dict.as<DictObject>(), self->dict)) return Value::absent();
  return makeDefaultDict(in, self->factory, dict, self->isCounter);
}
Value defaultAttribute(Interpreter& in, Value self, Name name) {
  auto* object = hostAs<DefaultDictObject>(self, defaultDictClass);
  llvm::StringRef text = in.text(name);
  if (text == "default_factory") return object->factory;
  if (object->isCounter)
    for (const NativeRow& row : counterMethods())
      if (row.name == text) return in.function(row.name, row.function, self);
  if (text == "copy") return in.function(text, copyOf, self);
  return in.lookupAttribute(object->dict, name);
}
Value defaultItem(Interpreter& in, Value self, Value index) {
  auto* object = hostAs<DefaultDictObject>(self, defaultDictClass);
  auto* dict = object->dict.as<DictObject>();
  Value found = object->isCounter ? in.dictGet(dict, index) : getBeforeAdding(in, dict, index);
  if (!found.isAbsent() || in.failed()) return found;
  if (object->isCounter) return Value::integer(0);
  if (object->factory.isNone()) return in.raiseKey(index);
  Value made = in.call(object->factory, CallArguments{});
  if (made.isAbsent() || !in.setItem(object->dict, index, made)) return Value::absent();
  return made;
}
bool defaultUnpack(Interpreter& in, Value self, llvm::SmallVectorImpl<Value>& out) {
  return in.unpack(hostAs<DefaultDictObject>(self, defaultDictClass)->dict, out);
}
std::optional<int64_t> defaultLength(Interpreter& in, Value self) {
  return in.length(hostAs<DefaultDictObject>(self, defaultDictClass)->dict);
}
bool defaultSetItem(Interpreter& in, Value self, Value index, Value value) {
  return in.setItem(hostAs<DefaultDictObject>(self, defaultDictClass)->dict, index, value);
}
// dict | dict; addition and subtraction of Counters are not modelled.
Value defaultBinary(Interpreter& in, int op, bool isCompare, Value left, Value right) {
  if (isCompare || op != static_cast<int>(syntax::BinaryOp::BitOr)) return Value::unknown();
  auto* object = hostAs<DefaultDictObject>(left, defaultDictClass);
  if (!object || object->isCounter) return Value::unknown();
  Value dict = in.heap().dict();
  for (Value side : {left, right})
    if (!updateDict(in, dict.as<DictObject>(), side)) return Value::absent();
  return makeDefaultDict(in, object->factory, dict);
}
const HostClass defaultDictClass = {
    .name = "defaultdict",
    .attribute = defaultAttribute,
    .item = defaultItem,
    .unpack = defaultUnpack,
    .binary = defaultBinary,
    .length = defaultLength,
    .setItem = defaultSetItem,
    .equal = [](Interpreter& in, Value self, Value other) -> std::optional<bool> {
      Value dict = hostDict(in, other);
      return in.equal(hostDict(in, self), dict.isAbsent() ? other : dict);
    },
    .rebinding =
        &copiedHost<DefaultDictObject, &DefaultDictObject::dict, &DefaultDictObject::factory>};

Value makeDefaultDict(Interpreter& in, Value factory, Value dict, bool isCounter) {
  auto* object = in.heap().make<DefaultDictObject>();
  object->cls = &defaultDictClass;
  object->factory = factory;
  object->dict = dict;
  object->isCounter = isCounter;
  return Value::object(ValueKind::Host, object);
}

// Adds the counts of a mapping, or of the members of an iterable, `sign` times.
bool addCounts(Interpreter& in, const DictObject* counts, Value from, int64_t sign) {
  DictObject* dict = in.writable(counts);
  if (!dict) return false;
  llvm::SmallVector<std::pair<Value, Value>> added;
  if (Value inner = hostDict(in, from); !inner.isAbsent()) from = inner;
  bool isKnown = true;
  if (auto* other = from.is(ValueKind::Dict) ? from.as<DictObject>() : nullptr) {
    isKnown = !other->uncertain;
    for (auto [key, count] : other->items.snapshot())
      added.push_back({key, count});
  } else {
    llvm::SmallVector<Value> items;
    bool uncertain = false;
    isKnown = in.unpack(from, items, uncertain) && !uncertain;
    if (in.failed()) return false;
    for (Value item : items)
      added.push_back({item, Value::integer(1)});
  }
  for (auto [key, count] : added) {
    if (!in.spend(1)) return false;
    Value old = in.dictGet(dict, key);
    if (in.failed()) return false;
    if (old.isAbsent()) old = Value::integer(0);
    Value change = in.binary(syntax::BinaryOp::Mult, count, Value::integer(sign));
    Value sum = change.isAbsent() ? change : in.binary(syntax::BinaryOp::Add, old, change);
    if (sum.isAbsent() || !in.dictSet(dict, key, sum)) return false;
  }
  if (!isKnown) {
    dict->uncertain = true;
    for (auto [key, count] : dict->items.snapshot())
      if (!in.dictSet(dict, key, Value::unknown())) return false;
  }
  return true;
}

bool countAll(Interpreter& in, const DictObject* dict, const CallArguments& arguments, size_t first,
              int64_t sign) {
  for (Value from : arguments.positional.drop_front(std::min(first, arguments.positional.size())))
    if (!from.isNone() && !addCounts(in, dict, from, sign)) return false;
  if (arguments.keywords.empty()) return true;
  Value named = in.heap().dict();
  for (auto& keyword : arguments.keywords)
    if (!in.dictSet(named.as<DictObject>(), in.string(in.text(keyword.name)), keyword.value))
      return false;
  return addCounts(in, dict, named, sign);
}

const DictObject* countsOf(const CallArguments& arguments) {
  auto* self = hostAs<DefaultDictObject>(at(arguments, 0), defaultDictClass);
  return self ? self->dict.as<DictObject>() : nullptr;
}
template <int sign> Value changeCounts(Interpreter& in, const CallArguments& arguments) {
  const DictObject* dict = countsOf(arguments);
  if (!dict) return Value::unknown();
  return countAll(in, dict, arguments, 1, sign) ? Value::none() : Value::absent();
}
// The members with the largest counts first; equal counts keep their order.
Value mostCommon(Interpreter& in, const CallArguments& arguments) {
  const DictObject* dict = countsOf(arguments);
  Value most = given(in, arguments, 1, "n");
  if (!dict || dict->uncertain || !(most.isAbsent() || most.isNone() || most.isIntegral()))
    return Value::unknown();
  auto items = dict->items.snapshot();
  if (!in.spend(items.size())) return Value::absent();
  struct Place {
    int64_t count;
    size_t index;
  };
  llvm::SmallVector<Place> places;
  for (auto [key, count] : items) {
    if (!count.isIntegral()) return Value::unknown();
    places.push_back({count.asInt(), places.size()});
  }
  llvm::sort(places, [](const Place& a, const Place& b) {
    return a.count != b.count ? a.count > b.count : a.index < b.index;
  });
  size_t taken = places.size();
  if (most.isIntegral())
    taken = std::min(taken, static_cast<size_t>(std::max<int64_t>(0, most.asInt())));
  llvm::SmallVector<Value> result;
  for (const Place& place : llvm::ArrayRef(places).take_front(taken)) {
    auto [key, count] = items[place.index];
    result.push_back(in.tupleOf({key, count}));
  }
  return in.heap().list(result);
}
// Each member as often as it counts.
Value elements(Interpreter& in, const CallArguments& arguments) {
  const DictObject* dict = countsOf(arguments);
  if (!dict || dict->uncertain) return Value::unknown();
  llvm::SmallVector<Value> result;
  for (auto [key, count] : dict->items.snapshot()) {
    if (!count.isIntegral()) return Value::unknown();
    for (int64_t i = 0; i < count.asInt(); ++i) {
      if (!in.spend(1) || !in.charge(sizeof(Value))) return Value::absent();
      result.push_back(key);
    }
  }
  return in.iterator(result);
}
Value total(Interpreter& in, const CallArguments& arguments) {
  const DictObject* dict = countsOf(arguments);
  if (!dict || dict->uncertain) return Value::unknown();
  Value sum = Value::integer(0);
  for (auto [key, count] : dict->items.snapshot())
    if (sum = in.binary(syntax::BinaryOp::Add, sum, count); sum.isAbsent()) return sum;
  return sum;
}
constexpr NativeRow counterRows[] = {{"copy", copyOf},
                                     {"elements", elements},
                                     {"most_common", mostCommon},
                                     {"subtract", changeCounts<-1>},
                                     {"total", total},
                                     {"update", changeCounts<1>}};
llvm::ArrayRef<NativeRow> counterMethods() {
  return counterRows;
}

} // namespace

Value orderedDict(Interpreter& in, const CallArguments& arguments) {
  return in.call(Value::object(ValueKind::Class, in.builtinClass("dict")), arguments);
}

Value defaultDict(Interpreter& in, const CallArguments& arguments) {
  Value dict = orderedDict(
      in, {arguments.positional.drop_front(std::min<size_t>(1, arguments.positional.size())),
           arguments.keywords});
  if (!dict.is(ValueKind::Dict)) return dict;
  return makeDefaultDict(in, at(arguments, 0).isAbsent() ? Value::none() : at(arguments, 0), dict);
}

Value counter(Interpreter& in, const CallArguments& arguments) {
  Value dict = in.heap().dict();
  if (!countAll(in, dict.as<DictObject>(), arguments, 0, 1)) return Value::absent();
  return makeDefaultDict(in, Value::object(ValueKind::Class, in.builtinClass("int")), dict, true);
}

Value hostDict(Interpreter& in, Value value) {
  auto* object = hostAs<DefaultDictObject>(value, defaultDictClass);
  if (object) return object->dict;
  Value chained = chainDict(in, value);
  return chained.isAbsent() && !in.failed() ? namesDict(in, value) : chained;
}

} // namespace gluond::evaluate
