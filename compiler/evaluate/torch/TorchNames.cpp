#include "evaluate/torch/TorchNames.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/STLFunctionalExtras.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/ADT/StringMap.h>
#include <llvm/ADT/Twine.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

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

constexpr size_t shortest = 3; // names that may be misspelt

// Calls `visit` with each text that the name is without one of its letters.
void forEachWithoutLetter(llvm::StringRef name, llvm::function_ref<void(llvm::StringRef)> visit) {
  for (size_t i = 0; i < name.size(); ++i) {
    bool isSameAsBefore = i > 0 && name[i] == name[i - 1];
    if (llvm::isAlpha(name[i]) && !isSameAsBefore)
      visit((name.take_front(i) + name.drop_front(i + 1)).str());
  }
}

// Whether a name is another one without one of its letters.
bool lacksLetter(llvm::StringRef shorter, llvm::StringRef longer) {
  size_t at = 0;
  while (at < shorter.size() && shorter[at] == longer[at])
    ++at;
  return llvm::isAlpha(longer[at]) && shorter.drop_front(at) == longer.drop_front(at + 1);
}

// The names of an owner by their lengths, so that a file of thousands of misspelt names is not
// compared with thousands of names for each.
using ByLength = std::vector<std::vector<llvm::StringRef>>;
const llvm::StringMap<ByLength>& namesByLength() {
  static const llvm::StringMap<ByLength> all = [] {
    llvm::StringMap<ByLength> made;
    for (const auto& [owner, names] : owners()) {
      ByLength& of = made[owner];
      for (llvm::StringRef each : names) {
        if (of.size() <= each.size()) of.resize(each.size() + 1);
        of[each.size()].push_back(each);
      }
    }
    return made;
  }();
  return all;
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

llvm::ArrayRef<llvm::StringRef> torchNamesOfLength(llvm::StringRef owner, size_t length) {
  auto known = namesByLength().find(owner);
  if (known == namesByLength().end() || length >= known->second.size()) return {};
  return known->second[length];
}

bool isMisspeltInTorch(llvm::StringRef owner, llvm::StringRef name) {
  if (name.size() < shortest || name.starts_with("_") || torchHas(owner, name)) return false;
  auto known = namesByLength().find(owner);
  if (known == namesByLength().end() || name.size() > known->second.size()) return false;
  bool isMisspelt = llvm::any_of(torchNamesOfLength(owner, name.size() + 1),
                                 [&](llvm::StringRef each) { return lacksLetter(name, each); });
  if (isMisspelt) return true;
  forEachWithoutLetter(name, [&](llvm::StringRef less) {
    isMisspelt |= less.size() >= shortest && torchHas(owner, less);
  });
  std::string swapped = name.str(); // two neighbors at a time
  for (size_t i = 0; i + 1 < swapped.size() && !isMisspelt; ++i) {
    std::swap(swapped[i], swapped[i + 1]);
    isMisspelt = torchHas(owner, swapped);
    std::swap(swapped[i], swapped[i + 1]);
  }
  return isMisspelt;
}

} // namespace gluond::evaluate
