#include "lsp/features/facts/LeftOut.h"

#include "syntax/tree/Children.h"

#include <llvm/ADT/STLExtras.h>

namespace gluond::lsp {

using namespace syntax;

namespace {

// Of a constexpr, by its repr.
bool isTrue(const codegen::TypeFact& constant) {
  constexpr llvm::StringLiteral falsities[] = {"False", "None", "0", "0.0", "''", "()", "[]", "{}"};
  return !llvm::is_contained(falsities, constant.text);
}

} // namespace

std::optional<LeftOut> leftOutAt(FileFacts& facts, const SyntaxTree& tree, text::Offset offset) {
  auto holds = [&](const Node& part) { return part.range.touches(offset); };
  for (const Node* node : pathTo(tree.body(), offset)) {
    const Expr* test = nullptr;
    bool isFirst = false; // whether the place is in what runs if the condition holds
    if (auto* branch = llvm::dyn_cast<If>(node)) {
      test = branch->test;
      isFirst = llvm::any_of(branch->body, [&](const Stmt* each) { return holds(*each); });
    } else if (auto* choice = llvm::dyn_cast<IfExp>(node)) {
      test = choice->test;
      isFirst = holds(*choice->body);
    }
    if (!test || holds(*test)) continue;
    auto fact = facts.of(test->range);
    if (fact && fact->type.kind == codegen::FactKind::Constexpr && isTrue(fact->type) != isFirst)
      return LeftOut{test->range, !isFirst, fact->variant.label};
  }
  return std::nullopt;
}

std::string whyLeftOut(const LeftOut& leftOut, const text::SourceText& source) {
  return "not in the selected specialization, " + leftOut.label + ", where `" +
         source.slice(leftOut.condition).split('\n').first.str() + "` is " +
         (leftOut.isTrue ? "true" : "false");
}

} // namespace gluond::lsp
