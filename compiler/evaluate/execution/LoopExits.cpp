#include "evaluate/interpreter/LoopExits.h"

#include "syntax/tree/Children.h"

namespace gluond::evaluate {

bool LoopExits::givesUp() {
  constexpr uint64_t mostTurns = 1000;
  return (mayBreak || mayReturn) && ++turns > mostTurns;
}

void LoopExits::noteReturn() {
  for (LoopExits* loop = this; loop; loop = loop->outer)
    loop->mayReturn = true;
}

// `isOwn`: a `break` here would leave the loop itself, not one inside of it.
static size_t noteExits(LoopExits& loop, const syntax::Node& node, bool isOwn) {
  switch (node.kind) {
  case syntax::NodeKind::Break:
    if (isOwn) loop.noteBreak();
    return 1;
  case syntax::NodeKind::Return:
    loop.noteReturn();
    return 1;
  case syntax::NodeKind::FunctionDef:
  case syntax::NodeKind::ClassDef:
  case syntax::NodeKind::Lambda:
    return 1;
  case syntax::NodeKind::For:
  case syntax::NodeKind::While:
    isOwn = false;
    break;
  default:
    break;
  }
  size_t seen = 1;
  syntax::forEachChild(node,
                       [&](const syntax::Node& child) { seen += noteExits(loop, child, isOwn); });
  return seen;
}

size_t LoopExits::noteAll(syntax::Stmts body) {
  size_t seen = 0;
  for (const syntax::Stmt* stmt : body)
    seen += noteExits(*this, *stmt, true);
  return seen;
}

} // namespace gluond::evaluate
