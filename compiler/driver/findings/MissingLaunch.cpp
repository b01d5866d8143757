#include "driver/findings/MissingLaunch.h"

#include "evaluate/ModuleEvaluation.h"
#include "syntax/tree/Visitor.h"

namespace gluond::driver {

WrittenLaunches::WrittenLaunches(const EvaluatedFile& program, const Interner& names)
    : program_(program) {
  auto look = [&](const syntax::Node* node) {
    auto* call = llvm::dyn_cast<syntax::Call>(node);
    auto* subscript = call ? llvm::dyn_cast<syntax::Subscript>(call->func) : nullptr;
    auto* kernel = subscript ? llvm::dyn_cast<syntax::NameExpr>(subscript->value) : nullptr;
    if (kernel) calls_.try_emplace(names.text(kernel->name), call->range);
    return true;
  };
  for (const syntax::Stmt* stmt : program.tree().body())
    syntax::walk(stmt, look);
  for (const evaluate::Refusal& refusal : program.evaluation().refusals())
    refused_.insert(refusal.kernel);
}

MissingLaunch WrittenLaunches::explain(const Kernel& kernel) const {
  std::string quoted = "'" + kernel.qualname + "'";
  std::optional<diagnostics::Location> place;
  if (auto call = calls_.find(kernel.qualname); call != calls_.end())
    place = {program_.file().id(), call->second};
  if (refused_.contains(kernel.qualname)) return {"the launch of " + quoted + " fails", place};
  if (place)
    return {"the launch of " + quoted + " was not evaluated, or its arguments are unknown", place};
  return {"no launch of " + quoted + " was found", std::nullopt};
}

} // namespace gluond::driver
