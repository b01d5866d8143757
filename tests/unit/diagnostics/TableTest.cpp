#include "diagnostics/Emitter.h"

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

} // namespace
