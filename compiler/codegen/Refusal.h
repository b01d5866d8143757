// The numbers of a launch, checked once: what is compiled has passed this, and has powers of two
// that chips have.
#pragma once

#include "codegen/Target.h"

namespace gluond::codegen {

// Why nothing can be launched with these options, as the rest of "the launch of 'f' ..."; nullopt
// when it can.
std::optional<std::string> refusal(const Target& target, const Options& options);

} // namespace gluond::codegen
