// Metaclasses of the program: what a class statement calls, and what classes get from theirs.
#include "evaluate/interpreter/NativeArguments.h"
#include "evaluate/interpreter/NativeTables.h"
#include "evaluate/values/Classes.h"
#include "evaluate/values/PythonCoverage.h"

namespace gluond::evaluate {

// Not the name of a real member: a program cannot spell it.
constexpr llvm::StringLiteral metaclassSlot = "__gluond_metaclass__";

Value metaclassOf(Interpreter& in, const ClassObject* cls) {
  auto slot = in.knownName(metaclassSlot); // none if no class of any program has one
  for (Value base : cls->mro) {
    auto* ancestor = base.as<ClassObject>();
    if (!ancestor) continue;
    if (ancestor->native && (ancestor->qualname == "Enum" || ancestor->qualname == "ABC"))
      return Value::object(ValueKind::Class,
                           in.builtinClass(ancestor->qualname == "ABC" ? "ABCMeta" : "EnumType"));
    if (!slot || !ancestor->members) continue;
    if (Value found = ancestor->members->get(*slot); !found.isAbsent()) return found;
  }
  return Value::absent();
}

void setMetaclass(Interpreter& in, const ClassObject* cls, Value metaclass) {
  if (Scope* members = cls->members ? in.writable(cls->members) : nullptr)
    members->set(in.name(metaclassSlot), metaclass);
}

bool hasUnknownMetaclass(Interpreter& in, const ClassObject* cls) {
  Value metaclass = metaclassOf(in, cls);
  auto* of = metaclass.as<ClassObject>();
  return !metaclass.isAbsent() && (!of || !isMetaclass(of) || hasOpenAncestor(of));
}

// Whether the class is one of Python's own, or derives from it.
static bool isNative(const ClassObject* cls, llvm::StringRef name) {
  return llvm::any_of(cls->mro, [&](Value base) {
    auto* ancestor = base.as<ClassObject>();
    return ancestor && ancestor->native && ancestor->qualname == name;
  });
}

bool isMetaclass(const ClassObject* cls) {
  return isNative(cls, "type");
}

bool isOfAbstractClasses(Value metaclass) {
  auto* cls = metaclass.as<ClassObject>();
  return cls && isNative(cls, "ABCMeta");
}

Value metaclassMember(Interpreter& in, const ClassObject* cls, Name member) {
  Value metaclass = metaclassOf(in, cls);
  if (metaclass.isAbsent() || metaclass.isUnknown()) return metaclass;
  auto* of = metaclass.as<ClassObject>();
  if (!of) return Value::unknown();
  Value self = Value::object(ValueKind::Class, cls);
  Value found = in.findInClass(of, member);
  if (found.isUnknown()) return found;
  if (!found.isAbsent()) return in.bindMember(found, self, metaclass);
  if (in.text(member).starts_with("__")) return Value::absent();
  if (hasUnknownMetaclass(in, cls) || pythonHas(in, of, member)) return Value::unknown();
  Value getter = in.findInClass(of, in.names().getattr);
  if (getter.isAbsent() || getter.isUnknown()) return getter;
  return in.call(in.bindMember(getter, self, metaclass), in.string(in.text(member)));
}

Value metaclassFor(Interpreter& in, Values bases, llvm::ArrayRef<KeywordArgument> keywords) {
  Value result = Value::absent();
  auto take = [&](Value metaclass) {
    if (metaclass.isAbsent()) return;
    bool isOlder = !result.isAbsent() && in.isSubclass(result, metaclass).value_or(false);
    if (!isOlder) result = metaclass;
  };
  for (Value base : bases)
    if (auto* parent = base.unwrapped().as<ClassObject>()) take(metaclassOf(in, parent));
  for (auto& keyword : keywords)
    if (in.text(keyword.name) == "metaclass") take(keyword.value.unwrapped());
  auto* cls = result.as<ClassObject>();
  return cls && cls->native && cls->qualname == "type" ? Value::absent() : result;
}

Metaclass whatMakes(Interpreter& in, Value metaclass) {
  if (metaclass.isAbsent()) return Metaclass::Python;
  if (auto* function = metaclass.as<FunctionObject>())
    return isOpen(function) ? Metaclass::Unknown : Metaclass::Program;
  auto* cls = metaclass.as<ClassObject>();
  if (!cls || !isMetaclass(cls) || hasOpenAncestor(cls)) return Metaclass::Unknown;
  if (cls->native) return Metaclass::Python;
  auto defines = [&](Name name) { return !in.findInClass(cls, name).isAbsent(); };
  bool isOwn = defines(in.names().new_) || defines(in.names().init) ||
               !metaclassMember(in, cls, in.names().call).isAbsent();
  if (defines(in.names().new_) && isNative(cls, "EnumType"))
    return Metaclass::Unknown; // its own namespace
  return isOwn ? Metaclass::Program : Metaclass::Python;
}

llvm::SmallVector<KeywordArgument> withoutMetaclass(Interpreter& in,
                                                    llvm::ArrayRef<KeywordArgument> keywords) {
  llvm::SmallVector<KeywordArgument> rest;
  for (auto& keyword : keywords)
    if (in.text(keyword.name) != "metaclass") rest.push_back(keyword);
  return rest;
}

// M(name, bases, namespace): what a call of a class calls, for classes of classes.
Value makeByMetaclass(Interpreter& in, const ClassObject* metaclass,
                      const CallArguments& arguments) {
  Value self = Value::object(ValueKind::Class, metaclass);
  llvm::SmallVector<Value> given{self};
  given.append(arguments.positional.begin(), arguments.positional.end());
  Value maker = in.findInClass(metaclass, in.names().new_);
  if (auto* descriptor = hostAs<DescriptorObject>(maker, descriptorClass))
    maker = descriptor->function;
  Value made = maker.isAbsent() ? newClass(in, {given, arguments.keywords})
                                : in.call(maker, {given, arguments.keywords});
  auto* cls = made.as<ClassObject>();
  if (!cls) return made;
  Value own = metaclassOf(in, cls);
  if (own.isAbsent() || !in.isSubclass(own, self).value_or(false)) return made;
  Value init = in.findInClass(metaclass, in.names().init);
  if (init.isUnknown()) return init;
  if (init.isAbsent()) return made;
  return in.call(in.bindMember(init, made, self), arguments).isAbsent() ? Value::absent() : made;
}

// The class statement of that name that is being executed.
static const Frame* statementThatMakes(Interpreter& in, llvm::StringRef name) {
  for (const Frame* frame = in.frame(); frame; frame = frame->caller) {
    auto* def = llvm::dyn_cast_or_null<syntax::ClassDef>(frame->node);
    if (def && in.text(def->name.name) == name) return frame;
  }
  return nullptr;
}

Value newClass(Interpreter& in, const CallArguments& arguments) {
  if (arguments.positional.size() != 4)
    return in.raise("TypeError", "type.__new__() takes exactly 3 arguments (" +
                                     llvm::Twine(arguments.positional.size() - 1) + " given)");
  auto* metaclass = arguments.positional[0].as<ClassObject>();
  auto* name = arguments.positional[1].unwrapped().as<StrObject>();
  auto* space = arguments.positional[3].as<DictObject>();
  llvm::SmallVector<Value> bases;
  if (!metaclass || !name || !space || !in.unpack(arguments.positional[2], bases))
    return in.failed() ? Value::absent() : Value::unknown();
  if (metaclass->native) { // the bases may have another
    Value other = metaclassFor(in, bases, {});
    if (whatMakes(in, other) == Metaclass::Unknown) return Value::unknown();
    if (whatMakes(in, other) == Metaclass::Program)
      return in.call(other, {arguments.positional.drop_front(), arguments.keywords});
  }
  Scope* members = in.newScope();
  llvm::StringRef qualname = name->text;
  llvm::SmallVector<ClassObject::Field> fields;
  const Frame* statement = statementThatMakes(in, name->text);
  for (auto [key, value] : space->items) {
    auto* text = key.as<StrObject>();
    if (!text || !in.charge(text->text.size() + 64)) continue;
    if (text->text == "__qualname__") {
      if (auto* own = value.as<StrObject>()) qualname = own->text;
    } else if (text->text == "__annotations__") {
      auto* annotations = value.as<DictObject>();
      if (!annotations) continue;
      for (auto [field, annotation] : annotations->items)
        if (auto* called = field.as<StrObject>()) {
          ClassObject::Field made;
          made.name = in.name(called->text);
          made.annotation = annotation;
          Value fallback = in.dictGet(space, field);
          made.hasDefault = !fallback.isAbsent();
          if (made.hasDefault) made.defaultValue = fallback;
          fields.push_back(made);
        }
    } else if (text->text != "__module__" || !statement) {
      members->set(in.name(text->text), value);
    }
    if (in.failed()) return Value::absent();
  }
  if (space->uncertain) members->set(Name{}, Value::unknown());
  llvm::SmallVector<KeywordArgument> keywords(arguments.keywords);
  if (!metaclass->native) keywords.push_back({in.name("metaclass"), arguments.positional[0]});
  Value made = in.makeClass(statement ? llvm::cast<syntax::ClassDef>(statement->node) : nullptr,
                            name->text, in.heap().copy(qualname), bases, keywords, members, fields);
  auto* cls = in.writable(made.as<ClassObject>());
  if (cls && statement) cls->module = statement->module;
  return made;
}

// ---------------------------------------------------------------- type's own methods

namespace {

Value initClass(Interpreter&, const CallArguments&) {
  return Value::none();
}
Value callClass(Interpreter& in, const CallArguments& arguments) {
  auto* cls = at(arguments, 0).as<ClassObject>();
  if (!cls) return Value::unknown();
  return in.instantiate(cls, {arguments.positional.drop_front(), arguments.keywords});
}
Value prepareClass(Interpreter& in, const CallArguments&) {
  return in.heap().dict();
}
constexpr NativeRow rows[] = {
    {"__new__", newClass},
    {"__init__", initClass},
    {"__call__", callClass},
};
constexpr NativeRow statics[] = {{"__prepare__", prepareClass}};

} // namespace

llvm::ArrayRef<NativeRow> typeMethods() {
  return rows;
}
llvm::ArrayRef<NativeRow> typeStatics() {
  return statics;
}

} // namespace gluond::evaluate
