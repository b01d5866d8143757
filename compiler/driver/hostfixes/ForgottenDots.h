// Imports without the dot of their package: `from tiles import TILE` for `from .tiles import TILE`.
#pragma once

#include "driver/workspace/Workspace.h"
#include "syntax/SyntaxTree.h"

namespace gluond::driver {

// Python searches the folder of a module only if a script lies in it. A file of a package that has
// other imports with dots is no script.
void tellForgottenDots(const File& file, const syntax::SyntaxTree& tree, const Snapshot& snapshot,
                       std::vector<diagnostics::Diagnostic>& out);

} // namespace gluond::driver
