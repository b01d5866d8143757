#include "mcp/tools/Words.h"

#include "diagnostics/Summary.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/StringExtras.h>

namespace gluond::mcp {

using language::Builtin;
using language::BuiltinKind;
using language::BuiltinModule;

namespace {

constexpr llvm::StringLiteral language_ = "triton.experimental.gluon.language";

// The module or class that defines a builtin; null for an unknown alias.
const BuiltinModule* definingModule(const Builtin& builtin) {
  llvm::StringRef alias = builtin.where.split(' ').first;
  auto modules = language::builtinModules();
  auto it = llvm::find_if(modules, [&](const BuiltinModule& each) { return each.alias == alias; });
  return it == modules.end() ? nullptr : it;
}

// "gl.nvidia.hopper.tma" for the dotted name: as programs import it.
std::string asImported(llvm::StringRef dotted) {
  llvm::StringRef rest = dotted;
  if (rest.consume_front(language_)) return "gl" + rest.str();
  return dotted.str();
}

bool isUsable(const Builtin& builtin) {
  return builtin.kind != BuiltinKind::Inert && builtin.kind != BuiltinKind::Removed;
}

bool containsWord(llvm::StringRef text, llvm::StringRef word) {
  return text.contains_insensitive(word);
}

// How well an entry fits a query: how many of its words occur, and how prominently.
struct Fit {
  unsigned words = 0, score = 0;
};
Fit fitOf(const Word& word, llvm::ArrayRef<llvm::StringRef> wanted) {
  std::string full = nameOf(word);
  llvm::StringRef name = word.builtin ? llvm::StringRef(word.builtin->name) : llvm::StringRef(full);
  std::string text = word.builtin ? word.builtin->doc.str()
                                  : (word.diagnostic->message + " " + word.diagnostic->meaning +
                                     " " + word.diagnostic->remedy)
                                        .str();
  Fit fit;
  for (llvm::StringRef each : wanted) {
    unsigned score = name.equals_insensitive(each)         ? 12
                     : containsWord(name, each)            ? 6
                     : containsWord(full, each)            ? 3
                     : containsWord(summaryOf(word), each) ? 2
                     : containsWord(text, each)            ? 1
                                                           : 0;
    fit.words += score > 0;
    fit.score += score;
  }
  // Gluon's own names before those of Triton's language.
  if (llvm::StringRef(full).starts_with("gl.") || word.diagnostic) ++fit.score;
  return fit;
}

} // namespace

std::string kindOf(const Word& word) {
  if (word.diagnostic) return "diagnostic";
  switch (word.builtin->kind) {
  case BuiltinKind::Layout:
    return "layout";
  case BuiltinKind::Dtype:
    return "dtype";
  default:
    return "builtin";
  }
}

std::string moduleOf(const Word& word) {
  const BuiltinModule* module = word.builtin ? definingModule(*word.builtin) : nullptr;
  return module ? module->name.str() : "";
}

std::string nameOf(const Word& word) {
  if (word.diagnostic) return word.diagnostic->slug.str();
  std::string module = moduleOf(word);
  return (module.empty() ? "" : asImported(module) + ".") + word.builtin->name.str();
}

std::string signatureOf(const Word& word) {
  return nameOf(word) + (word.builtin ? word.builtin->signature.str() : "");
}

std::string summaryOf(const Word& word) {
  if (word.diagnostic) return diagnostics::summaryOf(*word.diagnostic);
  return word.builtin->doc.split('\n').first.str();
}

llvm::SmallVector<Word, 4> wordsNamed(llvm::StringRef name) {
  llvm::SmallVector<Word, 4> found;
  if (auto id = diagnostics::idOf(name)) found.push_back({nullptr, &diagnostics::row(*id)});
  auto [prefix, last] = name.rsplit('.');
  if (last.empty()) std::swap(prefix, last); // without a module
  for (const Builtin& builtin : language::builtins()) {
    if (builtin.name != last) continue;
    std::string whole = nameOf(Word{&builtin, nullptr}), dotted = moduleOf(Word{&builtin, nullptr});
    llvm::StringRef module =
        llvm::StringRef(whole).drop_back(last.size() + (whole.size() > last.size()));
    auto endsWith = [&](llvm::StringRef text) {
      return text == prefix || text.ends_with(("." + prefix).str());
    };
    if (prefix.empty() || endsWith(module) || endsWith(dotted))
      found.push_back({&builtin, nullptr});
  }
  // A module may have names of another one: then the name alone counts.
  if (found.empty() && !prefix.empty()) return wordsNamed(last);
  return found;
}

std::vector<Word> matching(llvm::StringRef query, llvm::StringRef kind, size_t most) {
  llvm::SmallVector<llvm::StringRef> wanted;
  llvm::SplitString(query, wanted, " \t\n.,;:()_-");
  if (wanted.empty()) return {};
  struct Hit {
    Fit fit;
    size_t order; // among all entries
    Word word;
  };
  std::vector<Hit> found;
  size_t order = 0;
  auto consider = [&](const Word& word) {
    if (!kind.empty() && kindOf(word) != kind) return;
    if (Fit fit = fitOf(word, wanted); fit.words > 0) found.push_back({fit, order++, word});
  };
  for (const Builtin& builtin : language::builtins())
    if (isUsable(builtin)) consider({&builtin, nullptr});
  for (const diagnostics::Row& row : diagnostics::table())
    consider({nullptr, &row});
  llvm::sort(found, [](const Hit& a, const Hit& b) {
    return std::tuple(b.fit.words, b.fit.score, a.order) <
           std::tuple(a.fit.words, a.fit.score, b.order);
  });
  // Entries with fewer of the words than the best one are of no interest.
  llvm::erase_if(found, [best = found.empty() ? 0 : found.front().fit.words](const Hit& hit) {
    return hit.fit.words < best;
  });
  std::vector<Word> words;
  for (const Hit& hit : llvm::ArrayRef(found).take_front(most))
    words.push_back(hit.word);
  return words;
}

} // namespace gluond::mcp
