#include "diagnostics/Reporter.h"

#include <llvm/ADT/StringExtras.h>
#include <llvm/ADT/StringSet.h>

#include <gtest/gtest.h>

using namespace gluond::diagnostics;

namespace {

TEST(Table, SlugsAreUniqueKebabCaseAndFound) {
  llvm::StringSet<> seen;
  for (unsigned i = 0; i < table().size(); ++i) {
    const Row& row = table()[i];
    EXPECT_TRUE(seen.insert(row.slug).second) << row.slug.str();
    for (char c : row.slug)
      EXPECT_TRUE(llvm::isLower(c) || llvm::isDigit(c) || c == '-') << row.slug.str();
    EXPECT_EQ(idOf(row.slug), static_cast<Id>(i));
  }
  EXPECT_EQ(idOf("no-such-slug"), std::nullopt);
}

TEST(Table, EveryRowSaysWhatItMeansAndHowToFixIt) {
  for (const Row& row : table()) {
    EXPECT_FALSE(row.message.empty()) << row.slug.str();
    EXPECT_TRUE(row.meaning.ends_with(".") || row.meaning.ends_with("`")) << row.slug.str();
    EXPECT_TRUE(row.remedy.ends_with(".") || row.remedy.ends_with("`")) << row.slug.str();
    EXPECT_FALSE(row.message.ends_with(".")) << row.slug.str() << ": messages are not sentences";
    EXPECT_EQ(row.remedy.find('{'), llvm::StringRef::npos)
        << row.slug.str() << ": only messages are templates";
  }
}

TEST(Table, TemplatesAreWellFormed) {
  for (std::string_view text : messageTemplates) {
    size_t opens = std::count(text.begin(), text.end(), '{'),
           closes = std::count(text.begin(), text.end(), '}'), seen = 0;
    detail::forEachPlaceholder(text, [&](size_t, size_t, size_t, std::string_view name) {
      ++seen;
      EXPECT_FALSE(name.empty()) << text;
      size_t colon = name.find(':');
      if (colon != std::string_view::npos)
        EXPECT_TRUE(name.ends_with(":int") || name.ends_with(":list")) << text;
    });
    EXPECT_EQ(opens, closes) << text;
    EXPECT_EQ(seen, opens) << text;
  }
}

// After 1 they lose their "s" (Reporter.cpp), and so nothing else that ends with one may follow.
TEST(Table, NounsFollowIntegers) {
  static constexpr llvm::StringLiteral nouns[] = {
      "arguments", "arrivals", "bits",    "bytes",  "columns",  "copies",
      "elements",  "entries",  "items",   "levels", "programs", "registers",
      "slots",     "steps",    "threads", "times",  "warps",    "wavefronts"};
  for (llvm::StringRef text : messageTemplates)
    for (size_t at = 0; (at = text.find(":int} ", at)) != llvm::StringRef::npos; ++at) {
      llvm::StringRef word = text.substr(at + 6).take_while(llvm::isAlpha);
      if (word.size() > 2 && word.ends_with("s"))
        EXPECT_TRUE(llvm::is_contained(nouns, word)) << text.str();
    }
}

// docs/contributing/messages.md: the rules that a program can check.
TEST(Table, TextsFollowTheStylePage) {
  static constexpr llvm::StringLiteral avoided[] = {
      " what ",    " told",     " is none",       " would do",   " misses ",
      " behind",   "under way", "a lane,",        "neighbour",   "colour",
      "initialis", "analyse",   "without a word", "begins here", "mends"};
  auto expectPlainWords = [](llvm::StringRef text) {
    for (llvm::StringRef word : avoided)
      EXPECT_FALSE(text.contains_insensitive(word)) << '"' << word.str() << "\" in: " << text.str();
    EXPECT_FALSE(text.starts_with_insensitive("what ")) << text.str();
  };
  auto expectClause = [&](llvm::StringRef text) {
    expectPlainWords(text);
    EXPECT_FALSE(text.ends_with(".")) << text.str();
    EXPECT_TRUE(!llvm::isUpper(text.front()) || text.starts_with("Triton ")) << text.str();
  };
  for (const Row& row : table()) {
    expectClause(row.message);
    expectPlainWords(row.meaning);
    expectPlainWords(row.remedy);
  }
  for (std::string_view note : noteTemplates)
    expectClause(note);
  for (std::string_view title : fixTemplates) {
    expectPlainWords(title);
    EXPECT_TRUE(llvm::isUpper(title.front()) || title.front() == '{') << title;
    EXPECT_FALSE(llvm::StringRef(title).starts_with("Use ")) << title << ": Replace ... with ...";
  }
}

} // namespace
