// What host objects do: the static rows of HostClass for the objects declared in Host.h.
#include "evaluate/interpreter/HostObjects.h"

#include "evaluate/interpreter/Costs.h"
#include "evaluate/interpreter/Gluon.h"
#include "evaluate/interpreter/Iterators.h"
#include "evaluate/interpreter/NativeTables.h"
#include "evaluate/interpreter/Rebinding.h"

namespace gluond::evaluate {

// ---------------------------------------------------------------- native functions

// Returns the arguments of str.upper(x) after checking that x is of the method's class; nullopt if
// it raised, or is not modelled.
static std::optional<CallArguments>
checkOwner(Interpreter& in, const NativeFunctionObject& function, const CallArguments& arguments) {
  llvm::StringRef owner = function.ofClass->qualname;
  if (arguments.positional.empty()) {
    in.raise("TypeError", "unbound method " + owner + "." + function.name + "() needs an argument");
    return std::nullopt;
  }
  if (function.ofClass->native->isPlain) return arguments;
  if (arguments.positional[0].isConstexpr()) return std::nullopt;
  Value type = in.typeOf(arguments.positional[0]);
  auto* cls = type.as<ClassObject>();
  auto fits = in.isSubclass(type, Value::object(ValueKind::Class, function.ofClass));
  bool isBuiltin = cls && cls->native && !arguments.positional[0].is(ValueKind::Instance);
  if (fits.value_or(false) && isBuiltin) return arguments;
  if (fits && !*fits)
    in.raise("TypeError", "descriptor '" + function.name + "' for '" + owner +
                              "' objects doesn't apply to a '" + in.className(type) + "' object");
  return std::nullopt;
}

static Value callNativeFunction(Interpreter& in, Value self, const CallArguments& arguments) {
  auto* function = hostAs<NativeFunctionObject>(self, nativeFunctionClass);
  if (!in.spendOn(arguments.positional) || !in.spendOn(function->self)) return Value::absent();
  if (function->ofClass) {
    auto fits = checkOwner(in, *function, arguments);
    if (!fits) return in.failed() ? Value::absent() : Value::unknown();
    return function->function(in, *fits);
  }
  if (function->self.isAbsent()) return function->function(in, arguments);
  if (!in.spend(arguments.positional.size() / valuesPerStep)) return Value::absent();
  llvm::SmallVector<Value, 8> positional{function->self};
  positional.append(arguments.positional.begin(), arguments.positional.end());
  return function->function(in, {positional, arguments.keywords});
}

static Value nativeFunctionAttribute(Interpreter& in, Value self, Name name) {
  auto* function = hostAs<NativeFunctionObject>(self, nativeFunctionClass);
  if (name == in.names().name || name == in.names().qualname) return in.string(function->name);
  if (name == in.names().doc) return Value::none();
  if (name == in.names().module) return in.string("builtins");
  // chain.from_iterable and the like: a function with functions.
  Value member = in.moduleMember(function->name, name);
  return member;
}

static std::string nativeFunctionRepr(Interpreter& in, Value self) {
  auto* function = hostAs<NativeFunctionObject>(self, nativeFunctionClass);
  if (!function->self.isAbsent() && !function->self.isUnknown())
    return ("<built-in method " + function->name + " of " +
            in.className(in.typeOf(function->self)) + " object at 0x0000000>")
        .str();
  return ("<built-in function " + hostAs<NativeFunctionObject>(self, nativeFunctionClass)->name +
          ">")
      .str();
}

const HostClass nativeFunctionClass = {
    .name = "builtin_function_or_method",
    .attribute = nativeFunctionAttribute,
    .call = callNativeFunction,
    .repr = nativeFunctionRepr,
    .rebinding = &copiedHost<NativeFunctionObject, &NativeFunctionObject::self,
                             &NativeFunctionObject::ofClass>};

// ---------------------------------------------------------------- functools.partial

// A partial of a partial is one partial with the arguments of both, as in Python: a chain of any
// length is walked in a loop, and each argument is copied once.
struct WholePartial {
  Value function;
  llvm::SmallVector<Value, 8> positional;
  llvm::SmallVector<KeywordArgument, 8> keywords;
};

// Appends the arguments of a call, `more`. Returns false after raising.
static bool wholePartial(Interpreter& in, Value self, const CallArguments& more,
                         WholePartial& out) {
  llvm::SmallVector<const PartialObject*, 4> chain; // the outermost one first
  out.function = self;
  size_t positional = more.positional.size(), keywords = more.keywords.size();
  while (auto* partial = hostAs<PartialObject>(out.function.unwrapped(), partialClass)) {
    if (!in.spend(1)) return false;
    chain.push_back(partial);
    positional += partial->positional.size();
    keywords += partial->keywords.size();
    out.function = partial->function;
  }
  if (!in.spend(positional / valuesPerStep) || !in.spend(keywords)) return false;
  llvm::SmallDenseMap<Name, size_t> places;
  auto append = [&](const CallArguments& arguments) {
    out.positional.append(arguments.positional.begin(), arguments.positional.end());
    for (const KeywordArgument& keyword : arguments.keywords) {
      auto [place, isNew] = places.try_emplace(keyword.name, out.keywords.size());
      if (isNew)
        out.keywords.push_back(keyword);
      else
        out.keywords[place->second] = keyword;
    }
  };
  out.positional.reserve(positional);
  for (const PartialObject* partial : llvm::reverse(chain))
    append({partial->positional, partial->keywords});
  append(more);
  return true;
}

static Value callPartial(Interpreter& in, Value self, const CallArguments& arguments) {
  WholePartial whole;
  if (!wholePartial(in, self, arguments, whole)) return Value::absent();
  return in.call(whole.function, {whole.positional, whole.keywords});
}

static Value partialAttribute(Interpreter& in, Value self, Name name) {
  auto& names = in.names();
  if (name != names.func && name != names.args && name != names.keywords) return Value::absent();
  WholePartial whole;
  if (!wholePartial(in, self, {}, whole)) return Value::absent();
  if (name == names.func) return whole.function;
  if (name == names.args)
    return in.charge(whole.positional.size(), sizeof(Value)) ? in.tupleOf(whole.positional)
                                                             : Value::absent();
  Value dict = in.heap().dict();
  for (auto& keyword : whole.keywords)
    if (!in.dictSet(dict.as<DictObject>(), in.string(in.text(keyword.name)), keyword.value))
      return Value::absent();
  return dict;
}

const HostClass partialClass = {
    .name = "functools.partial",
    .attribute = partialAttribute,
    .call = callPartial,
    .rebinding = &copiedHost<PartialObject, &PartialObject::function, &PartialObject::positional,
                             &PartialObject::keywords>};

// ---------------------------------------------------------------- descriptors

static Value descriptorAttribute(Interpreter& in, Value self, Name name) {
  auto* descriptor = hostAs<DescriptorObject>(self, descriptorClass);
  llvm::StringRef text = in.text(name);
  if (text == "__func__" || text == "fget") return descriptor->function;
  if (text == "fset") return descriptor->setter.isAbsent() ? Value::none() : descriptor->setter;
  if (text == "setter" || text == "getter" || text == "deleter") {
    auto with = [](int which) -> Native {
      switch (which) {
      case 0:
        return [](Interpreter& i, const CallArguments& arguments) {
          auto* object = i.heap().make<DescriptorObject>(
              *hostAs<DescriptorObject>(arguments.positional[0], descriptorClass));
          if (arguments.positional.size() > 1) object->setter = arguments.positional[1];
          return Value::object(ValueKind::Host, object);
        };
      case 1:
        return [](Interpreter& i, const CallArguments& arguments) {
          auto* object = i.heap().make<DescriptorObject>(
              *hostAs<DescriptorObject>(arguments.positional[0], descriptorClass));
          if (arguments.positional.size() > 1) object->function = arguments.positional[1];
          return Value::object(ValueKind::Host, object);
        };
      default:
        return [](Interpreter&, const CallArguments& arguments) { return arguments.positional[0]; };
      }
    };
    return in.function(text, with(text == "setter" ? 0 : text == "getter" ? 1 : 2), self);
  }
  return in.lookupAttribute(descriptor->function, name);
}

const HostClass descriptorClass = {
    .name = "property",
    .attribute = descriptorAttribute,
    .rebinding =
        &copiedHost<DescriptorObject, &DescriptorObject::function, &DescriptorObject::setter>};

Value makeDescriptor(Heap& heap, DescriptorObject::Flavour flavour, Value function, Value setter) {
  auto* object = heap.make<DescriptorObject>();
  object->cls = &descriptorClass;
  object->flavour = flavour;
  object->function = function;
  object->setter = setter;
  return Value::object(ValueKind::Host, object);
}

// ---------------------------------------------------------------- iterators

Value stopIteration(Interpreter& in, Value iterator) {
  Value returned = hostAs<IteratorObject>(iterator, iteratorClass)->returned;
  Values given = returned.isNone() ? Values() : Values(returned);
  Value exception = in.instantiate(in.builtinClass("StopIteration"), {given, {}});
  if (auto* object = exception.as<InstanceObject>())
    if (Scope* attributes = in.writable(object->attributes))
      attributes->set(in.names().value, returned);
  return exception.isAbsent() ? exception : in.raiseValue(exception);
}

// generator.send(value), generator.throw(exception)
template <Resumption how> static Value resumed(Interpreter& in, const CallArguments& arguments) {
  if (arguments.positional.size() < 2) return Value::unknown();
  Value value = arguments.positional[1];
  if (how == Resumption::Throw && value.is(ValueKind::Class)) value = in.call(value, Values());
  if (value.isAbsent()) return value;
  if (how == Resumption::Throw && !value.is(ValueKind::Instance)) return Value::unknown();
  bool uncertain = false;
  Value member = resumeGenerator(in, arguments.positional[0], how, value, uncertain);
  if (!member.isAbsent() || in.failed()) return member;
  return uncertain ? Value::unknown() : stopIteration(in, arguments.positional[0]);
}

static Value iteratorAttribute(Interpreter& in, Value self, Name name) {
  llvm::StringRef text = in.text(name);
  if (text == "__next__")
    return in.function(
        "next",
        [](Interpreter& i, const CallArguments& arguments) {
          return i.call(i.builtinFunction("next"), arguments);
        },
        self);
  if (text == "close")
    return in.function(
        text,
        [](Interpreter& i, const CallArguments& arguments) {
          return closeGenerator(i, arguments.positional[0]) ? Value::none() : Value::absent();
        },
        self);
  if (text == "send") return in.function(text, resumed<Resumption::Send>, self);
  if (text == "throw") return in.function(text, resumed<Resumption::Throw>, self);
  if (text == "__iter__")
    return in.function(
        "iter",
        [](Interpreter&, const CallArguments& arguments) { return arguments.positional[0]; }, self);
  return Value::absent();
}

const HostClass iteratorClass = {
    .name = "generator",
    .attribute = iteratorAttribute,
    .rebinding = &copiedHost<IteratorObject, &IteratorObject::items, &IteratorObject::returned>};

// ---------------------------------------------------------------- @contextmanager

// As a decorator it enters the context around each call, which is not modelled.
static Value callContextManager(Interpreter& in, Value, const CallArguments& arguments) {
  in.assume();
  return arguments.positional.empty() ? Value::unknown() : arguments.positional[0];
}

static Value contextManagerAttribute(Interpreter& in, Value, Name name) {
  llvm::StringRef text = in.text(name);
  if (text != "__enter__" && text != "__exit__") return Value::absent();
  in.assume(); // a caller of these decides when
  return Value::unknown();
}

const HostClass contextManagerClass = {
    .name = "_GeneratorContextManager",
    .attribute = contextManagerAttribute,
    .call = callContextManager,
    .rebinding = &copiedHost<ContextManagerObject, &ContextManagerObject::generator>};

// ---------------------------------------------------------------- super()

static Value superAttribute(Interpreter& in, Value self, Name name) {
  auto* object = hostAs<SuperObject>(self, superClass);
  const ClassObject* cls = nullptr;
  if (auto* instance = object->self.as<InstanceObject>())
    cls = instance->cls;
  else if (auto* member = object->self.as<EnumObject>())
    cls = member->cls;
  else
    cls = object->self.as<ClassObject>();
  if (!cls) return Value::unknown();
  // In a method of a metaclass, `self` is one of its classes.
  bool isOfMetaclass = false;
  if (object->self.is(ValueKind::Class) && llvm::none_of(cls->mro, [&](Value base) {
        return base.as<ClassObject>() == object->after;
      })) {
    cls = in.typeOf(object->self).as<ClassObject>();
    if (!cls) return Value::unknown();
    isOfMetaclass = true;
  }
  bool after = false;
  for (Value base : cls->mro) {
    auto* ancestor = base.as<ClassObject>();
    if (!after) {
      after = ancestor == object->after;
      continue;
    }
    if (!ancestor) return Value::unknown();
    if (ancestor->members)
      if (Value found = ancestor->members->get(name); !found.isAbsent()) {
        bool isClass = object->self.is(ValueKind::Class) && !isOfMetaclass &&
                       name != in.names().new_ && !hostAs<DescriptorObject>(found, descriptorClass);
        return in.bindMember(found,
                             isClass || name == in.names().new_ ? Value::absent() : object->self,
                             Value::object(ValueKind::Class, cls));
      }
    if (ancestor->flavour == ClassObject::Flavour::Dataclass && name == in.names().init &&
        ancestor->def)
      return in.function(
          "__init__",
          [](Interpreter& i, const CallArguments& arguments) -> Value { // the generated one
            auto* target = arguments.positional[0].as<InstanceObject>();
            if (!target) return Value::none();
            for (Value base : llvm::drop_begin(target->cls->mro)) {
              auto* parent = base.as<ClassObject>();
              if (!parent || parent->flavour != ClassObject::Flavour::Dataclass) continue;
              Value made =
                  i.instantiate(parent, {arguments.positional.drop_front(), arguments.keywords});
              if (made.isAbsent()) return made;
              Scope* attributes = i.writable(target->attributes);
              if (!attributes) return Value::absent();
              if (auto* source = made.as<InstanceObject>())
                for (auto [field, value] : *source->attributes)
                  attributes->set(field, value);
              return Value::none();
            }
            return Value::none();
          },
          object->self);
    if (ancestor->native) {
      Value method = in.nativeClassMember(ancestor, name);
      if (method.isAbsent()) continue;
      if (!ancestor->native->isPlain)
        return Value::unknown(); // the str or list inside is not modelled
      if (name == in.names().new_) return method;
      auto* function = hostAs<NativeFunctionObject>(method, nativeFunctionClass);
      return function ? in.function(function->name, function->function, object->self) : method;
    }
  }
  auto isMetaclass = in.isSubclass(Value::object(ValueKind::Class, cls),
                                   Value::object(ValueKind::Class, in.builtinClass("type")));
  return isMetaclass.value_or(true) ? Value::unknown() : Value::absent();
}

const HostClass superClass = {
    .name = "super",
    .attribute = superAttribute,
    .rebinding = &copiedHost<SuperObject, &SuperObject::after, &SuperObject::self>};

// ---------------------------------------------------------------- namespaces

static Value namespaceAttribute(Interpreter& in, Value self, Name name) {
  auto* object = hostAs<NamespaceObject>(self, namespaceClass);
  if (Value found = object->attributes->get(name); !found.isAbsent()) return found;
  if (name == in.names().dict) {
    Value dict = in.heap().dict();
    for (auto [key, value] : *object->attributes)
      if (key) in.dictSet(dict.as<DictObject>(), in.string(in.text(key)), value);
    if (in.heap().owns(object->attributes)) // it may be changed through that
      if (Scope* changed = in.writable(object->attributes)) changed->set(Name{}, Value::unknown());
    return dict;
  }
  bool isArguments = object->name == "argparse.Namespace" && !in.text(name).starts_with("_") &&
                     in.heap().owns(object->attributes);
  if (object->name != "namespace" && !isArguments) return Value::unknown(); // modelled in part
  return object->attributes->contains(Name{}) ? Value::unknown() : Value::absent();
}

static bool namespaceSet(Interpreter& in, Value self, Name name, Value value) {
  auto* object = hostAs<NamespaceObject>(self, namespaceClass);
  return in.setIn(object->attributes, name, value);
}

static std::string namespaceRepr(Interpreter& in, Value self) {
  auto* object = hostAs<NamespaceObject>(self, namespaceClass);
  if (auto* text = object->attributes->get(in.names().repr).as<StrObject>())
    return text->text.str();
  in.notePrintedUnknown(); // the real object has a text of its own
  Nesting nesting(in);
  if (!nesting) return {};
  std::string result = object->name.str() + "(";
  bool first = true;
  for (auto [name, value] : *object->attributes) {
    if (!name) continue; // it may have others
    if (!first) result += ", ";
    first = false;
    std::string shown = in.text(name).str() + "=" + in.repr(value);
    if (in.failed() || !in.charge(shown.size()) || !in.spendBytes(shown.size())) return {};
    result += shown;
  }
  return result + ")";
}

static Value namespaceCall(Interpreter& in, Value self, const CallArguments& arguments) {
  auto* object = hostAs<NamespaceObject>(self, namespaceClass);
  if (Value callee = object->attributes->get(in.names().call); !callee.isAbsent()) {
    if (!in.spend(arguments.positional.size() / valuesPerStep)) return Value::absent();
    llvm::SmallVector<Value, 8> positional{self};
    positional.append(arguments.positional.begin(), arguments.positional.end());
    return in.call(callee, {positional, arguments.keywords});
  }
  // A modelled decorator: it returns its argument.
  if (arguments.positional.size() == 1 && (arguments.positional[0].is(ValueKind::Function) ||
                                           arguments.positional[0].is(ValueKind::Class)))
    return arguments.positional[0];
  return Value::unknown();
}

static Value namespaceItem(Interpreter& in, Value self, Value index) {
  Value getter = hostAs<NamespaceObject>(self, namespaceClass)->attributes->get(in.name("item"));
  return getter.isAbsent() ? self : in.call(getter, index); // Optional[int], Callable[..., int]
}

const HostClass namespaceClass = {.name = "namespace",
                                  .attribute = namespaceAttribute,
                                  .call = namespaceCall,
                                  .item = namespaceItem,
                                  .repr = namespaceRepr,
                                  .setAttribute = namespaceSet,
                                  .rebinding =
                                      &copiedHost<NamespaceObject, &NamespaceObject::attributes>};

} // namespace gluond::evaluate
