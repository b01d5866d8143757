#include "releases/Facts.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/StringExtras.h>

#include <string>

namespace gluond::releases {

namespace {

struct ModuleRow {
  llvm::StringLiteral module, first, last;
};
constexpr ModuleRow moduleRows[] = {
#define MODULE(name, first, last) {name, first, last},
#include "releases/tables/Modules.def"
};

struct NameRow {
  llvm::StringLiteral owner, name, first, last;
};
constexpr NameRow nameRows[] = {
#define NAME(owner, name, first, last) {owner, name, first, last},
#include "releases/tables/Names.def"
};

struct SignatureRow {
  llvm::StringLiteral owner, name, last, text;
};
constexpr SignatureRow signatureRows[] = {
#define SIGNATURE(owner, name, last, text) {owner, name, last, text},
#include "releases/tables/Signatures.def"
};

constexpr Successor successorRows[] = {
#define SUCCESSOR(owner, name, replacement, isSame) {owner, name, replacement, isSame},
#define RENAMED_PARAMETER(function, before, now)
#include "releases/tables/Successors.def"
};
constexpr RenamedParameter parameterRows[] = {
#define SUCCESSOR(owner, name, replacement, isSame)
#define RENAMED_PARAMETER(function, before, now) {function, before, now},
#include "releases/tables/Successors.def"
};

Life lifeFrom(llvm::StringRef first, llvm::StringRef last) {
  return {*parse(first), last.empty() ? newest : *parse(last)};
}

using Key = std::pair<llvm::StringRef, llvm::StringRef>;

const llvm::DenseMap<Key, Life>& lives() {
  static const llvm::DenseMap<Key, Life> made = [] {
    llvm::DenseMap<Key, Life> result;
    for (const NameRow& row : nameRows)
      result[{row.owner, row.name}] = lifeFrom(row.first, row.last);
    for (const ModuleRow& row : moduleRows)
      result[{row.module, ""}] = lifeFrom(row.first, row.last);
    return result;
  }();
  return made;
}

std::optional<Life> find(const Key& key) {
  auto it = lives().find(key);
  return it == lives().end() ? std::nullopt : std::optional(it->second);
}

} // namespace

std::string textOf(const Life& life) {
  if (life.first == life.last) return "only Triton " + name(life.first).str() + " has it";
  if (life.last == newest) return "it exists since Triton " + name(life.first).str();
  if (life.first == oldest) return "it exists up to Triton " + name(life.last).str();
  return "it exists from Triton " + name(life.first).str() + " to " + name(life.last).str();
}

std::optional<Life> lifeOfModule(llvm::StringRef module) {
  return find({module, ""});
}
std::optional<Life> lifeOf(llvm::StringRef owner, llvm::StringRef name) {
  return name.empty() ? std::nullopt : find({owner, name});
}
std::optional<bool> has(Release release, llvm::StringRef owner, llvm::StringRef name) {
  std::optional<Life> life = lifeOf(owner, name);
  return life ? std::optional(life->holds(release)) : std::nullopt;
}

llvm::StringRef signatureIn(Release release, llvm::StringRef owner, llvm::StringRef name) {
  // The rows of a function stand together, the oldest first.
  for (const SignatureRow& row : signatureRows)
    if (row.owner == owner && row.name == name && release <= *parse(row.last)) return row.text;
  return "";
}

llvm::ArrayRef<Successor> successors() {
  return successorRows;
}
const Successor* successorOf(llvm::StringRef owner, llvm::StringRef name) {
  for (const Successor& row : successorRows)
    if (row.name == name && row.owner == owner) return &row;
  return nullptr;
}
const Successor* predecessorOf(Release release, llvm::StringRef owner, llvm::StringRef name) {
  for (const Successor& row : successorRows)
    if (row.replacement == name && row.owner == owner &&
        has(release, owner, row.name).value_or(true))
      return &row;
  return nullptr;
}

llvm::ArrayRef<RenamedParameter> renamedParameters() {
  return parameterRows;
}

} // namespace gluond::releases
