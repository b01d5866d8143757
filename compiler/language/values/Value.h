// Values: the result of a Python expression at compile time.
//
// One representation serves the evaluator (module and host code, constexpr functions) and codegen
// (kernels). A Value is 16 bytes and trivially copyable; anything larger is an Object in a Heap and
// is never freed before its heap. Objects of a finished module evaluation are frozen: many threads
// read them, and none may write.
//
// Unknown is a value like any other: results computed from it are Unknown, and nothing certain may
// be reported about it. In codegen Unknown also stands for an expression already reported as wrong,
// which suppresses follow-up errors.
//
// constexpr: Triton wraps compile-time values in `constexpr`. Here the wrapper is one bit of the
// Value, so wrapping and unwrapping are free and wrappers never nest.
#pragma once

#include "language/values/BasicValue.h"
#include "language/values/Storage.h"
#include "support/Interner.h"

#include <llvm/ADT/ArrayRef.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/ADT/StringRef.h>
#include <llvm/Support/Allocator.h>

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

#define GLUOND_HOLDS(...)                                                                          \
  static bool holds(ValueKind kind) {                                                              \
    for (ValueKind k : {__VA_ARGS__})                                                              \
      if (k == kind) return true;                                                                  \
    return false;                                                                                  \
  }

// Allocates objects and frees them all at once, for one thread at a time. Budgets use
// `bytes()`.
class Heap {
public:
  Heap() = default;
  Heap(const Heap&) = delete;
  Heap& operator=(const Heap&) = delete;
  ~Heap() {
    for (auto it = owned_.rbegin(); it != owned_.rend(); ++it)
      it->second(it->first);
  }

  // Objects with a non-trivial destructor are destroyed with the heap.
  template <typename T, typename... Args> T* make(Args&&... args) {
    T* object = new (arena_.Allocate<T>()) T{std::forward<Args>(args)...};
    if constexpr (!std::is_trivially_destructible_v<T>)
      owned_.push_back({object, [](void* p) { static_cast<T*>(p)->~T(); }});
    if constexpr (requires { object->owner; }) object->owner = this;
    if constexpr (requires { object->serial; }) object->serial = nextSerial();
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
  // The number of containers made so far, which is the serial number of the last one.
  uint64_t made() const { return made_; }
  uint64_t nextSerial() { return ++made_; }
  // Whether the object is in this heap. Other heaps belong to finished modules and are read only.
  template <typename T> bool owns(const T* object) const { return object->owner == this; }

  // Shorthands that wrap the object in a Value.
  Value str(llvm::StringRef text); // copies
  Value tuple(Values items);       // copies
  Value list(Values items);
  Value dict();
  Value bigInt(llvm::ArrayRef<uint64_t> magnitude, bool negative); // an Int if it fits

private:
  llvm::BumpPtrAllocator arena_;
  uint64_t made_ = 0;
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
  const ClassObject* namedtuple = nullptr;
  // The fields of gl.tuple's tuple_type (namedtuple fields seen inside a kernel); empty for none.
  llvm::ArrayRef<Name> fields = {};
  // gl.tuple (the type of [..] and (..) in a kernel) stored in a layout, where it prints
  // differently from Python's.
  bool triton = false;
};

struct ListObject : Object {
  GLUOND_HOLDS(ValueKind::List)
  ListItems items;
  bool uncertain = false; // how many items there are is not known
  uint64_t serial = 0;    // Heap::made()
};

// A Set is a dict whose values are None. Look up through evaluate (keys compare as Python
// compares).
struct DictObject : Object {
  GLUOND_HOLDS(ValueKind::Dict, ValueKind::Set)
  DictItems items;
  bool uncertain = false; // an unknown key was stored, so the contents are not known
  bool frozen = false;    // a frozenset
  uint64_t serial = 0;    // Heap::made()
};

struct RangeObject : Object {
  GLUOND_HOLDS(ValueKind::Range)
  int64_t start, stop, step;
};

struct SliceObject : Object {
  GLUOND_HOLDS(ValueKind::Slice)
  Value start, stop, step;
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
  const ModuleObject* module = nullptr; // where it was defined
  const Scope* scope = nullptr; // enclosing locals of a nested function, else the module's globals
  llvm::StringRef qualname;     // "test_x.<locals>.kernel"
  Values defaults;              // parallel to the parameters; Absent if there is none
  llvm::ArrayRef<Value>
      annotations;     // parallel to the parameters, evaluated; None if not annotated there
  Value mustUseResult; // set by @must_use_result: True or the message
  Value decoration;    // the keyword arguments of @jit(...) as a Dict; Unknown if none
  const Scope* attributes = nullptr; // attributes assigned to the function object; null if none
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
  const ModuleObject* module = nullptr;
  llvm::StringRef qualname;
  llvm::ArrayRef<Value> mro; // this class first
  const Scope* members = nullptr;
  // The kind of class. Annotated fields (dataclass, aggregate, namedtuple) are in order of
  // definition, inherited ones first.
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
    Value defaultValue; // valid if hasDefault
    bool hasDefault = false;
    bool hasFactory = false; // defaultValue must be called
    bool isInInit = true, isInRepr = true, isKeywordOnly = false;
    bool isCompared = true;  // and part of the hash
    bool isInitOnly = false; // dataclasses.InitVar: passed to __post_init__, not stored
  };
  llvm::ArrayRef<Field> fields;
};

struct InstanceObject : Object { // of a plain class, a dataclass or an aggregate
  GLUOND_HOLDS(ValueKind::Instance)
  const ClassObject* cls = nullptr;
  const Scope* attributes = nullptr;
};

struct ModuleObject : Object {
  GLUOND_HOLDS(ValueKind::Module)
  llvm::StringRef name; // dotted, as __name__ says
  llvm::StringRef path; // of the file, empty for a modelled module
  const Scope* globals =
      nullptr; // null for a namespace of the builtin table, looked up there by `name`
};

struct EnumObject : Object { // a member of an enum
  GLUOND_HOLDS(ValueKind::Enum)
  const ClassObject* cls = nullptr;
  Name name;
  Value value;
};

// ---------------------------------------------------------------- Gluon's objects

// A layout as the user wrote it: the fields of the dataclass, after its constructor ran. Compared
// field by field; a layout::Layout (compiler/layout) is made from it when its meaning is needed.
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
