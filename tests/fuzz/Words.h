// The words of what a target reads, from gluond's own tables: what others would write into a
// dictionary by hand.
#pragma once

#include "Target.h"

#include <string>
#include <vector>

namespace gluond::fuzz {

// Never empty.
const std::vector<std::string>& words(Shape shape);

} // namespace gluond::fuzz
