// @dataclass and @gluon.aggregate.
#include "evaluate/interpreter/Gluon.h"
#include "evaluate/values/Classes.h"
#include "language/types/LayoutClass.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/StringExtras.h>

namespace gluond::evaluate {

using Flavour = ClassObject::Flavour;

// ---------------------------------------------------------------- dataclasses and aggregates

static bool flag(Interpreter& in, const CallArguments& arguments, llvm::StringRef name,
                 bool missing) {
  for (auto& keyword : arguments.keywords)
    if (in.text(keyword.name) == name) return in.truth(keyword.value).value_or(missing);
  return missing;
}

// The fields of the bases, oldest first, then the class's own; a name that is repeated keeps its
// place.
static llvm::SmallVector<ClassObject::Field> collectFields(Interpreter& in,
                                                           const ClassObject* cls) {
  llvm::SmallVector<ClassObject::Field> fields;
  llvm::DenseMap<Name, size_t> places;
  auto add = [&](const ClassObject::Field& field) {
    auto [place, isNew] = places.try_emplace(field.name, fields.size());
    if (isNew)
      fields.push_back(field);
    else
      fields[place->second] = field;
  };
  for (Value base : llvm::reverse(llvm::drop_begin(cls->mro)))
    if (auto* ancestor = base.as<ClassObject>();
        ancestor &&
        (ancestor->flavour == Flavour::Dataclass || ancestor->flavour == Flavour::Aggregate))
      for (auto& field : ancestor->fields)
        add(field);
  for (auto& field : in.ownFields(cls))
    add(field);
  return fields;
}

// Members of enums, namedtuples and builtin classes have no fields of a dataclass, and a
// namedtuple's items are as many as its fields were when it was made.
static bool hasFixedFields(const ClassObject* cls) {
  return cls->native || !hasPlainInstances(cls);
}

static constexpr llvm::StringLiteral plainRepr = "__gluond_plain_repr__"; // of repr=False

// ClassVar, InitVar or KW_ONLY, also where the annotation is text; "" for the type of a field.
static llvm::StringRef markOf(Value annotation) {
  if (auto* space = hostAs<NamespaceObject>(annotation, namespaceClass))
    return llvm::StringRef(space->name).rsplit('.').second;
  auto* text = annotation.as<StrObject>();
  if (!text) return "";
  llvm::StringRef head = text->text.take_until([](char c) { return c == '['; }).trim();
  return head.contains('.') ? head.rsplit('.').second : head;
}

Value dataclassDecorator(Interpreter& in, const CallArguments& arguments) {
  if (arguments.positional.empty()) { // @dataclass(frozen=True)
    auto* partial = in.heap().make<PartialObject>();
    partial->cls = &partialClass;
    partial->function = in.function("dataclass", dataclassDecorator);
    partial->positional = {};
    partial->keywords = in.heap().copyArray(arguments.keywords);
    return Value::object(ValueKind::Host, partial);
  }
  auto* given = arguments.positional[0].as<ClassObject>();
  if (!given || hasFixedFields(given)) return arguments.positional[0];
  ClassObject* cls = in.writable(given);
  Scope* members = given->members ? in.writable(given->members) : nullptr;
  if (!cls || in.failed()) return Value::absent();
  auto fields = collectFields(in, cls);
  bool keywordOnly = flag(in, arguments, "kw_only", false);
  llvm::SmallVector<ClassObject::Field> kept;
  bool afterMark = false;
  for (auto& field : fields) {
    llvm::StringRef mark = markOf(field.annotation);
    if (mark == "ClassVar") continue;
    if (mark == "InitVar") field.isInitOnly = true;
    if (mark == "KW_ONLY") {
      afterMark = true;
      continue;
    }
    if (keywordOnly || afterMark) field.isKeywordOnly = true;
    if (auto* space = hostAs<NamespaceObject>(field.defaultValue, namespaceClass);
        space && field.hasDefault && space->name == "dataclasses.field") {
      auto get = [&](llvm::StringRef key) { return space->attributes->get(in.name(key)); };
      field.hasDefault = false;
      if (Value value = get("default"); !value.isAbsent()) {
        field.defaultValue = value;
        field.hasDefault = true;
      } else if (Value factory = get("default_factory"); !factory.isAbsent()) {
        field.defaultValue = factory;
        field.hasDefault = field.hasFactory = true;
      }
      if (Value value = get("init"); !value.isAbsent())
        field.isInInit = in.truth(value).value_or(true);
      if (Value value = get("repr"); !value.isAbsent())
        field.isInRepr = in.truth(value).value_or(true);
      if (Value value = get("compare"); !value.isAbsent())
        field.isCompared = in.truth(value).value_or(true);
      if (Value value = get("kw_only"); !value.isAbsent())
        field.isKeywordOnly = in.truth(value).value_or(false);
      if (members)
        members->set(field.name,
                     field.hasDefault && !field.hasFactory ? field.defaultValue : Value::absent());
    }
    kept.push_back(field);
  }
  for (auto& field : kept) {
    Value value = field.defaultValue;
    bool isOwn = llvm::any_of(in.ownFields(cls), [&](auto& own) { return own.name == field.name; });
    if (isOwn && field.hasDefault && !field.hasFactory &&
        (value.is(ValueKind::List) || value.is(ValueKind::Dict) || value.is(ValueKind::Set)) &&
        in.className(in.typeOf(value)) != "frozenset")
      return in.raise("ValueError", "mutable default " + in.repr(in.typeOf(value)) + " for field " +
                                        in.text(field.name) +
                                        " is not allowed: use default_factory");
  }
  bool seenDefault = false;
  for (auto& field : kept) {
    if (!field.isInInit || field.isKeywordOnly) continue;
    if (!field.hasDefault && seenDefault)
      return in.raise("TypeError", "non-default argument '" + in.text(field.name) +
                                       "' follows default argument");
    seenDefault |= field.hasDefault;
  }
  cls->flavour = Flavour::Dataclass;
  cls->frozen = flag(in, arguments, "frozen", cls->frozen);
  cls->fields = in.heap().copyArray(llvm::ArrayRef<ClassObject::Field>(kept));
  if (!members) return arguments.positional[0];
  if (flag(in, arguments, "slots", false)) members->set(in.names().slots, Value::unknown());
  if (flag(in, arguments, "order", false))
    members->set(in.name("__gluond_ordered__"), Value::boolean(true));
  if (!flag(in, arguments, "repr", true)) members->set(in.name(plainRepr), Value::boolean(true));
  bool isCompared = flag(in, arguments, "eq", true);
  Value equals = in.findInClass(cls, in.names().eq);
  bool hasBase = llvm::any_of(llvm::drop_begin(cls->mro), [](Value base) {
    auto* ancestor = base.as<ClassObject>();
    return ancestor && ancestor->flavour == Flavour::Dataclass;
  });
  if (!isCompared && equals.isAbsent())
    members->set(in.names().eq, hasBase ? Value::unknown() : Value::none());
  else if (isCompared && !equals.isAbsent() && !members->contains(in.names().eq))
    members->set(in.names().eq, Value::unknown()); // the one that is made, not the inherited one
  if (isCompared && !cls->frozen && !flag(in, arguments, "unsafe_hash", false) &&
      !members->contains(in.names().hash))
    members->set(in.names().hash, Value::none());
  return arguments.positional[0];
}

bool hasDataclassRepr(Interpreter& in, const ClassObject* cls) {
  return in.findInClass(cls, in.name(plainRepr)).isAbsent();
}

bool isOrderedDataclass(Interpreter& in, const ClassObject* cls) {
  return !in.findInClass(cls, in.name("__gluond_ordered__")).isAbsent();
}

Value dataclassField(Interpreter& in, const CallArguments& arguments) {
  llvm::SmallVector<std::pair<llvm::StringRef, Value>> members;
  bool hasDefault = false, hasFactory = false;
  for (auto& keyword : arguments.keywords) {
    llvm::StringRef name = in.text(keyword.name);
    hasDefault |= name == "default";
    hasFactory |= name == "default_factory";
    members.push_back({name, keyword.value});
  }
  if (hasDefault && hasFactory)
    return in.raise("ValueError", "cannot specify both default and default_factory");
  return in.namespaceOf("dataclasses.field", members);
}

// Layouts are frozen dataclasses of Triton's: the constructor again, over the other fields.
static Value replaceInLayout(Interpreter& in, Value value, const language::LayoutObject& layout,
                             const CallArguments& arguments) {
  llvm::SmallVector<KeywordArgument> keywords(arguments.keywords);
  for (auto& field : layout.cls->fields) {
    Name name = in.name(field.name);
    if (llvm::none_of(arguments.keywords, [&](auto& given) { return given.name == name; }))
      keywords.push_back({name, *language::field(layout, field.name)});
  }
  return in.call(gluonTypeOf(in, value), {{}, keywords});
}

Value dataclassReplace(Interpreter& in, const CallArguments& arguments) {
  auto* object =
      arguments.positional.empty() ? nullptr : arguments.positional[0].as<InstanceObject>();
  if (!object || object->cls->flavour != Flavour::Dataclass) {
    if (!arguments.positional.empty())
      if (auto* layout = arguments.positional[0].as<language::LayoutObject>())
        return replaceInLayout(in, arguments.positional[0], *layout, arguments);
    return !arguments.positional.empty() && arguments.positional[0].isUnknown()
               ? Value::unknown()
               : in.raise("TypeError", "replace() should be called on dataclass instances");
  }
  llvm::SmallVector<KeywordArgument> keywords(arguments.keywords);
  // A field is looked for among the keywords and the fields before it.
  size_t fields = object->cls->fields.size();
  if (!in.spendProduct(fields, fields + keywords.size())) return Value::absent();
  for (auto& field : object->cls->fields) {
    if (!field.isInInit || llvm::any_of(keywords, [&](auto& k) { return k.name == field.name; }))
      continue;
    if (Value value = object->attributes->get(field.name); !value.isAbsent())
      keywords.push_back({field.name, value});
  }
  return in.instantiate(object->cls, {{}, keywords});
}

static const ClassObject* dataclassOf(Value value) {
  auto* cls = value.as<ClassObject>();
  if (auto* object = value.as<InstanceObject>()) cls = object->cls;
  return cls && cls->flavour == Flavour::Dataclass ? cls : nullptr;
}

Value dataclassFields(Interpreter& in, const CallArguments& arguments) {
  auto* cls = arguments.positional.empty() ? nullptr : dataclassOf(arguments.positional[0]);
  if (!cls) return Value::unknown();
  llvm::SmallVector<Value> fields;
  constexpr size_t bytesOfField = 512;
  if (!in.spend(cls->fields.size()) || !in.charge(cls->fields.size(), bytesOfField))
    return Value::absent();
  for (auto& field : cls->fields)
    if (!field.isInitOnly)
      fields.push_back(in.namespaceOf(
          "Field", {{"name", in.string(in.text(field.name))},
                    {"type", field.annotation},
                    {"default", field.hasDefault && !field.hasFactory ? field.defaultValue
                                                                      : Value::unknown()}}));
  return in.tupleOf(fields);
}

// Returns Absent if it raised.
static Value plainCopy(Interpreter& in, Value value) {
  Nesting nesting(in);
  if (!nesting) return Value::absent();
  if (auto* cls = dataclassOf(value); cls && value.is(ValueKind::Instance)) {
    Value dict = in.heap().dict();
    for (auto& field : cls->fields)
      if (Value member = value.as<InstanceObject>()->attributes->get(field.name);
          !member.isAbsent()) {
        Value copy = plainCopy(in, member);
        if (copy.isAbsent() ||
            !in.dictSet(dict.as<DictObject>(), in.string(in.text(field.name)), copy))
          return Value::absent();
      }
    return dict;
  }
  if (auto* list = value.as<ListObject>()) {
    llvm::SmallVector<Value> items;
    for (Value item : list->items) {
      items.push_back(plainCopy(in, item));
      if (items.back().isAbsent() || !in.charge(2 * sizeof(Value))) return Value::absent();
    }
    return in.heap().list(items);
  }
  if (auto* tuple = value.as<TupleObject>()) {
    llvm::SmallVector<Value> items;
    for (Value item : tuple->items) {
      items.push_back(plainCopy(in, item));
      if (items.back().isAbsent() || !in.charge(2 * sizeof(Value))) return Value::absent();
    }
    return Value::object(
        ValueKind::Tuple,
        in.heap().make<TupleObject>(language::Object{}, in.heap().copy(items), tuple->namedtuple));
  }
  if (auto* dict = value.as<DictObject>(); dict && value.is(ValueKind::Dict)) {
    auto* copied = in.heap().make<DictObject>();
    copied->uncertain = dict->uncertain;
    for (auto [key, member] : dict->items) {
      Value keyCopy = plainCopy(in, key),
            copy = keyCopy.isAbsent() ? keyCopy : plainCopy(in, member);
      if (copy.isAbsent() || !in.dictSet(copied, keyCopy, copy)) return Value::absent();
    }
    return Value::object(ValueKind::Dict, copied);
  }
  return value;
}

Value dataclassAsDict(Interpreter& in, const CallArguments& arguments) {
  if (arguments.positional.size() != 1 || !arguments.keywords.empty() || // dict_factory=...
      !dataclassOf(arguments.positional[0]))
    return Value::unknown();
  return plainCopy(in, arguments.positional[0]);
}

Value isDataclass(Interpreter&, const CallArguments& arguments) {
  if (arguments.positional.empty() || arguments.positional[0].isUnknown()) return Value::unknown();
  return Value::boolean(dataclassOf(arguments.positional[0]) ||
                        arguments.positional[0].is(ValueKind::Layout));
}

Value aggregateDecorator(Interpreter& in, const CallArguments& arguments) {
  auto* given = arguments.positional.empty() ? nullptr : arguments.positional[0].as<ClassObject>();
  if (!given) return arguments.positional.empty() ? Value::unknown() : arguments.positional[0];
  if (hasFixedFields(given)) return arguments.positional[0];
  ClassObject* cls = in.writable(given);
  if (!cls) return Value::absent();
  for (Value base : llvm::drop_begin(cls->mro)) {
    auto* ancestor = base.as<ClassObject>();
    if (!ancestor || (ancestor->native && ancestor->qualname == "object") ||
        ancestor->flavour == Flavour::Aggregate)
      continue;
    return in.raise(
        "TypeError",
        "Aggregates can only inherit from other aggregates, but got non-aggregate base: " +
            in.repr(base));
  }
  auto fields = collectFields(in, cls);
  for (auto& field : fields) // methods are no defaults
    if (field.hasDefault &&
        (field.defaultValue.is(ValueKind::Function) || field.defaultValue.is(ValueKind::Class)))
      field.hasDefault = false;
  // An annotation written as a string is looked up now.
  for (auto& field : fields)
    if (field.annotation.is(ValueKind::Str)) field.annotation = Value::unknown();
  cls->flavour = Flavour::Aggregate;
  cls->fields = in.heap().copyArray(llvm::ArrayRef<ClassObject::Field>(fields));
  return arguments.positional[0];
}

Value aggregateReplace(Interpreter& in, const CallArguments& arguments) {
  auto* object =
      arguments.positional.empty() ? nullptr : arguments.positional[0].as<InstanceObject>();
  if (!object || object->cls->flavour != Flavour::Aggregate) {
    if (!arguments.positional.empty() && arguments.positional[0].isUnknown())
      return Value::unknown();
    return in.raise("TypeError", "aggregate_replace() expects an aggregate instance, got " +
                                     (arguments.positional.empty()
                                          ? std::string("nothing")
                                          : in.repr(in.typeOf(arguments.positional[0]))));
  }
  llvm::SmallVector<KeywordArgument> keywords;
  if (!in.spendProduct(object->cls->fields.size(), arguments.keywords.size()))
    return Value::absent();
  for (auto& field : object->cls->fields) {
    auto* change = llvm::find_if(arguments.keywords, [&](auto& k) { return k.name == field.name; });
    Value old = object->attributes->get(field.name);
    keywords.push_back({field.name, change != arguments.keywords.end() ? change->value
                                    : old.isAbsent()                   ? Value::unknown()
                                                                       : old});
  }
  for (auto& keyword : arguments.keywords)
    if (llvm::none_of(object->cls->fields, [&](auto& f) { return f.name == keyword.name; }))
      return in.raise("TypeError", in.className(Value::object(ValueKind::Class, object->cls)) +
                                       " has no field '" + in.text(keyword.name) + "'");
  return in.instantiate(object->cls, {{}, keywords});
}

bool isUnion(Value value) {
  auto* tuple = value.as<TupleObject>();
  auto isType = [](Value item) {
    return item.is(ValueKind::Class) || item.is(ValueKind::Builtin) || item.is(ValueKind::Type) ||
           item.isNone() || item.isUnknown() || item.is(ValueKind::Host);
  };
  // A string among types is the name of a type defined later.
  return tuple && llvm::any_of(tuple->items, isType) && llvm::all_of(tuple->items, [&](Value item) {
           return isType(item) || item.is(ValueKind::Str);
         });
}

Value makeUnion(Interpreter& in, Values members) {
  llvm::SmallVector<Value> flat;
  for (Value member : members) {
    if (auto* tuple = member.as<TupleObject>())
      flat.append(tuple->items.begin(), tuple->items.end());
    else
      flat.push_back(member);
  }
  return in.tupleOf(flat);
}

} // namespace gluond::evaluate
