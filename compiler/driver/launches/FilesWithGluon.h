// Finds the files that have to do with Gluon: those that mention it, those that use a kernel of
// such a file (Importers.h), those that import such a file, and those whose import of one fails. A
// package often imports all of its modules, so that every file imports each kernel indirectly:
// imports of imports do not count. This reads texts and evaluates nothing, so that a tree without
// kernels costs no more than reading it.
#pragma once

#include "driver/workspace/Workspace.h"

namespace gluond::driver {

// Returns the answer for each path, in order. It may be true too often: an import of a module that
// only has the name of one of the files counts.
std::vector<bool> concernedWithGluon(const Snapshot& snapshot, llvm::ArrayRef<std::string> paths);

} // namespace gluond::driver
