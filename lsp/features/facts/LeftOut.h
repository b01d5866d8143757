// Code of a kernel that the selected specialization does not have, because a condition decides at
// compile time for the other branch.
#pragma once

#include "lsp/features/facts/FileFacts.h"

namespace gluond::lsp {

struct LeftOut {
  text::Range condition;
  bool isTrue;       // the condition's value
  std::string label; // of the selected specialization
};
// Returns nullopt if the place is not in such a branch.
std::optional<LeftOut> leftOutAt(FileFacts& facts, const syntax::SyntaxTree& tree,
                                 text::Offset offset);
// Returns "not in the selected specialization, BLOCK=64 (cuda:90), where `FLAG` is false".
std::string whyLeftOut(const LeftOut& leftOut, const text::SourceText& source);

} // namespace gluond::lsp
