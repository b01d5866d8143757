// Finds comments that look like directives and have no effect: a misspelt word, a code that no
// diagnostic has, a launch that is not above a kernel.
#pragma once

#include "diagnostics/Diagnostic.h"
#include "driver/program/Directives.h"
#include "syntax/SyntaxTree.h"

namespace gluond::driver {

// `read` are the places of the directives that are read.
void tellUnknownDirectives(const syntax::SyntaxTree& tree, llvm::ArrayRef<text::Range> read,
                           std::vector<diagnostics::Diagnostic>& out);

} // namespace gluond::driver
