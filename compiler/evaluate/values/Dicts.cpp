// Hashing, and dicts and sets as hash tables in insertion order.
#include "evaluate/interpreter/Gluon.h"
#include "evaluate/interpreter/NativeTables.h"
#include "evaluate/values/Classes.h"
#include "evaluate/values/Containers.h"
#include "evaluate/values/Strings.h"
#include "language/values/Integers.h"

#include <llvm/ADT/Hashing.h>

#include <cmath>
#include <limits>

namespace gluond::evaluate {

// ---------------------------------------------------------------- hashing

// Instances of a program's class that derives from str, int, tuple, ... hash as what they hold.
static bool derivesFromValue(const ClassObject* cls) {
  return llvm::any_of(cls->mro, [](Value base) {
    auto* ancestor = base.as<ClassObject>();
    return ancestor && ancestor->native &&
           llvm::is_contained({"str", "int", "float", "bytes", "tuple", "frozenset", "complex"},
                              ancestor->qualname);
  });
}

std::optional<uint64_t> Interpreter::hash(Value value) {
  value = value.unwrapped();
  auto combine = [&](Values items, uint64_t seed) -> std::optional<uint64_t> {
    Nesting nesting(*this);
    if (!nesting) return std::nullopt;
    for (Value item : items) {
      if (!spend(1)) return std::nullopt;
      auto h = hash(item);
      if (!h) return std::nullopt;
      seed = llvm::hash_combine(seed, *h);
    }
    return seed;
  };
  if (mayOverride(value)) {
    Value own = callSpecial(value, known_.hash, {});
    if (failed() || (!own.isAbsent() && !isInteger(own))) return std::nullopt;
    if (!own.isAbsent()) return hash(own);
  }
  // The hash does not depend on addresses, because a program may print it.
  auto identity = [&](const void* object) { return llvm::hash_value(tables_->addressOf(object)); };
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
    if (!spendBytes(value.as<StrObject>()->text.size())) return std::nullopt;
    return language::textHash(value.as<StrObject>()->text);
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
    Nesting nesting(*this);
    if (!nesting) return std::nullopt;
    uint64_t sum = 11; // whatever the order
    for (auto [member, none] : set->items) {
      if (!spend(1)) return std::nullopt;
      auto h = hash(member);
      if (!h) return std::nullopt;
      sum += *h;
    }
    return sum;
  }
  case ValueKind::Enum: {
    auto* member = value.as<EnumObject>();
    return isFlagEnum(member->cls) || isIntegerEnum(*this, member->cls) // as its int or str
               ? hash(member->value)
               : llvm::hash_combine(identity(member->cls), language::textHash(text(member->name)));
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
        if (Value member = value.as<InstanceObject>()->attributes->get(field.name);
            !member.isAbsent() && field.isCompared)
          members.push_back(member);
      return combine(members, 13);
    }
    if (derivesFromValue(cls)) return std::nullopt;
    return identity(value.as<InstanceObject>());
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
    Nesting nesting(*this);
    if (!nesting) return std::nullopt;
    auto f = hash(method->function);
    return f ? std::optional<uint64_t>(*f * 31) : f;
  }
  case ValueKind::Host: // hosts that compare by content hash alike
    return value.as<HostObject>()->cls->equal ? identity(value.as<HostObject>()->cls)
                                              : identity(value.as<HostObject>());
  case ValueKind::Builtin:
    return identity(value.asBuiltin());
  case ValueKind::Type:
    return identity(value.asType());
  case ValueKind::Function:
    return identity(value.as<FunctionObject>());
  case ValueKind::Class:
    return identity(value.as<ClassObject>());
  case ValueKind::Module:
    return identity(value.as<ModuleObject>());
  case ValueKind::Ir:
    return identity(value.as<language::IrObject>());
  }
  return std::nullopt;
}

// ---------------------------------------------------------------- dicts

// Returns a key's slot; nullopt if it is missing, or raised. `unknown` is set if it may be there. A
// key's __eq__ may change the searched dict: then the search starts again, as in Python.
static std::optional<language::DictItems::Slot> findItem(Interpreter& in, const DictObject& dict,
                                                         Value key, uint64_t hash, bool& unknown) {
  while (true) {
    unknown = false;
    auto candidates = dict.items.candidates(hash);
    while (auto slot = candidates.next()) {
      Value other = dict.items.keyAt(*slot);
      if (other.identical(key)) return slot;
      if (!in.spend(1)) return std::nullopt;
      auto same = in.equal(other, key);
      if (in.failed()) return std::nullopt;
      if (candidates.isStale() && !dict.items.keyAt(*slot).identical(other)) break;
      if (!same)
        unknown = true;
      else if (*same)
        return slot;
    }
    if (!candidates.isStale()) return std::nullopt;
  }
}

Value Interpreter::dictGet(const DictObject* dict, Value key) {
  auto h = hash(key);
  if (!h) return failed() ? Value::absent() : Value::unknown();
  bool unknown = false;
  auto item = findItem(*this, *dict, key.unwrapped(), *h, unknown);
  if (failed()) return Value::absent();
  if (item) return dict->items.valueAt(*item);
  return unknown || dict->uncertain ? Value::unknown() : Value::absent();
}

Value Interpreter::dictGet(const DictObject* dict, llvm::StringRef key) {
  auto candidates = dict->items.candidates(language::textHash(key));
  while (auto slot = candidates.next()) {
    auto* text = dict->items.keyAt(*slot).as<StrObject>();
    // An object of the program's with the same hash must be compared.
    if (!text) return dictGet(dict, heap().str(key));
    if (text->text == key) return dict->items.valueAt(*slot);
  }
  return dict->uncertain ? Value::unknown() : Value::absent();
}

Value getBeforeAdding(Interpreter& in, const DictObject* dict, Value key) {
  Value found = in.dictGet(dict, key);
  if (in.failed() || !found.isUnknown() || dict->uncertain) return found;
  auto isThere = in.dictContains(dict, key);
  DictObject* changed = in.failed() || isThere ? nullptr : in.writable(dict);
  if (in.failed()) return Value::absent();
  if (changed) changed->uncertain = true;
  return found;
}

bool Interpreter::dictSet(const DictObject* object, Value key, Value value) {
  DictObject* dict = writable(object);
  if (!dict) return false;
  key = key.unwrapped();
  auto h = hash(key);
  if (!h) {
    if (failed()) return false;
    dict->uncertain = true;
    return true;
  }
  bool unknown = false;
  auto item = findItem(*this, *dict, key, *h, unknown);
  if (failed()) return false;
  if (item) return dict->items.setValue(*item, value);
  if (!charge(48)) return false;
  if (unknown) dict->uncertain = true; // it may be one of the others
  dict->items.insert(key, value, *h);
  return true;
}

bool Interpreter::dictErase(const DictObject* object, Value key, Value* erased) {
  DictObject* dict = writable(object);
  if (!dict) return false;
  auto h = hash(key);
  if (!h) {
    dict->uncertain = true;
    return !failed();
  }
  bool unknown = false;
  auto item = findItem(*this, *dict, key.unwrapped(), *h, unknown);
  if (!item || failed()) return false;
  if (erased) *erased = dict->items.valueAt(*item);
  return dict->items.erase(*item);
}

// Returns whether the key is there; nullopt if not known, or raised.
std::optional<bool> Interpreter::dictContains(const DictObject* dict, Value key) {
  auto h = hash(key);
  if (!h) return std::nullopt;
  bool unknown = false;
  auto item = findItem(*this, *dict, key.unwrapped(), *h, unknown);
  if (failed()) return std::nullopt;
  if (item && dict->uncertain && dict->items.valueAt(*item).isUnknown()) return std::nullopt;
  if (item) return true;
  return unknown || dict->uncertain ? std::nullopt : std::optional(false);
}

} // namespace gluond::evaluate
