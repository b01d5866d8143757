#include "evaluate/Uncalled.h"

#include "syntax/tree/Visitor.h"

namespace gluond::evaluate {

namespace {

constexpr uint64_t stepsPerFunction = 50'000;

// kernel[grid](...), or kernel.warmup(...), outside of nested definitions.
bool launches(const syntax::Node* node) {
  if (llvm::isa<syntax::FunctionDef, syntax::ClassDef>(node)) return false;
  if (auto* call = llvm::dyn_cast<syntax::Call>(node))
    if (llvm::isa<syntax::Subscript>(call->func)) return true;
  bool found = false;
  syntax::forEachChild(node, [&](const syntax::Node* child) { found = found || launches(child); });
  return found;
}
bool launches(syntax::Stmts body) {
  return llvm::any_of(body, [](const syntax::Stmt* stmt) { return launches(stmt); });
}

void callBlindly(Interpreter& in, const FunctionObject* function) {
  llvm::SmallVector<Value> positional;
  llvm::SmallVector<KeywordArgument> keywords;
  for (auto [i, parameter] : llvm::enumerate(function->def->parameters)) {
    if (parameter.kind == syntax::ParameterKind::VarArgs ||
        parameter.kind == syntax::ParameterKind::KwArgs ||
        (i < function->defaults.size() && !function->defaults[i].isAbsent()))
      continue;
    if (parameter.kind == syntax::ParameterKind::KeywordOnly)
      keywords.push_back({parameter.name.name, Value::unknown()});
    else
      positional.push_back(Value::unknown());
  }
  uint64_t before = in.stepsLeft(), given = std::min(before, stepsPerFunction);
  in.refill(given);
  in.enterUncertain();
  in.callFunction(function, Value::absent(), {positional, keywords});
  in.leaveUncertain();
  in.dropError(); // with other arguments it may not be raised
  in.refill(before - (given - in.stepsLeft()));
}

} // namespace

void runUncalled(Interpreter& in, const ModuleObject* module,
                 const llvm::DenseSet<const syntax::Node*>& skipped,
                 llvm::DenseSet<const syntax::Node*>& entered) {
  llvm::SmallVector<const FunctionObject*> all(in.definitions());
  for (const FunctionObject* function : all) {
    if (in.isStopped() || in.stepsLeft() == 0) return;
    if (function->module != module || function->function != FunctionKind::Python || !function->def)
      continue;
    bool isNew = entered.insert(function->def).second;
    if (isNew && !skipped.contains(function->def) && launches(function->def->body))
      callBlindly(in, function);
  }
}

} // namespace gluond::evaluate
