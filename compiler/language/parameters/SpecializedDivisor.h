// The one divisor that Triton specializes kernels on: pointers and integers that are multiples of
// it are known to be.
#pragma once

namespace gluond::language {

inline constexpr unsigned specializedDivisor = 16;

} // namespace gluond::language
