#include "lsp/handlers/session/EditedText.h"

#include "support/ThreadClock.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/Support/ConvertUTF.h>

#include <gtest/gtest.h>

namespace gluond::lsp {
namespace {

// One edit after the other gives what applying each to a text of its own gives, wherever lines end
// and whatever a position counts.
TEST(EditedText, IsTheTextUnderItsEdits) {
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
    EditedText edited(content, encoding);
    for (int edit = 0; edit < 20; ++edit) {
      auto position = [&] { return Position{random(expected.lineCount() + 2), random(9)}; };
      ContentChange change;
      change.range = Range{position(), position()};
      change.text = pieces[random(std::size(pieces))];
      expected = afterChanges(expected, change, encoding);
      edited.replace(*change.range, change.text);
      ASSERT_EQ(edited.text(), expected.text().str()) << "run " << run << ", edit " << edit;
    }
  }
}

// Texts of many pieces, with lines of all lengths.
TEST(EditedText, IsTheTextUnderItsEditsWhereverThePiecesEnd) {
  unsigned seed = 11;
  auto random = [&seed](unsigned below) {
    return (seed = seed * 1103515245 + 12345) / 65536 % below;
  };
  const char* pieces[] = {"\r", "\n", "\r\n", "\xf0\x9f\x98\x80", "\xe2\x82\xac", "abcdefgh"};
  auto textOf = [&](unsigned size) {
    unsigned kinds = 3 + random(4), from = random(7 - kinds);
    std::string text;
    while (text.size() < size)
      text += pieces[from + random(kinds)];
    return text;
  };
  for (int run = 0; run < 60; ++run) {
    auto encoding = static_cast<PositionEncoding>(run % 3);
    text::SourceText expected(textOf(random(40000)));
    EditedText edited(expected.text(), encoding);
    for (int edit = 0; edit < 60; ++edit) {
      auto position = [&](unsigned line) { return Position{line, random(random(2) ? 9 : 30000)}; };
      unsigned line = random(expected.lineCount() + 1);
      Range range{position(line), position(line + random(random(2) ? 3 : 2000))};
      std::string put = random(3) ? textOf(random(12)) : random(4) ? "" : textOf(random(9000));
      ContentChange change;
      change.range = range;
      change.text = put;
      expected = afterChanges(expected, change, encoding);
      edited.replace(range, put);
      ASSERT_EQ(edited.text(), expected.text().str()) << "run " << run << ", edit " << edit;
    }
  }
}

// One message of a client, which no watchdog would end in the supervisor: edits at both ends of a
// long text, in a long line, and many at the end of a longer text.
TEST(EditedText, ManyEditsFarApartTakeNoLongerThanSideBySide) {
  auto seconds = [](std::string content, std::initializer_list<Position> places,
                    unsigned count = 20000) {
    std::vector<ContentChange> changes;
    for (unsigned i = 0; i < count; ++i) {
      Position place = places.begin()[i % places.size()];
      changes.push_back({Range{place, place}, "b"});
    }
    int64_t began = threadNanoseconds();
    size_t size = content.size();
    EXPECT_EQ(
        afterChanges(text::SourceText(std::move(content)), changes, PositionEncoding::Utf16).size(),
        size + changes.size());
    return static_cast<double>(threadNanoseconds() - began) / 1e9;
  };
  std::string lines;
  for (int i = 0; i < 200000; ++i)
    lines += "a\n";
  EXPECT_LT(seconds(lines, {{0, 0}, {199990, 0}}), 2);
  EXPECT_LT(seconds(std::string(4 << 20, 'a'), {{0, 0}, {0, 4000000}}), 2);
  std::string program;
  while (program.size() < (15 << 20))
    program += "    x = 1\n";
  unsigned last = static_cast<unsigned>(program.size() / 10);
  EXPECT_LT(seconds(program, {{last, 0}, {last - 1, 3}}, 200000), 2);
}

// What an editor has in UTF-16, where an edit may leave half of a surrogate pair.
std::vector<uint16_t> unitsOf(llvm::StringRef text) {
  llvm::SmallVector<llvm::UTF16> units;
  EXPECT_TRUE(llvm::convertUTF8ToUTF16String(text, units));
  return {units.begin(), units.end()};
}

TEST(EditedText, KeepsTheOtherHalfOfASurrogatePair) {
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
