// Variations of a launch for a benchmark's sweep: other options, other constexprs, other
// layouts.
//
// Each combination is a launch record derived from the variant's, so it is compiled and launched
// like any record. Two values follow from what is varied: layouts are spread over `num_warps`
// warps, and the grid is computed again if it is known to be ceil(number / constexpr); the notes
// say whether it was.
#pragma once

#include "driver/launches/HostLaunch.h"

#include <tl/expected.hpp>

namespace gluond::driver {

// Something that can be varied: an option, a constexpr parameter that is a number, True or False,
// or a BlockedLayout.
struct SweepAxis {
  std::string name, value;              // "num_warps", "4"
  std::vector<std::string> suggestions; // including the value itself, in order
};
std::vector<SweepAxis> sweepAxes(const Variant& variant, const Interner& names);

struct SweepValues {
  std::string name; // of an axis
  std::vector<std::string>
      values; // "64", "True", "gl.BlockedLayout([1, 4], [1, 32], [4, 1], [1, 0])"
};
struct SweptVariant {
  Variant variant;
  std::vector<std::string> notes; // how the grid was computed
};
// Returns every combination, at most `most`. The error is a sentence for the user.
tl::expected<std::vector<SweptVariant>, std::string> sweep(const Variant& variant,
                                                           const std::vector<SweepValues>& axes,
                                                           const Interner& names,
                                                           size_t most = 512);

} // namespace gluond::driver
