#include "evaluate/triton/TritonModules.h"

#include "releases/ApiChanges.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/ADT/StringMap.h>
#include <llvm/Support/Path.h>

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

// Packages into which other back ends of Triton install packages of their own.
constexpr llvm::StringLiteral extendedPackages[] = {"triton.backends", "triton.language.extra",
                                                    "triton.tools.extra"};

// Whether a name of a module that Triton does not have may be that of another back end: not if it
// is inside of a package of Triton's own, or that package's name with a slip in it.
bool mayBeOfBackEnd(llvm::StringRef dottedName) {
  for (llvm::StringRef package : extendedPackages) {
    llvm::StringRef rest = dottedName;
    if (rest == package) return !index().names.contains(package);
    if (!rest.consume_front(package) || !rest.consume_front(".")) continue;
    llvm::StringRef name = rest.split('.').first;
    return llvm::none_of(index().modules, [&](llvm::StringRef own) {
      return own.consume_front(package) && own.consume_front(".") &&
             own.split('.').first.edit_distance(name, true, 2) < 2;
    });
  }
  return false;
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
  if (index().names.contains(dottedName)) return true;
  if (mayBeOfBackEnd(dottedName)) return std::nullopt;
  return false;
}

bool isFileOfTriton(llvm::StringRef path) {
  namespace paths = llvm::sys::path;
  // The packages that the file is in, from the innermost folder that is called so.
  std::string package;
  for (llvm::StringRef part : llvm::split(paths::parent_path(path), '/'))
    package = part == "triton" ? part.str() : package.empty() ? "" : (package + "." + part).str();
  auto has = [](llvm::StringRef dottedName) { return index().names.contains(dottedName); };
  if (package.empty()) return false;
  llvm::StringRef stem = paths::stem(path);
  if (has(stem == "__init__" ? package : package + "." + stem.str())) return true;
  // A fork has further files; folders of other projects may be called `triton/language`.
  return llvm::StringRef(package).count('.') > 1 && has(package);
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
  if (llvm::is_contained(names, name)) return true;
  if (mayBeOfBackEnd((dottedName + "." + name).str())) return std::nullopt;
  return false;
}

} // namespace gluond::evaluate
