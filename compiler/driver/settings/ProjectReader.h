// Reads the [tool.gluond] tables of a pyproject.toml. Internal to driver/settings/.
#pragma once

#include "driver/settings/Configuration.h"

namespace gluond::driver {

// The values as they are written, in the order of the file, not yet checked against the table of
// settings. A text that is not TOML has no values; where it speaks of tool.gluond, the first
// mistake is told.
ProjectSettings readTables(llvm::StringRef text);

} // namespace gluond::driver
