// The standard library, as far as these programs use it.
#include "evaluate/stdlib/StandardModules.h"

#include "evaluate/interpreter/Iterators.h"
#include "evaluate/interpreter/NativeArguments.h"
#include "evaluate/interpreter/NativeTables.h"
#include "evaluate/interpreter/Rebinding.h"
#include "evaluate/triton/LibraryModules.h"
#include "evaluate/values/Classes.h"
#include "evaluate/values/Containers.h"
#include "evaluate/values/NamespaceMapping.h"
#include "evaluate/values/PythonCoverage.h"

#include <llvm/ADT/StringExtras.h>

#include <cmath>
#include <numbers>

namespace gluond::evaluate {

namespace {

// ---------------------------------------------------------------- collections, enum, dataclasses,
// copy

Value namedTuple(Interpreter& in, const CallArguments& arguments) {
  auto* name = at(arguments, 0).as<StrObject>();
  Value spec = given(in, arguments, 1, "field_names"),
        defaults = keyword(in, arguments, "defaults");
  if (!name || spec.isAbsent()) return Value::unknown();
  llvm::SmallVector<Value> names, values;
  if (auto* text = spec.as<StrObject>()) {
    std::string spaced = text->text.str();
    std::replace(spaced.begin(), spaced.end(), ',', ' ');
    llvm::SmallVector<llvm::StringRef> words;
    llvm::SplitString(spaced, words);
    for (auto word : words)
      names.push_back(in.string(word));
  } else if (!in.unpack(spec, names)) {
    return unknownOrRaised(in);
  }
  if (!defaults.isAbsent() && !defaults.isNone() && !in.unpack(defaults, values))
    return unknownOrRaised(in);
  llvm::SmallVector<ClassObject::Field> fields;
  for (size_t i = 0; i < names.size(); ++i) {
    auto* text = names[i].as<StrObject>();
    if (!text) { // typing.NamedTuple("P", [("x", int), ...])
      auto* pair = names[i].as<TupleObject>();
      text = pair && !pair->items.empty() ? pair->items[0].as<StrObject>() : nullptr;
    }
    if (!text) return Value::unknown();
    ClassObject::Field field;
    field.name = in.name(text->text);
    field.annotation = Value::unknown();
    if (i + values.size() >= names.size()) {
      field.hasDefault = true;
      field.defaultValue = values[i + values.size() - names.size()];
    }
    fields.push_back(field);
  }
  return makeNamedTupleClass(in, name->text, fields);
}

constexpr NativeRow collectionsRows[] = {
    {"ChainMap", chainMap},       {"Counter", counter}, {"OrderedDict", orderedDict},
    {"defaultdict", defaultDict}, {"deque", deque},     {"namedtuple", namedTuple}};

Value enumAuto(Interpreter& in, const CallArguments&) {
  return in.namespaceOf("enum.auto", {});
}
Value enumMember(Interpreter& in, const CallArguments& arguments) {
  return in.namespaceOf("enum.member", {{"value", at(arguments, 0)}});
}
Value enumNonMember(Interpreter& in, const CallArguments& arguments) {
  return in.namespaceOf("enum.nonmember", {{"value", at(arguments, 0)}});
}
constexpr NativeRow enumRows[] = {
    {"auto", enumAuto}, {"member", enumMember}, {"nonmember", enumNonMember}, {"unique", identity}};
Value classMember(Interpreter& in, llvm::StringRef name) {
  const ClassObject* cls = in.builtinClass(name);
  return cls ? Value::object(ValueKind::Class, cls) : Value::absent();
}
Value enumModule(Interpreter& in, llvm::StringRef name) {
  return classMember(in, name == "EnumMeta" ? "EnumType" : name);
}

constexpr NativeRow dataclassRows[] = {
    {"asdict", dataclassAsDict},   {"astuple", unknown},        {"dataclass", dataclassDecorator},
    {"field", dataclassField},     {"fields", dataclassFields}, {"is_dataclass", isDataclass},
    {"replace", dataclassReplace},
};
Value dataclassMember(Interpreter& in, llvm::StringRef name) {
  if (name == "KW_ONLY" || name == "InitVar")
    return in.namespaceOf(name == "KW_ONLY" ? "dataclasses.KW_ONLY" : "dataclasses.InitVar", {});
  if (name == "FrozenInstanceError") return classMember(in, name);
  return Value::absent();
}

// copy.copy and copy.deepcopy. What a value shares, or contains again, is copied once.
class Copier {
public:
  Copier(Interpreter& in, bool isDeep) : in_(in), isDeep_(isDeep) {}

  // Returns Absent if it raised.
  Value copy(Value value) {
    if (!value.object()) return value;
    if (auto known = made_.find(value.object()); known != made_.end()) return known->second;
    Nesting nesting(in_);
    if (!nesting) return Value::absent();
    Value own = byOwnMethod(value);
    if (in_.failed()) return Value::absent();
    if (!own.isAbsent()) return made_[value.object()] = own;
    Value result = begun(value);
    if (result.identical(value)) return value;
    made_[value.object()] = result;
    return fill(value, result) ? result : Value::absent();
  }

private:
  // The result of the class's own method for copies; Absent if it has none, or if it raised.
  Value byOwnMethod(Value value) {
    if (!value.is(ValueKind::Instance)) return Value::absent();
    Value memo = in_.heap().dict();
    Value own = in_.callSpecial(value, in_.name(isDeep_ ? "__deepcopy__" : "__copy__"),
                                isDeep_ ? Values(memo) : Values());
    if (in_.failed() || !own.isAbsent()) return own;
    for (llvm::StringRef special : {"__reduce__", "__reduce_ex__", "__getstate__", "__setstate__",
                                    "__getnewargs__", "__getnewargs_ex__"})
      if (!in_.findInClass(value.as<InstanceObject>()->cls, in_.name(special)).isAbsent())
        return Value::unknown();
    return isKnownInPart(in_, value) ? Value::unknown() : Value::absent();
  }

  // An empty value of the same kind; the value itself where it is not copied.
  Value begun(Value value) {
    if (value.is(ValueKind::List)) return in_.heap().list({});
    if (auto* dict = value.as<DictObject>()) {
      if (dict->frozen && !isDeep_) return value;
      auto* result = in_.heap().make<DictObject>();
      result->uncertain = dict->uncertain;
      return Value::object(value.kind(), result);
    }
    if (value.is(ValueKind::Tuple) && isDeep_) return in_.tupleOf({});
    if (auto* object = value.as<InstanceObject>()) return in_.instance(object->cls);
    return value;
  }

  bool fill(Value value, Value result) {
    if (auto* list = value.as<ListObject>()) {
      llvm::SmallVector<Value> items;
      for (Value item : list->items)
        if (!add(item, items)) return false;
      ListObject* into = in_.writable(result.as<ListObject>());
      if (into) into->items.append(items);
      return into;
    }
    if (auto* dict = value.as<DictObject>()) {
      DictObject* into = in_.writable(result.as<DictObject>());
      if (!into) return false;
      for (auto [key, member] : dict->items) {
        Value copied = inner(member);
        if (copied.isAbsent() || !in_.dictSet(into, key, copied)) return false;
      }
      into->frozen = dict->frozen;
      return true;
    }
    if (auto* tuple = value.as<TupleObject>()) {
      llvm::SmallVector<Value> items;
      for (Value item : tuple->items)
        if (!add(item, items)) return false;
      TupleObject* made = in_.writable(result.as<TupleObject>());
      if (!made) return false;
      made->items = in_.heap().copy(items);
      made->namedtuple = tuple->namedtuple;
      made->fields = tuple->fields;
      made->triton = tuple->triton;
      return true;
    }
    auto* from = value.as<InstanceObject>()->attributes;
    Scope* into = in_.writable(result.as<InstanceObject>()->attributes);
    if (!into) return false;
    for (auto [name, member] : *from) {
      Value copied = inner(member);
      if (copied.isAbsent() && !member.isAbsent()) return false;
      if (!in_.charge(sizeof(language::Scope::Element)) || !in_.spend(1)) return false;
      into->set(name, copied);
    }
    return true;
  }

  bool add(Value member, llvm::SmallVectorImpl<Value>& out) {
    Value copied = inner(member);
    out.push_back(copied);
    return !copied.isAbsent() && in_.charge(sizeof(Value)) && in_.spend(1);
  }
  Value inner(Value member) { return isDeep_ ? copy(member) : member; }

  Interpreter& in_;
  bool isDeep_;
  llvm::DenseMap<const void*, Value> made_;
};

Value shallowCopy(Interpreter& in, const CallArguments& arguments) {
  return Copier(in, false).copy(at(arguments, 0));
}
Value deepCopy(Interpreter& in, const CallArguments& arguments) {
  return Copier(in, true).copy(at(arguments, 0));
}
constexpr NativeRow copyRows[] = {
    {"copy", shallowCopy}, {"deepcopy", deepCopy}, {"replace", dataclassReplace}};

// ---------------------------------------------------------------- typing, abc, types, contextlib,
// os, sys, time, warnings

Value unionItem(Interpreter& in, const CallArguments& arguments) { // Union[X, Y]
  Value index = at(arguments, 1);
  auto* tuple = index.as<TupleObject>();
  return makeUnion(in, tuple ? tuple->items : Values(index));
}
struct FormObject : HostObject {
  Native item_;
  llvm::StringRef shown;
};
extern const HostClass formClass;
Value formItem(Interpreter& in, Value self, Value index) {
  Value arguments[] = {self, index};
  return hostAs<FormObject>(self, formClass)->item_(in, {arguments, {}});
}
std::string formRepr(Interpreter&, Value self) {
  return ("typing." + hostAs<FormObject>(self, formClass)->shown).str();
}
const HostClass formClass = {
    .name = "typing", .item = formItem, .repr = formRepr, .rebinding = &sharedHost};
Value form(Interpreter& in, llvm::StringLiteral shown, Native item) {
  auto* object = in.heap().make<FormObject>();
  object->cls = &formClass;
  object->item_ = item;
  object->shown = shown;
  return Value::object(ValueKind::Host, object);
}
Value typingMember(Interpreter& in, llvm::StringRef name) {
  if (name == "Union") return form(in, "Union", unionItem);
  if (name == "Optional")
    return form(in, "Optional", [](Interpreter& i, const CallArguments& arguments) {
      return makeUnion(i, {arguments.positional[1], Value::none()});
    });
  if (name == "Final" || name == "Annotated" || name == "Required" || name == "NotRequired")
    return form(in, "Final", [](Interpreter&, const CallArguments& arguments) {
      auto* tuple = arguments.positional[1].as<TupleObject>();
      return tuple && !tuple->items.empty() ? tuple->items[0] : arguments.positional[1];
    });
  if (name == "ClassVar") return in.namespaceOf("typing.ClassVar", {});
  if (name == "TYPE_CHECKING") return Value::boolean(false);
  for (auto [alias, builtin] :
       {std::pair("List", "list"), std::pair("Dict", "dict"), std::pair("Tuple", "tuple"),
        std::pair("Set", "set"), std::pair("FrozenSet", "frozenset"), std::pair("Type", "type"),
        std::pair("Text", "str")})
    if (name == alias) return Value::object(ValueKind::Class, in.builtinClass(builtin));
  if (name == "Generic" || name == "Protocol" || name == "Any" || name == "TypedDict")
    return classMember(in, name);
  return Value::unknown(); // Callable, Iterable, Sequence, TypeVar, ...: isinstance with them is
                           // not decided
}
constexpr NativeRow typingRows[] = {{"NamedTuple", namedTuple},
                                    {"NewType", unknown},
                                    {"TypeVar", unknown},
                                    {"cast",
                                     [](Interpreter&, const CallArguments& arguments) {
                                       return at(arguments, 1).isAbsent() ? Value::unknown()
                                                                          : at(arguments, 1);
                                     }},
                                    {"final", identity},
                                    {"get_type_hints", unknown},
                                    {"no_type_check", identity},
                                    {"overload", identity},
                                    {"override", identity},
                                    {"runtime_checkable", identity}};
// Python asks a function whether it is abstract; properties and class methods ask theirs.
Value abstractMethod(Interpreter& in, const CallArguments& arguments) {
  Value method = at(arguments, 0);
  if (auto* descriptor = hostAs<DescriptorObject>(method, descriptorClass))
    method = descriptor->function;
  if (auto* function = method.as<FunctionObject>()) {
    Scope* attributes = attributesToChange(in, function);
    if (!attributes) return Value::absent();
    attributes->set(in.name(abstractMark), Value::boolean(true));
  }
  return identity(in, arguments);
}
constexpr NativeRow abcRows[] = {
    {"abstractmethod", abstractMethod},
};

Value simpleNamespace(Interpreter& in, const CallArguments& arguments) {
  llvm::SmallVector<std::pair<llvm::StringRef, Value>> members;
  for (auto& one : arguments.keywords)
    members.push_back({in.text(one.name), one.value});
  return in.namespaceOf("namespace", members);
}
Value typesMember(Interpreter& in, llvm::StringRef name) {
  if (name == "FunctionType" || name == "LambdaType") return classMember(in, "function");
  if (name == "ModuleType") return classMember(in, "module");
  if (name == "NoneType") return classMember(in, "NoneType");
  return Value::unknown();
}
constexpr NativeRow typesRows[] = {{"MappingProxyType", identity},
                                   {"SimpleNamespace", simpleNamespace}};

// sys.argv: the program is assumed to be started without arguments, but an argument that it reads
// is assumed to be given.
struct ArgumentsObject : HostObject {
  Value program;
};
extern const HostClass argumentsClass;
Value argumentItem(Interpreter&, Value self, Value index) {
  bool isFirst = index.unwrapped().isIntegral() && index.unwrapped().asInt() == 0;
  return isFirst ? hostAs<ArgumentsObject>(self, argumentsClass)->program : Value::unknown();
}
Value argumentAttribute(Interpreter& in, Value, Name) {
  in.assume();
  return Value::unknown();
}
std::optional<int64_t> argumentCount(Interpreter& in, Value) {
  in.assume();
  return 1;
}
const HostClass argumentsClass = {.name = "list",
                                  .attribute = argumentAttribute,
                                  .item = argumentItem,
                                  .length = argumentCount,
                                  .rebinding =
                                      &copiedHost<ArgumentsObject, &ArgumentsObject::program>};

Value sysMember(Interpreter& in, llvm::StringRef name) {
  if (name == "argv") {
    auto* object = in.heap().make<ArgumentsObject>();
    object->cls = &argumentsClass;
    object->program =
        in.string(in.frame() && in.frame()->module ? in.frame()->module->path : llvm::StringRef());
    return Value::object(ValueKind::Host, object);
  }
  if (name == "version_info") {
    Values version = in.heap().copy({Value::integer(3), Value::integer(11), Value::integer(7),
                                     in.string("final"), Value::integer(0)});
    llvm::SmallVector<Name> names;
    for (llvm::StringRef part : {"major", "minor", "micro", "releaselevel", "serial"})
      names.push_back(in.name(part));
    return Value::object(ValueKind::Tuple, in.heap().make<TupleObject>(
                                               language::Object{}, version, nullptr,
                                               in.heap().copyArray(llvm::ArrayRef<Name>(names))));
  }
  // Programs add folders of their own to it; the other folders are not known.
  if (name == "path") return in.heap().list({Value::unknown(), Value::unknown(), Value::unknown()});
  if (name == "platform") return in.string("linux");
  if (name == "maxsize") return Value::integer(std::numeric_limits<int64_t>::max());
  if (name == "modules") return loadedModules(in);
  return Value::unknown();
}
Value sysExit(Interpreter& in, const CallArguments& arguments) {
  return in.raiseValue(in.instantiate(in.builtinClass("SystemExit"), arguments));
}
constexpr NativeRow sysRows[] = {{"exit", sysExit}, {"setrecursionlimit", none}};

Value time(Interpreter&, const CallArguments&) {
  return Value::unknown();
}
constexpr NativeRow timeRows[] = {{"perf_counter", time}, {"sleep", none}, {"time", time}};
Value warn(Interpreter&, const CallArguments&) {
  return Value::none();
}
constexpr NativeRow warningsRows[] = {
    {"filterwarnings", none}, {"simplefilter", none}, {"warn", warn}};
constexpr NativeRow atexitRows[] = {{"register", identity}};
// Functions that change the order of a list's items, or insert or remove one: how many there are is
// known afterwards, their order is not.
template <int change> Value reorder(Interpreter& in, const CallArguments& arguments) {
  auto* given = at(arguments, 0).as<ListObject>();
  if (!given) return Value::unknown();
  auto* list = in.writable(given);
  if (!list) return Value::absent();
  if (change < 0 && list->items.empty()) return in.raise("IndexError", "index out of range");
  auto size = static_cast<size_t>(static_cast<int64_t>(list->items.size()) + change);
  if (!in.charge(size, sizeof(Value))) return Value::absent();
  list->items.assign(llvm::SmallVector<Value>(size, Value::unknown()));
  return change < 0 ? Value::unknown() : Value::none();
}
constexpr NativeRow bisectRows[] = {
    {"insort", reorder<1>}, {"insort_left", reorder<1>}, {"insort_right", reorder<1>}};
Value reorderAndUnknown(Interpreter& in, const CallArguments& arguments) {
  return reorder<0>(in, arguments).isAbsent() ? Value::absent() : Value::unknown();
}
constexpr NativeRow heapqRows[] = {{"heapify", reorder<0>},
                                   {"heappop", reorder<-1>},
                                   {"heappush", reorder<1>},
                                   {"heappushpop", reorderAndUnknown},
                                   {"heapreplace", reorderAndUnknown}};
constexpr NativeRow randomRows[] = {{"shuffle", reorder<0>}};
Value stringMember(Interpreter& in, llvm::StringRef name) {
  if (name == "ascii_lowercase") return in.string("abcdefghijklmnopqrstuvwxyz");
  if (name == "ascii_uppercase") return in.string("ABCDEFGHIJKLMNOPQRSTUVWXYZ");
  if (name == "digits") return in.string("0123456789");
  return Value::unknown();
}
Value packagingMember(Interpreter& in, llvm::StringRef name) {
  return name == "version" ? in.module("packaging.version") : Value::unknown();
}
Value builtinsMember(Interpreter& in, llvm::StringRef name) {
  for (auto& row : builtinFunctions())
    if (row.name == name) return in.function(row.name, row.function);
  return classMember(in, name);
}

llvm::ArrayRef<NativeModule> standardModules() {
  static const NativeModule rows[] = {
      {"math", mathFunctions(), mathMember, false},
      {"functools", functoolsFunctions()},
      {"itertools", itertoolsFunctions()},
      {"chain", chainFunctions()},
      {"operator", operatorFunctions()},
      {"collections", collectionsRows},
      {"collections.abc"},
      {"enum", enumRows, enumModule},
      {"dataclasses", dataclassRows, dataclassMember},
      {"copy", copyRows},
      {"typing", typingRows, typingMember},
      {"typing_extensions", typingRows, typingMember},
      {"abc", abcRows, classMember},
      {"types", typesRows, typesMember},
      {"contextlib", contextlibFunctions()},
      {"sys", sysRows, sysMember},
      {"os", osFunctions(), osMember},
      {"os.path", osPathFunctions()},
      {"packaging", {}, packagingMember},
      {"packaging.version", versionFunctions()},
      {"concurrent"},
      {"concurrent.futures", futuresFunctions()},
      {"time", timeRows},
      {"json", jsonFunctions()},
      {"importlib", importlibFunctions()},
      {"importlib.util", importlibUtilFunctions()},
      {"pathlib", pathlibFunctions()},
      {"warnings", warningsRows},
      {"atexit", atexitRows},
      {"argparse", argparseFunctions()},
      {"inspect", inspectFunctions(), inspectMember},
      {"bisect", bisectRows},
      {"heapq", heapqRows},
      {"random", randomRows},
      {"string", {}, stringMember},
      {"builtins", {}, builtinsMember},
      {"__main__"},
  };
  return rows;
}

// Modules of functions, and the names in them that are classes.
struct FunctionModule {
  llvm::ArrayRef<NativeRow> rows;
  llvm::ArrayRef<llvm::StringLiteral> classes = {};
};

} // namespace

bool isFunctionOfPython(const NativeFunctionObject& native) {
  static constexpr llvm::StringLiteral functoolsClasses[] = {"partial", "cached_property"},
                                       operatorClasses[] = {"attrgetter", "itemgetter",
                                                            "methodcaller"};
  static const FunctionModule modules[] = {
      {mathFunctions()},    {functoolsFunctions(), functoolsClasses},
      {chainFunctions()},   {operatorFunctions(), operatorClasses},
      {dataclassRows},      {copyRows},
      {osFunctions()},      {osPathFunctions()},
      {environFunctions()}, {warningsRows},
      {inspectFunctions()}, {timeRows}};
  if (!native.self.isAbsent()) return true;
  for (const FunctionModule& module : modules)
    for (const NativeRow& row : module.rows)
      if (row.name == native.name && row.function == native.function)
        return !llvm::is_contained(module.classes, native.name);
  return false;
}

const NativeModule* nativeModule(llvm::StringRef dottedName) {
  static const auto index = [] {
    llvm::StringMap<const NativeModule*> made;
    for (auto rows : {standardModules(), hostModules()})
      for (auto& row : rows)
        made.try_emplace(row.name, &row); // the first of a name
    return made;
  }();
  return index.lookup(dottedName);
}

} // namespace gluond::evaluate
