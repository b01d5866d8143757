// Identifies this build of gluond: different builds may produce different results for the same
// input.
#pragma once

#include <string>

namespace gluond {

// Returns the linker's hash of the running program (its build id), or else the program's path, size
// and time. It is never empty, and the same in every process of one build.
const std::string& buildId();

} // namespace gluond
