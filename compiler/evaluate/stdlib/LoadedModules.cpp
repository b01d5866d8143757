// sys.modules, and modules that a program makes itself: it puts them there to import them by name.
#include "evaluate/interpreter/NativeArguments.h"
#include "evaluate/interpreter/Rebinding.h"
#include "evaluate/stdlib/StandardModules.h"
#include "evaluate/values/Containers.h"
#include "evaluate/values/PythonCoverage.h"

namespace gluond::evaluate {

namespace {

struct ModulesObject : HostObject {
  Value own; // a Dict: what the program put there
};

// Returns Absent for a module that is not loaded, as far as is known.
Value loaded(Interpreter& in, Value self, Value index);

Value get(Interpreter& in, const CallArguments& arguments) {
  Value found = loaded(in, at(arguments, 0), given(in, arguments, 1, "key"));
  if (!found.isAbsent() || in.failed()) return found;
  Value missing = given(in, arguments, 2, "default");
  return missing.isAbsent() ? Value::none() : missing;
}

// Another package may have loaded a module that is not known here.
Value item(Interpreter& in, Value self, Value index) {
  Value found = loaded(in, self, index);
  return found.isAbsent() ? unknownOrRaised(in) : found;
}

Value attribute(Interpreter& in, Value self, Name name) {
  llvm::StringRef text = in.text(name);
  return text == "get" || text == "pop" ? in.function(text, get, self) : Value::unknown();
}

const HostClass modulesClass = {
    .name = "dict",
    .attribute = attribute,
    .item = item,
    .setItem =
        [](Interpreter& in, Value self, Value index, Value value) {
          Value own = static_cast<const ModulesObject*>(self.as<HostObject>())->own;
          return in.dictSet(own.as<DictObject>(), index, value);
        },
    .contains = [](Interpreter& in, Value self, Value member) -> std::optional<bool> {
      // Whether Python has loaded a library by now depends on others that import it.
      auto* name = member.unwrapped().as<StrObject>();
      Value found = loaded(in, self, member);
      if (found.isAbsent() || found.isUnknown() || (name && nativeModule(name->text)))
        return std::nullopt;
      return true;
    },
    .rebinding = &copiedHost<ModulesObject, &ModulesObject::own>};

Value loaded(Interpreter& in, Value self, Value index) {
  auto* name = index.unwrapped().as<StrObject>();
  if (!name) return Value::unknown();
  if (Value own = moduleOfProgram(in, self, name->text); !own.isAbsent() || in.failed()) return own;
  for (auto& entry : in.workspaceModules())
    if (entry.second->name == name->text) return Value::object(ValueKind::Module, entry.second);
  return nativeModule(name->text) ? in.module(name->text) : Value::absent();
}

} // namespace

Value moduleOfProgram(Interpreter& in, Value modules, llvm::StringRef name) {
  auto* object = hostAs<ModulesObject>(modules, modulesClass);
  auto* own = object ? object->own.as<DictObject>() : nullptr;
  return !own || own->items.empty() ? Value::absent() : in.dictGet(own, in.string(name));
}

Value loadedModules(Interpreter& in) {
  auto* object = in.heap().make<ModulesObject>();
  object->cls = &modulesClass;
  object->own = in.heap().dict();
  return Value::object(ValueKind::Host, object);
}

// A program fills it in ways that are not all followed.
Value newModule(Interpreter& in, const CallArguments& arguments) {
  auto* name = given(in, arguments, 0, "name").as<StrObject>();
  if (!name) return Value::unknown();
  auto* made = in.heap().make<language::ModuleObject>();
  made->name = in.heap().copy(name->text);
  Scope* globals = in.newScope();
  made->globals = globals;
  globals->set(in.names().name, in.string(name->text));
  Value value = Value::object(ValueKind::Module, made);
  markOpen(in, value);
  return value;
}

} // namespace gluond::evaluate
