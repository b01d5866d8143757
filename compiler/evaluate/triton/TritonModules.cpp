#include "evaluate/triton/TritonModules.h"

#include "releases/ApiChanges.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/ADT/StringMap.h>

namespace gluond::evaluate {

namespace {

struct Row {
  llvm::StringLiteral module, names; // with spaces between them
};
constexpr Row rows[] = {
#define TRITON_MODULE(module, names) {module, names},
#include "evaluate/triton/TritonNames.def"
#undef TRITON_MODULE
};

struct Index {
  llvm::SmallVector<llvm::StringRef, 0> modules;
  llvm::StringMap<llvm::SmallVector<llvm::StringRef, 0>> names;
};

const Index& index() {
  static const Index made = [] {
    Index result;
    for (const Row& row : rows) {
      result.modules.push_back(row.module);
      llvm::SmallVector<llvm::StringRef, 64> names;
      llvm::SplitString(row.names, names);
      result.names[row.module].assign(names.begin(), names.end());
    }
    llvm::sort(result.modules);
    return result;
  }();
  return made;
}

} // namespace

llvm::ArrayRef<llvm::StringRef> tritonModules() {
  return index().modules;
}

std::optional<bool> isTritonModule(llvm::StringRef dottedName, releases::Release release) {
  if (dottedName != "triton" && !dottedName.starts_with("triton.")) return std::nullopt;
  if (dottedName == "triton._C" || dottedName.starts_with("triton._C.")) return std::nullopt;
  if (release != releases::newest)
    if (std::optional<releases::Life> life = releases::lifeOfModule(dottedName))
      return life->holds(release);
  return index().names.contains(dottedName);
}

bool isMisspeltTriton(llvm::StringRef package) {
  constexpr llvm::StringLiteral meant = "triton";
  if (package == meant || !llvm::all_of(package, [](char c) { return llvm::isAlpha(c); }))
    return false;
  unsigned distance = package.edit_distance(meant, true, 2);
  if (distance != 2 || package.size() != meant.size()) return distance == 1;
  // Two neighbors that were swapped.
  size_t at = 0;
  while (package[at] == meant[at])
    ++at;
  return at + 1 < meant.size() && package[at] == meant[at + 1] && package[at + 1] == meant[at];
}

llvm::ArrayRef<llvm::StringRef> tritonNames(llvm::StringRef dottedName) {
  auto found = index().names.find(dottedName);
  return found == index().names.end() ? llvm::ArrayRef<llvm::StringRef>() : found->second;
}

llvm::ArrayRef<llvm::StringRef> hostNames(llvm::StringRef dottedName) {
  bool isLanguage = dottedName.starts_with("triton.experimental.gluon.language");
  return isLanguage ? llvm::ArrayRef<llvm::StringRef>() : tritonNames(dottedName);
}

bool hasHostName(llvm::StringRef dottedName, llvm::StringRef name) {
  return llvm::is_contained(hostNames(dottedName), name);
}

std::optional<bool> tritonHas(llvm::StringRef dottedName, llvm::StringRef name,
                              releases::Release release) {
  if (release != releases::newest && !name.starts_with("__")) {
    if (std::optional<bool> known = releases::has(release, dottedName, name)) return known;
    // The tables list all names of a module that later releases do not have.
    if (isTritonModule(dottedName, release) == true && isTritonModule(dottedName) == false)
      return false;
  }
  llvm::ArrayRef<llvm::StringRef> names = tritonNames(dottedName);
  if (names.empty() || name.starts_with("__")) return std::nullopt;
  return llvm::is_contained(names, name);
}

} // namespace gluond::evaluate
