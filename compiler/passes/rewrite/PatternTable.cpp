#include "passes/rewrite/PatternTable.h"

namespace gluond::passes {

namespace {

// Stable, by insertion: the lists are short.
void sortByBenefit(llvm::SmallVectorImpl<const mlir::RewritePattern*>& list) {
  for (auto* it = list.begin(); it != list.end(); ++it)
    std::rotate(
        std::upper_bound(list.begin(), it, *it,
                         [](auto* a, auto* b) { return b->getBenefit() < a->getBenefit(); }),
        it, std::next(it));
}

} // namespace

PatternTable::PatternTable(mlir::RewritePatternSet&& patterns) {
  for (auto& pattern : patterns.getNativePatterns()) {
    // Patterns on every op, or on an interface, are none of ours.
    assert(pattern->getRootKind() && "a pattern must name its op");
    byOp_[*pattern->getRootKind()].push_back(pattern.get());
    patterns_.push_back(std::move(pattern));
  }
  for (auto& [name, list] : byOp_)
    sortByBenefit(list);
}

} // namespace gluond::passes
