#include "driver/kernelfixes/PhaseFixes.h"

#include "diagnostics/Reporter.h"
#include "driver/kernelfixes/LocalNames.h"
#include "driver/program/LayoutExpression.h"
#include "syntax/tree/Children.h"

#include <llvm/ADT/STLExtras.h>

namespace gluond::driver {

using syntax::Call;
using syntax::Expr;
using syntax::Node;
using syntax::Stmt;

namespace {

const Stmt* statementAround(const Node& node, const syntax::SyntaxTree& tree) {
  for (const Node* each : syntax::pathFrom(tree.body(), node.range.begin))
    if (auto* statement = llvm::dyn_cast<Stmt>(each)) return statement;
  return nullptr;
}

// The last statement of a loop's body that reads a variable; null if none does.
const Stmt* lastReader(const Stmt& loop, Name variable) {
  const Stmt* last = nullptr;
  syntax::forEachChild(loop, [&](const Node& child) {
    auto* statement = llvm::dyn_cast<Stmt>(&child);
    llvm::DenseSet<Name> names;
    if (statement) addNames(*statement, names);
    if (names.contains(variable)) last = statement;
  });
  return last;
}

const Expr* phaseOf(const Call& wait, const syntax::SyntaxTree& tree) {
  for (const syntax::Keyword& keyword : wait.keywords)
    if (tree.interner().text(keyword.name.name) == "phase") return keyword.value;
  return wait.args.size() > 1 ? wait.args[1] : nullptr;
}

// Adds the assignments of a variable in a function that are in no loop; `inLoops` counts others.
void addAssignments(const Node& node, Name variable, bool isInLoop,
                    llvm::SmallVectorImpl<const Stmt*>& outside, unsigned& inLoops) {
  if (auto* statement = llvm::dyn_cast<Stmt>(&node)) {
    bool isLoop = llvm::isa<syntax::For, syntax::While>(statement);
    bool assigns = false;
    llvm::DenseSet<Name> assigned;
    if (llvm::isa<syntax::Assign, syntax::AnnAssign, syntax::AugAssign>(statement)) {
      addAssigned(*statement, assigned);
      assigns = assigned.contains(variable);
    } else if (auto* loop = llvm::dyn_cast<syntax::For>(statement)) {
      addNames(*loop->target, assigned);
      assigns = assigned.contains(variable);
    }
    if (assigns && (isInLoop || isLoop))
      ++inLoops;
    else if (assigns)
      outside.push_back(statement);
    isInLoop |= isLoop;
  }
  syntax::forEachChild(node, [&](const Node& child) {
    addAssignments(child, variable, isInLoop, outside, inLoops);
  });
}

// The assignment that gives a variable its first value, if loops change it and nothing else does.
const syntax::Assign* firstAssignment(const syntax::NameExpr& variable,
                                      const syntax::SyntaxTree& tree) {
  const syntax::FunctionDef* function = functionAround(tree, variable.range.begin);
  if (!function) return nullptr;
  llvm::SmallVector<const Stmt*, 2> outside;
  unsigned inLoops = 0;
  addAssignments(*function, variable.name, false, outside, inLoops);
  if (outside.size() != 1 || !inLoops) return nullptr;
  auto* assign = llvm::dyn_cast<syntax::Assign>(outside.front());
  if (!assign || assign->targets.size() != 1 ||
      !llvm::isa<syntax::NameExpr>(assign->targets.front()))
    return nullptr;
  return assign;
}

} // namespace

const Stmt* lastUseOfPhase(const Call& wait, const syntax::SyntaxTree& tree) {
  const Stmt* statement = statementAround(wait, tree);
  const Stmt* loop = statement ? loopAround(*statement, tree) : nullptr;
  auto* variable = llvm::dyn_cast_or_null<syntax::NameExpr>(phaseOf(wait, tree));
  if (!loop || !variable || wait.args.empty()) return nullptr;
  llvm::DenseSet<Name> changing, barrier;
  addAssigned(*loop, changing);
  addNames(*wait.args.front(), barrier);
  if (changing.contains(variable->name) || !isKnownAt(*variable, *loop, tree) ||
      llvm::any_of(barrier, [&](Name name) { return changing.contains(name); }))
    return nullptr;
  const Stmt* last = lastReader(*loop, variable->name);
  return last ? last : statement;
}

std::optional<diagnostics::Fix> otherPhase(const Call& wait, const syntax::SyntaxTree& tree) {
  const text::SourceText& source = tree.source();
  const Expr* phase = phaseOf(wait, tree);
  if (!phase || writtenNumber(phase)) return std::nullopt;
  if (auto* variable = llvm::dyn_cast<syntax::NameExpr>(phase)) {
    const syntax::Assign* first = firstAssignment(*variable, tree);
    auto number = first ? writtenNumber(first->value) : std::nullopt;
    if (!number || *number < 0 || *number > 1) return std::nullopt;
    std::string start = source.slice(variable->range).str() + " = " + std::to_string(1 - *number);
    return diagnostics::Fix{{diagnostics::fixTitle(diagnostics::FixId::TryText, start)},
                            {{first->range, start}}};
  }
  auto* operation = llvm::dyn_cast<syntax::BinOp>(phase);
  if (!operation) return std::nullopt;
  bool isFlipped =
      operation->op == syntax::BinaryOp::BitXor && writtenNumber(operation->right) == 1;
  std::string text = isFlipped ? source.slice(operation->left->range).str()
                               : "(" + source.slice(phase->range).str() + ") ^ 1";
  return diagnostics::Fix{{diagnostics::fixTitle(diagnostics::FixId::TryText, text)},
                          {{phase->range, text}}};
}

} // namespace gluond::driver
