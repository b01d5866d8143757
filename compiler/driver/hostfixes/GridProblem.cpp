#include "driver/hostfixes/GridProblem.h"

#include "syntax/tree/Children.h"
#include "syntax/tree/Visitor.h"

#include <llvm/ADT/STLExtras.h>

namespace gluond::driver {

std::string gridProblem(llvm::StringRef message) {
  auto quoted = [](llvm::StringRef text) {
    return text.split('\'').second.split('\'').first.str();
  };
  auto [python, reason] = message.split(": ");
  if (python.contains("'NoneType'") && reason.starts_with("a grid is a tuple"))
    return "its grid is None, but must be a tuple of one to three integers: a function that "
           "makes it has to return it";
  if (reason.starts_with("a grid is a tuple"))
    return "its grid is of type '" + quoted(python) +
           "', but must be a tuple of one to three integers, as in kernel[(n, )](...)";
  if (python == "tuple index out of range" && reason.starts_with("a grid has"))
    return "its grid is empty, but " + reason.str();
  if (reason == "the grid's numbers of programs are integers")
    return "its grid has " +
           (python.starts_with("'") ? "a value of type '" + quoted(python) + "'"
                                    : std::string("a tensor that is not one integer")) +
           ", but its numbers of programs must be integers";
  if (reason.starts_with("a number of programs is at most"))
    return "its grid is too large: " + reason.str();
  if (llvm::StringRef limit = message;
      limit.consume_front("Triton Error [CUDA]: invalid argument: "))
    return "its grid is too large: " + limit.str();
  return "";
}

namespace {

// kernel[grid](...), kernel.run(...)
bool isLaunchAt(const syntax::SyntaxTree& tree, text::Range range) {
  for (const syntax::Node* node : syntax::pathTo(tree.body(), range.begin)) {
    auto* call = llvm::dyn_cast<syntax::Call>(node);
    if (!call || call->range != range) continue;
    if (llvm::isa<syntax::Subscript>(call->func)) return true;
    auto* method = llvm::dyn_cast<syntax::Attribute>(call->func);
    return method && tree.interner().text(method->attribute.name) == "run";
  }
  return false;
}

// "heuristic 'EVEN'", if the function is a rule of triton.heuristics, or is named as one.
std::string heuristicAt(const evaluate::Place& place, const syntax::SyntaxTree& tree) {
  std::string found;
  auto isRule = [&](const syntax::Expr* rule) {
    auto* name = llvm::dyn_cast<syntax::NameExpr>(rule);
    return (rule->range.begin <= place.range.begin && place.range.end <= rule->range.end) ||
           (name && tree.interner().text(name->name) == place.function);
  };
  auto visit = [&](const syntax::Node* node) {
    auto* call = llvm::dyn_cast<syntax::Call>(node);
    bool isHeuristics = call && tree.source().slice(call->func->range).ends_with("heuristics");
    for (const syntax::Expr* argument : isHeuristics ? call->args : syntax::Exprs())
      if (auto* rules = llvm::dyn_cast<syntax::Dict>(argument))
        for (const syntax::DictItem& item : rules->items)
          if (item.key && isRule(item.value))
            found = ("heuristic " + tree.source().slice(item.key->range)).str();
    return found.empty();
  };
  for (const syntax::Stmt* stmt : tree.body())
    syntax::walk(stmt, visit);
  llvm::replace(found, '"', '\'');
  return found;
}

} // namespace

std::string raiserInLaunch(const evaluate::PythonError& error, const syntax::SyntaxTree& tree,
                           const syntax::SyntaxTree* ofCaller) {
  if (error.frames.size() < 2 || !ofCaller) return "";
  if (!isLaunchAt(*ofCaller, error.frames[error.frames.size() - 2].range)) return "";
  std::string heuristic = heuristicAt(error.frames.back(), tree);
  return heuristic.empty() ? "grid" : heuristic;
}

} // namespace gluond::driver
