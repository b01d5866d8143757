// The functions and classes that a record refers to: those of the program as it is now, or defined
// again.
#include "codegen/context/Prelude.h"
#include "driver/records/ParameterPlaces.h"
#include "driver/records/RecordReader.h"
#include "evaluate/launches/Autotune.h"
#include "language/types/Builtin.h"
#include "syntax/tree/Visitor.h"

#include <llvm/Support/Path.h>

namespace gluond::driver {

using language::FunctionObject;
using language::Value;
using language::ValueKind;
using namespace syntax;

// ---------------------------------------------------------------- definitions

// The jit or constexpr function itself, under autotuners and heuristics.
static const FunctionObject* functionOf(Value value) {
  if (auto* function = value.as<FunctionObject>()) return function;
  return evaluate::kernelOf(value);
}

Value RecordReader::builtin(llvm::StringRef dottedName) {
  // The longest prefix that is a module or class of the table.
  for (size_t dot = dottedName.rfind('.'); dot != llvm::StringRef::npos;
       dot = dottedName.take_front(dot).rfind('.')) {
    const language::BuiltinModule* module = language::findModule(dottedName.take_front(dot));
    if (!module) continue;
    if (const language::Builtin* row =
            language::findBuiltin(module->id, dottedName.drop_front(dot + 1))) {
      if (row->kind == language::BuiltinKind::Prelude)
        return resolver_.prelude_.function(*row, resolver_.interpreter_.options().release);
      return language::valueOf(*row);
    }
  }
  auto [module, member] = dottedName.rsplit('.');
  Value value = resolver_.interpreter_.moduleMember(module, name(member));
  return value.isAbsent() ? fail("'" + dottedName + "' is not known") : value;
}

// Returns the module of a reference's "file" and "module", or of the record itself if null.
std::optional<ProgramModule> RecordReader::moduleOf(const JsonValue* file, const JsonValue* named) {
  std::string path = record_.path, module = record_.module;
  if (file && file->isString()) {
    path = fromFolder(record_.folder, file->text()).str().str();
    module = llvm::sys::path::stem(path).str();
  }
  if (named && named->isString()) module = named->text().str();
  std::optional<ProgramModule> result = resolver_.load_(path, module);
  if (!result) fail("there is no file " + path);
  return result;
}

namespace {

// Finds the definition of a qualified name at a line: FunctionDef or ClassDef, and the enclosing
// definitions.
class DefinitionFinder {
public:
  DefinitionFinder(llvm::StringRef qualname, unsigned line, const text::SourceText& text,
                   const evaluate::Interpreter& in)
      : qualname_(qualname), line_(line), text_(text), interpreter_(in) {}

  const Stmt* find(Stmts body) {
    walk(body, "");
    return found_;
  }

private:
  void walk(Stmts body, const std::string& prefix) {
    for (const Stmt* stmt : body) {
      if (auto* function = llvm::dyn_cast<FunctionDef>(stmt)) {
        std::string name = prefix + interpreter_.text(function->name.name).str();
        take(function, name, function->name.range.begin);
        walk(function->body, name + ".<locals>.");
      } else if (auto* cls = llvm::dyn_cast<ClassDef>(stmt)) {
        std::string name = prefix + interpreter_.text(cls->name.name).str();
        take(cls, name, cls->name.range.begin);
        walk(cls->body, name + ".");
      } else if (auto* branch = llvm::dyn_cast<If>(stmt)) {
        walk(branch->body, prefix);
        walk(branch->orelse, prefix);
      } else if (auto* loop = llvm::dyn_cast<For>(stmt)) {
        walk(loop->body, prefix);
        walk(loop->orelse, prefix);
      } else if (auto* loop = llvm::dyn_cast<While>(stmt))
        walk(loop->body, prefix);
      else if (auto* with = llvm::dyn_cast<With>(stmt))
        walk(with->body, prefix);
      else if (auto* attempt = llvm::dyn_cast<Try>(stmt)) {
        walk(attempt->body, prefix);
        for (const ExceptHandler& handler : attempt->handlers)
          walk(handler.body, prefix);
        walk(attempt->orelse, prefix);
        walk(attempt->finalbody, prefix);
      }
    }
  }
  void take(const Stmt* stmt, llvm::StringRef name, text::Offset at) {
    if (name != qualname_ || (line_ && text_.lineOf(at) + 1 != line_)) return;
    found_ = stmt; // the last one wins, as at run time
  }

  llvm::StringRef qualname_;
  unsigned line_;
  const text::SourceText& text_;
  const evaluate::Interpreter& interpreter_;
  const Stmt* found_ = nullptr;
};

// Decorators, annotations and defaults ran when the program did; a closure does not have the names
// that they alone used, which are unknown here.
void forgetHeader(const Stmt& definition, language::Scope& scope, evaluate::Interpreter& in) {
  auto* function = llvm::dyn_cast<FunctionDef>(&definition);
  if (!function) return;
  auto forget = [&](const syntax::Node* header) {
    if (!header) return;
    syntax::walk(header, [&](const syntax::Node* node) {
      auto* name = llvm::dyn_cast<syntax::NameExpr>(node);
      if (!name) return true;
      bool isBound = false;
      for (const language::Scope* at = &scope; at && !isBound; at = at->parent)
        isBound = at->contains(name->name);
      if (isBound) return true;
      Value builtin = in.moduleMember("builtins", name->name);
      if (builtin.isAbsent() || builtin.isUnknown()) scope.set(name->name, Value::unknown());
      in.dropError();
      return true;
    });
  };
  for (const syntax::Expr* decorator : function->decorators)
    forget(decorator);
  for (const syntax::Parameter& parameter : function->parameters) {
    forget(parameter.annotation);
    forget(parameter.defaultValue);
  }
}

} // namespace

// Defines a function or class of the program again, with the closure that it had when the record
// was made.
Value RecordReader::define(const ProgramModule& module, llvm::StringRef qualname, unsigned line,
                           const JsonValue& reference) {
  const Stmt* definition =
      DefinitionFinder(qualname, line, *module.text, resolver_.interpreter_).find(module.body);
  if (!definition) {
    std::string at = line ? " at line " + std::to_string(line) : std::string();
    return fail(llvm::sys::path::filename(module.module->path) + " has no '" + qualname + "'" + at);
  }
  auto* written = llvm::dyn_cast<FunctionDef>(definition);
  // The kernel that the `def` made, whatever other decorators gave back in its place.
  auto decorated = [&]() -> const FunctionObject* {
    for (const FunctionObject* each : llvm::reverse(resolver_.interpreter_.definitions()))
      if (written && each->def == written && each->function == language::FunctionKind::Jit)
        return each;
    return nullptr;
  };
  const JsonValue* closure = reference.find("closure");
  const FunctionObject* function = closure || qualname.contains('<') ? nullptr : decorated();
  if (!function) {
    language::Scope* scope = resolver_.interpreter_.newScope(module.module->globals);
    if (closure)
      for (const JsonValue& member : closure->items()) {
        Value value = this->value(member);
        if (value.isAbsent()) return value;
        scope->set(name(member.key()), value);
      }
    forgetHeader(*definition, *scope, resolver_.interpreter_);
    size_t split = qualname.rfind('.');
    std::string prefix = split == llvm::StringRef::npos ? "" : qualname.take_front(split + 1).str();
    Value made = resolver_.interpreter_.define(definition, scope, module.module, prefix);
    std::optional<evaluate::PythonError> error;
    if (made.isAbsent()) error = resolver_.interpreter_.takeError();
    function = made.isAbsent() ? nullptr : functionOf(made);
    bool isOther = written && (made.isAbsent() || !function || function->def != written);
    if (const FunctionObject* own = isOther ? decorated() : nullptr) function = own;
    if (!function && error)
      return fail("defining '" + qualname + "' raises " + error->exceptionClass + ": " +
                  error->message);
    if (!function) return made;
  }
  if (const JsonValue* given = reference.find("defaults");
      given && given->isObject() && function->def) {
    llvm::SmallVector<Value, 8> defaults(function->defaults);
    defaults.resize(function->def->parameters.size(), Value::absent());
    ParameterPlaces places(function->def->parameters, resolver_.interpreter_);
    for (const JsonValue& member : given->items())
      if (auto i = places.find(member.key())) {
        defaults[*i] = this->value(member);
        if (defaults[*i].isAbsent()) return defaults[*i];
      }
    auto* copy = heap().make<FunctionObject>(*function);
    copy->defaults = heap().copy(defaults);
    function = copy;
  }
  return Value::object(ValueKind::Function, function);
}

Value RecordReader::reference(const JsonValue& reference, llvm::StringRef qualname) {
  const JsonValue* named = reference.find("module");
  if (named && named->isString()) {
    llvm::StringRef module = named->text();
    if (module == "triton" || module.starts_with("triton."))
      return builtin((module + "." + qualname).str());
    if (module == "builtins")
      return resolver_.interpreter_.moduleMember("builtins", name(qualname));
  }
  std::optional<ProgramModule> module = moduleOf(reference.find("file"), named);
  return module ? definition(*module, reference, qualname) : Value::absent();
}

Value RecordReader::definition(const ProgramModule& module, const JsonValue& reference,
                               llvm::StringRef qualname) {
  unsigned line = 0;
  if (const JsonValue* given = reference.find("line"); given && given->isInteger())
    line = static_cast<unsigned>(given->integer());
  // As the module has it now, unless it is another definition of the same name.
  llvm::SmallVector<llvm::StringRef, 4> parts;
  qualname.split(parts, '.');
  Value found = module.module->globals->get(name(parts[0]));
  for (size_t i = 1; i < parts.size() && !found.isAbsent() && !found.isUnknown(); ++i) {
    found = parts[i] == "<locals>" ? Value::absent()
                                   : resolver_.interpreter_.lookupAttribute(found, name(parts[i]));
    resolver_.interpreter_.dropError();
  }
  if (!found.isAbsent() && !found.isUnknown()) {
    if (found.is(ValueKind::Class)) return found;
    const FunctionObject* function = functionOf(found);
    if (function && (!line || (function->def &&
                               module.text->lineOf(function->def->name.range.begin) + 1 == line)))
      return Value::object(ValueKind::Function, function);
  }
  return define(module, qualname, line, reference);
}

const FunctionObject* RecordReader::kernel() {
  // Where the record's own "file" and "module" are.
  std::optional<ProgramModule> module = moduleOf(nullptr, nullptr);
  if (!module) return nullptr;
  Value found = definition(*module, *record_.json, record_.kernel);
  if (found.isAbsent()) return nullptr;
  const FunctionObject* function = found.as<FunctionObject>();
  if (function && function->def && function->function == language::FunctionKind::Jit)
    return function;
  fail("'" + record_.kernel + "' is not a kernel");
  return nullptr;
}

} // namespace gluond::driver
