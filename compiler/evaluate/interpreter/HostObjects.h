// Objects of the modelled world: native functions, bound natives, partials, descriptors, torch
// tensors, launchers, ...
//
// A HostObject begins with its HostClass: a static row of behaviour. Operations that a row leaves
// null are not supported (calling raises TypeError, an attribute AttributeError), so a new kind of
// object is one struct and one row.
#pragma once

#include "language/values/Native.h"

namespace gluond::language {

struct HostClass;

struct HostObject : Object {
  static bool holds(ValueKind kind) { return kind == ValueKind::Host; }
  const HostClass* cls;
};

} // namespace gluond::language

namespace gluond::evaluate {

class Interpreter;
struct HostRebinding;
using language::CallArguments;
using language::Heap;
using language::HostClass;
using language::HostObject;
using language::KeywordArgument;
using language::Scope;
using language::Value;
using language::ValueKind;
using language::Values;

// A native function. Absent means that it raised.
using Native = Value (*)(Interpreter&, const CallArguments&);

struct NativeRow {
  llvm::StringLiteral name;
  Native function;
};

} // namespace gluond::evaluate

namespace gluond::language {

struct HostClass {
  llvm::StringLiteral name; // the value of type(x).__name__
  // Returns Absent without raising if there is no such attribute.
  Value (*attribute)(evaluate::Interpreter&, Value self, Name name) = nullptr;
  Value (*call)(evaluate::Interpreter&, Value self, const CallArguments& arguments) = nullptr;
  Value (*item)(evaluate::Interpreter&, Value self, Value index) = nullptr;
  std::string (*repr)(evaluate::Interpreter&, Value self) = nullptr;
  std::string (*str)(evaluate::Interpreter&, Value self) = nullptr; // if it is not its repr
  // Appends all members at once; null if the object is not iterable.
  bool (*unpack)(evaluate::Interpreter&, Value self, llvm::SmallVectorImpl<Value>& out) = nullptr;
  bool (*setAttribute)(evaluate::Interpreter&, Value self, Name name, Value value) = nullptr;
  // Operators with the object on either side; `op` is a syntax::BinaryOp or CompareOp (isCompare).
  Value (*binary)(evaluate::Interpreter&, int op, bool isCompare, Value left,
                  Value right) = nullptr;
  std::optional<int64_t> (*length)(evaluate::Interpreter&, Value self) = nullptr;
  // object[index] = value; if null, it is accepted and ignored as long as `item` is set.
  bool (*setItem)(evaluate::Interpreter&, Value self, Value index, Value value) = nullptr;
  bool (*deleteItem)(evaluate::Interpreter&, Value self, Value index) = nullptr;
  std::optional<bool> (*equal)(evaluate::Interpreter&, Value self, Value other) = nullptr;
  // member in object; if null, it is compared with the members that `unpack` gives.
  std::optional<bool> (*contains)(evaluate::Interpreter&, Value self, Value member) = nullptr;
  // How it is copied for an edited file (Rebinding.h); null if it is not.
  const evaluate::HostRebinding* rebinding = nullptr;
};

} // namespace gluond::language

namespace gluond::evaluate {

// Returns the object as T if it is of class `cls`, else null.
template <typename T> const T* hostAs(Value value, const HostClass& cls) {
  auto* object = value.as<HostObject>();
  return object && object->cls == &cls ? static_cast<const T*>(object) : nullptr;
}

// A native function, with its `self` if it was read from an object.
struct NativeFunctionObject : HostObject {
  llvm::StringRef name; // "len", "math.sqrt", "str.join"
  Native function;
  Value self; // Absent if there is none
  // For a method read from its class (str.upper): argument 0 must be of that class. If null, any
  // value is accepted.
  const language::ClassObject* ofClass = nullptr;
  bool isMethod = false; // bound to `self`, and nothing but a method
};
extern const HostClass nativeFunctionClass;

// functools.partial(function, *positional, **keywords)
struct PartialObject : HostObject {
  Value function;
  Values positional;
  llvm::ArrayRef<KeywordArgument> keywords;
};
extern const HostClass partialClass;

// staticmethod, classmethod and property objects in a class body.
struct DescriptorObject : HostObject {
  enum class Flavour : uint8_t { Static, Class, Property, Cached } flavour;
  Value function; // the getter
  Value setter;
};
extern const HostClass descriptorClass;
Value makeDescriptor(Heap& heap, DescriptorObject::Flavour flavour, Value function,
                     Value setter = Value::absent());

// An iterator. Its members are known beforehand, or the interpreter has a source that makes them on
// demand (Iterators.h): generators, map, zip, ...
struct IteratorObject : HostObject {
  Values items;
  size_t next = 0;
  bool isOnDemand = false; // without a source, its members are unknown
  bool uncertain = false;  // there may be more members, or fewer
  Value returned;          // a generator's return value
};
extern const HostClass iteratorClass;

// super() inside a method.
struct SuperObject : HostObject {
  const language::ClassObject*
      after; // attributes are looked up after this class in the object's mro
  Value self;
};
extern const HostClass superClass;

// A namespace of attributes with a display name: types.SimpleNamespace, device properties, pytest
// marks, ...
struct NamespaceObject : HostObject {
  llvm::StringRef name;
  const Scope* attributes;
};
extern const HostClass namespaceClass;

} // namespace gluond::evaluate
