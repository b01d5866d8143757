#include "lsp/features/facts/Labels.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/StringExtras.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

namespace gluond::lsp {

using driver::partsOf;
using Parts = llvm::SmallVector<llvm::StringRef>;

namespace {

// "BLOCK" of "BLOCK=256". A part without "=" is its own name.
llvm::StringRef nameOf(llvm::StringRef part) {
  size_t end = part.find('=');
  bool isName =
      end != llvm::StringRef::npos && end > 0 &&
      llvm::all_of(part.take_front(end), [](char c) { return llvm::isAlnum(c) || c == '_'; });
  return isName ? part.take_front(end) : part;
}

std::string joined(const Parts& parts) {
  std::string text;
  for (llvm::StringRef part : parts)
    text += (text.empty() ? "" : " ") + part.str();
  return text;
}

// What a name is in each label, and what decides when it is left out.
struct Named {
  std::vector<size_t> groups;   // the first label that has the same
  size_t length = 0, place = 0; // the place in the labels
  bool isShared = false, isRepeated = false;
};

} // namespace

std::vector<std::string> tellApart(llvm::ArrayRef<std::string> labels, size_t most) {
  bool fit = llvm::all_of(labels, [&](const std::string& each) { return each.size() <= most; });
  if (labels.size() < 2 || fit) return labels.vec();
  std::vector<Parts> all;
  for (const std::string& label : labels)
    all.push_back(partsOf(label));
  auto told = [](const std::vector<Parts>& parts) {
    std::set<std::string> different;
    for (const Parts& each : parts)
      different.insert(joined(each));
    return different.size();
  };
  std::vector<llvm::StringRef> names; // in the order of the labels
  std::map<llvm::StringRef, Named> named;
  for (const Parts& parts : all)
    for (llvm::StringRef part : parts)
      if (!part.starts_with("(") && named.try_emplace(nameOf(part)).second)
        names.push_back(nameOf(part));
  std::set<std::vector<size_t>> known;
  for (auto [place, name] : llvm::enumerate(names)) {
    Named& each = named[name];
    each.place = place;
    std::map<llvm::StringRef, size_t> first;
    for (size_t i = 0; i < all.size(); ++i) {
      const auto* part =
          llvm::find_if(all[i], [&](llvm::StringRef part) { return nameOf(part) == name; });
      llvm::StringRef text = part == all[i].end() ? llvm::StringRef() : *part;
      each.length = std::max(each.length, text.size());
      each.groups.push_back(first.try_emplace(text, i).first->second);
    }
    each.isShared = first.size() == 1;
    each.isRepeated = !known.insert(each.groups).second;
  }
  auto rank = [&](llvm::StringRef name) {
    const Named& each = named[name];
    return std::tuple(!each.isShared, !each.isRepeated, -static_cast<int64_t>(each.length),
                      -static_cast<int64_t>(each.place));
  };
  llvm::sort(names, [&](llvm::StringRef a, llvm::StringRef b) { return rank(a) < rank(b); });
  size_t count = told(all);
  for (llvm::StringRef name : names) {
    if (llvm::all_of(all, [&](const Parts& each) { return joined(each).size() <= most; })) break;
    std::vector<Parts> without = all;
    for (Parts& parts : without)
      llvm::erase_if(parts, [&](llvm::StringRef part) { return nameOf(part) == name; });
    bool isEmpty = llvm::any_of(without, [](const Parts& parts) {
      return llvm::all_of(parts, [](llvm::StringRef part) { return part.starts_with("("); });
    });
    if (!isEmpty && told(without) == count) all = std::move(without);
  }
  std::vector<std::string> texts;
  for (const Parts& parts : all)
    texts.push_back(joined(parts));
  return texts;
}

} // namespace gluond::lsp
