// Which of many files have to do with Gluon: those that speak of it, and those that import such a
// file. Reads their texts and evaluates nothing, so that a tree without kernels costs no more than
// reading it.
#pragma once

#include "driver/workspace/Workspace.h"

namespace gluond::driver {

// For each of the paths, in order. Over-careful: an import of a module that only has the name of
// one of the files counts.
std::vector<bool> concernedWithGluon(const Snapshot& snapshot, llvm::ArrayRef<std::string> paths);

} // namespace gluond::driver
