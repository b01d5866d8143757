#include "syntax/SyntaxTree.h"

#include "syntax/AstBuilder.h"
#include "syntax/Literals.h"

namespace gluond::syntax {

struct SyntaxTree::Impl {
  NodeArena arena;
};

SyntaxTree::SyntaxTree(std::shared_ptr<const text::SourceText> source, diagnostics::FileId file,
                       Interner& interner)
    : source_(std::move(source)), file_(file), interner_(interner),
      impl_(std::make_unique<Impl>()) {}
SyntaxTree::~SyntaxTree() = default;

SyntaxTree::Ptr SyntaxTree::parse(std::shared_ptr<const text::SourceText> source,
                                  diagnostics::FileId file, Interner& interner) {
  std::shared_ptr<SyntaxTree> tree(new SyntaxTree(std::move(source), file, interner));
  diagnostics::Emitter emit(tree->errors_, file, 200);
  TreeHandle handle = threadParser().parse(tree->source_->text());
  if (!handle) return tree;
  AstBuilder builder(tree->source_->text(), 0, tree->impl_->arena, interner, emit);
  llvm::SmallVector<Stmt*, 32> body;
  builder.statements(ts_tree_root_node(handle.get()), body);
  tree->body_ = tree->impl_->arena.copy(body);
  tree->nodeCount_ = tree->impl_->arena.nextId();
  return tree;
}

SyntaxTree::Ptr SyntaxTree::reparse(const SyntaxTree& previous,
                                    std::shared_ptr<const text::SourceText> source) {
  return parse(std::move(source), previous.file_, previous.interner_);
}

} // namespace gluond::syntax
