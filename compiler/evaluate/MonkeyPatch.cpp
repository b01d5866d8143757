#include "evaluate/MonkeyPatch.h"

#include "evaluate/interpreter/HostObjects.h"
#include "evaluate/interpreter/NativeArguments.h"
#include "evaluate/interpreter/Rebinding.h"
#include "evaluate/stdlib/StandardModules.h"

namespace gluond::evaluate {

namespace {

struct MonkeyPatchObject : HostObject {
  // A List that the program cannot reach, of tuples: (dict, key, old value), (dict, key) of an item
  // that was not there, and (object, name, old value, None) of an attribute.
  Value changes;
};
extern const HostClass monkeyPatchClass;

bool note(Interpreter& in, Value self, Values entry) {
  auto* patch = hostAs<MonkeyPatchObject>(self, monkeyPatchClass);
  auto* list = patch ? in.writable(patch->changes.as<ListObject>()) : nullptr;
  if (!list || !in.charge(sizeof(Value))) return false;
  list->items.push_back(in.tupleOf(entry));
  return true;
}

Value changeItem(Interpreter& in, Value self, Value dict, Value key, Value value) {
  if (!dict.is(ValueKind::Dict) || !in.heap().owns(dict.as<DictObject>())) return Value::none();
  Value old = in.dictGet(dict.as<DictObject>(), key);
  if (in.failed()) return Value::absent();
  if (value.isAbsent() && old.isAbsent()) return Value::none();
  bool isNoted = old.isAbsent() ? note(in, self, {dict, key}) : note(in, self, {dict, key, old});
  if (!isNoted) return Value::absent();
  bool done = value.isAbsent() ? in.deleteItem(dict, key) : in.setItem(dict, key, value);
  return done ? Value::none() : Value::absent();
}

Value setVariable(Interpreter& in, const CallArguments& arguments) {
  Value key = given(in, arguments, 1, "name"), value = given(in, arguments, 2, "value");
  if (key.isAbsent() || value.isAbsent()) return Value::unknown();
  // With `prepend`, the old value follows.
  if (!given(in, arguments, 3, "prepend").isAbsent()) value = Value::unknown();
  return changeItem(in, at(arguments, 0), setVariables(in), key, value);
}
Value deleteVariable(Interpreter& in, const CallArguments& arguments) {
  Value key = given(in, arguments, 1, "name");
  if (key.isAbsent()) return Value::unknown();
  return changeItem(in, at(arguments, 0), setVariables(in), key, Value::absent());
}
Value setItem(Interpreter& in, const CallArguments& arguments) {
  Value dict = given(in, arguments, 1, "dic"), key = given(in, arguments, 2, "name"),
        value = given(in, arguments, 3, "value");
  if (dict.isAbsent() || key.isAbsent() || value.isAbsent()) return Value::unknown();
  return changeItem(in, at(arguments, 0), dict, key, value);
}
Value deleteItem(Interpreter& in, const CallArguments& arguments) {
  Value dict = given(in, arguments, 1, "dic"), key = given(in, arguments, 2, "name");
  if (dict.isAbsent() || key.isAbsent()) return Value::unknown();
  return changeItem(in, at(arguments, 0), dict, key, Value::absent());
}

// Whether it is an object of the program being evaluated, whose attributes it may change.
bool isChangeable(Interpreter& in, Value target) {
  if (auto* module = target.as<ModuleObject>(); module && target.is(ValueKind::Module))
    return module->globals && in.heap().owns(module->globals) && !module->path.empty();
  if (auto* cls = target.as<ClassObject>(); cls && target.is(ValueKind::Class))
    return cls->def && in.heap().owns(cls);
  auto* instance = target.as<InstanceObject>();
  return target.is(ValueKind::Instance) && in.heap().owns(instance);
}
// A change of what is not the program's, or by a dotted name: what runs with it is not certain.
Value notMade(Interpreter& in, const CallArguments&) {
  in.setMayBeSkipped(true);
  return Value::none();
}
Value setAttribute(Interpreter& in, const CallArguments& arguments) {
  Value target = given(in, arguments, 1, "target"), name = given(in, arguments, 2, "name"),
        value = given(in, arguments, 3, "value");
  if (target.isAbsent() || !name.is(ValueKind::Str) || value.isAbsent() ||
      !isChangeable(in, target))
    return notMade(in, arguments);
  Name attribute = in.name(name.as<StrObject>()->text);
  Value old = in.lookupAttribute(target, attribute);
  if (in.failed()) return Value::absent();
  if (old.isAbsent()) return notMade(in, arguments);
  if (!note(in, at(arguments, 0), {target, name, old, Value::none()})) return Value::absent();
  return in.setAttribute(target, attribute, value) ? Value::none() : Value::absent();
}

constexpr NativeRow methods[] = {
    {"chdir", none},         {"delattr", notMade},      {"delenv", deleteVariable},
    {"delitem", deleteItem}, {"setattr", setAttribute}, {"setenv", setVariable},
    {"setitem", setItem},    {"syspath_prepend", none}};

const HostClass monkeyPatchClass = {
    .name = "MonkeyPatch",
    .attribute =
        [](Interpreter& in, Value self, Name name) {
          for (const NativeRow& row : methods)
            if (row.name == in.text(name)) return in.function(row.name, row.function, self);
          return in.text(name).starts_with("__") ? Value::absent() : Value::unknown();
        },
    .rebinding = &copiedHost<MonkeyPatchObject, &MonkeyPatchObject::changes>};

} // namespace

Value makeMonkeyPatch(Interpreter& in) {
  auto* patch = in.heap().make<MonkeyPatchObject>();
  patch->cls = &monkeyPatchClass;
  patch->changes = in.heap().list({});
  return Value::object(ValueKind::Host, patch);
}

void undoPatches(Interpreter& in, Value monkeyPatch) {
  auto* patch = hostAs<MonkeyPatchObject>(monkeyPatch, monkeyPatchClass);
  auto* list = patch ? patch->changes.as<ListObject>() : nullptr;
  if (!list) return;
  auto changes = list->items.snapshot();
  for (Value entry : llvm::reverse(changes)) {
    if (in.isExhausted()) return;
    auto* change = entry.as<TupleObject>(); // the test may have put others into the list
    size_t count = change ? change->items.size() : 0;
    if (auto* name = count == 4 ? change->items[1].as<StrObject>() : nullptr)
      in.setAttribute(change->items[0], in.name(name->text), change->items[2]);
    else if (count == 3)
      in.setItem(change->items[0], change->items[1], change->items[2]);
    else if (auto* dict = count == 2 ? change->items[0].as<DictObject>() : nullptr;
             dict && in.heap().owns(dict))
      in.dictErase(dict, change->items[1]);
    in.dropUnlessExhausted();
  }
}

} // namespace gluond::evaluate
