// How many mistakes of a file are kept.
#pragma once

#include <cstddef>

namespace gluond::syntax {

// A diagnostic takes a kilobyte, and nobody reads thousands.
inline constexpr size_t maxErrors = 200;

} // namespace gluond::syntax
