// Imports as statements: modules are found, run once, and give their names.
#include "evaluate/interpreter/Gluon.h"
#include "evaluate/interpreter/Interpreter.h"
#include "evaluate/interpreter/NativeTables.h"
#include "evaluate/triton/TritonModules.h"
#include "evaluate/values/Classes.h"
#include "evaluate/values/Containers.h"
#include "evaluate/values/PythonCoverage.h"

#include <llvm/ADT/DenseSet.h>
#include <llvm/ADT/SmallString.h>
#include <llvm/ADT/StringExtras.h>

namespace gluond::evaluate {

using namespace syntax;

// `level` dots before a name: the package of the importing module, one further up for each dot
// after the first.
static std::string absoluteName(const ModuleObject* importer, llvm::StringRef dottedName,
                                unsigned level) {
  if (level == 0 || !importer) return dottedName.str();
  llvm::StringRef package = importer->name;
  if (importer->path.ends_with("/__init__.py")) --level;
  for (; level > 0; --level)
    package = package.rsplit('.').first == package ? llvm::StringRef() : package.rsplit('.').first;
  if (package.empty() || dottedName.empty()) return (package + dottedName).str();
  return (package + "." + dottedName).str();
}

// A project's settings may list very many constants and aliases, which are looked through for each
// statement and each import.
static constexpr size_t settingsPerStep = 4;

// Names that the program sets itself are set again after each statement of it.
void Interpreter::setConstants(const ModuleObject* module) {
  if (!spend(options_.environment.constants.size() / settingsPerStep)) return;
  Scope* globals = writable(module->globals);
  if (!globals) return;
  for (const std::string& text : options_.environment.constants) {
    std::optional<ModuleConstant> known = readConstant(text);
    if (!known || !isMeant(known->module, module->name)) continue;
    Name set = name(known->name);
    Value before = globals->get(set), value = Value::none();
    int64_t integer;
    double real;
    if (known->value == "True" || known->value == "False")
      value = Value::boolean(known->value == "True");
    else if (!known->value.getAsInteger(0, integer))
      value = Value::integer(integer);
    else if (!known->value.getAsDouble(real))
      value = Value::real(real);
    else if (known->value != "None")
      value = string(known->value.drop_front().drop_back());
    // A kernel may read what it may read without the user's word.
    bool isPlain = !before.isAbsent() && !before.isUnknown() && !before.isConstexpr();
    globals->set(set, isPlain ? value : value.wrapped());
  }
}

// A module that is not found, of whose names the user gives some; Absent if there are none.
static Value moduleOfConstants(Interpreter& in, llvm::StringRef dottedName) {
  bool isGiven = llvm::any_of(in.options().environment.constants, [&](llvm::StringRef text) {
    std::optional<ModuleConstant> known = readConstant(text);
    return known && known->module == dottedName;
  });
  if (!isGiven) return Value::absent();
  auto* made = in.heap().make<ModuleObject>();
  made->name = in.heap().copy(dottedName);
  made->globals = in.newScope();
  in.setConstants(made);
  Value value = Value::object(ValueKind::Module, made);
  markOpen(in, value);
  return value;
}

Value Interpreter::import(llvm::StringRef dottedName, unsigned level, bool& found) {
  found = true;
  const ProgramEnvironment& around = options_.environment;
  if (!spend((around.constants.size() + around.aliases.size()) / settingsPerStep))
    return Value::absent();
  std::string meant;
  for (llvm::StringRef text : around.aliases)
    if (std::optional<ModuleAlias> alias = readAlias(text); alias && level == 0)
      if (auto renamed = under(*alias, dottedName)) dottedName = meant = std::move(*renamed);
  if (level == 0 && tables_->isModelled(dottedName)) return module(dottedName);
  if (level == 0)
    if (Value own = tables_->moduleOfProgram(*this, dottedName); !own.isAbsent() || failed())
      return own;
  const ModuleObject* importer = frame_ ? frame_->module : nullptr;
  if (options_.importsPackages && level == 0)
    for (size_t dot = dottedName.find('.'); dot != llvm::StringRef::npos;
         dot = dottedName.find('.', dot + 1)) {
      llvm::StringRef package = dottedName.take_front(dot);
      find(importer ? importer->path : "", package, 0, package.str());
      if (failed()) return Value::absent();
    }
  Value module = find(importer ? importer->path : "", dottedName, level,
                      absoluteName(importer, dottedName, level));
  found = !module.isAbsent() || failed();
  if (found || level) return found ? module : Value::unknown();
  // A copy of Triton under another name.
  for (size_t end = 0; end != llvm::StringRef::npos && !tables_->copiesOfTriton.empty();) {
    end = dottedName.find('.', end + 1);
    llvm::StringRef copy = dottedName.take_front(end);
    if (!tables_->copiesOfTriton.contains(copy)) continue;
    if (auto renamed = under({copy, "triton"}, dottedName))
      if ((found = isTritonModule(*renamed, options_.release).value_or(false))) {
        Value copied = this->module(*renamed);
        if (ModuleObject* changed = writable(copied.as<ModuleObject>()))
          changed->path = heap().copy(copy);
        found = !isMisspeltTriton(copy);
        return copied;
      }
  }
  if (Value given = moduleOfConstants(*this, dottedName); !given.isAbsent()) {
    found = true;
    return given;
  }
  return Value::unknown();
}

// Returns Absent if there is no such file, or it raised.
Value Interpreter::find(llvm::StringRef importingPath, llvm::StringRef dottedName, unsigned level,
                        const std::string& moduleName) {
  constexpr uint64_t stepsPerLookup = 100; // they access the file system
  if (!options_.importer) return Value::absent();
  llvm::SmallVector<std::string, 2> folders =
      level == 0 ? tables_->searchPath(*this) : llvm::SmallVector<std::string, 2>();
  llvm::SmallString<256> key;
  (importingPath + ":" + llvm::Twine(level) + ":" + dottedName + ":" + llvm::Twine(folders.size()))
      .toVector(key);
  if (auto known = tables_->imports.find(key); known != tables_->imports.end())
    return known->second;
  if (!spend(stepsPerLookup) || !charge(key.size())) return Value::absent();
  auto source = options_.importer(importingPath, dottedName, level);
  for (const std::string& folder : folders)
    if (!source && spend(stepsPerLookup)) // a name relative to a file in that folder
      source = options_.importer(folder + "/.py", dottedName, 1);
  Value module = source ? load(std::move(*source), moduleName) : Value::absent();
  if (!failed()) tables_->imports[key] = module;
  return module;
}

Value Interpreter::importFile(llvm::StringRef path, llvm::StringRef moduleName) {
  if (!options_.importer || !path.consume_back(".py")) return Value::unknown();
  auto [folder, stem] = path.rsplit('/');
  if (stem.empty()) return Value::unknown();
  // A name relative to a file in the same folder.
  Value module = find((folder + "/.py").str(), stem, 1, moduleName.str());
  return module.isAbsent() && !failed() ? Value::unknown() : module;
}

// A module that was imported is an attribute of its package, and so a global of the package's file,
// whatever form the import had: `from .ops import *` in it also binds `ops`.
static void bindInPackage(Interpreter& in, const ModuleObject& module) {
  llvm::StringRef path = module.path;
  if (!path.consume_back("/__init__.py") && !path.consume_back(".py")) return;
  auto [folder, own] = path.rsplit('/');
  auto package = in.workspaceModules().find((folder + "/__init__.py").str());
  if (own.empty() || package == in.workspaceModules().end()) return;
  if (Scope* names = in.writable(package->second->globals))
    names->set(in.name(own), Value::object(ValueKind::Module, &module));
}

Value Interpreter::load(ModuleSource source, const std::string& moduleName) {
  if (auto lacking = lacking_.find(source.path); lacking != lacking_.end())
    return raise("ModuleNotFoundError", lacking->second);
  auto known = loaded_.find(source.path);
  if (known != loaded_.end())
    return Value::object(ValueKind::Module, known->second); // perhaps still running: a cycle
  if (deep()) return Value::absent();
  if (loaded_.size() >= options_.budget.files)
    return exhaust("stopped after " + llvm::Twine(loaded_.size()) + " imported files");
  auto* saved = launchesSuspended();
  const ModuleObject* loaded = runModule(source, moduleName.empty() ? source.name : moduleName);
  resumeLaunches(saved);
  if (loaded) bindInPackage(*this, *loaded);
  return loaded ? Value::object(ValueKind::Module, loaded) : Value::absent();
}

static std::string dotted(Interpreter& in, llvm::ArrayRef<Identifier> path) {
  std::string result;
  for (auto& part : path)
    (result += result.empty() ? "" : ".") += in.text(part.name);
  return result;
}

// Binds the module `inner` to the path `path`, as seen from the package `top`; `top` is Unknown if
// the package has no __init__.py, and then gets a module object here. Returns false if it raised.
static bool bindInner(Interpreter& in, Value& top, llvm::ArrayRef<Identifier> path, Value inner) {
  auto packageOf = [&](Value known, llvm::ArrayRef<Identifier> names) {
    if (!known.isUnknown()) return known;
    auto* made = in.heap().make<ModuleObject>();
    made->name = in.heap().copy(dotted(in, names));
    made->globals = in.newScope();
    return Value::object(ValueKind::Module, made);
  };
  Value package = top = packageOf(top, path.take_front(1));
  for (size_t i = 1; i < path.size(); ++i) {
    auto* module = package.as<ModuleObject>();
    if (!module || !module->globals) return true; // of the modelled world
    Value known = module->globals->get(path[i].name);
    if (known.isAbsent()) {
      bool found = true;
      known =
          i + 1 == path.size() ? inner : in.import(dotted(in, path.take_front(i + 1)), 0, found);
      if (known.isAbsent()) return false;
      if (i + 1 < path.size()) known = packageOf(known, path.take_front(i + 1));
      Scope* names = in.writable(module->globals);
      if (!names) return false;
      names->set(path[i].name, known);
    }
    package = known;
  }
  return true;
}

// Whether a call of the running function executes the statement at this place, if it gets there: it
// is under no condition of the function's own.
static bool isUnconditional(const Frame& frame, text::Range place) {
  if (!frame.function || !frame.function->def) return false;
  return llvm::any_of(frame.function->def->body, [&](const Stmt* stmt) {
    return llvm::isa<Import, ImportFrom>(stmt) && stmt->range.begin <= place.begin &&
           place.end <= stmt->range.end;
  });
}

// If a statement runs again, in another call or for __main__, it is reported only once. Where a
// `try` waits for it, the name or module raises as in Python; a module that may exist elsewhere
// makes both ways possible.
void Interpreter::missing(MissingImport found) {
  if (importGuards_ && found.kind != MissingImport::Kind::NotFound) {
    bool isName = found.kind == MissingImport::Kind::Name;
    if (isName)
      raise("ImportError",
            "cannot import name '" + text(found.name) + "' from '" + found.module + "'");
    else
      raise("ModuleNotFoundError", "No module named '" + found.module + "'");
    return;
  }
  bool isGuarded = importGuards_ || tables_->importersGuards;
  if (isGuarded && !pythonHas("standard library", found.module.split('.').first)) {
    hasOptionalPackages_ = true;
    if (options_.lacksPackages) {
      raise("ModuleNotFoundError", "No module named '" + found.module + "'");
      return;
    }
    if (importGuards_) importedUnknown_ = true;
  }
  found.isCertain = !isUncertain() && !hasAssumed_;
  // A file of the workspace lacks a name whatever the arguments of the function are.
  bool isOfFile = found.from && found.from->globals;
  if (!found.isCertain && isOfFile) found.isCertain = isUnconditional(*frame_, found.range);
  found.importer = frame_->module;
  found.module = heap().copy(found.module);
  uint64_t place = uint64_t(found.range.begin) << 32 | found.range.end;
  if (tables_->missingPlaces.insert({found.importer, place}).second)
    missingImports_.push_back(found);
}

// A module takes a name from one that still runs, which imported it, and has not bound it so far.
void Interpreter::missingSoFar(const ModuleObject& module, Name wanted) {
  // It may have names that nobody sees, or make them on demand.
  const Scope* names = module.globals;
  if (!names || names->contains(Name{}) || names->contains(name("__getattr__"))) return;
  hasCircularImports_ = true;
  if (!options_.importsPackages || circularImport_ || isUncertain() || hasAssumed_ ||
      importGuards_ || tables_->importersGuards || failed())
    return;
  raise("ImportError", "cannot import name '" + text(wanted) +
                           "' from partially initialized module '" + module.name +
                           "' (most likely due to a circular import)");
  circularImport_ = takeError();
}

static text::Range rangeOf(llvm::ArrayRef<Identifier> path) {
  return {path.front().range.begin, path.back().range.end};
}

bool isRunning(const Frame* frame, const ModuleObject* module) {
  for (; frame; frame = frame->caller)
    if (!frame->function && !frame->isClass && frame->module == module) return true;
  return false;
}

bool Interpreter::Tables::bindWrongLanguageImport(Interpreter& in, const Alias& alias,
                                                  text::Range range) {
  auto* found =
      llvm::find_if(meant, [&](const WrongLanguageImport& each) { return each.alias == &alias; });
  if (found == meant.end() || in.importGuards_) return false;
  in.missing({.kind = MissingImport::Kind::Module,
              .range = range,
              .module = found->module,
              .name = found->lacking});
  in.bindName(alias.asName.name ? alias.asName.name : alias.path.back().name,
              in.module("triton.experimental.gluon.language"));
  return true;
}

Flow Interpreter::execImport(const Import* stmt) {
  using Kind = MissingImport::Kind;
  for (auto& alias : stmt->names) {
    if (alias.path.empty()) continue;
    if (tables_->bindWrongLanguageImport(*this, alias, rangeOf(alias.path))) continue;
    std::string whole = dotted(*this, alias.path);
    bool found;
    Value value = import(whole, 0, found);
    if (value.isAbsent()) return Flow::Raise;
    bool isNone = !isTritonModule(whole, options_.release).value_or(true);
    if (!found || isNone)
      missing({.kind = isNone ? Kind::Module : Kind::NotFound,
               .range = rangeOf(alias.path),
               .module = whole});
    if (failed()) return Flow::Raise;
    if (alias.asName.name) {
      bindName(alias.asName.name, value);
      continue;
    }
    // `import a.b.c` binds a, in which b is found, in which c is.
    if (alias.path.size() > 1) {
      Value inner = value;
      value = import(text(alias.path[0].name), 0, found);
      if (value.isAbsent()) return Flow::Raise;
      auto* module = inner.as<ModuleObject>();
      if (module && module->globals && !bindInner(*this, value, alias.path, inner))
        return Flow::Raise;
    }
    bindName(alias.path[0].name, value);
  }
  return Flow::Next;
}

// `from module import *`, without an `__all__`.
static void takeAllNames(Scope& into, const Scope& from, const Interner& names) {
  auto isPrivate = [&](Name name) { return name && names.text(name).starts_with("_"); };
  // A file that begins as the other one does, with the same imports, takes a copy of everything: in
  // chains of such files each has the names of all files behind it.
  constexpr size_t few = 16;
  bool isBeginning = into.size() <= few && into.size() <= from.size();
  for (size_t i = 0; isBeginning && i < into.size(); ++i)
    isBeginning = into[i].name == from[i].name;
  if (!isBeginning) {
    for (auto [name, value] : from)
      if (!value.isAbsent() && !isPrivate(name)) into.set(name, value);
    return;
  }
  auto own = into.snapshot();
  into.restore(from.save());
  for (auto [name, value] : from)
    if (isPrivate(name)) into.set(name, Value::absent());
  for (auto [name, value] : own)
    if (isPrivate(name) || from.get(name).isAbsent()) into.set(name, value);
}

Flow Interpreter::execImportFrom(const ImportFrom* stmt) {
  std::string whole = dotted(*this, stmt->module);
  if (whole == "__future__") return Flow::Next;
  using Kind = MissingImport::Kind;
  bool found;
  Value from = import(whole, stmt->level, found);
  if (from.isAbsent()) return Flow::Raise;
  auto* module = from.as<ModuleObject>();
  bool isNone = stmt->level == 0 && !isTritonModule(whole, options_.release).value_or(true);
  auto inside = [&](Name name) {
    return whole.empty() ? text(name).str() : whole + "." + text(name).str();
  };
  // The modules in a package without an __init__.py; Unknown for a name that is none of them.
  llvm::SmallDenseMap<Name, Value> submodules;
  bool isFolder = false;
  if (!module && !isNone && !stmt->isStar)
    for (auto& alias : stmt->names) {
      if (alias.path.empty()) continue;
      bool isModule = false;
      Value value = import(inside(alias.path[0].name), stmt->level, isModule);
      if (value.isAbsent()) return Flow::Raise;
      if (isModule) submodules[alias.path[0].name] = value;
      isFolder |= isModule && !found;
    }
  if (!stmt->module.empty() && ((!found && !isFolder) || isNone))
    missing({.kind = isNone ? Kind::Module : Kind::NotFound,
             .range = rangeOf(stmt->module),
             .module = stmt->level ? absoluteName(frame_->module, whole, stmt->level) : whole});
  if (failed()) return Flow::Raise;
  if (isNone) from = Value::unknown(), module = nullptr;
  if (stmt->isStar) {
    if (!module || !module->globals) {
      if (!module || !importAll(*this, module->name, frame_->locals))
        markOpen(*this, Value::object(ValueKind::Module, frame_->module));
      return Flow::Next;
    }
    constexpr size_t namesPerStep = 4;
    if (!spend(module->globals->size() / namesPerStep)) return Flow::Raise;
    Value all = module->globals->get(known_.all);
    llvm::SmallVector<Value> names;
    if (!all.isAbsent() && unpack(all, names)) {
      for (Value one : names) {
        auto* exported = one.as<StrObject>();
        if (!exported) continue;
        Name wanted = name(exported->text);
        Value value = module->globals->get(wanted);
        if (value.isAbsent()) {
          bool isModule = false;
          value = import(inside(wanted), stmt->level, isModule);
          if (value.isAbsent()) return Flow::Raise;
          if (!isModule && !isRunning(frame_, module) && !module->globals->contains(Name{}))
            missing({.kind = Kind::Name,
                     .range = stmt->module.empty() ? stmt->range : rangeOf(stmt->module),
                     .module = module->name,
                     .name = wanted,
                     .from = module});
          if (failed()) return Flow::Raise;
        }
        bindName(wanted, value);
      }
      return Flow::Next;
    }
    dropError();
    if (isRunning(frame_, module))
      markOpen(*this, Value::object(ValueKind::Module, frame_->module));
    takeAllNames(*frame_->locals, *module->globals, names_);
    return Flow::Next;
  }
  for (auto& alias : stmt->names) {
    if (alias.path.empty() || tables_->bindWrongLanguageImport(*this, alias, alias.path[0].range))
      continue;
    Name wanted = alias.path[0].name;
    Value value = Value::unknown();
    if (module) {
      value = lookupAttribute(from, wanted);
      // The module's own __getattr__ may raise before a submodule is looked for.
      if (failed() && !catchError("AttributeError")) return Flow::Raise;
      if (value.isAbsent()) { // a submodule?
        bool isModule = false;
        value = Value::unknown();
        if (module->globals) value = import(inside(wanted), stmt->level, isModule);
        if (value.isAbsent()) return Flow::Raise;
        // Of a module that still runs, only its own statements know what it has so far.
        bool isWhole = module == frame_->module || !isRunning(frame_, module);
        if (!isModule && !isWhole) missingSoFar(*module, wanted);
        if (!isModule && isWhole)
          missing({.kind = Kind::Name,
                   .range = alias.path[0].range,
                   .module = module->name,
                   .name = wanted,
                   .from = module});
        if (failed()) return Flow::Raise;
      }
    } else if (auto known = submodules.find(wanted); known != submodules.end()) {
      value = known->second;
    } else if (isFolder || (whole.empty() && stmt->level)) {
      missing({.kind = Kind::NotFound,
               .range = alias.path[0].range,
               .module = absoluteName(frame_->module, inside(wanted), stmt->level)});
      if (failed()) return Flow::Raise;
    }
    bindName(alias.asName.name ? alias.asName.name : wanted, value);
  }
  return Flow::Next;
}

} // namespace gluond::evaluate
