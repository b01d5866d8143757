// "Did you mean": the known name nearest to a misspelt one.
#pragma once

#include <llvm/ADT/StringRef.h>

namespace gluond::codegen {

// Feed it candidates, ask for the best one. A candidate counts when few letters differ for its
// length.
class Nearest {
public:
  explicit Nearest(llvm::StringRef wanted)
      : wanted_(wanted), best_(static_cast<unsigned>(wanted.size() / 3 + 2)) {}
  void offer(llvm::StringRef candidate) {
    if (candidate.empty() || candidate.starts_with("__") || candidate == wanted_) return;
    unsigned distance = wanted_.edit_distance(candidate, true, best_);
    if (distance >= best_) return;
    best_ = distance;
    name_ = candidate;
  }
  llvm::StringRef name() const { return name_; } // empty: none is near

private:
  llvm::StringRef wanted_, name_;
  unsigned best_;
};

} // namespace gluond::codegen
