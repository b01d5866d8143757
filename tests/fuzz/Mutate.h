// Mutants of an input that still look like what the target reads.
#pragma once

#include "Random.h"
#include "Target.h"

#include <string>

namespace gluond::fuzz {

// One to a few changes. `other` is another input of the target, to take pieces from; may be empty.
std::string mutant(Shape shape, llvm::StringRef input, llvm::StringRef other, Random& random);

} // namespace gluond::fuzz
