// The numbers of a launch, checked once: what is compiled has passed this, and has powers of two
// that chips have.
#pragma once

#include "codegen/targets/Target.h"

namespace gluond::codegen {

// "a CTA of cuda:90 has at most 32 warps, 1024 threads"; nullopt when it has as many warps.
std::optional<std::string> tooManyWarps(const Target& target, int64_t warps);

// Why nothing can be launched with these options, as the rest of "the launch of 'f' ..."; nullopt
// when it can.
std::optional<std::string> refusal(const Target& target, const Options& options);

} // namespace gluond::codegen
