#include "evaluate/PytestMistakes.h"

#include "syntax/tree/Visitor.h"

#include <llvm/ADT/STLExtras.h>

namespace gluond::evaluate {

namespace {

// Whether it is about what the program's own text defines, about Triton's library, or about None.
// What other libraries give is known in part only.
bool isAboutProgram(const Interpreter& in, const PythonError& error) {
  llvm::StringRef message = error.message;
  ErrorKind kind = error.cause.kind;
  if (kind == ErrorKind::Library || (kind == ErrorKind::MissingMember &&
                                     llvm::StringRef(error.cause.owner).starts_with("triton")))
    return true;
  if (llvm::is_contained({"NameError", "UnboundLocalError", "FrozenInstanceError"},
                         error.exceptionClass))
    return true;
  bool isAboutNone = message.contains("'NoneType'") || message.contains("NoneType object");
  if (error.exceptionClass == "TypeError")
    return isAboutNone || llvm::any_of(in.definitions(), [&](const FunctionObject* function) {
             llvm::StringRef rest = message;
             return rest.consume_front(function->qualname) && rest.starts_with("() ");
           });
  if (error.exceptionClass != "AttributeError") return false;
  llvm::StringRef owner = message.split('\'').second.split('\'').first; // "'Config' object has ..."
  if (!message.starts_with("'")) return false; // of a module: another one may have its name
  return isAboutNone || llvm::any_of(in.workspaceModules(), [&](const auto& entry) {
           const ModuleObject& module = *entry.second;
           bool isOfModule = false;
           for (auto [name, value] : *module.globals)
             if (auto* cls = value.isAbsent() ? nullptr : value.as<ClassObject>())
               isOfModule |= cls->def && cls->qualname == owner;
           return isOfModule;
         });
}
// Whether the program itself raises at that place: what it refuses may be what the test is for.
bool isRaisedByProgram(const Interpreter& in, const Place& place) {
  return llvm::any_of(in.definitions(), [&](const FunctionObject* function) {
    if (function->module != place.module || !function->def ||
        place.range.begin < function->def->range.begin ||
        function->def->range.end < place.range.end)
      return false;
    bool isRaised = false;
    syntax::walk(function->def, [&](const syntax::Node* node) {
      isRaised |= llvm::isa<syntax::Raise, syntax::Assert>(node) &&
                  node->range.begin <= place.range.begin && place.range.end <= node->range.end;
      return !isRaised;
    });
    return isRaised;
  });
}
// kernel[grid](...), as far as the text shows it.
bool launchesKernel(const syntax::FunctionDef& def) {
  bool found = false;
  for (const syntax::Stmt* stmt : def.body)
    syntax::walk(stmt, [&](const syntax::Node* node) {
      auto* call = llvm::dyn_cast<syntax::Call>(node);
      found |= call && llvm::isa<syntax::Subscript>(call->func);
      return !found;
    });
  return found;
}

// Whether a function that launches a kernel, or one that it calls, refuses what the test gives
// it: `raise ValueError("BLOCK must be a power of two")`. What the test itself raises is its
// result.
bool isRefusedByWrapper(const Interpreter& in, const PythonError& error) {
  if (!error.isDeliberate) return false;
  return llvm::any_of(llvm::ArrayRef(error.frames).drop_front(), [&](const Place& place) {
    return llvm::any_of(in.definitions(), [&](const FunctionObject* function) {
      return function->module == place.module && function->def &&
             function->qualname == place.function && launchesKernel(*function->def);
    });
  });
}

} // namespace

bool isMistakeOfProgram(const Interpreter& in, const PythonError& error) {
  return isRaisedByProgram(in, *error.place()) ? isRefusedByWrapper(in, error)
                                               : isAboutProgram(in, error);
}

} // namespace gluond::evaluate
