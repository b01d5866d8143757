#include "releases/ApiChanges.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/Support/MathExtras.h>

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
#include "releases/tables/EarlierSignatures.def"
};

constexpr Successor successorRows[] = {
#define SUCCESSOR(owner, name, replacement, isSame) {owner, name, replacement, isSame},
#define RENAMED_PARAMETER(function, before, now)
#define RECOUNTED_PARAMETER(function, before, now, unless)
#include "releases/tables/Renames.def"
};
constexpr RenamedParameter parameterRows[] = {
#define SUCCESSOR(owner, name, replacement, isSame)
#define RENAMED_PARAMETER(function, before, now) {function, before, now},
#define RECOUNTED_PARAMETER(function, before, now, unless)
#include "releases/tables/Renames.def"
};
struct RecountedParameter {
  llvm::StringLiteral function, before, now, unless;
};
constexpr RecountedParameter recountedRows[] = {
#define SUCCESSOR(owner, name, replacement, isSame)
#define RENAMED_PARAMETER(function, before, now)
#define RECOUNTED_PARAMETER(function, before, now, unless) {function, before, now, unless},
#include "releases/tables/Renames.def"
};

// "[[0, 1], [1, 0]]" for "[2, 2]"; "" for a text that is no list of powers of two.
std::string basesOfSizes(llvm::StringRef text) {
  bool isList = text.consume_front("[") && text.consume_back("]");
  if (!isList && !(text.consume_front("(") && text.consume_back(")"))) return "";
  llvm::SmallVector<llvm::StringRef, 4> words;
  text.split(words, ',', -1, /*KeepEmpty=*/false);
  llvm::SmallVector<uint64_t, 4> sizes;
  for (llvm::StringRef word : words)
    if (uint64_t size; word.trim().getAsInteger(10, size) || !llvm::isPowerOf2_64(size))
      return "";
    else
      sizes.push_back(size);
  std::string bases;
  for (size_t dimension = sizes.size(); dimension-- > 0;)
    for (uint64_t step = 1; step < sizes[dimension]; step *= 2) {
      bases += bases.empty() ? "[" : ", [";
      for (size_t i = 0; i < sizes.size(); ++i)
        bases += (i ? ", " : "") + std::to_string(i == dimension ? step : 0);
      bases += "]";
    }
  return "[" + bases + "]";
}

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

std::optional<NewArgument> newArgument(llvm::StringRef function, llvm::StringRef parameter,
                                       llvm::StringRef value,
                                       llvm::function_ref<bool(llvm::StringRef)> isGiven) {
  for (const RenamedParameter& row : parameterRows)
    if (row.function == function && row.before == parameter)
      return NewArgument{row.now, value.str()};
  for (const RecountedParameter& row : recountedRows)
    if (row.function == function && row.before == parameter && !isGiven(row.unless))
      if (std::string bases = basesOfSizes(value); !bases.empty())
        return NewArgument{row.now, bases};
  return std::nullopt;
}

} // namespace gluond::releases
