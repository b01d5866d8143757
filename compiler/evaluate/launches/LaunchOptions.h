// The options that a launch takes beside its kernel's parameters: num_warps, num_stages, ...
#pragma once

#include "chips/Chip.h"
#include "releases/Release.h"

#include <llvm/ADT/ArrayRef.h>
#include <llvm/ADT/StringRef.h>

#include <cstdint>
#include <limits>
#include <optional>

namespace gluond::evaluate {

// The value of num_warps in a launch that does not give it.
inline constexpr unsigned usualWarps = 4;

struct LaunchOptionRow {
  // The option has no default: any given value counts, even -1.
  static constexpr int64_t noDefault = std::numeric_limits<int64_t>::min();

  llvm::StringLiteral name;
  int64_t cuda, hip;                      // the integers equal to leaving it out, for each backend
  bool isOfConfig = false;                // a parameter of triton.Config
  bool isSwept = false;                   // a sweep may vary it
  llvm::StringLiteral documentation = ""; // a sentence; empty for rarely used options
  releases::Release first = releases::oldest; // that has it
  // The vendor whose back end alone has it: a launch for the other vendor raises KeyError.
  std::optional<chips::Vendor> only = std::nullopt;

  int64_t defaultOn(chips::Vendor vendor) const {
    return vendor == chips::Vendor::Amd ? hip : cuda;
  }
};
// The options of both backends.
llvm::ArrayRef<LaunchOptionRow> launchOptionRows();
// Returns null if a release has none of this name.
const LaunchOptionRow* findLaunchOption(llvm::StringRef name,
                                        releases::Release release = releases::newest);

} // namespace gluond::evaluate
