#include "syntax/tree/EarlierChunk.h"

#include "syntax/tree/Visitor.h"

#include <llvm/ADT/STLExtras.h>

#include <algorithm>

namespace gluond::syntax {

using text::Offset;
using text::Range;

Earlier::Earlier(const CorrectChunk& chunk, llvm::StringRef text, Offset begin) : chunk_(chunk) {
  llvm::StringRef old = *chunk.text;
  auto common = [](auto a, auto endA, auto b) {
    return static_cast<size_t>(std::mismatch(a, endA, b).first - a);
  };
  size_t most = std::min(old.size(), text.size()),
         front = common(old.begin(), old.begin() + most, text.begin()),
         back = common(std::make_reverse_iterator(old.end()),
                       std::make_reverse_iterator(old.end() - (most - front)),
                       std::make_reverse_iterator(text.end()));
  auto inner = [&](llvm::StringRef whole, Offset at) {
    return Range{at + static_cast<Offset>(front), at + static_cast<Offset>(whole.size() - back)};
  };
  changed_ = inner(old, chunk.begin);
  later_ = inner(text, begin);
  before_ = later_.begin - changed_.begin;
  after_ = later_.end - changed_.end;
}

Offset Earlier::beginOf(const Stmt& stmt) const {
  Exprs decorators;
  if (auto* def = llvm::dyn_cast<FunctionDef>(&stmt)) decorators = def->decorators;
  if (auto* cls = llvm::dyn_cast<ClassDef>(&stmt)) decorators = cls->decorators;
  if (decorators.empty()) return stmt.range.begin;
  size_t sign = chunk_.text->rfind('@', decorators.front()->range.begin - chunk_.begin);
  return sign == std::string::npos ? stmt.range.begin : chunk_.begin + static_cast<Offset>(sign);
}

uint32_t firstIdOf(const Node& node) {
  uint32_t first = node.id;
  walk(&node, [&](const Node* below) {
    first = std::min(first, below->id);
    return true;
  });
  return first;
}

namespace {

// Calls visit for each block of a statement.
template <typename Visit> void forEachBlock(const Stmt& stmt, Visit&& visit) {
  switch (stmt.kind) {
  case NodeKind::FunctionDef:
    return visit(llvm::cast<FunctionDef>(stmt).body);
  case NodeKind::ClassDef:
    return visit(llvm::cast<ClassDef>(stmt).body);
  case NodeKind::With:
    return visit(llvm::cast<With>(stmt).body);
  case NodeKind::For:
    visit(llvm::cast<For>(stmt).body);
    return visit(llvm::cast<For>(stmt).orelse);
  case NodeKind::While:
    visit(llvm::cast<While>(stmt).body);
    return visit(llvm::cast<While>(stmt).orelse);
  case NodeKind::If:
    visit(llvm::cast<If>(stmt).body);
    return visit(llvm::cast<If>(stmt).orelse);
  case NodeKind::Try: {
    const Try& attempt = llvm::cast<Try>(stmt);
    visit(attempt.body);
    for (const ExceptHandler& handler : attempt.handlers)
      visit(handler.body);
    visit(attempt.orelse);
    return visit(attempt.finalbody);
  }
  case NodeKind::Match:
    for (const MatchCase& match : llvm::cast<Match>(stmt).cases)
      visit(match.body);
    return;
  default:
    return;
  }
}

} // namespace

Earlier::Row Earlier::statementsAt(Range place, Offset lineStart) const {
  Row row;
  if (place.end <= later_.begin)
    row.moved = before_;
  else if (lineStart >= later_.end)
    row.moved = after_;
  else
    return row;
  Range wanted{place.begin - row.moved, place.end - row.moved};
  Stmts block = chunk_.body;
  while (!block.empty()) {
    const auto* first = llvm::partition_point(
        block, [&](const Stmt* stmt) { return stmt->range.end <= wanted.begin; });
    if (first == block.end()) return row;
    if (beginOf(**first) == wanted.begin) {
      const auto* last = std::find_if(
          first, block.end(), [&](const Stmt* stmt) { return stmt->range.end >= wanted.end; });
      if (last == block.end() || (*last)->range.end != wanted.end) return row;
      row.statements = Stmts(first, last + 1);
      row.firstId = first == block.begin() ? firstIdOf(**first) : first[-1]->id + 1;
      return row;
    }
    block = {};
    forEachBlock(**first, [&](Stmts inner) {
      if (!inner.empty() && beginOf(*inner.front()) <= wanted.begin) block = inner;
    });
  }
  return row;
}

} // namespace gluond::syntax
