// The options of a launch that are numbers, and where Options keeps them.
#pragma once

#include "codegen/targets/Target.h"

#include <llvm/ADT/ArrayRef.h>

namespace gluond::codegen {

struct NumberOption {
  llvm::StringLiteral name; // "num_warps"
  void (*set)(Options& options, unsigned value);
};
llvm::ArrayRef<NumberOption> numberOptions();
const NumberOption* findNumberOption(llvm::StringRef name); // null: there is none

// None of them is as large as this.
inline constexpr int64_t endOfNumberOptions = (1 << 20) + 1;

} // namespace gluond::codegen
