// Checks the numbers of a launch once: everything that is compiled has passed this check, and uses
// powers of two that chips support.
#pragma once

namespace gluond::codegen {

// Returns "a CTA of cuda:90 has at most 32 warps, 1024 threads", or nullopt if that many fit.
std::optional<std::string> tooManyWarps(const Target& target, int64_t warps);

// Returns why no launch is possible with these options, as the rest of "the launch of 'f' ...", or
// nullopt if it is possible.
std::optional<std::string> refusal(const Target& target, const Options& options);

} // namespace gluond::codegen
