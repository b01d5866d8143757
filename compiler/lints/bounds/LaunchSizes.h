// The sizes of one launch of a kernel, which come from the host code and not from the kernel.
#pragma once

#include <llvm/ADT/STLFunctionalExtras.h>

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

namespace gluond::lints {

struct LaunchSizes {
  struct Argument {
    std::optional<int64_t> integer;  // the value of a number
    std::optional<int64_t> elements; // for a tensor: from its first to its last element
    bool operator==(const Argument&) const = default;
  };
  // A number of the grid that the host code computed: `number // divisor`.
  struct Quotient {
    int64_t number, divisor;
    bool operator==(const Quotient&) const = default;
  };
  std::optional<std::array<int64_t, 3>> grid;
  unsigned gridNumbers = 3; // that the host code gives; further ones are 1
  std::array<std::vector<Quotient>, 3> quotients{};
  std::vector<Argument> arguments; // of the kernel's function, in order; empty if not known
  bool operator==(const LaunchSizes&) const = default;
};

// Evaluates the host code: called at most once, if a lint needs the sizes.
using AskSizes = llvm::function_ref<LaunchSizes()>;
// For the lints, which may ask as often as they like.
using KnownSizes = llvm::function_ref<const LaunchSizes&()>;

} // namespace gluond::lints
