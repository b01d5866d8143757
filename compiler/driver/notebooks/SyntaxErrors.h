// The syntax errors of a file, as those who run it see them: a cell of a notebook may await outside
// of functions, which IPython allows.
#pragma once

#include "syntax/SyntaxTree.h"

#include <vector>

namespace gluond::driver {

std::vector<diagnostics::Diagnostic> syntaxErrors(const syntax::SyntaxTree& tree,
                                                  llvm::StringRef path);
bool hasSyntaxErrors(const syntax::SyntaxTree& tree, llvm::StringRef path);

} // namespace gluond::driver
