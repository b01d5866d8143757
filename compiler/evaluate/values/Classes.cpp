#include "evaluate/values/Classes.h"

#include "evaluate/interpreter/Gluon.h"
#include "evaluate/interpreter/NativeTables.h"
#include "evaluate/values/NamespaceMapping.h"
#include "evaluate/values/PythonCoverage.h"
#include "language/values/Integers.h"

#include <llvm/ADT/StringExtras.h>

#include <set>

namespace gluond::evaluate {

using Flavour = ClassObject::Flavour;

// ---------------------------------------------------------------- making classes

// C3: merges the bases' orders; nullopt when they contradict each other.
static std::optional<llvm::SmallVector<Value>> linearize(Interpreter& in, Values bases) {
  llvm::SmallVector<llvm::SmallVector<Value>> lists;
  for (Value base : bases) {
    if (auto* cls = base.as<ClassObject>())
      lists.push_back(llvm::SmallVector<Value>(cls->mro));
    else
      lists.push_back({base});
  }
  lists.push_back(llvm::SmallVector<Value>(bases));
  llvm::SmallVector<Value> result;
  while (true) {
    bool empty = true, progress = false;
    for (auto& list : lists) {
      if (list.empty()) continue;
      empty = false;
      if (!in.spend(lists.size())) return std::nullopt;
      Value candidate = list.front();
      bool inTail = llvm::any_of(lists, [&](auto& other) {
        return other.size() > 1 && llvm::any_of(llvm::drop_begin(other), [&](Value v) {
                 return v.identical(candidate) && !v.isUnknown();
               });
      });
      if (inTail) continue;
      result.push_back(candidate);
      for (auto& other : lists)
        if (!other.empty() && other.front().identical(candidate)) other.erase(other.begin());
      progress = true;
      break;
    }
    if (empty) return result;
    if (!progress) return std::nullopt;
  }
}

// Returns false if it raised.
static bool addEnumMembers(Interpreter& in, const ClassObject* cls, Scope& members) {
  bool isFlag = isFlagEnum(cls),
       isText = in.isSubclass(Value::object(ValueKind::Class, cls),
                              Value::object(ValueKind::Class, in.builtinClass("StrEnum")))
                    .value_or(false);
  // The class may generate values itself.
  bool isKnown = in.findInClass(cls, in.name("_generate_next_value_")).isAbsent() &&
                 in.findInClass(cls, in.names().new_).isAbsent();
  Value last = Value::integer(0);
  auto next = [&](Name member) -> Value {
    if (!isKnown || !isInteger(last)) return Value::unknown();
    if (isText) return in.string(in.text(member).lower());
    if (!isFlag) return in.binary(syntax::BinaryOp::Add, last, Value::integer(1));
    // The power of two above all bits.
    unsigned bits = toAPInt(last).getActiveBits();
    return bits < 62 ? Value::integer(int64_t(1) << bits) : Value::unknown();
  };
  for (auto [member, value] : members) {
    llvm::StringRef shown = in.text(member);
    if (shown.starts_with("_") || value.isAbsent() || value.is(ValueKind::Function) ||
        value.is(ValueKind::Class) || value.is(ValueKind::Builtin) ||
        hostAs<DescriptorObject>(value, descriptorClass))
      continue;
    if (auto* space = hostAs<NamespaceObject>(value, namespaceClass)) {
      if (space->name == "enum.auto") value = next(member);
      if (space->name == "enum.nonmember" || space->name == "enum.member") {
        if (Value inner = space->attributes->get(in.names().value); !inner.isAbsent())
          value = inner;
        if (space->name == "enum.nonmember") {
          members.set(member, value);
          continue;
        }
      }
    }
    if (in.failed()) return false;
    if (!isKnown && !in.findInClass(cls, in.names().new_).isAbsent()) value = Value::unknown();
    if (value.isUnknown() || isInteger(value)) last = value;
    // An alias is the member that has the value already.
    Value existing = Value::absent();
    for (auto [other, known] : members) {
      if (other == member) break;
      auto* object = known.as<EnumObject>();
      if (object && in.equal(object->value, value).value_or(false)) existing = known;
      if (in.failed() || !in.spend(1)) return false;
    }
    if (!existing.isAbsent()) {
      members.set(member, existing);
      continue;
    }
    auto* object = in.heap().make<EnumObject>();
    object->cls = cls;
    object->name = member;
    object->value = value;
    members.set(member, Value::object(ValueKind::Enum, object));
  }
  return true;
}

Value Interpreter::makeClass(const syntax::ClassDef* def, llvm::StringRef shortName,
                             llvm::StringRef qualname, Values bases,
                             llvm::ArrayRef<KeywordArgument> keywords, Scope* members,
                             llvm::ArrayRef<ClassObject::Field> annotated) {
  auto* cls = heap().make<ClassObject>();
  cls->def = def;
  cls->module = frame_ ? frame_->module : nullptr;
  cls->qualname = qualname;
  cls->members = members;
  llvm::SmallVector<Value> direct;
  bool isNamedTuple = false;
  for (Value base : bases) {
    base = base.unwrapped();
    if (auto* native = hostAs<NativeFunctionObject>(base, nativeFunctionClass);
        native && native->name == "NamedTuple") {
      isNamedTuple = true;
      continue;
    }
    auto* parent = base.as<ClassObject>();
    if (parent && parent->native && parent->qualname == "Generic") continue;
    if (!parent) {
      direct.push_back(Value::unknown());
      continue;
    }
    if (parent->flavour != Flavour::Plain &&
        (cls->flavour == Flavour::Plain || parent->flavour == Flavour::Enum))
      cls->flavour = parent->flavour;
    if (cls->fields.empty()) cls->fields = parent->fields;
    cls->frozen |= parent->frozen;
    direct.push_back(base);
  }
  Value self = Value::object(ValueKind::Class, cls);
  Value object = Value::object(ValueKind::Class, builtinClass("object"));
  if (direct.empty()) direct.push_back(object);
  constexpr size_t longestOrder = 256;
  for (Value base : direct)
    if (auto* parent = base.as<ClassObject>(); parent && parent->mro.size() > longestOrder)
      return exhaust("a class of more than " + llvm::Twine(longestOrder) + " ancestors");
  auto order = direct.size() <= longestOrder ? linearize(*this, direct) : std::nullopt;
  if (failed()) return Value::absent();
  if (!order)
    return raise("TypeError",
                 "Cannot create a consistent method resolution order (MRO) for class " + shortName);
  order->insert(order->begin(), self);
  cls->mro = heap().copy(*order);
  if (Value metaclass = metaclassFor(*this, bases, keywords);
      !metaclass.identical(metaclassOf(*this, cls)))
    setMetaclass(*this, cls, metaclass);
  if (isNamedTuple) {
    cls->flavour = Flavour::NamedTuple;
    cls->fields = heap().copyArray(annotated);
    llvm::StringRef withDefault;
    for (auto& field : annotated) {
      members->set(field.name, Value::absent());
      if (field.hasDefault)
        withDefault = text(field.name);
      else if (!withDefault.empty())
        return raise("TypeError", "non-default namedtuple field " + text(field.name) +
                                      " cannot follow default field " + withDefault);
    }
  } else if (cls->flavour == Flavour::Enum) {
    if (!addEnumMembers(*this, cls, *members)) return Value::absent();
    Value init = members->get(known_.init);
    if (init.is(ValueKind::Function))
      for (auto [member, value] : members->snapshot()) {
        auto* enumerator = value.as<EnumObject>();
        if (!enumerator || enumerator->cls != cls) continue;
        auto* tuple = enumerator->value.as<TupleObject>();
        if (callFunction(init.as<FunctionObject>(), value,
                         {tuple ? tuple->items : Values(enumerator->value), {}})
                .isAbsent())
          return Value::absent();
      }
  } else if (cls->flavour == Flavour::Plain || cls->flavour == Flavour::Exception) {
    cls->fields = heap().copyArray(annotated); // read by @dataclass or @aggregate
  } else {
    // A subclass of a dataclass or an aggregate: its own annotations are kept until it is decorated
    // itself.
    pendingFields_[cls] = heap().copyArray(annotated);
  }
  for (Name method : {known_.initSubclass, known_.classGetitem}) // class methods without saying so
    if (Value found = members->get(method); found.is(ValueKind::Function))
      members->set(method, makeDescriptor(heap(), DescriptorObject::Flavour::Class, found));
  for (auto [member, value] : members->snapshot()) { // descriptors learn their names
    if (!value.is(ValueKind::Instance)) continue;
    Value arguments[] = {self, string(text(member))};
    if (callSpecial(value, known_.setName, arguments).isAbsent() && failed())
      return Value::absent();
  }
  for (Value base : llvm::drop_begin(cls->mro)) {
    auto* ancestor = base.as<ClassObject>();
    if (!ancestor) { // it may do anything to the class
      markOpen(*this, self);
      break;
    }
    Value hook = ancestor->members ? ancestor->members->get(known_.initSubclass) : Value::absent();
    if (hook.isAbsent()) continue;
    auto* function = hook.as<FunctionObject>();
    if (auto* descriptor = hostAs<DescriptorObject>(hook, descriptorClass))
      function = descriptor->function.as<FunctionObject>();
    if (function &&
        callFunction(function, self, {{}, withoutMetaclass(*this, keywords)}).isAbsent())
      return Value::absent();
    break;
  }
  return self;
}

llvm::ArrayRef<ClassObject::Field> Interpreter::ownFields(const ClassObject* cls) const {
  auto it = pendingFields_.find(cls);
  return it != pendingFields_.end() ? it->second : cls->fields;
}

llvm::StringRef Interpreter::className(Value value) {
  value = value.unwrapped();
  if (auto* cls = value.as<ClassObject>()) {
    if (cls->members)
      if (auto* shown = cls->members->get(known_.name).as<StrObject>()) return shown->text;
    auto [head, tail] = cls->qualname.rsplit('.');
    return tail.empty() ? cls->qualname : tail;
  }
  if (auto* function = value.as<FunctionObject>()) {
    auto [head, tail] = function->qualname.rsplit('.');
    return tail.empty() ? function->qualname : tail;
  }
  if (value.is(ValueKind::Builtin)) return heap().copy(gluonRepr(*this, value));
  if (auto* native = hostAs<NativeFunctionObject>(value, nativeFunctionClass)) return native->name;
  return "?";
}

// ---------------------------------------------------------------- reflection

Value classDict(Interpreter& in, const ClassObject* cls, bool annotations) {
  Value dict = in.heap().dict();
  if (annotations) {
    for (auto& field : cls->fields)
      in.dictSet(dict.as<DictObject>(), in.string(in.text(field.name)), field.annotation);
    return dict;
  }
  if (!cls->members) return Value::unknown();
  for (auto [name, value] : *cls->members)
    if (!value.isAbsent()) in.dictSet(dict.as<DictObject>(), in.string(in.text(name)), value);
  return dict;
}

Value classSpecial(Interpreter& in, const ClassObject* cls, Name attribute) {
  llvm::StringRef shown = in.text(attribute);
  switch (cls->flavour) {
  case Flavour::Dataclass:
    if (shown == "__dataclass_fields__" || shown == "__match_args__" ||
        shown == "__dataclass_params__" || shown == "__replace__")
      return Value::unknown();
    break;
  case Flavour::Aggregate:
    if (shown == "__triton_aggregate__" || shown == "__triton_builtin__")
      return Value::boolean(true);
    if (shown == "__aggregate_fields__") {
      llvm::SmallVector<Value> names;
      for (auto& field : cls->fields)
        names.push_back(in.string(in.text(field.name)));
      return in.tupleOf(names);
    }
    if (shown == "__aggregate_defaults__") {
      Value dict = in.heap().dict();
      for (auto& field : cls->fields)
        if (field.hasDefault)
          in.dictSet(dict.as<DictObject>(), in.string(in.text(field.name)), field.defaultValue);
      return dict;
    }
    if (shown == "hash_attrs" || shown == "_get_instance") return Value::unknown();
    break;
  case Flavour::NamedTuple: {
    if (shown == "_fields") {
      llvm::SmallVector<Value> names;
      for (auto& field : cls->fields)
        names.push_back(in.string(in.text(field.name)));
      return in.tupleOf(names);
    }
    if (shown == "_make")
      return in.function(
          "_make",
          [](Interpreter& i, const CallArguments& arguments) -> Value {
            llvm::SmallVector<Value> items;
            auto* owner =
                arguments.positional.empty() ? nullptr : arguments.positional[0].as<ClassObject>();
            if (!owner || arguments.positional.size() != 2)
              return i.raise("TypeError", "_make() takes one iterable");
            if (!i.unpack(arguments.positional[1], items))
              return i.failed() ? Value::absent() : Value::unknown();
            return i.instantiate(owner, {items, {}});
          },
          Value::object(ValueKind::Class, cls));
    break;
  }
  case Flavour::Enum:
    if (shown == "__members__") {
      Value dict = in.heap().dict();
      for (auto [name, value] : *cls->members)
        if (value.is(ValueKind::Enum))
          in.dictSet(dict.as<DictObject>(), in.string(in.text(name)), value);
      return dict;
    }
    break;
  default:
    break;
  }
  return Value::absent();
}

Value instanceSpecial(Interpreter& in, Value value, Name attribute) {
  auto* object = value.as<InstanceObject>();
  llvm::StringRef shown = in.text(attribute);
  if (object->cls->flavour == Flavour::Exception) {
    if (shown == "with_traceback" || shown == "add_note")
      return in.function(
          shown,
          [](Interpreter&, const CallArguments& arguments) { return arguments.positional[0]; },
          value);
    auto isA = [&](llvm::StringRef name) {
      return in
          .isSubclass(Value::object(ValueKind::Class, object->cls),
                      Value::object(ValueKind::Class, in.builtinClass(name)))
          .value_or(false);
    };
    if ((shown == "value" && isA("StopIteration")) || (shown == "code" && isA("SystemExit"))) {
      auto* tuple = object->attributes->get(in.names().args).as<TupleObject>();
      return tuple && !tuple->items.empty() ? tuple->items[0] : Value::none();
    }
    return Value::absent();
  }
  Value ofClass = classSpecial(in, object->cls, attribute);
  if (!ofClass.isAbsent()) return ofClass;
  if (shown == "_replace") return Value::unknown();
  if (shown == "type" && object->cls->flavour == Flavour::Aggregate) return Value::unknown();
  return Value::absent();
}

std::string exceptionMessage(Interpreter& in, Value exception) {
  auto* object = exception.as<InstanceObject>();
  Value args = object ? object->attributes->get(in.names().args) : Value::absent();
  auto* tuple = args.as<TupleObject>();
  if (!tuple || tuple->items.empty()) return "";
  if (tuple->items.size() == 1) {
    bool isKeyError = false;
    for (Value base : object->cls->mro)
      if (auto* ancestor = base.as<ClassObject>())
        isKeyError |= ancestor->native && ancestor->qualname == "KeyError";
    if (isKeyError) return in.repr(tuple->items[0]);
    return in.str(tuple->items[0]);
  }
  return in.repr(args);
}

bool hasPlainInstances(const ClassObject* cls) {
  using Flavour = ClassObject::Flavour;
  bool isBuiltin = cls->native && !cls->native->isPlain;
  return !isBuiltin && cls->flavour != Flavour::Enum && cls->flavour != Flavour::NamedTuple;
}

} // namespace gluond::evaluate
