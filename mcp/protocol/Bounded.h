// Texts that may be of any length, such as a name that a client made up or the log of a driver,
// shortened for answers that a model reads.
#pragma once

#include <cstddef>
#include <string>

namespace gluond::mcp {

inline constexpr size_t mostTextBytes = size_t{16} << 10;

// A longer text keeps its beginning and its end, and says how much is missing between them.
std::string bounded(std::string text, size_t most = mostTextBytes);

} // namespace gluond::mcp
