// The dictionary of a fuzz target: words of the texts that it reads, from gluond's own tables.
#pragma once

#include "Target.h"

#include <string>
#include <vector>

namespace gluond::fuzz {

// Never empty.
const std::vector<std::string>& dictionary(Shape shape);

} // namespace gluond::fuzz
