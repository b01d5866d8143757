// The sizes of one launch of a kernel: what its code does not say, and its host does.
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
    std::optional<int64_t> elements; // of a tensor: from its first to its last one
    bool operator==(const Argument&) const = default;
  };
  std::optional<std::array<int64_t, 3>> grid;
  std::vector<Argument> arguments; // of the kernel's function, in order; empty: not known
  bool operator==(const LaunchSizes&) const = default;
};

// Asked at most once, by a lint that needs them.
using AskSizes = llvm::function_ref<LaunchSizes()>;

} // namespace gluond::lints
