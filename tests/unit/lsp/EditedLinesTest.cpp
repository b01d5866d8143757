#include "lsp/handlers/session/EditedLines.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/Support/ConvertUTF.h>

#include <gtest/gtest.h>

namespace gluond::lsp {
namespace {

// One edit after the other gives what applying each to a text of its own gives, wherever lines end
// and whatever a position counts.
TEST(EditedLines, AreTheTextUnderItsEdits) {
  unsigned seed = 7;
  auto random = [&seed](unsigned below) {
    return (seed = seed * 1103515245 + 12345) / 65536 % below;
  };
  const char* pieces[] = {"",
                          "a",
                          "\n",
                          "\r",
                          "\r\n",
                          "x = 1\n",
                          "\xf0\x9f\x98\x80",
                          "\xe2\x82\xac\r",
                          "\n\n",
                          "def f():\n  pass"};
  for (int run = 0; run < 300; ++run) {
    auto encoding = static_cast<PositionEncoding>(run % 3);
    std::string content;
    for (unsigned n = random(12); n-- > 0;)
      content += pieces[random(std::size(pieces))];
    text::SourceText expected(content);
    EditedLines lines(expected, encoding);
    for (int edit = 0; edit < 20; ++edit) {
      auto position = [&] { return Position{random(expected.lineCount() + 2), random(9)}; };
      ContentChange change;
      change.range = Range{position(), position()};
      change.text = pieces[random(std::size(pieces))];
      expected = afterChanges(expected, change, encoding);
      lines.replace(*change.range, change.text);
      ASSERT_EQ(lines.text(), expected.text().str()) << "run " << run << ", edit " << edit;
    }
  }
}

// What an editor has in UTF-16, where an edit may leave half of a surrogate pair.
std::vector<uint16_t> unitsOf(llvm::StringRef text) {
  llvm::SmallVector<llvm::UTF16> units;
  EXPECT_TRUE(llvm::convertUTF8ToUTF16String(text, units));
  return {units.begin(), units.end()};
}

TEST(EditedLines, KeepTheOtherHalfOfASurrogatePair) {
  unsigned seed = 7;
  auto random = [&seed](unsigned below) {
    return (seed = seed * 1103515245 + 12345) / 65536 % below;
  };
  const char* pieces[] = {"", "a", "\xf0\x9f\x98\x80", "\xe2\x82\xac"};
  for (int run = 0; run < 300; ++run) {
    std::string content;
    for (unsigned n = random(6); n-- > 0;)
      content += pieces[random(std::size(pieces))];
    text::SourceText ours(content);
    std::vector<uint16_t> theirs = unitsOf(content);
    for (int edit = 0; edit < 20; ++edit) {
      auto size = static_cast<unsigned>(theirs.size());
      unsigned begin = random(size + 1), end = begin + random(std::min(3u, size - begin) + 1);
      ContentChange change;
      change.range = Range{{0, begin}, {0, end}};
      change.text = pieces[random(std::size(pieces))];
      ours = afterChanges(ours, change, PositionEncoding::Utf16);
      std::vector<uint16_t> put = unitsOf(change.text);
      theirs.erase(theirs.begin() + begin, theirs.begin() + end);
      theirs.insert(theirs.begin() + begin, put.begin(), put.end());

      std::vector<uint16_t> units = unitsOf(ours.text());
      ASSERT_EQ(units.size(), theirs.size()) << "run " << run << ", edit " << edit;
      for (auto [our, their] : llvm::zip(units, theirs)) {
        bool isHalf = their >= 0xD800 && their < 0xE000;
        EXPECT_TRUE(our == their || (isHalf && our == 0xFFFD)) << our << " for " << their;
      }
    }
  }
}

} // namespace
} // namespace gluond::lsp
