// "Did you mean": the known name nearest to a misspelt one.
#pragma once

#include <llvm/ADT/StringRef.h>

namespace gluond::codegen {

// Whether `written` can only be a slip of the fingers for `meant`: one letter too many or too few,
// two neighbours swapped, or, in a long word, one letter for another. Only case and underscores may
// differ otherwise. A digit is never a slip (float16 is not float17), nor is a letter in a short
// word (offs_am is not offs_m).
bool isSlip(llvm::StringRef written, llvm::StringRef meant);

// Feed it candidates, ask for the best one. A candidate counts when few letters differ for its
// length.
class Nearest {
public:
  explicit Nearest(llvm::StringRef wanted)
      : wanted_(wanted), best_(static_cast<unsigned>(wanted.size() / 3 + 2)) {}
  void offer(llvm::StringRef candidate);
  llvm::StringRef name() const { return name_; } // empty: none is near
  // The one candidate of which the wanted name is a slip.
  bool isClear() const { return slips_ == 1 && slip_ == name_; }

private:
  llvm::StringRef wanted_, name_, slip_;
  unsigned best_, slips_ = 0;
};

} // namespace gluond::codegen
