#include "codegen/targets/OptionFields.h"

#include <llvm/ADT/STLExtras.h>

#include <limits>

namespace gluond::codegen {

namespace {

constexpr NumberOption rows[] = {
    {"num_warps", [](Options& options, unsigned value) { options.numWarps = value; }},
    {"num_ctas", [](Options& options, unsigned value) { options.numCtas = value; }},
    // Gluon's kernels pipeline by themselves: the number only has to be one.
    {"num_stages", [](Options& options, unsigned value) { options.numStages = value; },
     std::numeric_limits<int64_t>::min()},
    {"maxnreg", [](Options& options, unsigned value) { options.maxnreg = value; }},
};

constexpr FlagOption flags[] = {
    {"debug", &Options::debug},
    {"sanitize_overflow", &Options::sanitizeOverflow},
};

} // namespace

llvm::ArrayRef<NumberOption> numberOptions() {
  return rows;
}

const NumberOption* findNumberOption(llvm::StringRef name) {
  const auto* row = llvm::find_if(rows, [&](const auto& each) { return each.name == name; });
  return row == std::end(rows) ? nullptr : row;
}

llvm::ArrayRef<FlagOption> flagOptions() {
  return flags;
}

} // namespace gluond::codegen
