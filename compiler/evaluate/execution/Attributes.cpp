// value.name for every kind of value, and name = value.
#include "evaluate/interpreter/Costs.h"
#include "evaluate/interpreter/Gluon.h"
#include "evaluate/interpreter/Interpreter.h"
#include "evaluate/interpreter/NativeTables.h"
#include "evaluate/stdlib/Builtins.h"
#include "evaluate/triton/ModelledModule.h"
#include "evaluate/values/Classes.h"
#include "evaluate/values/Containers.h"
#include "evaluate/values/NamespaceMapping.h"
#include "evaluate/values/PythonCoverage.h"
#include "evaluate/values/Strings.h"
#include "language/types/Builtin.h"

#include <llvm/ADT/SmallString.h>

namespace gluond::evaluate {

Value Interpreter::findInClass(const ClassObject* cls, Name member) {
  for (Value base : cls->mro) {
    if (base.isUnknown()) return Value::unknown();
    auto* ancestor = base.as<ClassObject>();
    if (ancestor && ancestor->members)
      if (Value found = ancestor->members->get(member); !found.isAbsent()) return found;
  }
  return Value::absent();
}

// Jit functions are no descriptors: codegen binds the one it finds to the value it was read from.
Value Interpreter::bindMember(Value member, Value self, Value cls) {
  if (auto* function = member.as<FunctionObject>()) {
    if (self.isAbsent() || function->function == FunctionKind::Jit) return member;
    return Value::object(ValueKind::BoundMethod,
                         heap().make<BoundMethodObject>(language::Object{}, self, member));
  }
  if (auto* object = member.as<InstanceObject>()) { // perhaps a descriptor of the program
    if (isKnownInPart(*this, member)) return Value::unknown();
    Name getter = name("__get__");
    if (findInClass(object->cls, getter).isAbsent()) return member;
    Nesting nesting(*this);
    if (!nesting) return Value::absent();
    Value arguments[] = {self.isAbsent() ? Value::none() : self, cls};
    return callSpecial(member, getter, arguments);
  }
  // Methods of builtin classes are bound like functions: __getattr__ = dict.get
  if (auto* native = hostAs<NativeFunctionObject>(member, nativeFunctionClass);
      native && native->ofClass && !self.isAbsent())
    return Value::object(ValueKind::BoundMethod,
                         heap().make<BoundMethodObject>(language::Object{}, self, member));
  auto* descriptor = hostAs<DescriptorObject>(member, descriptorClass);
  if (!descriptor) return member;
  switch (descriptor->flavour) {
  case DescriptorObject::Flavour::Static:
    return descriptor->function;
  case DescriptorObject::Flavour::Class:
    return Value::object(
        ValueKind::BoundMethod,
        heap().make<BoundMethodObject>(language::Object{}, cls, descriptor->function));
  case DescriptorObject::Flavour::Property:
  case DescriptorObject::Flavour::Cached:
    if (self.isAbsent()) return member;
    if (auto* getter = descriptor->function.as<FunctionObject>())
      return callFunction(getter, self, {});
    return call(descriptor->function, self);
  }
  return member;
}

// The methods of builtin types: rows of static tables, remembered by kind and name.
Value Interpreter::nativeMethod(Value object, Name method) {
  ValueKind kind = object.kind();
  const NativeRow* row = tables_->method(kind, method, *this);
  if (!row) return Value::absent();
  return function(row->name, row->function, object);
}

Value Interpreter::functionAttribute(const FunctionObject* function, Value self, Name attribute) {
  if (function->attributes)
    if (Value own = function->attributes->get(attribute); !own.isAbsent()) return own;
  if (attribute == known_.name)
    return string(function->qualname.rsplit('.').second.empty()
                      ? function->qualname
                      : function->qualname.rsplit('.').second);
  if (attribute == known_.qualname) return string(function->qualname);
  if (attribute == known_.module) return string(function->module ? function->module->name : "");
  if (attribute == known_.doc)
    return function->def && !function->def->docstring.empty() ? string(function->def->docstring)
                                                              : Value::none();
  if (attribute == known_.dict) return heap().dict();
  if (attribute == known_.annotations) {
    Value dict = heap().dict();
    auto parameters = function->def ? function->def->parameters : function->lambda->parameters;
    for (size_t i = 0; i < parameters.size() && i < function->annotations.size(); ++i)
      if (parameters[i].annotation)
        dictSet(dict.as<DictObject>(), string(text(parameters[i].name.name)),
                function->annotations[i]);
    return dict;
  }
  if (attribute == known_.defaults) {
    llvm::SmallVector<Value> defaults;
    llvm::ArrayRef<syntax::Parameter> parameters =
        function->def ? function->def->parameters : function->lambda->parameters;
    for (auto [parameter, value] : llvm::zip(parameters, function->defaults))
      if (!value.isAbsent() && parameter.kind != syntax::ParameterKind::KeywordOnly)
        defaults.push_back(value);
    return defaults.empty() ? Value::none() : tupleOf(defaults);
  }
  if (function->function != FunctionKind::Python) return jitAttribute(*this, self, attribute);
  bool mayHave = isOpen(function) || pythonHas("function", text(attribute)) ||
                 pythonHas("object", text(attribute));
  return mayHave ? Value::unknown() : Value::absent();
}

Value Interpreter::classAttribute(const ClassObject* cls, Name attribute) {
  Value self = Value::object(ValueKind::Class, cls);
  Value found = findInClass(cls, attribute);
  if (!found.isAbsent())
    return found.isUnknown() ? found : bindMember(found, Value::absent(), self);
  if (attribute == known_.name) return string(className(self));
  if (attribute == known_.qualname) return string(cls->qualname);
  if (attribute == known_.module) return string(cls->module ? cls->module->name : "builtins");
  if (attribute == known_.doc)
    return cls->def && !cls->def->docstring.empty() ? string(cls->def->docstring) : Value::none();
  if (attribute == known_.mro) return tupleOf(cls->mro);
  if (attribute == known_.bases && cls->mro.size() <= 2)
    return cls->mro.size() == 2 ? tupleOf(cls->mro[1]) : tupleOf({});
  if (attribute == known_.class_) return typeOf(self);
  if (attribute == known_.dict || attribute == known_.annotations)
    return classDict(*this, cls, attribute == known_.annotations);
  if (Value special = classSpecial(*this, cls, attribute); failed() || !special.isAbsent())
    return special;
  for (Value base : cls->mro) {
    auto* ancestor = base.as<ClassObject>();
    if (!ancestor || !ancestor->native) continue;
    if (Value member = nativeClassMember(ancestor, attribute); !member.isAbsent()) return member;
  }
  bool isField = cls->flavour == ClassObject::Flavour::NamedTuple &&
                 llvm::any_of(cls->fields, [&](auto& field) { return field.name == attribute; });
  bool hasSlots = !findInClass(cls, known_.slots).isAbsent(); // each a member of the class
  llvm::StringRef shown = text(attribute);
  bool isOfTuple = cls->flavour == ClassObject::Flavour::NamedTuple &&
                   (shown == "_field_defaults" || shown == "_replace" || shown == "_asdict" ||
                    pythonHas("tuple", shown));
  if (shown == "_convert_" && cls->flavour == ClassObject::Flavour::Enum && frame_)
    markOpen(*this, Value::object(ValueKind::Module, frame_->module)); // its members become globals
  if (isField || hasSlots || isOfTuple || pythonHas(*this, cls, attribute) ||
      pythonHas("type", text(attribute)))
    return Value::unknown();
  return metaclassMember(*this, cls, attribute);
}

Value Interpreter::lookupAttribute(Value object, Name attribute) {
  if (object.isConstexpr()) {
    if (attribute == known_.value) return object.unwrapped();
    object = object.unwrapped();
  }
  switch (object.kind()) {
  case ValueKind::Unknown:
    return object;
  case ValueKind::Instance: {
    auto* instance = object.as<InstanceObject>();
    Value cls = Value::object(ValueKind::Class, instance->cls);
    if (Value own = instance->attributes->get(attribute); !own.isAbsent()) {
      // A data descriptor takes precedence.
      auto* descriptor =
          own.isUnknown() ? nullptr : findInClass(instance->cls, attribute).as<InstanceObject>();
      bool isSet = descriptor && !findInClass(descriptor->cls, name("__set__")).isAbsent();
      if (!isSet) return own;
    }
    Value found = findInClass(instance->cls, attribute);
    if (found.isAbsent() &&
        findInClass(instance->cls, known_.getattribute).is(ValueKind::Function)) {
      if (attribute == known_.dict) markOpen(*this, object); // it may be changed through that
      return Value::unknown();
    }
    if (!found.isAbsent()) {
      Value bound = found.isUnknown() ? found : bindMember(found, object, cls);
      auto* descriptor = hostAs<DescriptorObject>(found, descriptorClass);
      if (descriptor && descriptor->flavour == DescriptorObject::Flavour::Cached &&
          !bound.isAbsent() && heap().owns(instance->attributes))
        if (Scope* attributes = writable(instance->attributes)) attributes->set(attribute, bound);
      return bound;
    }
    if (attribute == known_.class_) return cls;
    if (attribute == known_.dict) return namesOf(*this, object);
    if (attribute == known_.doc || attribute == known_.module)
      return classAttribute(instance->cls, attribute);
    if (Value special = instanceSpecial(*this, object, attribute); failed() || !special.isAbsent())
      return special;
    // A built-in class's own attributes come before __getattr__, and are not modelled.
    if (pythonHas(*this, instance->cls, attribute)) return Value::unknown();
    Value fallback = callSpecial(object, known_.getattr, string(text(attribute)));
    if (failed() || !fallback.isAbsent()) return fallback;
    for (Value base :
         instance->cls->mro) { // a subclass of dict, str, ...: its contents are not modelled
      auto* ancestor = base.as<ClassObject>();
      if (!ancestor || (ancestor->native && !ancestor->native->isPlain)) return Value::unknown();
    }
    bool mayHave =
        instance->attributes->contains(Name{}) || hasUnknownMetaclass(*this, instance->cls);
    return mayHave ? Value::unknown() : Value::absent();
  }
  case ValueKind::Class:
    return classAttribute(object.as<ClassObject>(), attribute);
  case ValueKind::Function:
    return functionAttribute(object.as<FunctionObject>(), object, attribute);
  case ValueKind::BoundMethod: {
    auto* method = object.as<BoundMethodObject>();
    if (text(attribute) == "__self__") return method->self;
    if (text(attribute) == "__func__") return method->function;
    Nesting nesting(*this);
    if (!nesting) return Value::absent();
    return lookupAttribute(method->function, attribute);
  }
  case ValueKind::Module: {
    auto* module = object.as<ModuleObject>();
    if (!module->globals) {
      if (auto known = tables_->attributes.find({module, attribute});
          known != tables_->attributes.end())
        return known->second;
      Value member = moduleMember(module->name, attribute);
      if (member.isAbsent())
        if (Value added = addedMember(module, attribute); !added.isAbsent()) return added;
      if (!module->path.empty()) { // a copy of Triton, which may have names of its own
        if (member.isAbsent()) return Value::unknown();
        if (auto* inner = member.as<ModuleObject>())
          if (ModuleObject* changed = writable(inner)) changed->path = module->path;
      }
      if (member.isAbsent() &&
          (pythonHas("module", text(attribute)) || pythonHas("object", text(attribute))))
        member = Value::unknown();
      if (!member.isAbsent()) tables_->attributes[{module, attribute}] = member;
      return member;
    }
    if (Value found = module->globals->get(attribute); !found.isAbsent()) return found;
    if (module->globals->contains(Name{})) return Value::unknown();
    if (attribute == known_.dict) return namesOf(*this, object);
    // A submodule that was imported.
    llvm::SmallString<128> inner;
    (module->name + "." + text(attribute)).toVector(inner);
    for (auto& entry : loaded_)
      if (entry.second->name == inner) return Value::object(ValueKind::Module, entry.second);
    if (pythonHas("module", text(attribute)) || pythonHas("object", text(attribute)))
      return Value::unknown();
    // def __getattr__(name) of a module (PEP 562), for what it lacks.
    Value maker = module->globals->get(known_.getattr);
    return maker.isAbsent() ? maker : call(maker, string(text(attribute)));
  }
  case ValueKind::Enum: {
    auto* member = object.as<EnumObject>();
    if (attribute == known_.value || attribute == known_.underscoreValue) {
      if (attribute == known_.value) { // a class may redefine it as a property
        Value found = findInClass(member->cls, attribute);
        if (hostAs<DescriptorObject>(found, descriptorClass))
          return bindMember(found, object, Value::object(ValueKind::Class, member->cls));
      }
      return member->value;
    }
    if (attribute == known_.enumName || text(attribute) == "_name_")
      return string(text(member->name));
    if (attribute == known_.class_) return Value::object(ValueKind::Class, member->cls);
    Value found = findInClass(member->cls, attribute);
    if (!found.isAbsent())
      return bindMember(found, object, Value::object(ValueKind::Class, member->cls));
    if (Value own = enumAttribute(*this, member, attribute); !own.isAbsent()) return own;
    if (isIntegerEnum(*this, member->cls)) return lookupAttribute(member->value, attribute);
    return isKnownInPart(*this, object) || pythonHas(*this, member->cls, attribute)
               ? Value::unknown()
               : Value::absent();
  }
  case ValueKind::Host: {
    auto* host = object.as<HostObject>();
    Nesting nesting(*this); // partials of partials, descriptors of descriptors
    if (!nesting) return Value::absent();
    if (isBuiltinFunction(object) && !pythonHas(nativeFunctionClass.name, text(attribute)) &&
        !pythonHas("object", text(attribute)))
      return Value::absent();
    Value found = host->cls->attribute ? callHost(*this, host->cls->attribute, object, attribute)
                                       : Value::absent();
    if (failed() || !found.isAbsent()) return found;
    return attribute == known_.class_ ? typeOf(object) : Value::absent();
  }
  case ValueKind::Builtin:
  case ValueKind::Type:
  case ValueKind::Layout:
  case ValueKind::Ir:
    return gluonAttribute(*this, object, attribute);
  case ValueKind::Tuple: {
    auto* tuple = object.as<TupleObject>();
    if (tuple->namedtuple) {
      for (size_t i = 0; i < tuple->items.size() && i < tuple->namedtuple->fields.size(); ++i)
        if (tuple->namedtuple->fields[i].name == attribute) return tuple->items[i];
      Value cls = Value::object(ValueKind::Class, tuple->namedtuple);
      Value found = findInClass(tuple->namedtuple, attribute);
      if (!found.isAbsent()) return bindMember(found, object, cls);
      if (attribute == known_.class_) return cls;
      if (Value own = namedTupleAttribute(*this, object, attribute); failed() || !own.isAbsent())
        return own;
      Value fallback = callSpecial(object, known_.getattr, string(text(attribute)));
      if (failed() || !fallback.isAbsent()) return fallback;
    }
    for (size_t i = 0; i < tuple->fields.size() && i < tuple->items.size(); ++i)
      if (tuple->fields[i] == attribute) return tuple->items[i];
    break;
  }
  case ValueKind::Int:
  case ValueKind::Bool:
  case ValueKind::BigInt:
  case ValueKind::Float: {
    llvm::StringRef shown = text(attribute);
    if (shown == "real" || shown == "numerator")
      return object.is(ValueKind::Bool) ? Value::integer(object.asInt()) : object;
    if (shown == "imag") return object.is(ValueKind::Float) ? Value::real(0) : Value::integer(0);
    if (shown == "denominator" && !object.is(ValueKind::Float)) return Value::integer(1);
    break;
  }
  case ValueKind::Range: {
    auto* range = object.as<RangeObject>();
    llvm::StringRef shown = text(attribute);
    if (shown == "start") return Value::integer(range->start);
    if (shown == "stop") return Value::integer(range->stop);
    if (shown == "step") return Value::integer(range->step);
    break;
  }
  case ValueKind::Slice: {
    auto* slice = object.as<SliceObject>();
    llvm::StringRef shown = text(attribute);
    if (shown == "start") return slice->start;
    if (shown == "stop") return slice->stop;
    if (shown == "step") return slice->step;
    break;
  }
  default:
    break;
  }
  Value method = nativeMethod(object, attribute);
  if (!method.isAbsent()) return method;
  if (Value special = builtinSpecial(*this, object, attribute); !special.isAbsent()) return special;
  if (attribute == known_.class_) return typeOf(object);
  if (attribute == known_.doc) return Value::none();
  if (text(attribute) == "__args__" && isUnion(object)) return Value::unknown();
  auto* cls = typeOf(object).as<ClassObject>();
  return cls && pythonHas(*this, cls, attribute) ? Value::unknown() : Value::absent();
}

// Attributes of Triton's tuples, which functions that run for a kernel get instead of Python's.
static Value tritonTupleAttribute(Interpreter& in, Value object, Name attribute) {
  auto* tuple = object.as<TupleObject>();
  if (!tuple || !in.options().ir) return Value::absent();
  llvm::StringRef shown = in.text(attribute);
  if (shown == "values") return in.heap().list(tuple->items);
  if (shown == "type") return in.options().ir->typeOf(object);
  if (shown == "_setitem" || shown == "_set_name" || shown == "_flatten_ir")
    return in.exhaust("gluond does not know tuple." + shown);
  return Value::absent();
}

Value Interpreter::getAttribute(Value object, Name attribute) {
  Value value = lookupAttribute(object, attribute);
  if (!value.isAbsent() || failed()) return value;
  if (text(attribute).empty()) return Value::unknown(); // still to be written, which is reported
  object = object.unwrapped();
  // All members of one that the program has filled are known.
  if (auto* space = hostAs<NamespaceObject>(object, namespaceClass);
      space && !text(attribute).starts_with("_") && heap().owns(space->attributes))
    return raise(
        "AttributeError",
        "'" + llvm::Twine(space->name == "namespace" ? "types.SimpleNamespace" : "Namespace") +
            "' object has no attribute '" + text(attribute) + "'");
  if (isKnownInPart(*this, object)) return Value::unknown();
  if (Value found = tritonTupleAttribute(*this, object, attribute); failed() || !found.isAbsent())
    return found;
  // _Class__name is a private name, which is not mangled here.
  llvm::StringRef shown = text(attribute);
  bool isPrivate = shown.starts_with("_") && !shown.starts_with("__") && shown.contains("__");
  if (isPrivate && (object.is(ValueKind::Instance) || object.is(ValueKind::Class)))
    return Value::unknown();
  if (auto* module = object.as<ModuleObject>())
    return isRunning(frame_, module) && module != frame_->module
               ? Value::unknown()
               : raise({ErrorKind::MissingMember, text(attribute).str(), module->name.str()},
                       "AttributeError",
                       "module '" + module->name + "' has no attribute '" + text(attribute) + "'");
  if (object.is(ValueKind::Builtin)) { // a class, such as one of Gluon's layouts
    const language::Builtin& row = *object.asBuiltin();
    bool isClass =
        row.kind == language::BuiltinKind::Layout || row.kind == language::BuiltinKind::Class;
    std::string what = isClass ? "type object '" + row.name.str() + "'" : "'function' object";
    return raise({ErrorKind::Library, text(attribute).str(), row.name.str()}, "AttributeError",
                 what + " has no attribute '" + text(attribute) + "'");
  }
  if (object.is(ValueKind::Class))
    return raise("AttributeError", "type object '" + llvm::Twine(className(object)) +
                                       "' has no attribute '" + text(attribute) + "'");
  return raise("AttributeError", "'" + llvm::Twine(className(typeOf(object))) +
                                     "' object has no attribute '" + text(attribute) + "'");
}

bool Interpreter::setAttribute(Value object, Name attribute, Value value) {
  if (object.isConstexpr()) { // an object of its own, which others may hold: x.value = 3
    assume();
    return true;
  }
  switch (object.kind()) {
  case ValueKind::Unknown:
    mayHaveRaised_ = true;
    return true;
  case ValueKind::Instance: {
    auto* instance = object.as<InstanceObject>();
    InstanceObject* changed = writable(instance);
    if (!changed || !charge(32)) return false;
    if (attribute == known_.class_ && value.is(ValueKind::Class)) {
      auto* cls = value.as<ClassObject>();
      if (hasPlainInstances(cls)) {
        changed->cls = cls;
        return true;
      }
      raise("TypeError", "__class__ assignment: '" + className(value) +
                             "' object layout differs from '" + className(typeOf(object)) + "'");
      return false;
    }
    Value setter = findInClass(instance->cls, known_.setattr);
    if (setter.is(ValueKind::Function)) {
      Value arguments[] = {string(text(attribute)), value};
      return !callSpecial(object, known_.setattr, arguments).isAbsent();
    }
    return setInstanceAttribute(*this, instance, attribute, value);
  }
  case ValueKind::Enum: {
    auto* member = object.as<EnumObject>();
    if (!writable(member)) return false;
    Scope*& attributes = enumAttributes_[member];
    if (!attributes) attributes = newScope();
    attributes->set(attribute, value);
    return true;
  }
  case ValueKind::Class: {
    auto* cls = object.as<ClassObject>();
    if (!writable(cls) || !charge(32)) return false;
    if (!cls->members) return true;
    if (auto* member = cls->members->get(attribute).as<language::EnumObject>();
        member && member->cls == cls) {
      raise("AttributeError", "cannot reassign member '" + llvm::Twine(text(attribute)) + "'");
      return false;
    }
    return setIn(cls->members, attribute, value);
  }
  case ValueKind::Function: {
    auto* function = object.as<FunctionObject>();
    Scope* attributes = attributesToChange(*this, function);
    if (!attributes || !charge(32)) return false;
    attributes->set(attribute, value);
    llvm::StringRef shown = text(attribute);
    if (shown == "__defaults__" || shown == "__kwdefaults__" || shown == "__code__")
      markOpen(*this, object); // it takes other arguments now
    if (attribute == known_.qualname && value.is(ValueKind::Str))
      if (FunctionObject* changed = writable(function))
        changed->qualname = value.as<StrObject>()->text;
    return true;
  }
  case ValueKind::Module: {
    auto* module = object.as<ModuleObject>();
    if (!module->globals) { // a modelled module: what replaces a name of it is not seen
      if (addMember(*this, module, attribute, value)) return true;
      if (failed()) return false;
      if (module->name == "builtins" || value.is(ValueKind::Function) || value.is(ValueKind::Class))
        assume();
      return true;
    }
    Scope* globals = writable(module->globals);
    if (!globals || !charge(32)) return false;
    globals->set(attribute, value);
    return true;
  }
  case ValueKind::Host: {
    auto* host = object.as<HostObject>();
    if (host->cls->setAttribute)
      return callHost(*this, host->cls->setAttribute, object, attribute, value);
    return true;
  }
  case ValueKind::Ir:
  case ValueKind::Layout:
  case ValueKind::Builtin:
  case ValueKind::Type:
    return true;
  default:
    break;
  }
  if (isKnownInPart(*this, object)) return true;
  raise("AttributeError", "'" + llvm::Twine(className(typeOf(object))) +
                              "' object has no attribute '" + text(attribute) + "'");
  return false;
}

} // namespace gluond::evaluate
