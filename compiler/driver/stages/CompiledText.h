// A compiled stage as bytes, for the disk cache. Internal to driver/.
#pragma once

#include "driver/stages/Compile.h"

namespace gluond::driver {

// All but what it cost. The format is that of one build (its id is part of the cache's keys).
std::string toBytes(const Compiled& compiled);
// Nothing where the bytes are not of this format.
std::optional<Compiled> fromBytes(llvm::StringRef bytes);

} // namespace gluond::driver
