// Serializes a compiled stage for the disk cache. Internal to driver/.
#pragma once

#include "driver/stages/Compile.h"

namespace gluond::driver {

// Serializes all but the times. The format is that of one build, whose id is part of cache keys.
std::string toBytes(const Compiled& compiled);
// Returns nullopt if the bytes are not in this format.
std::optional<Compiled> fromBytes(llvm::StringRef bytes);

} // namespace gluond::driver
