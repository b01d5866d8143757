// The launch options that the IR depends on and that are numbers or flags, and the members of
// Options that hold them.
#pragma once

#include "codegen/targets/Options.h"

#include <llvm/ADT/ArrayRef.h>

#include <cstdint>

namespace gluond::codegen {

struct NumberOption {
  llvm::StringLiteral name; // "num_warps"
  void (*set)(Options& options, unsigned value);
  int64_t least = 1; // that Triton accepts; what is less than 0 has the effect of 0
};
llvm::ArrayRef<NumberOption> numberOptions();
const NumberOption* findNumberOption(llvm::StringRef name); // null if there is none

// Every number option is below this.
inline constexpr int64_t endOfNumberOptions = (1 << 20) + 1;

struct FlagOption {
  llvm::StringLiteral name; // "debug"
  bool Options::* field;
};
llvm::ArrayRef<FlagOption> flagOptions();

} // namespace gluond::codegen
