#include "lsp/features/names/GluonFiles.h"

#include "lsp/features/names/ResolvedName.h"
#include "syntax/tree/Children.h"

#include <llvm/ADT/STLExtras.h>

namespace gluond::lsp {

using namespace syntax;
using language::BuiltinId;

bool mentionsGluon(llvm::StringRef text) {
  return text.contains("gluon");
}

// "gluon.jit" of @gluon.jit and @gluon.jit(...).
static llvm::StringRef dottedOf(const Expr* decorator, const text::SourceText& source) {
  if (auto* call = llvm::dyn_cast<Call>(decorator)) decorator = call->func;
  return llvm::isa<NameExpr, Attribute>(decorator) ? source.slice(decorator->range) : "";
}

GluonRole roleOf(const SyntaxTree& tree, const NameIndex& index, const Node& definition) {
  Exprs decorators;
  if (auto* def = llvm::dyn_cast<FunctionDef>(&definition))
    decorators = def->decorators;
  else if (auto* def = llvm::dyn_cast<ClassDef>(&definition))
    decorators = def->decorators;
  for (const Expr* decorator : decorators) {
    llvm::StringRef dotted = dottedOf(decorator, tree.source());
    if (dotted.empty()) continue;
    ResolvedName meaning = resolveName(tree, index, dotted, decorator->range.begin);
    if (!meaning.builtin) continue;
    switch (meaning.builtin->id) {
    case BuiltinId::gluon_jit:
      return GluonRole::Kernel;
    case BuiltinId::gluon_constexpr_function:
      return GluonRole::Constexpr;
    case BuiltinId::gluon_aggregate:
      return GluonRole::Aggregate;
    default:
      break;
    }
  }
  return GluonRole::None;
}

const Node* gluonAround(const SyntaxTree& tree, const NameIndex& index, text::Offset offset) {
  auto look = [&](auto& self, Stmts body) -> const Node* {
    // Not one by one: a hover asks for each place of a name.
    auto endsBefore = [&](const Stmt* stmt) { return stmt->range.end < offset; };
    for (const Stmt* stmt : llvm::make_range(llvm::partition_point(body, endsBefore), body.end())) {
      text::Range range = rangeWithDecorators(*stmt);
      if (offset < range.begin) break;
      if (!range.touches(offset)) continue;
      if (llvm::isa<FunctionDef, ClassDef>(stmt) && roleOf(tree, index, *stmt) != GluonRole::None)
        return stmt;
      const Node* inner = nullptr;
      auto into = [&](Stmts body) {
        if (!inner) inner = self(self, body);
      };
      if (auto* def = llvm::dyn_cast<FunctionDef>(stmt)) into(def->body);
      if (auto* def = llvm::dyn_cast<ClassDef>(stmt)) into(def->body);
      if (auto* branch = llvm::dyn_cast<If>(stmt)) into(branch->body), into(branch->orelse);
      if (auto* loop = llvm::dyn_cast<For>(stmt)) into(loop->body), into(loop->orelse);
      if (auto* with = llvm::dyn_cast<With>(stmt)) into(with->body);
      if (auto* attempt = llvm::dyn_cast<Try>(stmt))
        into(attempt->body), into(attempt->orelse), into(attempt->finalbody);
      if (inner) return inner;
    }
    return nullptr;
  };
  return look(look, tree.body());
}

Surroundings surroundingsOf(const SyntaxTree& tree, const NameIndex& index,
                            const text::SourceText& source, text::Offset offset) {
  if (const Node* found = gluonAround(tree, index, offset)) return {found, offset};
  uint32_t line = source.lineOf(offset);
  text::Offset begin = source.lineStart(line);
  llvm::StringRef before = source.slice({begin, offset}), code = before.rtrim(" \t");
  if (!code.empty()) {
    text::Offset end = begin + static_cast<text::Offset>(code.size());
    return {gluonAround(tree, index, end), end};
  }
  constexpr uint32_t mostLines = 200;
  for (uint32_t up = line; up > 0 && line - up + 1 < mostLines && !before.empty();) {
    --up;
    llvm::StringRef code = source.line(up).rtrim(" \t");
    if (code.ltrim(" \t").empty() || code.ltrim(" \t").starts_with("#")) continue;
    text::Offset end = source.lineStart(up) + static_cast<text::Offset>(code.size());
    const Node* found = gluonAround(tree, index, end);
    if (!found) break;
    text::Offset first = rangeWithDecorators(*found).begin;
    if (first - source.lineStart(source.lineOf(first)) >= before.size()) break;
    return {found, end};
  }
  return {nullptr, offset};
}

} // namespace gluond::lsp
