#include "evaluate/interpreter/NativeTables.h"

#include "evaluate/interpreter/Gluon.h"
#include "evaluate/stdlib/StandardModules.h"
#include "evaluate/torch/TorchNames.h"
#include "evaluate/triton/ModelledModule.h"
#include "evaluate/triton/TritonModules.h"
#include "evaluate/values/Containers.h"
#include "evaluate/values/PythonCoverage.h"
#include "evaluate/values/Strings.h"
#include "language/types/Builtin.h"
#include "releases/ApiChanges.h"
#include "syntax/tree/Visitor.h"

#include <llvm/ADT/SmallString.h>
#include <llvm/Support/Path.h>

namespace gluond::evaluate {

using namespace syntax;

namespace {

// Adds the statements that contain a `yield` of this function.
void markYielding(Stmts body, llvm::SmallPtrSetImpl<const Stmt*>& out) {
  llvm::SmallVector<const Stmt*> around;
  // Each `yield` marks all statements around it.
  auto visit = [&](auto&& self, const Stmt* stmt) -> void {
    around.push_back(stmt);
    walk(stmt, [&](const Node* node) {
      if (node == stmt) return true;
      if (llvm::isa<FunctionDef, ClassDef, Lambda>(node)) return false;
      if (llvm::isa<Yield>(node)) out.insert(around.begin(), around.end());
      if (auto* inner = llvm::dyn_cast<Stmt>(node)) {
        self(self, inner);
        return false;
      }
      return true;
    });
    around.pop_back();
  };
  for (auto* stmt : body)
    if (!llvm::isa<FunctionDef, ClassDef>(stmt)) visit(visit, stmt);
}

// Analyses a function's own statements, except those of functions and classes inside it, for
// properties that determine how its calls run.
FunctionInfo infoOf(const FunctionDef* def) {
  FunctionInfo info;
  auto look = [&](const Node* node) {
    switch (node->kind) {
    case NodeKind::Global: {
      auto* global = llvm::cast<Global>(node);
      for (auto& one : global->names)
        (global->isNonlocal ? info.nonlocals : info.globals).push_back(one.name);
      return false;
    }
    case NodeKind::FunctionDef:
    case NodeKind::ClassDef:
      info.hasNested = true;
      return false;
    case NodeKind::Lambda:
      return false;
    case NodeKind::Yield:
      info.isGenerator = true;
      return true;
    default:
      return true;
    }
  };
  for (auto* stmt : def->body)
    walk(stmt, look);
  if (info.isGenerator) markYielding(def->body, info.yielding);
  return info;
}

} // namespace

const FunctionInfo* Interpreter::Tables::functionInfo(const FunctionObject* function) {
  const Node* node = function->def ? static_cast<const Node*>(function->def) : function->lambda;
  auto& info = functions[node];
  if (!info) {
    info = std::make_unique<FunctionInfo>(function->def ? infoOf(function->def) : FunctionInfo());
  }
  return info.get();
}

Value Interpreter::Tables::literal(Interpreter& in, const Constant* expr) {
  auto [it, isNew] = literals.try_emplace(expr);
  if (isNew)
    it->second =
        Value::object(ValueKind::Str, in.heap().make<StrObject>(language::Object{}, expr->string));
  return it->second;
}

const NativeRow* Interpreter::Tables::method(ValueKind kind, Name name, Interpreter& in) {
  llvm::ArrayRef<NativeRow> rows;
  switch (kind) {
  case ValueKind::Str:
    rows = stringMethods();
    break;
  case ValueKind::Bytes:
    rows = bytesMethods();
    break;
  case ValueKind::List:
    rows = listMethods();
    break;
  case ValueKind::Tuple:
    rows = tupleMethods();
    break;
  case ValueKind::Dict:
    rows = dictMethods();
    break;
  case ValueKind::Set:
    rows = setMethods();
    break;
  case ValueKind::Int:
  case ValueKind::Bool:
  case ValueKind::BigInt:
    rows = integerMethods();
    break;
  case ValueKind::Float:
    rows = floatMethods();
    break;
  default:
    return nullptr;
  }
  auto [it, isNew] = methods.try_emplace({static_cast<unsigned>(kind), name}, nullptr);
  if (isNew) {
    auto* found =
        llvm::find_if(rows, [&](const NativeRow& row) { return row.name == in.text(name); });
    if (found != rows.end()) it->second = found;
  }
  return it->second;
}

Value Interpreter::Tables::builtin(Interpreter& in, Name name) {
  auto it = builtins.find(name);
  if (it == builtins.end()) {
    Value value = Value::absent();
    llvm::StringRef text = in.text(name);
    auto rows = builtinFunctions();
    if (auto* row = llvm::find_if(rows, [&](const NativeRow& r) { return r.name == text; });
        row != rows.end())
      value = in.function(row->name, row->function);
    else if (const ClassObject* cls = in.builtinClass(text))
      value = Value::object(ValueKind::Class, cls);
    else if (text == "NotImplemented")
      value = Value::notImplemented();
    else if (text == "Ellipsis")
      value = Value::ellipsis();
    else if (text == "__debug__")
      value = Value::boolean(true);
    else if (text == "__builtins__" || text == "__spec__" || text == "__loader__" ||
             text == "__package__")
      value = Value::unknown();
    it = builtins.try_emplace(name, value).first;
  }
  return it->second;
}

bool Interpreter::Tables::isModelled(llvm::StringRef dottedName) const {
  if (dottedName.empty()) return false;
  return nativeModule(dottedName) || nativeModule(dottedName.split('.').first) ||
         isGluonModule(dottedName);
}

const ClassObject* Interpreter::builtinClass(llvm::StringRef className) {
  auto it = tables_->classes.find(className);
  if (it != tables_->classes.end()) return it->second;
  auto rows = nativeClasses();
  auto* row = llvm::find_if(rows, [&](const NativeClass& r) { return r.name == className; });
  if (row == rows.end()) return nullptr;
  auto* cls = heap().make<ClassObject>();
  cls->native = row;
  cls->qualname = row->name;
  if (row->isException) cls->flavour = ClassObject::Flavour::Exception;
  if (row->name == "Enum" || row->base == "Enum" || row->base == "Flag")
    cls->flavour = ClassObject::Flavour::Enum;
  llvm::SmallVector<Value> mro{Value::object(ValueKind::Class, cls)};
  if (!row->base.empty())
    if (const ClassObject* base = builtinClass(row->base))
      mro.append(base->mro.begin(), base->mro.end());
  cls->mro = heap().copy(mro);
  cls->members = nullptr;
  tables_->classes[className] = cls;
  return cls;
}

std::optional<Name> Interpreter::pythonBuiltinName(Value value) {
  llvm::StringRef shown;
  if (auto* native = hostAs<NativeFunctionObject>(value, nativeFunctionClass)) {
    auto rows = builtinFunctions();
    if (llvm::none_of(rows, [&](const NativeRow& row) { return row.function == native->function; }))
      return std::nullopt;
    shown = native->name;
  } else if (auto* cls = value.as<ClassObject>(); cls && cls->native) {
    shown = cls->qualname;
  } else {
    return std::nullopt;
  }
  return name(shown);
}

Value Interpreter::pythonBuiltin(Name builtinName) {
  return tables_->builtin(*this, builtinName);
}

void Interpreter::redefine(const FunctionObject* original, const FunctionObject* copy) {
  for (auto& definition : llvm::reverse(definitions_))
    if (definition == original) {
      definition = copy;
      return;
    }
  definitions_.push_back(copy);
}

const ClassObject* Interpreter::signednessClass() {
  auto [it, isNew] = tables_->classes.try_emplace("dtype.SIGNEDNESS", nullptr);
  if (isNew) {
    auto* cls = heap().make<ClassObject>();
    cls->qualname = "dtype.SIGNEDNESS";
    cls->flavour = ClassObject::Flavour::Enum;
    cls->members = newScope();
    const ClassObject* base = builtinClass("Enum"); // may move the table
    llvm::SmallVector<Value> mro{Value::object(ValueKind::Class, cls)};
    mro.append(base->mro.begin(), base->mro.end());
    cls->mro = heap().copy(mro);
    tables_->classes["dtype.SIGNEDNESS"] = cls;
    return cls;
  }
  return it->second;
}

Value Interpreter::builtinFunction(llvm::StringRef functionName) {
  Value found = tables_->builtin(*this, name(functionName));
  return found.isAbsent() ? Value::unknown() : found;
}

Value Interpreter::nativeClassMember(const ClassObject* cls, Name member) {
  if (!cls->native) return Value::absent();
  for (auto& row : cls->native->methods)
    if (row.name == text(member)) {
      Value value = function(row.name, row.function);
      if (auto* made = writable(hostAs<NativeFunctionObject>(value, nativeFunctionClass)))
        made->ofClass = cls;
      return value;
    }
  for (auto& row : cls->native->statics)
    if (row.name == text(member)) return function(row.name, row.function);
  return Value::absent();
}

llvm::SmallVector<std::string, 2> Interpreter::Tables::searchPath(Interpreter& in) {
  llvm::SmallVector<std::string, 2> folders;
  constexpr size_t most = 16;
  auto sys = modules.find("sys");
  if (sys == modules.end()) return folders; // no code can have changed it
  auto* list = in.lookupAttribute(sys->second, in.name("path")).as<ListObject>();
  for (size_t i = 0; list && i < list->items.size() && folders.size() < most; ++i)
    if (auto* text = list->items[i].as<StrObject>(); text && text->text.starts_with("/")) {
      llvm::SmallString<256> folder(text->text);
      llvm::sys::path::remove_dots(folder, /*remove_dot_dot=*/true);
      folders.push_back(folder.str().str());
    }
  return folders;
}

Value Interpreter::Tables::moduleOfProgram(Interpreter& in, llvm::StringRef dottedName) {
  auto sys = modules.find("sys");
  if (sys == modules.end()) return Value::absent(); // no code can have put one there
  Value loaded = in.lookupAttribute(sys->second, in.name("modules"));
  return evaluate::moduleOfProgram(in, loaded, dottedName);
}

Value Interpreter::module(llvm::StringRef dottedName) {
  auto [it, isNew] = tables_->modules.try_emplace(dottedName);
  if (isNew) {
    auto* object = heap().make<ModelledModule>();
    object->name = heap().copy(dottedName);
    object->additions = newScope();
    it->second = Value::object(ValueKind::Module, object);
  }
  return it->second;
}

Value Interpreter::moduleMember(llvm::StringRef moduleName, Name member) {
  if (member == known_.name) return string(moduleName);
  if (options_.release != releases::newest &&
      releases::has(options_.release, moduleName, text(member)) == false)
    return Value::absent();
  const NativeModule* native = nativeModule(moduleName);
  if (native) {
    auto [it, isNew] = tables_->members.try_emplace({native->name.data(), member}, Value::absent());
    if (!isNew && !it->second.isAbsent()) return it->second;
    Value value = Value::absent();
    auto* row = llvm::find_if(native->functions,
                              [&](const NativeRow& r) { return r.name == text(member); });
    if (row != native->functions.end())
      value = function(row->name, row->function);
    else if (native->member)
      value = native->member(*this, text(member));
    if (failed()) return Value::absent();
    if (!value.isAbsent()) {
      tables_->members[{native->name.data(), member}] = value;
      return value;
    }
  }
  // gl.amd.slice is the function, although there is a module of that name.
  auto* gluon = language::findModule(moduleName);
  if (gluon)
    if (auto known = tables_->members.find({gluon->name.data(), member});
        known != tables_->members.end() && !known->second.isAbsent())
      return known->second;
  bool isShadowed = gluon && language::findBuiltin(gluon->id, text(member));
  if (!isShadowed) {
    std::string inner = (moduleName + "." + text(member)).str();
    bool isModelled = nativeModule(inner) || isGluonModule(inner);
    if (isModelled && isTritonModule(inner, options_.release).value_or(true)) return module(inner);
  }
  if (gluon || isGluonModule(moduleName)) {
    Value value = gluonMember(*this, moduleName, member);
    if (failed()) return value;
    if (!value.isAbsent()) {
      if (gluon) tables_->members[{gluon->name.data(), member}] = value;
      return value;
    }
  }
  if (auto has = tritonHas(moduleName, text(member), options_.release)) {
    if (!*has) return Value::absent();
    Value known = libraryClass(*this, moduleName, text(member));
    return known.isAbsent() ? Value::unknown() : known;
  }
  if (isGluonModule(moduleName) && !native) return Value::absent();
  if (isMisspeltInTorch(moduleName, text(member))) return Value::absent();
  bool isClosed = native && !native->isOpen;
  return isClosed && !pythonHas(("module " + moduleName).str(), text(member)) ? Value::absent()
                                                                              : Value::unknown();
}

} // namespace gluond::evaluate
