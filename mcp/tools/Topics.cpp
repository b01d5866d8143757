#include "mcp/tools/Topics.h"

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
  return builtin.kind != BuiltinKind::Inert && builtin.kind != BuiltinKind::Removed &&
         !builtin.name.starts_with("_");
}

// What people call things that Gluon names otherwise: before a query is split into words, and word
// by word.
struct OtherName {
  llvm::StringLiteral said, meant; // `meant` is one word, or several with blanks in between
};
constexpr OtherName phrases[] = {
    {"tensor core", "mma"},     {"matrix core", "mma"},    {"matrix multipl", "mma "},
    {"multiply matri", "mma "}, {"matrix product", "mma"}, {"multiplying matri", "mma "},
    {"prefix sum", "scan"},     {"running sum", "scan"},   {"cumulative sum", "scan"},
};
constexpr OtherName synonyms[] = {
    {"matmul", "mma mfma"},
    {"gemm", "mma mfma"},
    {"mma", "mfma wmma"},
    {"matrix", "matrices"},
    {"dot", "mma"},
    {"cumsum", "scan"},
    {"prefetch", "asynchronous async"},
    {"reciprocal", "divide fdiv"},
    {"syncthreads", "barrier"},
    {"sync", "barrier wait"},
    {"clip", "clamp"},
    {"transpose", "permute"},
    {"cast", "to convert"},
    {"quantize", "convert"},
    {"dequantize", "convert upcast"},
    {"random", "rand"},
    {"print", "device_print"},
    {"blockidx", "program_id"},
    {"threadidx", "arange"},
    {"griddim", "num_programs"},
    {"ldmatrix", "load"},
    {"wgmma", "warpgroup_mma"},
};

// "copies" and "copying" are "copy": what is left after the endings of English is compared.
llvm::StringRef stemOf(llvm::StringRef word) {
  constexpr size_t least = 4;
  for (llvm::StringRef ending : {"ications", "ication", "ations", "ation", "ying", "ies", "ied",
                                 "ing", "ers", "es", "ed", "er", "y", "s", "e"})
    if (word.size() >= least + ending.size() && word.ends_with_insensitive(ending))
      return word.drop_back(ending.size());
  return word;
}

// Where a word of a query occurs in a text: as a word of its own, as a part of one, or nowhere.
enum class Occurs : uint8_t { Nowhere, Inside, AsWord };
Occurs occurrence(llvm::StringRef text, llvm::StringRef word) {
  Occurs best = Occurs::Nowhere;
  llvm::StringRef stem = stemOf(word);
  auto isPart = [&](size_t at) { return at < text.size() && llvm::isAlnum(text[at]); };
  for (size_t at = 0; (at = text.find_insensitive(stem, at)) != llvm::StringRef::npos; ++at) {
    if (!(at && isPart(at - 1))) {
      llvm::StringRef whole = text.drop_front(at).take_while(llvm::isAlnum);
      if (whole.equals_insensitive(word) || stemOf(whole).equals_insensitive(stem))
        return Occurs::AsWord;
    }
    if (text.drop_front(at).starts_with_insensitive(word)) best = Occurs::Inside;
  }
  return best;
}

// A word that people wrote, and those that may be meant by it.
struct Wanted {
  std::string word;
  llvm::SmallVector<llvm::StringRef, 2> others;
};
std::vector<Wanted> wantedOf(llvm::StringRef query) {
  std::string text = query.lower();
  for (const OtherName& each : phrases)
    for (size_t at; (at = text.find(each.said)) != std::string::npos;)
      text.replace(
          at,
          llvm::StringRef(text).drop_front(at + each.said.size()).take_while(llvm::isAlnum).size() +
              each.said.size(),
          each.meant.str());
  llvm::SmallVector<llvm::StringRef> words;
  llvm::SplitString(text, words, " \t\n.,;:()_-?");
  static constexpr llvm::StringLiteral fillers[] = {"a",  "an", "the",  "of", "for",  "to",
                                                    "in", "on", "or",   "is", "and",  "how",
                                                    "do", "i",  "with", "by", "into", "from"};
  auto isFiller = [](llvm::StringRef word) { return llvm::is_contained(fillers, word); };
  if (!llvm::all_of(words, isFiller)) llvm::erase_if(words, isFiller);
  std::vector<Wanted> wanted;
  for (llvm::StringRef word : words) {
    Wanted& each = wanted.emplace_back(Wanted{word.str(), {}});
    for (const OtherName& synonym : synonyms)
      if (stemOf(synonym.said) == stemOf(word)) llvm::SplitString(synonym.meant, each.others, " ");
  }
  return wanted;
}

// Builtins that a program calls come before types, whose names end so in Triton, and attributes.
bool isFunction(const Topic& topic) {
  using enum BuiltinKind;
  return topic.builtin && llvm::is_contained({Rule, Native, Prelude}, topic.builtin->kind) &&
         !topic.builtin->name.ends_with("_type");
}

// How well an entry fits a query: how many of its words occur, and how prominently.
struct Fit {
  unsigned words = 0, score = 0;
  bool isGluon = false; // a name of Triton's other language comes after all of Gluon's
};
Fit fitOf(const Topic& topic, llvm::ArrayRef<Wanted> wanted) {
  std::string full = nameOf(topic);
  llvm::StringRef name =
      topic.builtin ? llvm::StringRef(topic.builtin->name) : llvm::StringRef(full);
  std::string text = topic.builtin ? topic.builtin->doc.str()
                                   : (topic.diagnostic->message + " " + topic.diagnostic->meaning +
                                      " " + topic.diagnostic->remedy)
                                         .str();
  struct Place {
    llvm::StringRef text;
    unsigned asWord, inside;
  };
  std::string summary = summaryOf(topic);
  const Place places[] = {{name, 16, 8}, {full, 12, 3}, {summary, 6, 4}, {text, 2, 2}};
  auto scoreOf = [&](llvm::StringRef word) {
    unsigned score = name.equals_insensitive(word) ? 24 : 0;
    for (const Place& place : places)
      if (Occurs occurs = occurrence(place.text, word); occurs != Occurs::Nowhere)
        score = std::max(score, occurs == Occurs::AsWord ? place.asWord : place.inside);
    return score;
  };
  Fit fit;
  for (const Wanted& each : wanted) {
    unsigned score = scoreOf(each.word);
    for (llvm::StringRef other : each.others)
      score = std::max(score, scoreOf(other) / 2); // what was said counts more
    fit.words += score > 0;
    fit.score += score;
  }
  if (isFunction(topic)) ++fit.score;
  fit.isGluon = topic.diagnostic || llvm::StringRef(full).starts_with("gl.");
  return fit;
}

} // namespace

std::string kindOf(const Topic& topic) {
  if (topic.diagnostic) return "diagnostic";
  switch (topic.builtin->kind) {
  case BuiltinKind::Layout:
    return "layout";
  case BuiltinKind::Dtype:
    return "dtype";
  default:
    return "builtin";
  }
}

std::string moduleOf(const Topic& topic) {
  const BuiltinModule* module = topic.builtin ? definingModule(*topic.builtin) : nullptr;
  return module ? module->name.str() : "";
}

std::string nameOf(const Topic& topic) {
  if (topic.diagnostic) return topic.diagnostic->slug.str();
  std::string module = moduleOf(topic);
  return (module.empty() ? "" : asImported(module) + ".") + topic.builtin->name.str();
}

std::string signatureOf(const Topic& topic) {
  return nameOf(topic) + (topic.builtin ? topic.builtin->signature.str() : "");
}

std::string summaryOf(const Topic& topic) {
  if (topic.diagnostic) return diagnostics::summaryOf(*topic.diagnostic);
  return topic.builtin->doc.split('\n').first.str();
}

llvm::SmallVector<Topic, 4> topicsNamed(llvm::StringRef name) {
  llvm::SmallVector<Topic, 4> found;
  if (auto id = diagnostics::idOf(name)) found.push_back({nullptr, &diagnostics::row(*id)});
  auto [prefix, last] = name.rsplit('.');
  if (last.empty()) std::swap(prefix, last); // without a module
  for (const Builtin& builtin : language::builtins()) {
    if (builtin.name != last) continue;
    std::string whole = nameOf(Topic{&builtin, nullptr}),
                dotted = moduleOf(Topic{&builtin, nullptr});
    llvm::StringRef module =
        llvm::StringRef(whole).drop_back(last.size() + (whole.size() > last.size()));
    auto endsWith = [&](llvm::StringRef text) {
      return text == prefix || text.ends_with(("." + prefix).str());
    };
    if (prefix.empty() || endsWith(module) || endsWith(dotted))
      found.push_back({&builtin, nullptr});
  }
  // A module may have names of another one: then the name alone counts.
  if (found.empty() && !prefix.empty()) return topicsNamed(last);
  return found;
}

std::vector<Topic> matching(llvm::StringRef query, llvm::StringRef kind, size_t most) {
  constexpr size_t longest = 200; // each word is compared with those of all entries
  std::vector<Wanted> wanted = wantedOf(query.take_front(longest));
  if (wanted.empty()) return {};
  struct Hit {
    Fit fit;
    size_t order; // among all entries
    Topic topic;
  };
  std::vector<Hit> found;
  size_t order = 0;
  auto consider = [&](const Topic& topic) {
    if (!kind.empty() && kindOf(topic) != kind) return;
    if (Fit fit = fitOf(topic, wanted); fit.words > 0) found.push_back({fit, order++, topic});
  };
  for (const Builtin& builtin : language::builtins())
    if (isUsable(builtin)) consider({&builtin, nullptr});
  for (const diagnostics::Row& row : diagnostics::table())
    consider({nullptr, &row});
  llvm::sort(found, [](const Hit& a, const Hit& b) {
    return std::tuple(b.fit.words, b.fit.isGluon, b.fit.score, a.order) <
           std::tuple(a.fit.words, a.fit.isGluon, a.fit.score, b.order);
  });
  // Entries with fewer of the words than the best one are of no interest.
  llvm::erase_if(found, [best = found.empty() ? 0 : found.front().fit.words](const Hit& hit) {
    return hit.fit.words < best;
  });
  std::vector<Topic> topics;
  for (const Hit& hit : llvm::ArrayRef(found).take_front(most))
    topics.push_back(hit.topic);
  return topics;
}

} // namespace gluond::mcp
