// The module functools.
#include "evaluate/interpreter/Iterators.h"
#include "evaluate/interpreter/NativeArguments.h"
#include "evaluate/interpreter/Rebinding.h"
#include "evaluate/stdlib/StandardModules.h"
#include "evaluate/values/Containers.h"
#include "evaluate/values/NamespaceMapping.h"
#include "evaluate/values/PythonCoverage.h"

namespace gluond::evaluate {

namespace {

Value partial(Interpreter& in, const CallArguments& arguments) {
  if (arguments.positional.empty())
    return in.raise("TypeError", "type 'partial' takes at least one argument");
  auto* object = in.heap().make<PartialObject>();
  object->cls = &partialClass;
  object->function = arguments.positional[0];
  object->positional = in.heap().copy(arguments.positional.drop_front());
  object->keywords = in.heap().copyArray(arguments.keywords);
  return Value::object(ValueKind::Host, object);
}

Value reduce(Interpreter& in, const CallArguments& arguments) {
  llvm::SmallVector<Value> items;
  if (arguments.positional.size() < 2)
    return in.raise("TypeError", "reduce expected at least 2 arguments");
  if (!in.unpack(arguments.positional[1], items)) return unknownOrRaised(in);
  Value result = given(in, arguments, 2, "initial");
  size_t first = 0;
  if (result.isAbsent()) {
    if (items.empty())
      return in.raise("TypeError", "reduce() of empty iterable with no initial value");
    result = items[first++];
  }
  for (size_t i = first; i < items.size(); ++i) {
    Value pair[] = {result, items[i]};
    if ((result = in.call(arguments.positional[0], pair)).isAbsent()) return result;
  }
  return result;
}

// @lru_cache, @cache: results by arguments.
struct CacheObject : HostObject {
  Value function;
  Value results; // a Dict: (arguments, keywords) -> result
};
extern const HostClass cacheClass;

Value callCache(Interpreter& in, Value self, const CallArguments& arguments) {
  auto* object = hostAs<CacheObject>(self, cacheClass);
  llvm::SmallVector<Value, 8> parts(arguments.positional.begin(), arguments.positional.end());
  for (auto& keyword : arguments.keywords) {
    parts.push_back(in.string(in.text(keyword.name)));
    parts.push_back(keyword.value);
  }
  if (!in.charge(parts.size() * sizeof(Value))) return Value::absent();
  Value key = in.tupleOf(parts);
  Value known = in.dictGet(object->results.as<DictObject>(), key);
  if (in.failed()) {
    if (in.isExhausted()) return known;
    in.dropError(); // unhashable here, perhaps not in Python: no cache
  } else if (!known.isAbsent() && !known.isUnknown()) {
    return known;
  }
  Value result = in.call(object->function, arguments);
  if (result.isAbsent() || !in.heap().owns(object) ||
      llvm::any_of(parts, [](Value part) { return part.isUnknown(); }))
    return result;
  if (!in.dictSet(object->results.as<DictObject>(), key, result)) {
    if (in.isExhausted()) return Value::absent();
    in.dropError();
  }
  return result;
}
Value cacheAttribute(Interpreter& in, Value self, Name name) {
  llvm::StringRef text = in.text(name);
  if (text == "cache_clear" || text == "cache_info") return in.function(text, unknown);
  if (text == "__wrapped__") return hostAs<CacheObject>(self, cacheClass)->function;
  return in.lookupAttribute(hostAs<CacheObject>(self, cacheClass)->function, name);
}
const HostClass cacheClass = {
    .name = "functools._lru_cache_wrapper",
    .attribute = cacheAttribute,
    .call = callCache,
    .rebinding = &copiedHost<CacheObject, &CacheObject::function, &CacheObject::results>};

bool isCache(Value value) {
  return hostAs<CacheObject>(value, cacheClass) != nullptr;
}

Value makeCache(Interpreter& in, const CallArguments& arguments) {
  // A method's cache must still bind its self: the method itself then.
  if (!at(arguments, 0).is(ValueKind::Function) || (in.frame() && in.frame()->isClass)) {
    markOpen(in, at(arguments, 0)); // cache_clear and the others are not modelled
    return at(arguments, 0).isAbsent() ? Value::unknown() : at(arguments, 0);
  }
  auto* object = in.heap().make<CacheObject>();
  object->cls = &cacheClass;
  object->function = arguments.positional[0];
  object->results = in.heap().dict();
  return Value::object(ValueKind::Host, object);
}
Value cache(Interpreter& in, const CallArguments& arguments) {
  if (arguments.positional.size() == 1 && in.isCallable(arguments.positional[0]))
    return makeCache(in, arguments);
  return in.function("lru_cache", makeCache);
}

Value wraps(Interpreter& in, const CallArguments& arguments) {
  Value wrapped = at(arguments, 0);
  if (wrapped.isAbsent())
    return in.raise("TypeError", "wraps() missing 1 required positional argument: 'wrapped'");
  return in.function(
      "wraps",
      [](Interpreter& i, const CallArguments& given) {
        auto *source = given.positional[0].as<FunctionObject>(),
             *target =
                 given.positional.size() > 1 ? given.positional[1].as<FunctionObject>() : nullptr;
        Scope* attributes = target ? attributesToChange(i, target) : nullptr;
        if (attributes) attributes->set(i.names().wrapped, given.positional[0]);
        // Attributes that an object other than a function gives, such as a cache, are not followed.
        if (attributes && !source) markOpen(i, given.positional[1]);
        if (attributes && source) {
          if (FunctionObject* changed = i.writable(target)) changed->qualname = source->qualname;
          for (Name copied : {i.names().doc, i.names().module})
            attributes->set(copied, i.lookupAttribute(given.positional[0], copied));
        }
        if (i.failed()) return Value::absent();
        return given.positional.size() > 1 ? given.positional[1] : Value::unknown();
      },
      wrapped);
}

Value cachedProperty(Interpreter& in, const CallArguments& arguments) {
  return makeDescriptor(in.heap(), DescriptorObject::Flavour::Cached, at(arguments, 0));
}

Value compareToKey(Interpreter&, const CallArguments&) {
  return Value::unknown();
}

// @singledispatch: functions by the class of the first argument.
struct DispatchObject : HostObject {
  Value function;      // for all other classes
  Value registrations; // a Dict: class -> function
};
extern const HostClass dispatchClass;

// Returns the function for a value: that of the most special class which it is an instance of.
Value dispatched(Interpreter& in, const DispatchObject& object, Value value) {
  auto* registrations = object.registrations.as<DictObject>();
  if (!in.spend(registrations->items.size())) return Value::absent();
  Value function = object.function, cls = Value::absent();
  for (auto [registered, its] : registrations->items) {
    std::optional<bool> isOne = in.isInstance(value, registered);
    if (in.failed() || !isOne) return unknownOrRaised(in);
    if (!*isOne || (!cls.isAbsent() && !in.isSubclass(registered, cls).value_or(false))) continue;
    cls = registered;
    function = its;
  }
  return in.failed() ? Value::absent() : function;
}

Value callDispatch(Interpreter& in, Value self, const CallArguments& arguments) {
  auto* object = hostAs<DispatchObject>(self, dispatchClass);
  if (arguments.positional.empty())
    return in.raise("TypeError",
                    "a single-dispatch function requires at least 1 positional argument");
  Value function = dispatched(in, *object, arguments.positional.front());
  return function.isAbsent() || function.isUnknown() ? unknownOrRaised(in)
                                                     : in.call(function, arguments);
}

bool addRegistration(Interpreter& in, Value self, Value cls, Value function) {
  Value registrations = hostAs<DispatchObject>(self, dispatchClass)->registrations;
  return in.dictSet(registrations.as<DictObject>(), cls, function);
}

// f.register(cls, function), @f.register(cls), and @f.register for a function with annotations.
Value registerDispatch(Interpreter& in, const CallArguments& arguments) {
  Value self = at(arguments, 0), first = given(in, arguments, 1, "cls"),
        function = given(in, arguments, 2, "func");
  if (first.isAbsent())
    return in.raise("TypeError", "register() missing 1 required positional argument: 'cls'");
  if (auto* annotated = first.as<language::FunctionObject>(); annotated && function.isAbsent()) {
    Value cls = annotated->annotations.empty() ? Value::none() : annotated->annotations.front();
    // The text of an annotation names a class that is not looked up here.
    if (cls.is(ValueKind::Str) || cls.isNone()) cls = Value::unknown();
    return addRegistration(in, self, cls, first) ? first : Value::absent();
  }
  if (!function.isAbsent())
    return addRegistration(in, self, first, function) ? function : Value::absent();
  return in.function(
      "register",
      [](Interpreter& i, const CallArguments& bound) -> Value {
        Value pair = bound.positional.front(), decorated = at(bound, 1);
        const Values& parts = pair.as<TupleObject>()->items;
        if (decorated.isAbsent()) return Value::unknown();
        return addRegistration(i, parts[0], parts[1], decorated) ? decorated : Value::absent();
      },
      in.tupleOf({self, first}));
}

Value dispatchAttribute(Interpreter& in, Value self, Name name) {
  auto* object = hostAs<DispatchObject>(self, dispatchClass);
  llvm::StringRef text = in.text(name);
  if (text == "register") return in.function("register", registerDispatch, self);
  if (text == "__wrapped__") return object->function;
  if (text == "dispatch" || text == "registry") return Value::unknown();
  return in.lookupAttribute(object->function, name);
}

const HostClass dispatchClass = {
    .name = "function",
    .attribute = dispatchAttribute,
    .call = callDispatch,
    .rebinding =
        &copiedHost<DispatchObject, &DispatchObject::function, &DispatchObject::registrations>};

Value singleDispatch(Interpreter& in, const CallArguments& arguments) {
  auto* object = in.heap().make<DispatchObject>();
  object->cls = &dispatchClass;
  object->function = at(arguments, 0).isAbsent() ? Value::unknown() : at(arguments, 0);
  object->registrations = in.heap().dict();
  return Value::object(ValueKind::Host, object);
}

// The method depends on an instance as well, which is not modelled.
Value singleDispatchMethod(Interpreter& in, const CallArguments&) {
  return in.namespaceOf("functools.singledispatchmethod", {});
}

// Gives its first argument the attributes of the second.
Value updateWrapper(Interpreter& in, const CallArguments& arguments) {
  markOpen(in, at(arguments, 0));
  return identity(in, arguments);
}

// The comparisons that the class lacks follow from those it has.
Value totalOrdering(Interpreter& in, const CallArguments& arguments) {
  auto* cls = at(arguments, 0).as<ClassObject>();
  if (!cls || !cls->members) return identity(in, arguments);
  Scope* members = in.writable(cls->members);
  if (!members) return Value::absent();
  for (Name special : {in.names().lt, in.names().le, in.names().gt, in.names().ge})
    if (in.findInClass(cls, special).isAbsent())
      members->set(special, in.function(in.text(special), unknown));
  return at(arguments, 0);
}

constexpr NativeRow functoolsRows[] = {
    {"cache", cache},
    {"cached_property", cachedProperty},
    {"cmp_to_key", compareToKey},
    {"lru_cache", cache},
    {"partial", partial},
    {"reduce", reduce},
    {"singledispatch", singleDispatch},
    {"singledispatchmethod", singleDispatchMethod},
    {"total_ordering", totalOrdering},
    {"update_wrapper", updateWrapper},
    {"wraps", wraps},
};

} // namespace

bool isCachedFunction(Value value) {
  return isCache(value);
}

llvm::ArrayRef<NativeRow> functoolsFunctions() {
  return functoolsRows;
}

} // namespace gluond::evaluate
