#include "lsp/features/navigation/Selection.h"

#include "lsp/features/navigation/Symbols.h"
#include "syntax/parser/Keywords.h"
#include "syntax/tree/Children.h"

#include <llvm/ADT/STLExtras.h>

namespace gluond::lsp {

using namespace syntax;

namespace {

// The word at the cursor: names of attributes, keywords and definitions are no nodes.
text::Range wordAt(llvm::StringRef text, text::Offset offset) {
  text::Range word{offset, offset};
  while (word.begin > 0 && isIdentifierPart(text[word.begin - 1]))
    --word.begin;
  while (word.end < text.size() && isIdentifierPart(text[word.end]))
    ++word.end;
  return word;
}

// Returns the range from the first to the last of a list of expressions or statements.
template <typename Nodes> text::Range around(const Nodes& nodes) {
  return {nodes.front()->range.begin, nodes.back()->range.end};
}

} // namespace

std::vector<text::Range> selectionsAt(const SyntaxTree& tree, text::Offset offset) {
  std::vector<text::Range> ranges = {{0, tree.source().size()}}; // outermost first here
  auto add = [&](text::Range range) {
    bool isWithin = ranges.back().begin <= range.begin && range.end <= ranges.back().end;
    if (isWithin && range != ranges.back() && range.end > range.begin && range.touches(offset))
      ranges.push_back(range);
  };
  for (const Node* node : pathTo(tree.body(), offset)) {
    add(wholeRange(*node, tree.source()));
    add(node->range);
    // The text between brackets, and the block below a header.
    if (auto* call = llvm::dyn_cast<Call>(node)) {
      text::Range arguments{call->range.end, call->range.end};
      for (const Expr* each : call->args)
        arguments.begin = std::min(arguments.begin, each->range.begin);
      for (const Keyword& each : call->keywords)
        if (each.name.name) arguments.begin = std::min(arguments.begin, each.name.range.begin);
      if (arguments.end > arguments.begin) add({arguments.begin, arguments.end - 1});
      for (const Keyword& each : call->keywords)
        if (each.name.name) add({each.name.range.begin, each.value->range.end});
    }
    auto body = [&](Stmts stmts) {
      if (!stmts.empty()) add(around(stmts));
    };
    if (auto* def = llvm::dyn_cast<FunctionDef>(node)) body(def->body);
    if (auto* def = llvm::dyn_cast<ClassDef>(node)) body(def->body);
    if (auto* loop = llvm::dyn_cast<For>(node)) body(loop->body);
    if (auto* loop = llvm::dyn_cast<While>(node)) body(loop->body);
    if (auto* with = llvm::dyn_cast<With>(node)) body(with->body);
    if (auto* branch = llvm::dyn_cast<If>(node)) {
      body(branch->body);
      body(branch->orelse);
    }
  }
  add(wordAt(tree.source().text(), offset));
  std::reverse(ranges.begin(), ranges.end());
  return ranges;
}

} // namespace gluond::lsp
