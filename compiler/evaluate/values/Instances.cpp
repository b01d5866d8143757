// Instances of the program's classes: their construction and attributes.
#include "evaluate/interpreter/Gluon.h"
#include "evaluate/interpreter/NativeTables.h"
#include "evaluate/values/Classes.h"
#include "evaluate/values/NamespaceMapping.h"
#include "evaluate/values/PythonCoverage.h"
#include "language/types/Builtin.h"
#include "language/types/Type.h"

#include <llvm/ADT/StringExtras.h>

#include <set>

namespace gluond::evaluate {

using Flavour = ClassObject::Flavour;

// What a kernel's value at run time is.
static llvm::StringLiteral kindOf(const language::Type& type) {
  using language::TypeKind;
  if (type.is(TypeKind::SharedMemoryDescriptor)) return "a shared memory descriptor";
  if (type.is(TypeKind::TensorMemoryDescriptor)) return "a tensor memory descriptor";
  if (type.is(TypeKind::TensorDescriptor)) return "a tensor descriptor";
  if (type.isTensor() || type.isScalar() || type.isPointer()) return "a gl.tensor";
  return "a run-time value";
}

// A value of another class than an aggregate's annotation says, and what it should be.
static std::string attributeProblem(Interpreter& in, const ClassObject* cls,
                                    const ClassObject::Field& field, Value value) {
  auto nameOf = [&](Value type) {
    if (type.is(ValueKind::Builtin)) return "gl." + type.asBuiltin()->name.str();
    return type.is(ValueKind::Class) ? in.className(type).str() : in.repr(type);
  };
  Value annotation = field.annotation.unwrapped();
  bool isInIr = value.is(ValueKind::Ir);
  std::string wanted = nameOf(annotation);
  std::string problem = "attribute '" + in.text(field.name).str() + "' of " +
                        in.className(Value::object(ValueKind::Class, cls)).str() +
                        " is annotated as " + wanted + ", but it is set to " +
                        (isInIr                ? kindOf(*value.as<language::IrObject>()->type).str()
                         : value.isConstexpr() ? "a gl.constexpr"
                                               : "a value of type " + nameOf(in.typeOf(value)));
  if (wanted == "gl.constexpr" && !isInIr) problem += ": wrap the value in gl.constexpr(...)";
  if (wanted == "gl.tensor" && value.unwrapped().isIntegral())
    problem += ": convert the value with gl.to_tensor(...)";
  return problem;
}

// Binds arguments to fields by position and keyword. Returns false if it raised. `fields` are those
// at the time of the call: a default factory may decorate the class again.
static bool bindFields(Interpreter& in, const ClassObject* cls,
                       llvm::ArrayRef<ClassObject::Field> fields, const CallArguments& arguments,
                       llvm::MutableArrayRef<Value> out) {
  std::string init = (in.className(Value::object(ValueKind::Class, cls)) + ".__init__").str();
  if (!in.spendProduct(fields.size(), 1 + arguments.keywords.size())) return false;
  size_t next = 0, accepts = 0;
  for (size_t i = 0; i < fields.size(); ++i) {
    auto& field = fields[i];
    out[i] = Value::absent();
    if (!field.isInInit) continue;
    if (!field.isKeywordOnly) {
      ++accepts;
      if (next < arguments.positional.size()) out[i] = arguments.positional[next++];
    }
  }
  if (next < arguments.positional.size()) {
    size_t least = llvm::count_if(
        fields, [](auto& f) { return f.isInInit && !f.isKeywordOnly && !f.hasDefault; });
    std::string range = least == accepts ? std::to_string(accepts + 1)
                                         : "from " + std::to_string(least + 1) + " to " +
                                               std::to_string(accepts + 1);
    in.raise("TypeError", init + "() takes " + llvm::Twine(range) + " positional arguments but " +
                              llvm::Twine(arguments.positional.size() + 1) + " were given");
    return false;
  }
  for (auto& keyword : arguments.keywords) {
    auto* field =
        llvm::find_if(fields, [&](auto& f) { return f.name == keyword.name && f.isInInit; });
    if (field == fields.end()) {
      in.raise("TypeError",
               init + "() got an unexpected keyword argument '" + in.text(keyword.name) + "'");
      return false;
    }
    Value& slot = out[static_cast<size_t>(field - fields.begin())];
    if (!slot.isAbsent()) {
      in.raise("TypeError",
               init + "() got multiple values for argument '" + in.text(keyword.name) + "'");
      return false;
    }
    slot = keyword.value;
  }
  llvm::SmallVector<llvm::StringRef, 4> missing;
  for (size_t i = 0; i < fields.size(); ++i) {
    auto& field = fields[i];
    if (!out[i].isAbsent()) continue;
    if (field.hasDefault)
      out[i] = field.hasFactory ? in.call(field.defaultValue, CallArguments{}) : field.defaultValue;
    else if (field.isInInit) {
      missing.push_back(in.text(field.name));
      continue;
    }
    if (out[i].isAbsent() && in.failed()) return false;
  }
  if (missing.empty()) return true;
  if (cls->flavour == Flavour::Aggregate) // Triton stops at the first one
    in.raise("TypeError", init + "() missing required argument: '" + missing.front() + "'");
  else
    in.raiseMissing(init, missing);
  return false;
}

// Wraps an argument of an aggregate's constructor: values that are not in IR become constexprs,
// also inside tuples.
static Value wrapArgument(Interpreter& in, Value value) {
  if (auto* tuple = value.as<TupleObject>()) {
    Nesting nesting(in);
    if (!nesting || !in.charge(tuple->items.size() * sizeof(Value))) return Value::unknown();
    llvm::SmallVector<Value> items;
    for (Value item : tuple->items)
      items.push_back(wrapArgument(in, item));
    auto* made = in.heap().make<TupleObject>(language::Object{}, in.heap().copy(items), nullptr,
                                             tuple->fields);
    if (tuple->namedtuple) {
      llvm::SmallVector<Name> names;
      for (auto& field : tuple->namedtuple->fields)
        names.push_back(field.name);
      made->fields = in.heap().copyArray(llvm::ArrayRef<Name>(names));
    }
    return Value::object(ValueKind::Tuple, made);
  }
  if (value.is(ValueKind::Ir) || value.isUnknown() || value.isConstexpr()) return value;
  if (auto* object = value.as<InstanceObject>();
      object && object->cls->flavour == Flavour::Aggregate)
    return value;
  return value.wrapped();
}

Value Interpreter::makeNamedTuple(const ClassObject* cls, Values items) {
  return Value::object(ValueKind::Tuple,
                       heap().make<TupleObject>(language::Object{}, heap().copy(items), cls));
}

// Returns the names of methods that a class inherits from an ABC and leaves abstract, as in the
// message of Python; empty if the class may be instantiated or is not known entirely.
static std::string abstractMethods(Interpreter& in, const ClassObject* cls) {
  auto mark = in.knownName(abstractMark);
  if (!mark || !isOfAbstractClasses(metaclassOf(in, cls))) return "";
  auto isAbstract = [&](Value method) {
    if (auto* descriptor = hostAs<DescriptorObject>(method, descriptorClass))
      method = descriptor->function;
    auto* function = method.as<FunctionObject>();
    return function && function->attributes && function->attributes->contains(*mark);
  };
  std::set<std::string> names;
  for (Value base : cls->mro) {
    auto* ancestor = base.as<ClassObject>();
    if (!ancestor) return "";
    if (ancestor->native && !ancestor->native->isPlain) return "";
    if (ancestor->native || !ancestor->members) continue;
    for (auto [name, value] : *ancestor->members)
      if (isAbstract(value) && isAbstract(in.findInClass(cls, name)))
        names.insert("'" + in.text(name).str() + "'");
  }
  return llvm::join(names, ", ");
}

Value Interpreter::instantiate(const ClassObject* cls, const CallArguments& arguments) {
  if (deep() || !step() || !charge(64)) return Value::absent();
  if (cls->native && cls->flavour == Flavour::Enum)
    return Value::unknown(); // Enum("Name", "A B C")
  if (cls->native) {
    for (Value base : cls->mro)
      if (auto* row = base.as<ClassObject>()->native; row && row->construct) {
        if (row->isPlain && cls->flavour == Flavour::Exception) break;
        return row->construct(*this, arguments);
      }
  }
  for (Value base : cls->mro)
    if (auto* ancestor = base.as<ClassObject>();
        ancestor && ancestor->native && ancestor->native->makesItsBase)
      return ancestor->native->construct(*this, arguments);
  if (isMetaclass(cls)) return makeByMetaclass(*this, cls, arguments);
  Value self = Value::object(ValueKind::Class, cls);
  switch (cls->flavour) {
  case Flavour::Enum:
    if (arguments.positional.empty())
      return raise("TypeError", className(self) + "() missing a value");
    if (arguments.positional.size() > 1 || !arguments.keywords.empty())
      return Value::unknown(); // Enum("Name", "A B C")
    return enumOf(*this, cls, arguments.positional[0].unwrapped());
  case Flavour::NamedTuple: {
    Value init = findInClass(cls, known_.new_);
    if (init.is(ValueKind::Function) || hostAs<DescriptorObject>(init, descriptorClass))
      return Value::unknown();
    llvm::SmallVector<Value, 8> items(cls->fields.size());
    if (!bindFields(*this, cls, cls->fields, arguments, items)) return Value::absent();
    return makeNamedTuple(cls, items);
  }
  case Flavour::Exception: {
    Scope* attributes = newScope();
    attributes->set(known_.args, tupleOf(arguments.positional));
    Value exception = instance(cls, attributes);
    Value init = findInClass(cls, known_.init);
    if (init.is(ValueKind::Function) &&
        callFunction(init.as<FunctionObject>(), exception, arguments).isAbsent())
      return Value::absent();
    return exception;
  }
  default:
    break;
  }
  if (cls->mro.size() > 1)
    for (Value base : cls->mro) {
      auto* ancestor = base.as<ClassObject>();
      if (!ancestor ||
          (ancestor->native && !ancestor->native->isPlain)) { // of a class that is not modelled
        if (!ancestor) return Value::unknown();
        break;
      }
    }
  if (std::string missing = abstractMethods(*this, cls); !missing.empty()) {
    if (isKnownInPart(*this, self)) return Value::unknown();
    return raise("TypeError", "Can't instantiate abstract class " + className(self) +
                                  " without an implementation for abstract method" +
                                  (llvm::StringRef(missing).contains(',') ? "s " : " ") + missing);
  }
  Value object;
  Value maker = findInClass(cls, known_.new_);
  if (auto* descriptor = hostAs<DescriptorObject>(maker, descriptorClass))
    maker = descriptor->function;
  if (auto* function = maker.as<FunctionObject>()) {
    object = callFunction(function, self, arguments);
    if (object.isAbsent()) return object;
    auto* made = object.as<InstanceObject>();
    if (!made || !isSubclass(Value::object(ValueKind::Class, made->cls), self).value_or(false))
      return object;
  } else {
    object = instance(cls);
  }
  Value init = findInClass(cls, known_.init);
  if (init.isUnknown()) return Value::unknown();
  bool isAggregate = cls->flavour == Flavour::Aggregate;
  // __new__ may have returned an object that there was before.
  Scope* attributes = writable(object.as<InstanceObject>()->attributes);
  if (!attributes) return Value::absent();
  if (auto* function = init.as<FunctionObject>()) {
    if (isAggregate && function->function == FunctionKind::Jit) return Value::unknown();
    if (isAggregate) building_.push_back(object.as<InstanceObject>());
    Value result = callFunction(function, object, arguments);
    if (isAggregate) building_.pop_back();
    if (result.isAbsent()) return result;
    if (isAggregate)
      for (auto& field : cls->fields)
        if (!attributes->contains(field.name))
          return raise("AttributeError", "constructor for " + className(self) +
                                             " did not initialize attribute '" + text(field.name) +
                                             "'");
    return object;
  }
  if (!init.isAbsent()) { // something callable that is no def
    if (call(bindMember(init, object, self), arguments).isAbsent()) return Value::absent();
    return object;
  }
  if (cls->flavour == Flavour::Dataclass || isAggregate) {
    llvm::ArrayRef<ClassObject::Field> fields = cls->fields;
    llvm::SmallVector<Value, 8> values(fields.size());
    if (!bindFields(*this, cls, fields, arguments, values)) return Value::absent();
    llvm::SmallVector<Value> initOnly;
    for (size_t i = 0; i < values.size(); ++i) {
      auto& field = fields[i];
      if (values[i].isAbsent()) continue;
      if (isAggregate) {
        values[i] = wrapArgument(*this, values[i]);
        if (failed()) return Value::absent();
        if (auto fits = isInstance(values[i], field.annotation); fits && !*fits)
          return raise("TypeError", attributeProblem(*this, cls, field, values[i]));
        if (failed()) return Value::absent();
      }
      if (field.isInitOnly)
        initOnly.push_back(values[i]);
      else
        attributes->set(field.name, values[i]);
    }
    Value post = findInClass(cls, known_.postInit);
    if (auto* function = post.as<FunctionObject>())
      if (callFunction(function, object, {initOnly, {}}).isAbsent()) return Value::absent();
    return object;
  }
  if (!arguments.positional.empty() || !arguments.keywords.empty()) {
    bool known = llvm::all_of(cls->mro, [](Value base) { return base.is(ValueKind::Class); }) &&
                 maker.isAbsent();
    bool plain = known && llvm::all_of(cls->mro, [](Value base) {
                   auto* c = base.as<ClassObject>();
                   return !c->native || c->native->isPlain;
                 });
    if (plain && !isKnownInPart(*this, self))
      return raise("TypeError", className(self) + "() takes no arguments");
  }
  return object;
}

Scope* attributesToChange(Interpreter& in, const FunctionObject* function) {
  if (!function->attributes) {
    FunctionObject* changed = in.writable(function);
    if (!changed) return nullptr;
    Scope* made = in.newScope();
    made->serial = 0; // as old as the function
    changed->attributes = made;
  }
  return in.writable(function->attributes);
}

bool deleteAttribute(Interpreter& in, Value object, Name name) {
  if (auto* instance = object.as<InstanceObject>()) {
    Scope* attributes = in.writable(instance->attributes);
    if (!attributes) return false;
    auto forgetAll = [&] { // a function of the program may delete anything
      for (auto [known, value] : attributes->snapshot())
        if (!value.isAbsent()) attributes->set(known, Value::unknown());
      markOpen(in, object);
      return true;
    };
    Value deleter = in.findInClass(instance->cls, in.names().delattr);
    Value member = in.findInClass(instance->cls, name);
    if (!deleter.isAbsent()) {
      Value arguments[] = {in.string(in.text(name))};
      return !in.callSpecial(object, in.names().delattr, arguments).isAbsent();
    }
    if (auto* descriptor = member.as<InstanceObject>()) {
      Name special = in.name("__delete__");
      if (!in.findInClass(descriptor->cls, special).isAbsent())
        return !in.callSpecial(member, special, object).isAbsent();
      return isKnownInPart(in, member) ? forgetAll()
                                       : (attributes->set(name, Value::absent()), true);
    }
    if (auto* property = hostAs<DescriptorObject>(member, descriptorClass);
        property && property->flavour == DescriptorObject::Flavour::Property)
      return forgetAll();
    if (attributes->get(name).isAbsent() && !isKnownInPart(in, object)) {
      in.raise("AttributeError", "'" + llvm::Twine(in.className(in.typeOf(object))) +
                                     "' object has no attribute '" + in.text(name) + "'");
      return false;
    }
    attributes->set(name, Value::absent());
  } else if (auto* cls = object.as<ClassObject>(); cls && cls->members) {
    Scope* members = in.writable(cls->members);
    if (!members) return false;
    members->set(name, Value::absent());
  } else if (auto* function = object.as<FunctionObject>(); function && function->attributes) {
    Scope* attributes = attributesToChange(in, function);
    if (!attributes) return false;
    attributes->set(name, Value::absent());
  }
  return true;
}

// Sets it by a data descriptor or a property of the class. Returns whether that succeeded, or
// nullopt if the class has none of that name.
static std::optional<bool> setByDescriptor(Interpreter& in, const InstanceObject* instance,
                                           Name name, Value value) {
  Value found = in.findInClass(instance->cls, name);
  if (auto* object = found.as<InstanceObject>()) { // perhaps a descriptor of the program
    if (isKnownInPart(in, found)) return in.setIn(instance->attributes, name, Value::unknown());
    Name setter = in.name("__set__");
    Value arguments[] = {Value::object(ValueKind::Instance, instance), value};
    if (!in.findInClass(object->cls, setter).isAbsent())
      return !in.callSpecial(found, setter, arguments).isAbsent();
  }
  auto* descriptor = hostAs<DescriptorObject>(found, descriptorClass);
  if (!descriptor || descriptor->flavour != DescriptorObject::Flavour::Property)
    return std::nullopt;
  auto* setter = descriptor->setter.as<FunctionObject>();
  if (!setter) {
    in.raise("AttributeError", "property '" + in.text(name) + "' of '" +
                                   in.className(Value::object(ValueKind::Class, instance->cls)) +
                                   "' object has no setter");
    return false;
  }
  Value arguments[] = {value};
  return !in.callFunction(setter, Value::object(ValueKind::Instance, instance), {arguments, {}})
              .isAbsent();
}

bool setUnrestricted(Interpreter& in, const InstanceObject* instance, Name name, Value value) {
  if (auto isSet = setByDescriptor(in, instance, name, value)) return *isSet;
  return in.setIn(instance->attributes, name, value);
}

bool setInstanceAttribute(Interpreter& in, const InstanceObject* instance, Name name, Value value) {
  const ClassObject* cls = instance->cls;
  Value self = Value::object(ValueKind::Class, cls);
  if (auto isSet = setByDescriptor(in, instance, name, value)) return *isSet;
  if (cls->flavour == Flavour::Aggregate) {
    auto* field = llvm::find_if(cls->fields, [&](auto& f) { return f.name == name; });
    if (field == cls->fields.end()) {
      in.raise("AttributeError", in.className(self) + " has no attribute '" + in.text(name) + "'");
      return false;
    }
    auto fits = in.isInstance(value, field->annotation);
    if (in.failed()) return false;
    if (fits && !*fits) {
      in.raise("TypeError", attributeProblem(in, cls, *field, value));
      return false;
    }
    if (!in.isBuilding(instance)) {
      in.raise("AttributeError", "cannot assign to field '" + in.text(name) +
                                     "' on immutable aggregate " + in.className(self) +
                                     "; use aggregate_replace() to construct a modified copy");
      return false;
    }
  }
  if (cls->frozen && cls->flavour == Flavour::Dataclass) {
    in.raise("FrozenInstanceError", "cannot assign to field '" + in.text(name) + "'");
    return false;
  }
  return in.setIn(instance->attributes, name, value);
}

} // namespace gluond::evaluate
