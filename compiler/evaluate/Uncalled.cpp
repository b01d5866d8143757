#include "evaluate/Uncalled.h"

#include "evaluate/launches/Autotune.h"
#include "syntax/tree/Spread.h"
#include "syntax/tree/Visitor.h"

#include <llvm/ADT/MapVector.h>

namespace gluond::evaluate {

namespace {

constexpr uint64_t stepsPerFunction = 50'000;

// Whether the expression is a name of the module that holds a kernel.
bool isKernel(const syntax::Expr* expr, const ModuleObject& module) {
  auto* name = llvm::dyn_cast<syntax::NameExpr>(expr);
  Value held = name ? module.globals->get(name->name) : Value::absent();
  return !held.isAbsent() && kernelOf(held);
}

// kernel[grid](...), or what is meant to be one, kernel(...) or kernel.run(...), outside of nested
// definitions.
bool launches(const syntax::Node* node, const ModuleObject& module) {
  if (llvm::isa<syntax::FunctionDef, syntax::ClassDef>(node)) return false;
  if (auto* call = llvm::dyn_cast<syntax::Call>(node)) {
    const syntax::Expr* callee = call->func;
    if (auto* method = llvm::dyn_cast<syntax::Attribute>(callee)) callee = method->value;
    if (llvm::isa<syntax::Subscript>(callee) || isKernel(callee, module)) return true;
  }
  bool found = false;
  syntax::forEachChild(
      node, [&](const syntax::Node* child) { found = found || launches(child, module); });
  return found;
}
bool launches(syntax::Stmts body, const ModuleObject& module) {
  return llvm::any_of(body, [&](const syntax::Stmt* stmt) { return launches(stmt, module); });
}

bool isVariadic(const syntax::Parameter& parameter) {
  return parameter.kind == syntax::ParameterKind::VarArgs ||
         parameter.kind == syntax::ParameterKind::KwArgs;
}

Value defaultOf(const FunctionObject* function, size_t parameter) {
  return parameter < function->defaults.size() ? function->defaults[parameter] : Value::absent();
}

// Which defaults a blind call takes.
enum class Defaults { All, AllButNone, None };

Value blindArgument(Value missing, Defaults defaults) {
  bool isTaken = !missing.isAbsent() && defaults != Defaults::None &&
                 (defaults == Defaults::All || !missing.isNone());
  return isTaken ? missing : Value::unknown();
}

// Returns whether it raised. `mistakes` takes what does not depend on the arguments.
bool callBlindly(Interpreter& in, const FunctionObject* function, Defaults defaults,
                 std::vector<PythonError>* mistakes = nullptr) {
  llvm::SmallVector<Value> positional;
  llvm::SmallVector<KeywordArgument> keywords;
  for (auto [i, parameter] : llvm::enumerate(function->def->parameters)) {
    if (isVariadic(parameter)) continue;
    Value argument = blindArgument(defaultOf(function, i), defaults);
    if (parameter.kind == syntax::ParameterKind::KeywordOnly)
      keywords.push_back({parameter.name.name, argument});
    else
      positional.push_back(argument);
  }
  uint64_t before = in.stepsLeft(), given = std::min(before, stepsPerFunction);
  in.refill(given);
  in.callFunction(function, Value::absent(), {positional, keywords});
  bool raised = in.failed() && !in.isExhausted();
  if (raised && mistakes) {
    PythonError error = in.takeError();
    error.run = Run::Function;
    if (isMistakeForAnyArguments(error) && error.place() &&
        error.place()->module == function->module)
      mistakes->push_back(std::move(error));
  }
  in.dropError(); // with other arguments it may not be raised
  in.refill(before - (given - in.stepsLeft()));
  return raised;
}

bool hasNoneByDefault(const FunctionObject* function) {
  return llvm::any_of(function->defaults, [](Value each) { return each.isNone(); });
}

// The functions and calls of a program, as its text shows them.
class Written {
public:
  Written(syntax::Stmts body, const Interner& texts) : texts_(texts) {
    for (const syntax::Stmt* stmt : body) {
      addFunction(stmt);
      if (auto* cls = llvm::dyn_cast<syntax::ClassDef>(stmt))
        for (const syntax::Stmt* member : cls->body)
          addFunction(member);
      addNames(stmt, mentioned_);
      syntax::walk(stmt, [&](const syntax::Node* node) {
        if (auto* call = llvm::dyn_cast<syntax::Call>(node)) addCall(*call);
        return true;
      });
    }
  }

  // Whether only other files call it, directly and with any arguments. Others may be called where
  // exceptions are caught, or under conditions.
  bool isEntry(const syntax::FunctionDef& def) const {
    return names_.contains(&def) && def.decorators.empty() &&
           llvm::none_of(def.parameters, isVariadic) && !mentioned_.contains(def.name.name);
  }
  // The values of `*` and `**` may depend on other code.
  bool isPlainCall(text::Range range) const {
    return plainCalls_.contains({range.begin, range.end});
  }
  // Whether the function around a place launches one of the program's kernels. Others may be code
  // of kernels that another file decorates.
  bool isHostCode(text::Range range, const ModuleObject& module) const {
    return llvm::any_of(names_, [&](const auto& each) {
      if (range.begin < each.first->range.begin || each.first->range.end < range.end) return false;
      bool found = usesTensorsOfHost(*each.first, module);
      syntax::walk(each.first, [&](const syntax::Node* node) {
        if (auto* launcher = llvm::dyn_cast<syntax::Subscript>(node))
          found = found || isKernel(launcher->value, module);
        else if (auto* method = llvm::dyn_cast<syntax::Attribute>(node))
          found = found || isKernel(method->value, module); // kernel.run(...)
        return !found;
      });
      return found;
    });
  }
  // Whether a function uses torch, or methods that only torch's tensors have: no kernel does.
  bool usesTensorsOfHost(const syntax::FunctionDef& def, const ModuleObject& module) const {
    static constexpr llvm::StringLiteral methods[] = {"contiguous", "data_ptr",  "is_contiguous",
                                                      "new_empty",  "new_zeros", "numel",
                                                      "size",       "stride"};
    bool found = false;
    syntax::walk(&def, [&](const syntax::Node* node) {
      if (auto* call = llvm::dyn_cast<syntax::Call>(node))
        if (auto* method = llvm::dyn_cast<syntax::Attribute>(call->func))
          found |= llvm::is_contained(methods, texts_.text(method->attribute.name));
      if (auto* name = llvm::dyn_cast<syntax::NameExpr>(node)) {
        Value held = module.globals->get(name->name);
        auto* imported = held.isAbsent() ? nullptr : held.as<ModuleObject>();
        found |= imported && imported->name.split('.').first == "torch";
      }
      return !found;
    });
    return found;
  }
  // The functions with these names and all that may call them.
  llvm::DenseSet<const syntax::FunctionDef*> callersOf(llvm::DenseSet<Name> called) const {
    llvm::DenseMap<Name, llvm::SmallVector<const syntax::FunctionDef*, 2>> users;
    for (const auto& [def, names] : names_) {
      users[def->name.name].push_back(def);
      for (Name name : names)
        users[name].push_back(def);
    }
    llvm::DenseSet<const syntax::FunctionDef*> found;
    llvm::SmallVector<Name> pending(called.begin(), called.end());
    while (!pending.empty())
      for (const syntax::FunctionDef* def : users.lookup(pending.pop_back_val()))
        if (found.insert(def).second && called.insert(def->name.name).second)
          pending.push_back(def->name.name);
    return found;
  }

private:
  using Names = llvm::DenseSet<Name>;

  static void addNames(const syntax::Node* node, Names& to) {
    syntax::walk(node, [&](const syntax::Node* each) {
      if (auto* name = llvm::dyn_cast<syntax::NameExpr>(each)) to.insert(name->name);
      if (auto* member = llvm::dyn_cast<syntax::Attribute>(each)) to.insert(member->attribute.name);
      return true;
    });
  }
  void addFunction(const syntax::Stmt* stmt) {
    if (auto* def = llvm::dyn_cast<syntax::FunctionDef>(stmt)) addNames(def, names_[def]);
  }
  void addCall(const syntax::Call& call) {
    if (!syntax::spreadsAny(call)) plainCalls_.insert({call.range.begin, call.range.end});
  }

  const Interner& texts_;
  llvm::MapVector<const syntax::FunctionDef*, Names> names_; // that its text has
  Names mentioned_;
  llvm::DenseSet<std::pair<text::Offset, text::Offset>> plainCalls_;
};

} // namespace

bool isMistakeForAnyArguments(const PythonError& error) {
  switch (error.cause.kind) {
  case ErrorKind::MissingName:
  case ErrorKind::FunctionSubscript:
    return true;
  case ErrorKind::MissingMember: {
    // Another module may be found here that only has the name of the one that is meant.
    llvm::StringRef package = llvm::StringRef(error.cause.owner).split('.').first;
    return package == "triton" || package == "torch";
  }
  default:
    return false;
  }
}

std::vector<const FunctionObject*> runUncalled(Interpreter& in, const ModuleObject* module,
                                               const llvm::DenseSet<const syntax::Node*>& skipped,
                                               llvm::DenseSet<const syntax::Node*>& entered,
                                               std::vector<PythonError>& mistakes) {
  std::vector<const FunctionObject*> launching;
  llvm::SmallVector<const FunctionObject*> all(in.definitions());
  for (const FunctionObject* function : all) {
    if (in.isStopped() || in.stepsLeft() == 0) break;
    if (function->module != module || function->function != FunctionKind::Python || !function->def)
      continue;
    bool isNew = entered.insert(function->def).second;
    if (!isNew || skipped.contains(function->def) || !launches(function->def->body, *module))
      continue;
    launching.push_back(function);
    in.enterUncertain();
    // None may be what it cannot do with.
    if (callBlindly(in, function, Defaults::All, &mistakes) && hasNoneByDefault(function))
      callBlindly(in, function, Defaults::AllButNone);
    in.leaveUncertain();
  }
  return launching;
}

std::vector<Refusal> refusalsIn(Interpreter& in, llvm::ArrayRef<const FunctionObject*> launching,
                                const llvm::DenseSet<const syntax::Node*>& skipped,
                                syntax::Stmts body) {
  std::vector<Refusal> result;
  if (launching.empty()) return result;
  Written written(body, in.interner());
  llvm::DenseSet<Name> names;
  for (const FunctionObject* function : launching)
    names.insert(function->def->name.name);
  auto callers = written.callersOf(std::move(names));
  const ModuleObject* module = launching.front()->module;
  llvm::SmallVector<const FunctionObject*> all(in.definitions());
  for (const FunctionObject* function : all) {
    if (in.isStopped() || in.stepsLeft() == 0) break;
    if (function->module != module || function->function != FunctionKind::Python ||
        !callers.contains(function->def) || skipped.contains(function->def) ||
        !written.isEntry(*function->def))
      continue;
    size_t before = in.refusals().size();
    callBlindly(in, function, Defaults::None);
    for (const Refusal& refusal : in.refusals().drop_front(before)) {
      // Where a grid that is a function raises, the call is that of the launch.
      auto isTold = [&](const Place& place) {
        return place.module == module && written.isPlainCall(place.range) &&
               written.isHostCode(place.range, *module);
      };
      llvm::ArrayRef<Place> frames = refusal.error.frames;
      if (llvm::any_of(frames.take_back(refusal.error.exceptionClass == "KeyError" ? 2 : 1),
                       isTold)) {
        result.push_back(refusal);
        result.back().isUncalled = true;
      }
    }
  }
  return result;
}

} // namespace gluond::evaluate
