#include "evaluate/interpreter/LoopExits.h"

#include "evaluate/interpreter/BranchChanges.h"
#include "syntax/tree/Children.h"

namespace gluond::evaluate {

void PossibleValues::add(Interpreter& in, const language::Scope::State& state) {
  for (auto [name, value] : state.elements())
    if (!value.isAbsent())
      if (auto [found, isNew] = values_.insert({name, value}); !isNew)
        found->second = either(in, found->second, value);
}

void PossibleValues::joinInto(Interpreter& in, language::Scope& locals) const {
  for (auto [name, value] : values_)
    locals.set(name, either(in, value, locals.get(name)));
}

void PossibleValues::replace(language::Scope& locals) const {
  for (auto [name, value] : values_)
    locals.set(name, value);
}

bool LoopExits::givesUp() {
  constexpr uint64_t mostTurns = 1000;
  return (mayBreak || mayReturn) && ++turns > mostTurns;
}

void LoopExits::noteReturn() {
  for (LoopExits* loop = this; loop; loop = loop->outer)
    loop->mayReturn = true;
}

// `isOwn`: a `break` here would leave the loop itself, not one inside of it.
static void noteExits(LoopExits& loop, const syntax::Node& node, bool isOwn) {
  switch (node.kind) {
  case syntax::NodeKind::Break:
    if (isOwn) loop.noteBreak();
    return;
  case syntax::NodeKind::Return:
    return loop.noteReturn();
  case syntax::NodeKind::FunctionDef:
  case syntax::NodeKind::ClassDef:
  case syntax::NodeKind::Lambda:
    return;
  case syntax::NodeKind::For:
  case syntax::NodeKind::While:
    isOwn = false;
    break;
  default:
    break;
  }
  syntax::forEachChild(node, [&](const syntax::Node& child) { noteExits(loop, child, isOwn); });
}

void LoopExits::noteAll(syntax::Stmts body) {
  for (const syntax::Stmt* stmt : body)
    noteExits(*this, *stmt, true);
}

} // namespace gluond::evaluate
