// Variations of a launch: other options, other constexprs, other layouts. What a benchmark's sweep
// times.
//
// Each combination is a launch record made of the variant's own, so that it is compiled and
// launched as any record is. Two things follow from what is varied: layouts are spread over as many
// warps as `num_warps` says, and the grid is counted again where it is seen to be
// ceil(number / constexpr); the notes say so, and where it is not seen.
#pragma once

#include "driver/launches/HostLaunch.h"

#include <tl/expected.hpp>

namespace gluond::driver {

// Something that can be varied: an option, a constexpr parameter that is a number, True or False,
// or a BlockedLayout.
struct SweepAxis {
  std::string name, value;              // "num_warps", "4"
  std::vector<std::string> suggestions; // with the value itself, in order
};
std::vector<SweepAxis> sweepAxes(const Variant& variant, const Interner& names);

struct SweepValues {
  std::string name; // of an axis
  std::vector<std::string>
      values; // "64", "True", "gl.BlockedLayout([1, 4], [1, 32], [4, 1], [1, 0])"
};
struct SweptVariant {
  Variant variant;
  std::vector<std::string> notes; // how the grid was counted
};
// Every combination, at most `most`. The error is a sentence for the user.
tl::expected<std::vector<SweptVariant>, std::string> sweep(const Variant& variant,
                                                           const std::vector<SweepValues>& axes,
                                                           const Interner& names,
                                                           size_t most = 512);

} // namespace gluond::driver
