// The successive ranges of "expand selection" at a place.
#pragma once

#include "syntax/SyntaxTree.h"

#include <vector>

namespace gluond::lsp {

// Innermost first, each within the next, the whole file last. Never empty.
std::vector<text::Range> selectionsAt(const syntax::SyntaxTree& tree, text::Offset offset);

} // namespace gluond::lsp
