// What `from m import *` binds: by `__all__` of the module, else all of its names without a leading
// underscore, those of its own star imports included.
#pragma once

#include "syntax/SyntaxTree.h"

#include <llvm/ADT/SmallVector.h>
#include <llvm/ADT/StringSet.h>

#include <vector>

namespace gluond::lsp {

// The star imports of a module, in the order of the text, conditional ones included; the last one
// that has a name decides.
std::vector<const syntax::ImportFrom*> starImportsOf(const syntax::SyntaxTree& tree);

// The strings of its `__all__`, as far as they are written in it.
struct ExportedNames {
  bool isGiven = false;                            // else `__all__` is not assigned
  llvm::SmallVector<const syntax::Constant*> list; // strings
  llvm::StringSet<> names;                         // the same
  bool has(llvm::StringRef name) const { return names.contains(name); }
};
ExportedNames exportedNames(const syntax::SyntaxTree& tree);

} // namespace gluond::lsp
