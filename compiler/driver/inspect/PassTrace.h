// What each pass between the stages `source` and `ttgir` makes of a kernel. Made when somebody asks
// for it; compiling keeps nothing of the kind.
#pragma once

#include "driver/analysis/Analysis.h"

namespace gluond::driver {

// The passes of a target by names that stay: a pass that runs more than once is
// "gluon-canonicalize", then "gluon-canonicalize:2".
std::vector<std::string> passNames(llvm::StringRef target);

struct PassStep {
  std::string id;
  llvm::StringRef title;
  bool hasChanged = false;
  std::string text; // of the module behind it
  std::vector<LineOrigin> lines;
};
struct PassTrace {
  StageResult source; // stage `source`; without text, nothing ran, and it says why
  std::vector<PassStep> steps;
  std::optional<std::string> failed; // the pass that failed; those behind it did not run
  std::string failure;               // why it did
};

// Nullopt: cancelled. `linesOf`: the pass whose lines are wanted; empty: none.
std::optional<PassTrace> tracePasses(Analyzer& analyzer, Worker& worker, const Variant& variant,
                                     llvm::StringRef linesOf = {});

} // namespace gluond::driver
