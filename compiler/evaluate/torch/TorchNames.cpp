#include "evaluate/torch/TorchNames.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/ADT/StringMap.h>

namespace gluond::evaluate {

namespace {

using Names = llvm::SmallVector<llvm::StringRef, 0>; // sorted

const llvm::StringMap<Names>& owners() {
  static const llvm::StringMap<Names> all = [] {
    constexpr std::pair<llvm::StringLiteral, llvm::StringLiteral> rows[] = {
#define TORCH_NAMES(owner, names) {owner, names},
#include "evaluate/torch/TorchNames.def"
#undef TORCH_NAMES
    };
    llvm::StringMap<Names> made;
    for (auto [owner, names] : rows)
      llvm::SplitString(names, made[owner]);
    return made;
  }();
  return all;
}

// Whether one is the other without one of its letters.
bool lacksLetter(llvm::StringRef shorter, llvm::StringRef longer) {
  if (shorter.size() + 1 != longer.size()) return false;
  size_t at = 0;
  while (at < shorter.size() && shorter[at] == longer[at])
    ++at;
  return llvm::isAlpha(longer[at]) && shorter.drop_front(at) == longer.drop_front(at + 1);
}

bool hasSwappedNeighbors(llvm::StringRef a, llvm::StringRef b) {
  if (a.size() != b.size()) return false;
  size_t at = 0;
  while (at < a.size() && a[at] == b[at])
    ++at;
  return at + 1 < a.size() && a[at] == b[at + 1] && a[at + 1] == b[at] &&
         a.drop_front(at + 2) == b.drop_front(at + 2);
}

} // namespace

llvm::ArrayRef<llvm::StringRef> torchNames(llvm::StringRef owner) {
  auto found = owners().find(owner);
  return found == owners().end() ? llvm::ArrayRef<llvm::StringRef>() : found->second;
}

bool torchHas(llvm::StringRef owner, llvm::StringRef name) {
  auto names = torchNames(owner);
  return std::binary_search(names.begin(), names.end(), name);
}

bool isMisspeltInTorch(llvm::StringRef owner, llvm::StringRef name) {
  constexpr size_t shortest = 3;
  if (name.size() < shortest || name.starts_with("_") || torchHas(owner, name)) return false;
  return llvm::any_of(torchNames(owner), [&](llvm::StringRef each) {
    return each.size() >= shortest &&
           (lacksLetter(name, each) || lacksLetter(each, name) || hasSwappedNeighbors(name, each));
  });
}

} // namespace gluond::evaluate
