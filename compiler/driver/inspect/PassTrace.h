// The result of each pass between the stages `source` and `ttgir` for a kernel. It is computed on
// request; compiling keeps none of it.
#pragma once

#include "driver/analysis/Analysis.h"

namespace gluond::driver {

// The passes of a target by stable names: the second run of a pass is "gluon-canonicalize:2", after
// "gluon-canonicalize".
std::vector<std::string> passNames(const Variant& variant);

struct PassStep {
  std::string id;
  llvm::StringRef title;
  bool hasChanged = false;
  std::string text; // of the module after the pass
  std::vector<LineOrigin> lines;
};
struct PassTrace {
  StageResult source; // stage `source`; if it has no text, nothing ran, and it says why
  std::vector<PassStep> steps;
  std::optional<std::string> failed; // the pass that failed; those after it did not run
  std::string failure;               // the reason
};

// Returns nullopt if cancelled. `linesOf` is the pass whose lines are wanted, or empty for none.
std::optional<PassTrace> tracePasses(Analyzer& analyzer, Worker& worker, const Variant& variant,
                                     llvm::StringRef linesOf = {});

} // namespace gluond::driver
