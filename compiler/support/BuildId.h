// Which build of gluond this is: what it makes of the same input may differ from what another
// makes.
#pragma once

#include <string>

namespace gluond {

// The linker's hash of the running program (its build id); where it has none, the program's path,
// size and time. Never empty. The same in every process of one build.
const std::string& buildId();

} // namespace gluond
