// Reads the [tool.gluond] tables of a pyproject.toml. Internal to driver/settings/.
#pragma once

#include "driver/settings/Configuration.h"

namespace gluond::driver {

// Returns the values as written, in the order of the file, before they are checked against the
// table of settings. A text that is not TOML has no values; if it mentions tool.gluond, the first
// mistake is reported.
ProjectSettings readTables(llvm::StringRef text);

// Returns the requirements of the project, "triton>=3.6", of all groups; none if the text is not
// TOML.
std::vector<std::string> readRequirements(llvm::StringRef text);

} // namespace gluond::driver
