// Values: what a Python expression is at compile time.
//
// One representation serves the evaluator (module and host code, constexpr functions) and codegen
// (kernels). A Value is 16 bytes and trivially copyable; anything larger is an Object in a Heap and
// is never freed before its heap. Objects of a finished module evaluation are frozen: many threads
// read them, none writes.
//
// Unknown is a value like any other: whatever is computed from it is Unknown, and nothing certain
// may be said of it. In codegen Unknown also stands for an expression already reported as wrong,
// which is how cascades are suppressed.
//
// constexpr: Triton wraps compile-time values in `constexpr`. Here the wrapper is one bit of the
// Value, so wrapping and unwrapping are free and wrappers never nest.
#pragma once

#include "support/Interner.h"

#include <llvm/ADT/ArrayRef.h>
#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/ADT/StringRef.h>
#include <llvm/Support/Allocator.h>

#include <cassert>
#include <cstdint>
#include <type_traits>
#include <utility>
#include <vector>

namespace gluond::syntax {
struct FunctionDef;
struct Lambda;
struct ClassDef;
struct Node;
} // namespace gluond::syntax

namespace gluond::language {

class Type;
struct Builtin;
struct LayoutClass;
struct NativeClass;

enum class ValueKind : uint8_t {
  // Without an object
  Unknown,
  Absent, // not a value of the program: an unbound name, a missing argument, "raised" (see
          // EvaluateContext)
  None,
  NotImplemented,
  Ellipsis,
  Bool,
  Int,
  Float,
  Builtin, // a row of the builtin table: function, class or namespace member
  Type,    // a dtype, pointer type, distributed_type, ...: types are values
  // With an object
  BigInt,
  Str,
  Bytes,
  Tuple,
  List,
  Dict,
  Set,
  Range,
  Slice,
  Function,    // def, lambda; plain, @gluon.jit or @constexpr_function
  BoundMethod, // a function or builtin with its self
  Class,
  Instance,
  Module,
  Enum,
  Layout, // an instance of one of Gluon's layout classes
  Ir,     // tensor, shared_memory_descriptor, ...: exists in the IR (codegen only)
  Host,   // a modelled host object: torch tensor, autotuner, pytest mark, ... (evaluate only)
};

// Base of everything in a Heap. Never virtual: the kind in the Value says what it is.
struct Object {};

struct BigIntObject;
struct StrObject;
struct TupleObject;
struct ListObject;
struct DictObject;
struct RangeObject;
struct SliceObject;
struct FunctionObject;
struct BoundMethodObject;
struct ClassObject;
struct InstanceObject;
struct ModuleObject;
struct EnumObject;
struct LayoutObject;
struct IrObject;
struct HostObject;

class Value {
public:
  Value() = default; // Unknown
  static Value unknown() { return {}; }
  static Value absent() { return make(ValueKind::Absent); }
  static Value none() { return make(ValueKind::None); }
  static Value notImplemented() { return make(ValueKind::NotImplemented); }
  static Value ellipsis() { return make(ValueKind::Ellipsis); }
  static Value boolean(bool b) {
    Value v = make(ValueKind::Bool);
    v.int_ = b;
    return v;
  }
  static Value integer(int64_t i) {
    Value v = make(ValueKind::Int);
    v.int_ = i;
    return v;
  }
  static Value real(double d) {
    Value v = make(ValueKind::Float);
    v.real_ = d;
    return v;
  }
  static Value builtin(const Builtin* b) {
    Value v = make(ValueKind::Builtin);
    v.builtin_ = b;
    return v;
  }
  static Value type(const Type* t) {
    Value v = make(ValueKind::Type);
    v.type_ = t;
    return v;
  }
  static Value object(ValueKind kind, Object* o) {
    assert(kind >= ValueKind::BigInt && o);
    Value v = make(kind);
    v.object_ = o;
    return v;
  }

  ValueKind kind() const { return kind_; }
  bool is(ValueKind kind) const { return kind_ == kind; }
  bool isUnknown() const { return kind_ == ValueKind::Unknown; }
  bool isAbsent() const { return kind_ == ValueKind::Absent; }
  bool isNone() const { return kind_ == ValueKind::None; }
  bool isIntegral() const {
    return kind_ == ValueKind::Int || kind_ == ValueKind::Bool;
  } // fits int64

  bool asBool() const {
    assert(is(ValueKind::Bool));
    return int_ != 0;
  }
  int64_t asInt() const {
    assert(isIntegral());
    return int_;
  }
  double asFloat() const {
    assert(is(ValueKind::Float));
    return real_;
  }
  const Builtin* asBuiltin() const {
    assert(is(ValueKind::Builtin));
    return builtin_;
  }
  const Type* asType() const {
    assert(is(ValueKind::Type));
    return type_;
  }

  // The object, typed by its kind: value.as<ListObject>(); null when the kind differs.
  template <typename T> T* as() const {
    return kind_ >= ValueKind::BigInt && T::holds(kind_) ? static_cast<T*>(object_) : nullptr;
  }

  // The object behind any kind that has one, for identity and hashing; null otherwise.
  Object* object() const { return kind_ >= ValueKind::BigInt ? object_ : nullptr; }

  // The constexpr bit.
  bool isConstexpr() const { return constexpr_; }
  Value wrapped() const {
    Value v = *this;
    v.constexpr_ = true;
    return v;
  }
  Value unwrapped() const {
    Value v = *this;
    v.constexpr_ = false;
    return v;
  }

  // Same kind and same payload bits (Python's `is`, near enough), the constexpr bit apart.
  bool identical(Value other) const {
    return kind_ == other.kind_ &&
           (kind_ <= ValueKind::Ellipsis && kind_ != ValueKind::Bool ? true : int_ == other.int_);
  }

private:
  static Value make(ValueKind kind) {
    Value v;
    v.kind_ = kind;
    return v;
  }
  union {
    int64_t int_ = 0;
    double real_;
    const Builtin* builtin_;
    const Type* type_;
    Object* object_;
  };
  ValueKind kind_ = ValueKind::Unknown;
  bool constexpr_ = false;
};
static_assert(sizeof(Value) == 16 && std::is_trivially_copyable_v<Value>);
using Values = llvm::ArrayRef<Value>;

#define GLUOND_HOLDS(...)                                                                          \
  static bool holds(ValueKind kind) {                                                              \
    for (ValueKind k : {__VA_ARGS__})                                                              \
      if (k == kind) return true;                                                                  \
    return false;                                                                                  \
  }

// Allocates objects; frees all of them at once. One thread at a time. `bytes()` is what budgets
// count.
class Heap {
public:
  Heap() = default;
  Heap(const Heap&) = delete;
  Heap& operator=(const Heap&) = delete;
  ~Heap() {
    for (auto it = owned_.rbegin(); it != owned_.rend(); ++it)
      it->second(it->first);
  }

  // Objects whose destructor does something are destroyed with the heap.
  template <typename T, typename... Args> T* make(Args&&... args) {
    T* object = new (arena_.Allocate<T>()) T{std::forward<Args>(args)...};
    if constexpr (!std::is_trivially_destructible_v<T>)
      owned_.push_back({object, [](void* p) { static_cast<T*>(p)->~T(); }});
    return object;
  }
  Values copy(Values values) { return copyArray(values); }
  llvm::StringRef copy(llvm::StringRef text) { return text.copy(arena_); }
  template <typename T> llvm::ArrayRef<T> copyArray(llvm::ArrayRef<T> items) {
    T* data = arena_.Allocate<T>(items.size());
    std::uninitialized_copy(items.begin(), items.end(), data);
    return {data, items.size()};
  }
  size_t bytes() const { return arena_.getBytesAllocated(); }
  // Whether the object lives here. Objects of another heap belong to a finished module: read only.
  bool owns(const void* object) { return arena_.identifyObject(object).has_value(); }

  // Shorthands that wrap the object in a Value.
  Value str(llvm::StringRef text); // copies
  Value tuple(Values items);       // copies
  Value list(Values items);
  Value dict();
  Value bigInt(llvm::ArrayRef<uint64_t> magnitude, bool negative); // an Int when it fits

private:
  llvm::BumpPtrAllocator arena_;
  std::vector<std::pair<void*, void (*)(void*)>> owned_;
};

// ---------------------------------------------------------------- Python's own objects

struct BigIntObject : Object { // an int outside int64
  GLUOND_HOLDS(ValueKind::BigInt)
  llvm::ArrayRef<uint64_t> magnitude; // little-endian words, the last one not zero
  bool negative = false;
};

struct StrObject : Object {
  GLUOND_HOLDS(ValueKind::Str, ValueKind::Bytes)
  llvm::StringRef text;
};

struct TupleObject : Object {
  GLUOND_HOLDS(ValueKind::Tuple)
  Values items;
  // For a namedtuple: its class, which holds the field names. Null for a plain tuple.
  ClassObject* namedtuple = nullptr;
  // The fields of gl.tuple's tuple_type (namedtuple fields seen inside a kernel); empty for none.
  llvm::ArrayRef<Name> fields = {};
  // gl.tuple (what a kernel's [..] and (..) are) kept inside a layout, where it prints unlike
  // Python's.
  bool triton = false;
};

struct ListObject : Object {
  GLUOND_HOLDS(ValueKind::List)
  llvm::SmallVector<Value, 4> items;
};

// Insertion order. A Set is a dict whose values are None. Look up through evaluate (keys compare as
// Python compares).
struct DictObject : Object {
  GLUOND_HOLDS(ValueKind::Dict, ValueKind::Set)
  llvm::SmallVector<std::pair<Value, Value>, 4> items;
  llvm::SmallVector<uint64_t, 0> hashes; // parallel to items
  llvm::SmallVector<uint32_t, 0>
      buckets;            // open addressing, item + 1; empty while there are few items
  bool uncertain = false; // a key was unknown when it was stored: what is in here is not known
  bool frozen = false;    // a frozenset
};

struct RangeObject : Object {
  GLUOND_HOLDS(ValueKind::Range)
  int64_t start, stop, step;
};

struct SliceObject : Object {
  GLUOND_HOLDS(ValueKind::Slice)
  Value start, stop, step;
};

// Module globals, a class's members, an instance's attributes or the locals of a function:
// insertion-ordered name -> value. Few names are searched, many are indexed. A deleted name stays
// with the value Absent.
struct Scope {
  llvm::SmallVector<std::pair<Name, Value>, 8> entries;
  llvm::DenseMap<Name, unsigned> index{}; // once there are more than `few`
  Scope* parent = nullptr;                // the enclosing function's scope, then the module's
  static constexpr unsigned few = 12;

  Value* find(Name name) {
    Value* value = slot(name);
    return value && !value->isAbsent() ? value : nullptr;
  }
  const Value* find(Name name) const { return const_cast<Scope*>(this)->find(name); }
  void set(Name name, Value value) {
    if (Value* old = slot(name)) {
      *old = value;
      return;
    }
    entries.push_back({name, value});
    if (entries.size() == few + 1)
      for (unsigned i = 0; i <= few; ++i)
        index[entries[i].first] = i;
    else if (entries.size() > few)
      index[name] = static_cast<unsigned>(entries.size() - 1);
  }

private:
  Value* slot(Name name) {
    if (entries.size() <= few) {
      for (auto& entry : entries)
        if (entry.first == name) return &entry.second;
      return nullptr;
    }
    auto it = index.find(name);
    return it == index.end() ? nullptr : &entries[it->second].second;
  }
};

enum class FunctionKind : uint8_t {
  Python,    // def or lambda, run by the evaluator
  Jit,       // @gluon.jit (or @triton.jit): compiled by codegen when called in a kernel
  Constexpr, // @gluon.constexpr_function: evaluated at compile time, its result wrapped
};

struct FunctionObject : Object {
  GLUOND_HOLDS(ValueKind::Function)
  FunctionKind function = FunctionKind::Python;
  bool noinline = false;
  bool isTritonJit = false;                 // @triton.jit rather than @gluon.jit
  const syntax::FunctionDef* def = nullptr; // one of these two is set
  const syntax::Lambda* lambda = nullptr;
  ModuleObject* module = nullptr; // where it was defined
  Scope* scope = nullptr;   // enclosing locals for a nested function, else the module's globals
  llvm::StringRef qualname; // "test_x.<locals>.kernel"
  Values defaults;          // parallel to the parameters; Absent where there is none
  llvm::ArrayRef<Value>
      annotations;             // parallel to the parameters, evaluated; None where there is none
  Value mustUseResult;         // set by @must_use_result: True or the message
  Value decoration;            // the keyword arguments of @jit(...) as a Dict; Unknown for none
  Scope* attributes = nullptr; // what was assigned to the function object; null for nothing
};

struct BoundMethodObject : Object {
  GLUOND_HOLDS(ValueKind::BoundMethod)
  Value self;
  Value function; // Function or Builtin
};

struct ClassObject : Object {
  GLUOND_HOLDS(ValueKind::Class)
  const syntax::ClassDef* def = nullptr; // null for a modelled class
  const NativeClass* native =
      nullptr; // the modelled class's row (evaluate); null for a class of the program
  ModuleObject* module = nullptr;
  llvm::StringRef qualname;
  llvm::ArrayRef<Value> mro; // this class first
  Scope* members = nullptr;
  // What made it. Annotated fields (dataclass, aggregate, namedtuple) stand in order of definition,
  // inherited first.
  enum class Flavour : uint8_t {
    Plain,
    Dataclass,
    Aggregate,
    NamedTuple,
    Enum,
    Exception
  } flavour = Flavour::Plain;
  bool frozen = false;
  struct Field {
    Name name;
    Value annotation;
    Value defaultValue; // meaningful when hasDefault
    bool hasDefault = false;
    bool hasFactory = false; // defaultValue is to be called
    bool isInInit = true, isInRepr = true, isKeywordOnly = false;
    bool isInitOnly = false; // dataclasses.InitVar: goes to __post_init__, not into the instance
  };
  llvm::ArrayRef<Field> fields;
};

struct InstanceObject : Object { // of a plain class, a dataclass or an aggregate
  GLUOND_HOLDS(ValueKind::Instance)
  ClassObject* cls = nullptr;
  Scope* attributes = nullptr;
};

struct ModuleObject : Object {
  GLUOND_HOLDS(ValueKind::Module)
  llvm::StringRef name;     // dotted, as __name__ says
  llvm::StringRef path;     // of the file, empty for a modelled module
  Scope* globals = nullptr; // null: a namespace of the builtin table, looked up there by `name`
};

struct EnumObject : Object { // a member of an enum
  GLUOND_HOLDS(ValueKind::Enum)
  ClassObject* cls = nullptr;
  Name name;
  Value value;
};

// ---------------------------------------------------------------- Gluon's objects

// A layout as the user wrote it: the fields of the dataclass, after its constructor ran. Compared
// field by field; layout::Layout (compiler/layout) is made from it when its meaning is needed.
struct LayoutObject : Object {
  GLUOND_HOLDS(ValueKind::Layout)
  const LayoutClass* cls = nullptr;
  Values fields; // parallel to cls->fields
};

// A value of the IR. `handles` are mlir::Value::getAsOpaquePointer()s: one for a tensor or a memory
// descriptor, 1 + 2 * rank for a tensor descriptor.
struct IrObject : Object {
  GLUOND_HOLDS(ValueKind::Ir)
  const Type* type = nullptr;
  llvm::ArrayRef<const void*> handles;
};

#undef GLUOND_HOLDS

} // namespace gluond::language
