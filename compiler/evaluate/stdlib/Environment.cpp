// os.environ, os.getenv. Variables that the program sets, or that a setting gives, are known.
// Others count as unset, so that they have the program's own default; those that most systems set,
// or that the program needs, are unknown.
#include "evaluate/interpreter/NativeArguments.h"
#include "evaluate/interpreter/Rebinding.h"
#include "evaluate/stdlib/StandardModules.h"
#include "evaluate/values/Classes.h"

#include <llvm/ADT/STLExtras.h>

namespace gluond::evaluate {

namespace {

// The value of a variable that is not set, read without a default: it is None to a test, and
// unknown to all else.
Value unsetAttribute(Interpreter& in, Value, Name name) {
  return in.text(name).starts_with("__") ? Value::absent() : Value::unknown();
}
const HostClass unsetClass = {
    .name = "NoneType",
    .attribute = unsetAttribute,
    .call = [](Interpreter&, Value, const CallArguments&) { return Value::unknown(); },
    .item = [](Interpreter&, Value, Value) { return Value::unknown(); },
    .repr = [](Interpreter&, Value) -> std::string { return "None"; },
    .length = [](Interpreter&, Value) -> std::optional<int64_t> { return 0; },
    .equal = [](Interpreter&, Value, Value other) -> std::optional<bool> {
      if (other.isUnknown()) return std::nullopt;
      return other.isNone() || hostAs<HostObject>(other, unsetClass);
    },
    .rebinding = &sharedHost};
Value unset(Interpreter& in) {
  auto* object = in.heap().make<HostObject>();
  object->cls = &unsetClass;
  return Value::object(ValueKind::Host, object);
}

// Whether systems, continuous integration or launchers usually set it.
bool isUsuallySet(llvm::StringRef variable) {
  static constexpr llvm::StringLiteral names[] = {
      "CI",       "CONDA_PREFIX", "CUDA_HOME", "CUDA_PATH",   "CUDA_VISIBLE_DEVICES",
      "EDITOR",   "HIP_PATH",     "HOME",      "HOSTNAME",    "LANG",
      "LANGUAGE", "LOCAL_RANK",   "LOGNAME",   "MASTER_ADDR", "MASTER_PORT",
      "PATH",     "PWD",          "RANK",      "ROCM_HOME",   "ROCM_PATH",
      "SHELL",    "TEMP",         "TERM",      "TMP",         "TMPDIR",
      "USER",     "VIRTUAL_ENV",  "WORLD_SIZE"};
  static constexpr llvm::StringLiteral prefixes[] = {"GITHUB_", "LC_",    "LD_",  "PYTEST_",
                                                     "PYTHON",  "SLURM_", "SSH_", "XDG_"};
  return llvm::is_contained(names, variable) || llvm::any_of(prefixes, [&](llvm::StringRef prefix) {
           return variable.starts_with(prefix);
         });
}

struct EnvironObject : HostObject {
  Value set; // a Dict
};
extern const HostClass environClass;
Value environItem(Interpreter& in, Value self, Value index) {
  Value found = in.dictGet(hostAs<EnvironObject>(self, environClass)->set.as<DictObject>(), index);
  return found.isAbsent() && !in.failed() ? Value::unknown() : found;
}
bool environSetItem(Interpreter& in, Value self, Value index, Value value) {
  return in.setItem(hostAs<EnvironObject>(self, environClass)->set, index, value);
}
Value environGet(Interpreter& in, const CallArguments& arguments) {
  Value found = environItem(in, at(arguments, 0), given(in, arguments, 1, "key"));
  Value missing = given(in, arguments, 2, "default");
  if (!found.isUnknown()) return found;
  if (!missing.isAbsent()) return missing;
  Value key = given(in, arguments, 1, "key");
  auto* text = key.is(ValueKind::Str) ? key.as<StrObject>() : nullptr;
  return text && !isUsuallySet(text->text) ? unset(in) : Value::unknown();
}
// "NAME" in os.environ
std::optional<bool> environContains(Interpreter& in, Value self, Value key) {
  auto* set = hostAs<EnvironObject>(self, environClass)->set.as<DictObject>();
  auto known = in.dictContains(set, key);
  if (in.failed() || !known) return std::nullopt;
  if (*known) {
    Value value = in.dictGet(set, key);
    return value.isUnknown() ? std::nullopt : std::optional(true);
  }
  auto* text = key.is(ValueKind::Str) ? key.as<StrObject>() : nullptr;
  return text && !isUsuallySet(text->text) ? std::optional(false) : std::nullopt;
}
Value environSetDefault(Interpreter& in, const CallArguments& arguments) {
  Value key = at(arguments, 1), value = environGet(in, arguments);
  if (value.isAbsent() || key.isAbsent()) return unknownOrRaised(in);
  return environSetItem(in, at(arguments, 0), key, value) ? value : Value::absent();
}
bool erase(Interpreter& in, Value self, Value key) {
  auto* set = hostAs<EnvironObject>(self, environClass)->set.as<DictObject>();
  (void)in.dictErase(set, key);
  return !in.failed();
}
Value environForget(Interpreter& in, const CallArguments& arguments) { // pop
  Value value = environGet(in, arguments), key = at(arguments, 1);
  if (value.isAbsent() || key.isAbsent()) return unknownOrRaised(in);
  return erase(in, at(arguments, 0), key) ? value : Value::absent();
}
Value environUpdate(Interpreter& in, const CallArguments& arguments) {
  auto* set = hostAs<EnvironObject>(at(arguments, 0), environClass)->set.as<DictObject>();
  for (Value other : arguments.positional.drop_front())
    if (!updateDict(in, set, other)) return Value::absent();
  for (auto& keyword : arguments.keywords)
    if (!in.dictSet(set, in.string(in.text(keyword.name)), keyword.value)) return Value::absent();
  return Value::none();
}
Value environMerge(Interpreter& in, const CallArguments& arguments) { // os.environ |= others
  return environUpdate(in, arguments).isAbsent() ? Value::absent() : at(arguments, 0);
}
Value environClear(Interpreter& in, const CallArguments& arguments) {
  auto* set =
      in.writable(hostAs<EnvironObject>(at(arguments, 0), environClass)->set.as<DictObject>());
  if (!set) return Value::absent();
  set->items.clear();
  return Value::none();
}
constexpr NativeRow environRows[] = {{"__ior__", environMerge}, {"clear", environClear},
                                     {"get", environGet},       {"setdefault", environSetDefault},
                                     {"pop", environForget},    {"update", environUpdate}};
Value environAttribute(Interpreter& in, Value self, Name name) {
  for (const NativeRow& row : environRows)
    if (row.name == in.text(name)) return in.function(row.name, row.function, self);
  return Value::unknown();
}
const HostClass environClass = {.name = "_Environ",
                                .attribute = environAttribute,
                                .item = environItem,
                                .setItem = environSetItem,
                                .contains = environContains,
                                .rebinding = &copiedHost<EnvironObject, &EnvironObject::set>};
Value environOf(Interpreter& in) {
  return in.moduleMember("os", in.name("environ"));
}
Value getEnvironment(Interpreter& in, const CallArguments& arguments) { // os.getenv
  llvm::SmallVector<Value, 4> positional{environOf(in)};
  positional.append(arguments.positional.begin(), arguments.positional.end());
  return environGet(in, {positional, arguments.keywords});
}
constexpr NativeRow osRows[] = {{"getenv", getEnvironment}, {"makedirs", none}};

} // namespace

Value osMember(Interpreter& in, llvm::StringRef name) {
  if (name == "environ") {
    auto* object = in.heap().make<EnvironObject>();
    object->cls = &environClass;
    object->set = in.heap().dict();
    for (llvm::StringRef known : in.options().environment.variables) {
      auto [variable, value] = known.split('=');
      in.dictSet(object->set.as<DictObject>(), in.string(variable), in.string(value));
    }
    return Value::object(ValueKind::Host, object);
  }
  if (name == "path") return in.module("os.path");
  if (name == "sep") return in.string("/");
  return Value::unknown();
}

Value setVariables(Interpreter& in) {
  return hostAs<EnvironObject>(environOf(in), environClass)->set;
}
llvm::ArrayRef<NativeRow> osFunctions() {
  return osRows;
}
llvm::ArrayRef<NativeRow> environFunctions() {
  return environRows;
}

} // namespace gluond::evaluate
