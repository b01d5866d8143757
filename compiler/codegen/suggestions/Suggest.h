// "Did you mean": finds the known name that is closest to a misspelt one.
#pragma once

#include "language/types/Builtin.h"

#include <llvm/ADT/SmallVector.h>
#include <llvm/ADT/StringRef.h>

#include <string>

namespace gluond::codegen {

// Returns whether `written` is clearly a typing error for `meant`: one letter too many or too few,
// two neighbours swapped, or, in a long word, one letter replaced. Otherwise only case and
// underscores may differ. Differing digits are never a typing error (float16 is not float17), nor
// is a replaced letter in a short word (offs_am is not offs_m).
bool isSlip(llvm::StringRef written, llvm::StringRef meant);

// Returns whether two names of types differ in their widths alone, and the written one is a width
// that types have: int4 is not meant to be int1, as int9 may be meant to be int8.
bool isOtherWidth(llvm::StringRef written, llvm::StringRef meant);

// Add candidates, then ask for the best one. A candidate counts if it is a slip or if few letters
// differ for its length: one of three. Without any, it is the only one of the same words, some of
// them abbreviated or left out, as in next_pow2 for next_power_of_2.
class Nearest {
public:
  explicit Nearest(llvm::StringRef wanted);
  void offer(llvm::StringRef candidate);
  void offerMembers(language::ModuleId of); // of a module or class of Gluon
  // Empty if none is close.
  llvm::StringRef name() const { return name_.empty() ? byWords_ : name_; }
  // Returns whether the wanted name is a typing error for exactly one candidate.
  bool isClear() const { return slips_ == 1 && slip_ == name_; }
  bool isTied() const { return isTied_; } // whether another candidate is as close

private:
  void offerByWords(llvm::StringRef candidate);

  llvm::StringRef wanted_, name_, slip_, byWords_;
  llvm::SmallVector<llvm::StringRef, 8> words_; // of wanted_, between underscores
  llvm::SmallVector<std::string, 8> parts_;     // its smallest words
  unsigned best_, slips_ = 0;
  size_t compared_ = 0; // letters
  size_t letters_ = 0;  // that byWords_ shares, or shared before another one shared as many
  bool isTied_ = false;
};

} // namespace gluond::codegen
