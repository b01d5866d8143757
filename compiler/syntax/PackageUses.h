// Whether a file uses a package that evaluation does not model.
#pragma once

#include "syntax/SyntaxTree.h"

namespace gluond::syntax {

// Whether the package or a module of it is imported: by a statement anywhere in the file, called or
// not, or by a call with its name, importlib.import_module("gluond.runtime").
bool importsPackage(const SyntaxTree& tree, llvm::StringRef package);

} // namespace gluond::syntax
