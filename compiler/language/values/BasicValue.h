// A Value without the contents of objects: its kinds, its 16 bytes, and access to its object.
// Value.h explains values.
#pragma once

#include <llvm/ADT/ArrayRef.h>

#include <cassert>
#include <cstdint>
#include <type_traits>

namespace gluond::language {

class Type;
struct Builtin;
struct LayoutClass;
struct NativeClass;

enum class ValueKind : uint8_t {
  // Kinds without an object
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
  // Kinds with an object
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

class Heap;

// The base of everything in a Heap. It has no virtual functions: the Value's kind gives the type.
struct Object {
  const Heap* owner = nullptr; // the heap that made it
};

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
  Value(const Value&) = default;
  Value& operator=(const Value&) & = default; // not for temporaries
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
  static Value object(ValueKind kind, const Object* o) {
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

  // Returns the object if its kind matches, value.as<ListObject>(), else null. Who made an object
  // may fill it; after that, the evaluator alone gives leave to change it (Interpreter::writable).
  template <typename T> const T* as() const {
    return kind_ >= ValueKind::BigInt && T::holds(kind_) ? static_cast<const T*>(object_) : nullptr;
  }

  // Returns the object of any kind that has one, for identity and hashing, else null.
  const Object* object() const { return kind_ >= ValueKind::BigInt ? object_ : nullptr; }

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

  // Same kind and same payload bits (close to Python's `is`), ignoring the constexpr bit.
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
    const Object* object_;
  };
  ValueKind kind_ = ValueKind::Unknown;
  bool constexpr_ = false;
};
static_assert(sizeof(Value) == 16 && std::is_trivially_copyable_v<Value>);
using Values = llvm::ArrayRef<Value>;

} // namespace gluond::language
