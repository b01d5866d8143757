// Mutants of kernels that keep their structure: statements are added, taken away and put into
// loops, branches and functions, so that most of what is changed is still compiled.
#pragma once

#include "Random.h"

#include <llvm/ADT/StringRef.h>

#include <string>

namespace gluond::fuzz {

// One change; statements are of the grammar tests/fuzz/grammar/kernels.txt.
std::string kernelMutant(llvm::StringRef text, Random& random);

} // namespace gluond::fuzz
