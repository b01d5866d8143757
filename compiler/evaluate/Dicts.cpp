// Hashing, and dicts and sets as hash tables in insertion order.
#include "evaluate/Classes.h"
#include "evaluate/Containers.h"
#include "evaluate/Gluon.h"
#include "evaluate/Strings.h"

#include <llvm/ADT/Hashing.h>
#include <llvm/Support/xxhash.h>

#include <cmath>
#include <limits>

namespace gluond::evaluate {

// ---------------------------------------------------------------- hashing

std::optional<uint64_t> Interpreter::hash(Value value) {
  value = value.unwrapped();
  auto combine = [&](Values items, uint64_t seed) -> std::optional<uint64_t> {
    if (deep()) return std::nullopt;
    for (Value item : items) {
      auto h = hash(item);
      if (!h) return std::nullopt;
      seed = llvm::hash_combine(seed, *h);
    }
    return seed;
  };
  switch (value.kind()) {
  case ValueKind::Unknown:
  case ValueKind::Absent:
    return std::nullopt;
  case ValueKind::Bool:
  case ValueKind::Int:
    return llvm::hash_value(value.asInt());
  case ValueKind::Float: {
    double real = value.asFloat();
    if (real == std::floor(real) && std::fabs(real) < 9e18)
      return llvm::hash_value(static_cast<int64_t>(real));
    return llvm::hash_value(std::bit_cast<int64_t>(real));
  }
  case ValueKind::BigInt: {
    if (auto real = toDouble(value); real && toAPInt(value).getActiveBits() <= 53)
      return llvm::hash_value(static_cast<int64_t>(*real));
    auto* big = value.as<language::BigIntObject>();
    return llvm::hash_combine_range(big->magnitude.begin(), big->magnitude.end());
  }
  case ValueKind::Str:
  case ValueKind::Bytes:
    return llvm::xxh3_64bits(value.as<StrObject>()->text);
  case ValueKind::Tuple:
    return combine(value.as<TupleObject>()->items, 7);
  case ValueKind::Range: {
    auto* range = value.as<RangeObject>();
    return llvm::hash_combine(range->start, range->step, rangeLength(*range));
  }
  case ValueKind::Slice:
  case ValueKind::List:
  case ValueKind::Dict:
    raise("TypeError", "unhashable type: '" + llvm::Twine(className(typeOf(value))) + "'");
    return std::nullopt;
  case ValueKind::Set: {
    auto* set = value.as<DictObject>();
    if (!set->frozen) {
      raise("TypeError", "unhashable type: 'set'");
      return std::nullopt;
    }
    uint64_t sum = 11; // whatever the order
    for (auto& [member, none] : set->items) {
      auto h = hash(member);
      if (!h) return std::nullopt;
      sum += *h;
    }
    return sum;
  }
  case ValueKind::Enum: {
    auto* member = value.as<EnumObject>();
    return member->value.is(ValueKind::Int) ? hash(member->value)
                                            : llvm::hash_combine(member->cls, member->name.id);
  }
  case ValueKind::Instance: {
    Value own = findInClass(value.as<InstanceObject>()->cls, known_.hash);
    auto* cls = value.as<InstanceObject>()->cls;
    if (own.isNone()) {
      raise("TypeError", "unhashable type: '" + llvm::Twine(className(typeOf(value))) + "'");
      return std::nullopt;
    }
    if (!own.isAbsent()) {
      Value result = callSpecial(value, known_.hash, {});
      if (failed() || !isInteger(result)) return std::nullopt;
      return hash(result);
    }
    if (cls->flavour == ClassObject::Flavour::Dataclass) {
      llvm::SmallVector<Value> members;
      for (auto& field : cls->fields)
        if (Value* member = value.as<InstanceObject>()->attributes->find(field.name))
          members.push_back(*member);
      return combine(members, 13);
    }
    return llvm::hash_value(value.as<InstanceObject>());
  }
  case ValueKind::Layout:
    return gluonHash(*this, value);
  case ValueKind::None:
    return 3;
  case ValueKind::Ellipsis:
    return 5;
  case ValueKind::NotImplemented:
    return 6;
  case ValueKind::BoundMethod: {
    auto* method = value.as<BoundMethodObject>();
    auto f = hash(method->function);
    return f ? std::optional<uint64_t>(*f * 31) : f;
  }
  case ValueKind::Host: // hosts that compare by content hash alike
    return value.as<HostObject>()->cls->equal ? llvm::hash_value(value.as<HostObject>()->cls)
                                              : llvm::hash_value(value.as<HostObject>());
  case ValueKind::Builtin:
    return llvm::hash_value(value.asBuiltin());
  case ValueKind::Type:
    return llvm::hash_value(value.asType());
  case ValueKind::Function:
    return llvm::hash_value(value.as<FunctionObject>());
  case ValueKind::Class:
    return llvm::hash_value(value.as<ClassObject>());
  case ValueKind::Module:
    return llvm::hash_value(value.as<ModuleObject>());
  case ValueKind::Ir:
    return llvm::hash_value(value.as<language::IrObject>());
  }
  return std::nullopt;
}

// ---------------------------------------------------------------- dicts

static constexpr size_t fewItems = 8;

// Where `hash` is in the buckets, or where it would go.
template <typename Matches>
static size_t probe(const DictObject& dict, uint64_t hash, Matches matches) {
  size_t mask = dict.buckets.size() - 1;
  for (size_t at = hash & mask;; at = (at + 1) & mask) {
    uint32_t item = dict.buckets[at];
    if (item == 0 || (dict.hashes[item - 1] == hash && matches(item - 1))) return at;
  }
}

static void rebuild(DictObject& dict) {
  dict.buckets.clear();
  if (dict.items.size() <= fewItems) return;
  dict.buckets.resize(llvm::PowerOf2Ceil(dict.items.size() * 3), 0);
  size_t mask = dict.buckets.size() - 1;
  for (size_t i = 0; i < dict.items.size(); ++i) {
    size_t at = dict.hashes[i] & mask;
    while (dict.buckets[at])
      at = (at + 1) & mask;
    dict.buckets[at] = static_cast<uint32_t>(i + 1);
  }
}

// The item's index; nullopt: not there. `unknown`: it might be.
static std::optional<size_t> findItem(Interpreter& in, const DictObject& dict, Value key,
                                      uint64_t hash, bool& unknown) {
  assert(dict.hashes.size() == dict.items.size());
  auto same = [&](size_t i) {
    Value other = dict.items[i].first;
    if (other.identical(key)) return true;
    auto result = in.equal(other, key);
    if (!result && !in.failed()) unknown = true;
    return result.value_or(false);
  };
  if (dict.buckets.empty()) {
    for (size_t i = 0; i < dict.items.size(); ++i)
      if (dict.hashes[i] == hash && same(i)) return i;
    return std::nullopt;
  }
  size_t at = probe(dict, hash, same);
  return dict.buckets[at] ? std::optional<size_t>(dict.buckets[at] - 1) : std::nullopt;
}

// Dicts that were filled without us (arguments bound by language/) get their hashes here.
static bool rehash(Interpreter& in, DictObject& dict) {
  if (dict.hashes.size() == dict.items.size()) return true;
  dict.hashes.clear();
  for (auto& [key, value] : dict.items) {
    auto h = in.hash(key);
    if (!h) return false;
    dict.hashes.push_back(*h);
  }
  rebuild(dict);
  return true;
}

Value Interpreter::dictGet(DictObject* dict, Value key) {
  if (!rehash(*this, *dict)) return failed() ? Value::absent() : Value::unknown();
  auto h = hash(key);
  if (!h) return failed() ? Value::absent() : Value::unknown();
  bool unknown = false;
  auto item = findItem(*this, *dict, key.unwrapped(), *h, unknown);
  if (failed()) return Value::absent();
  if (item) return dict->items[*item].second;
  return unknown || dict->uncertain ? Value::unknown() : Value::absent();
}

Value Interpreter::dictGet(DictObject* dict, llvm::StringRef key) {
  StrObject text{{}, key};
  return dictGet(dict, Value::object(ValueKind::Str, &text));
}

bool Interpreter::dictSet(DictObject* dict, Value key, Value value) {
  key = key.unwrapped();
  auto h = rehash(*this, *dict) ? hash(key) : std::nullopt;
  if (!h) {
    if (failed()) return false;
    dict->uncertain = true;
    return true;
  }
  bool unknown = false;
  auto item = findItem(*this, *dict, key, *h, unknown);
  if (failed()) return false;
  if (item) {
    dict->items[*item].second = value;
    return true;
  }
  if (!charge(48)) return false;
  dict->items.push_back({key, value});
  dict->hashes.push_back(*h);
  if (dict->items.size() * 2 > dict->buckets.size())
    rebuild(*dict);
  else
    dict->buckets[probe(*dict, *h, [](size_t) { return false; })] =
        static_cast<uint32_t>(dict->items.size());
  return true;
}

bool Interpreter::dictErase(DictObject* dict, Value key, Value* erased) {
  auto h = rehash(*this, *dict) ? hash(key) : std::nullopt;
  if (!h) {
    dict->uncertain = true;
    return !failed();
  }
  bool unknown = false;
  auto item = findItem(*this, *dict, key.unwrapped(), *h, unknown);
  if (!item || failed()) return false;
  if (erased) *erased = dict->items[*item].second;
  dict->items.erase(dict->items.begin() + static_cast<ptrdiff_t>(*item));
  dict->hashes.erase(dict->hashes.begin() + static_cast<ptrdiff_t>(*item));
  rebuild(*dict);
  return true;
}

// Whether the key is there; nullopt: not known, or raised.
std::optional<bool> Interpreter::dictContains(DictObject* dict, Value key) {
  auto h = rehash(*this, *dict) ? hash(key) : std::nullopt;
  if (!h) return std::nullopt;
  bool unknown = false;
  auto item = findItem(*this, *dict, key.unwrapped(), *h, unknown);
  if (failed()) return std::nullopt;
  if (item) return true;
  return unknown || dict->uncertain ? std::nullopt : std::optional(false);
}

} // namespace gluond::evaluate
