#include "evaluate/values/NamespaceMapping.h"

#include "evaluate/interpreter/NativeArguments.h"
#include "evaluate/interpreter/Rebinding.h"
#include "evaluate/values/Classes.h"
#include "evaluate/values/PythonCoverage.h"

namespace gluond::evaluate {

namespace {

struct NamesObject : HostObject {
  Value of;
};
extern const HostClass namesClass;

const Scope* scopeOf(Value self) {
  Value owner = hostAs<NamesObject>(self, namesClass)->of;
  if (auto* module = owner.as<ModuleObject>()) return module->globals;
  return owner.as<InstanceObject>()->attributes;
}

void open(Interpreter& in, Value self) {
  markOpen(in, hostAs<NamesObject>(self, namesClass)->of);
}

Value item(Interpreter& in, Value self, Value index) {
  auto* text = index.as<StrObject>();
  if (!text) return Value::unknown();
  Value found = scopeOf(self)->get(in.name(text->text));
  if (!found.isAbsent() || in.failed()) return found;
  bool mayBeThere = scopeOf(self)->contains(Name{}) || text->text.starts_with("__");
  return mayBeThere ? Value::unknown() : in.raiseKey(index);
}

bool setItem(Interpreter& in, Value self, Value index, Value value) {
  auto* text = index.as<StrObject>();
  Scope* scope = in.writable(scopeOf(self));
  if (!scope) return false;
  if (!text) {
    open(in, self);
    return true;
  }
  if (!in.charge(text->text.size() + 64)) return false;
  if (Name name = in.name(text->text)) scope->set(name, value);
  return !in.failed();
}

Value update(Interpreter& in, const CallArguments& arguments) {
  Value self = at(arguments, 0), more = in.heap().dict();
  auto* dict = more.as<DictObject>();
  for (Value other : arguments.positional.drop_front())
    if (!updateDict(in, dict, other)) return Value::absent();
  for (auto& keyword : arguments.keywords)
    if (!in.dictSet(dict, in.string(in.text(keyword.name)), keyword.value)) return Value::absent();
  if (dict->uncertain) open(in, self);
  for (auto [key, value] : dict->items)
    if (!setItem(in, self, key, value)) return Value::absent();
  return Value::none();
}

Value pop(Interpreter& in, const CallArguments& arguments) {
  Value self = at(arguments, 0), key = at(arguments, 1);
  auto* text = key.as<StrObject>();
  if (!text || scopeOf(self)->contains(Name{})) {
    open(in, self);
    return Value::unknown();
  }
  Value found = scopeOf(self)->get(in.name(text->text));
  if (found.isAbsent() && !at(arguments, 2).isAbsent()) return at(arguments, 2);
  if (found.isAbsent()) return in.failed() ? Value::absent() : item(in, self, key);
  return setItem(in, self, key, Value::absent()) ? found : Value::absent();
}

Value attribute(Interpreter& in, Value self, Name name) {
  llvm::StringRef text = in.text(name);
  if (text == "update") return in.function(text, update, self);
  if (text == "pop") return in.function(text, pop, self);
  bool reads =
      text == "get" || text == "keys" || text == "values" || text == "items" || text == "copy";
  if (!reads) { // it may change the items
    open(in, self);
    return Value::unknown();
  }
  Value copy = namesDict(in, self);
  return copy.isAbsent() ? copy : in.lookupAttribute(copy, name);
}

bool unpack(Interpreter& in, Value self, llvm::SmallVectorImpl<Value>& out) {
  Value copy = namesDict(in, self);
  return !copy.isAbsent() && in.unpack(copy, out);
}

const HostClass namesClass = {
    .name = "dict",
    .attribute = attribute,
    .item = item,
    .unpack = unpack,
    .length = [](Interpreter& in, Value self) -> std::optional<int64_t> {
      Value copy = namesDict(in, self);
      return copy.isAbsent() ? std::nullopt : in.length(copy);
    },
    .setItem = setItem,
    .equal = [](Interpreter& in, Value self, Value other) -> std::optional<bool> {
      Value mine = namesDict(in, self), theirs = hostDict(in, other);
      if (in.failed()) return std::nullopt;
      return in.equal(mine, theirs.isAbsent() ? other : theirs);
    },
    .rebinding = &copiedHost<NamesObject, &NamesObject::of>};

} // namespace

Value namesOf(Interpreter& in, Value owner) {
  auto* object = in.heap().make<NamesObject>();
  object->cls = &namesClass;
  object->of = owner;
  return Value::object(ValueKind::Host, object);
}

Value namesOwner(Value names) {
  auto* object = hostAs<NamesObject>(names, namesClass);
  return object ? object->of : Value::absent();
}

Value namesDict(Interpreter& in, Value names) {
  if (!hostAs<NamesObject>(names, namesClass)) return Value::absent();
  auto* dict = in.heap().make<DictObject>();
  for (auto [name, value] : *scopeOf(names)) {
    if (!name) dict->uncertain = true;
    if (name && !value.isAbsent() && !in.dictSet(dict, in.string(in.text(name)), value))
      return Value::absent();
  }
  return Value::object(ValueKind::Dict, dict);
}

} // namespace gluond::evaluate
