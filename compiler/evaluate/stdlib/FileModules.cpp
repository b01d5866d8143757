// The modules pathlib and os.path, as far as file names are concerned, and importlib: programs use
// them to find and load files in their own folders. Of files other than modules, only JSON in the
// workspace is read (DataFiles.h); whether another file exists is Unknown.
#include "evaluate/interpreter/NativeArguments.h"
#include "evaluate/interpreter/Rebinding.h"
#include "evaluate/stdlib/DataFiles.h"
#include "evaluate/stdlib/StandardModules.h"
#include "evaluate/values/PythonCoverage.h"
#include "language/types/Text.h"

#include <llvm/ADT/SmallString.h>
#include <llvm/Support/Path.h>

namespace gluond::evaluate {

namespace path = llvm::sys::path;

namespace {

// ---------------------------------------------------------------- pathlib.Path

struct PathObject : HostObject {
  llvm::StringRef text;
};
extern const HostClass pathClass;

Value makePath(Interpreter& in, llvm::StringRef text) {
  auto* object = in.heap().make<PathObject>();
  object->cls = &pathClass;
  object->text = in.heap().copy(text);
  return Value::object(ValueKind::Host, object);
}

// Returns the text of a string or path, like os.fspath; nullopt for everything else.
std::optional<llvm::StringRef> fileText(Value value) {
  if (auto* object = hostAs<PathObject>(value, pathClass)) return object->text;
  if (auto* text = value.as<StrObject>(); text && value.is(ValueKind::Str)) return text->text;
  return std::nullopt;
}

std::string joined(llvm::StringRef folder, llvm::StringRef name) {
  if (name.starts_with("/") || folder.empty()) return name.str();
  llvm::SmallString<256> result(folder);
  path::append(result, name);
  return std::string(result);
}

// Path(..), Path.joinpath(..), os.path.join(..): joins the texts of all arguments.
std::optional<std::string> joinAll(const CallArguments& arguments) {
  llvm::SmallString<256> result;
  for (Value part : arguments.positional) {
    auto text = fileText(part);
    if (!text) return std::nullopt;
    if (text->starts_with("/")) result.clear();
    path::append(result, *text);
  }
  return std::string(result);
}

Value newPath(Interpreter& in, const CallArguments& arguments) {
  auto text = joinAll(arguments);
  return text ? makePath(in, text->empty() ? "." : *text) : Value::unknown();
}
Value withName(Interpreter& in, const CallArguments& arguments) {
  auto self = fileText(at(arguments, 0)), name = fileText(at(arguments, 1));
  return self && name ? makePath(in, joined(path::parent_path(*self), *name)) : Value::unknown();
}
Value withSuffix(Interpreter& in, const CallArguments& arguments) {
  auto self = fileText(at(arguments, 0)), suffix = fileText(at(arguments, 1));
  if (!self || !suffix) return Value::unknown();
  llvm::SmallString<256> result(*self);
  path::replace_extension(result, *suffix);
  return makePath(in, result);
}
Value pathText(Interpreter& in, const CallArguments& arguments) {
  auto self = fileText(at(arguments, 0));
  return self ? in.string(*self) : Value::unknown();
}

// A home is not known.
Value expanded(Interpreter&, const CallArguments& arguments) {
  auto self = fileText(at(arguments, 0));
  return self && !self->starts_with("~") ? at(arguments, 0) : Value::unknown();
}

Value exists(Interpreter& in, const CallArguments& arguments) {
  auto file = fileText(at(arguments, 0));
  return file && isDataFile(in, *file) ? Value::boolean(true) : unknownOrRaised(in);
}
Value pathContents(Interpreter& in, const CallArguments& arguments) {
  auto file = fileText(at(arguments, 0));
  Value text = file ? dataText(in, *file) : Value::unknown();
  return in.failed() ? Value::absent() : text;
}

constexpr NativeRow pathMethods[] = {
    {"joinpath", newPath},   {"with_name", withName},  {"with_suffix", withSuffix},
    {"resolve", identity},   {"absolute", identity},   {"expanduser", expanded},
    {"as_posix", pathText},  {"__fspath__", pathText}, {"exists", exists},
    {"is_file", exists},     {"is_dir", unknown},      {"read_text", pathContents},
    {"read_bytes", unknown}, {"open", openFile},       {"glob", unknown},
    {"iterdir", unknown},    {"stat", unknown},        {"mkdir", none},
    {"write_text", unknown}, {"unlink", none},         {"relative_to", unknown},
};

Value pathAttribute(Interpreter& in, Value self, Name name) {
  llvm::StringRef text = in.text(name), file = *fileText(self);
  for (const NativeRow& row : pathMethods)
    if (row.name == text) return in.function(row.name, row.function, self);
  if (text == "parent") return makePath(in, path::parent_path(file));
  if (text == "parents") {
    llvm::SmallVector<Value> parents;
    for (llvm::StringRef up = path::parent_path(file); !up.empty(); up = path::parent_path(up)) {
      if (!in.charge(up.size()) || !in.spendBytes(up.size()) || !in.spend(1))
        return Value::absent();
      parents.push_back(makePath(in, up));
    }
    return in.tupleOf(parents);
  }
  if (text == "name") return in.string(path::filename(file));
  if (text == "stem") return in.string(path::stem(file));
  if (text == "suffix") return in.string(path::extension(file));
  return text.starts_with("__") ? Value::absent() : Value::unknown();
}

Value pathOperator(Interpreter& in, int op, bool isCompare, Value left, Value right) {
  if (isCompare || op != static_cast<int>(syntax::BinaryOp::Div)) return Value::unknown();
  auto folder = fileText(left), name = fileText(right);
  return folder && name ? makePath(in, joined(*folder, *name)) : Value::unknown();
}

const HostClass pathClass = {
    .name = "PosixPath",
    .attribute = pathAttribute,
    .repr = [](Interpreter&,
               Value self) { return "PosixPath(" + language::reprString(*fileText(self)) + ")"; },
    .str = [](Interpreter&, Value self) { return fileText(self)->str(); },
    .binary = pathOperator,
    .equal = [](Interpreter&, Value self, Value other) -> std::optional<bool> {
      auto* object = hostAs<PathObject>(other, pathClass);
      return object && object->text == *fileText(self);
    },
    .rebinding = &sharedHost,
};

constexpr NativeRow pathlibRows[] = {
    {"Path", newPath}, {"PurePath", newPath}, {"PosixPath", newPath}};

// ---------------------------------------------------------------- os.path

template <auto part> Value partOf(Interpreter& in, const CallArguments& arguments) {
  auto file = fileText(at(arguments, 0));
  return file ? in.string(part(*file)) : Value::unknown();
}
Value osJoin(Interpreter& in, const CallArguments& arguments) {
  auto text = joinAll(arguments);
  return text ? in.string(*text) : Value::unknown();
}
Value splitExtension(Interpreter& in, const CallArguments& arguments) {
  auto file = fileText(at(arguments, 0));
  if (!file) return Value::unknown();
  llvm::StringRef extension = path::extension(*file);
  return in.tupleOf({in.string(file->drop_back(extension.size())), in.string(extension)});
}
Value normalPath(Interpreter& in, const CallArguments& arguments) {
  auto file = fileText(at(arguments, 0));
  if (!file) return Value::unknown();
  llvm::SmallString<256> normal(*file);
  path::remove_dots(normal, /*remove_dot_dot=*/true);
  return in.string(normal);
}
Value expandUser(Interpreter& in, const CallArguments& arguments) {
  auto file = fileText(at(arguments, 0));
  return file && !file->starts_with("~") ? in.string(*file) : Value::unknown();
}
constexpr NativeRow osPathRows[] = {
    {"exists", exists},
    {"isfile", exists},
    {"join", osJoin},
    {"dirname", partOf<[](llvm::StringRef file) { return path::parent_path(file); }>},
    {"basename", partOf<[](llvm::StringRef file) { return path::filename(file); }>},
    {"abspath", normalPath},
    {"realpath", normalPath},
    {"normpath", normalPath},
    {"expanduser", expandUser},
    {"splitext", splitExtension},
};

// ---------------------------------------------------------------- importlib

Value importModule(Interpreter& in, const CallArguments& arguments) {
  auto* name = at(arguments, 0).as<StrObject>();
  bool found;
  if (!name) return Value::unknown();
  llvm::StringRef text = name->text;
  unsigned level = 0;
  while (text.consume_front("."))
    ++level;
  return in.import(text, level, found);
}

// find_spec(name): programs ask whether a package is installed, which is unknown where nothing says
// so.
Value findSpec(Interpreter& in, const CallArguments& arguments) {
  auto* name = given(in, arguments, 0, "name").as<StrObject>();
  if (!name || name->text.starts_with(".")) return Value::unknown();
  bool found = false;
  if (pythonHas("standard library", name->text.split('.').first)) return Value::unknown();
  in.import(name->text, 0, found);
  if (in.failed()) return Value::absent();
  if (!found) in.noteOptionalPackage();
  if (!in.options().lacksPackages) return Value::unknown();
  return found ? in.namespaceOf("ModuleSpec", {{"name", in.string(name->text)}}) : Value::none();
}

// spec_from_file_location(name, path): the module is loaded when it is made from the spec.
Value specFromFile(Interpreter& in, const CallArguments& arguments) {
  Value name = given(in, arguments, 0, "name");
  auto file = fileText(given(in, arguments, 1, "location"));
  if (!name.is(ValueKind::Str) || !file) return Value::unknown();
  Value loader =
      in.namespaceOf("SourceFileLoader", {{"exec_module", in.function("exec_module", none)}});
  return in.namespaceOf("ModuleSpec",
                        {{"name", name}, {"origin", in.string(*file)}, {"loader", loader}});
}
Value moduleFromSpec(Interpreter& in, const CallArguments& arguments) {
  auto* spec = hostAs<NamespaceObject>(at(arguments, 0), namespaceClass);
  auto* name = spec ? spec->attributes->get(in.name("name")).as<StrObject>() : nullptr;
  auto* origin = spec ? spec->attributes->get(in.name("origin")).as<StrObject>() : nullptr;
  if (!name || !origin) return Value::unknown();
  return in.importFile(origin->text, name->text);
}

constexpr NativeRow importlibRows[] = {{"import_module", importModule}, {"reload", identity}};
constexpr NativeRow importlibUtilRows[] = {{"find_spec", findSpec},
                                           {"spec_from_file_location", specFromFile},
                                           {"module_from_spec", moduleFromSpec}};

} // namespace

Value openFile(Interpreter& in, const CallArguments& arguments) {
  auto file = fileText(given(in, arguments, 0, "file"));
  Value mode = given(in, arguments, 1, "mode");
  auto* text = mode.as<StrObject>();
  bool isRead = mode.isAbsent() || (text && (text->text == "r" || text->text == "rt"));
  Value opened = file && isRead ? dataFile(in, *file) : Value::unknown();
  return in.failed() ? Value::absent() : opened;
}

llvm::ArrayRef<NativeRow> pathlibFunctions() {
  return pathlibRows;
}
llvm::ArrayRef<NativeRow> osPathFunctions() {
  return osPathRows;
}
llvm::ArrayRef<NativeRow> importlibFunctions() {
  return importlibRows;
}
llvm::ArrayRef<NativeRow> importlibUtilFunctions() {
  return importlibUtilRows;
}

} // namespace gluond::evaluate
