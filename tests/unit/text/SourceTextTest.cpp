#include "text/SourceText.h"

#include <gtest/gtest.h>
#include <random>

using namespace gluond::text;

namespace {

TEST(SourceText, LinesEndInThreeWays) {
  SourceText text("a\r\nbc\nd\re");
  ASSERT_EQ(text.lineCount(), 4u);
  EXPECT_EQ(text.line(0), "a");
  EXPECT_EQ(text.line(1), "bc");
  EXPECT_EQ(text.line(2), "d");
  EXPECT_EQ(text.line(3), "e");
  EXPECT_EQ(text.lineOf(1), 0u); // the \r belongs to its line
  EXPECT_EQ(text.lineOf(2), 0u); // and the \n
  EXPECT_EQ(text.lineOf(3), 1u);
  EXPECT_EQ(SourceText("").lineCount(), 1u);
  EXPECT_EQ(SourceText("x\n").lineCount(), 2u);
  EXPECT_EQ(SourceText("x\n").line(1), "");
}

TEST(SourceText, PositionsCountUtf16) {
  SourceText text("aü𝛼b\n\tc"); // 1, 2, 4, 1 bytes; 1, 1, 2, 1 units
  EXPECT_EQ(text.position(0), (Position{0, 0}));
  EXPECT_EQ(text.position(1), (Position{0, 1}));
  EXPECT_EQ(text.position(3), (Position{0, 2}));
  EXPECT_EQ(text.position(7), (Position{0, 4}));
  EXPECT_EQ(text.position(8), (Position{0, 5}));
  EXPECT_EQ(text.position(10), (Position{1, 1})); // a tab is one
  EXPECT_EQ(text.position(5), (Position{0, 2}));  // within a character: its start
  EXPECT_EQ(text.offset({0, 3}), 3u);             // between the halves of a pair: its start
  EXPECT_EQ(text.offset({0, 4}), 7u);
}

TEST(SourceText, PositionsOutOfRangeAreClamped) {
  SourceText text("ab\r\nc");
  EXPECT_EQ(text.offset({0, 99}), 2u); // in front of the line break
  EXPECT_EQ(text.offset({9, 0}), 5u);
  EXPECT_EQ(text.position(99), (Position{1, 1}));
}

TEST(SourceText, BadBytesCountAsOneCharacterEach) {
  SourceText text("\xFF\xC3x\xE2\x82y\xC0\xAFz\xED\xA0\x80");
  EXPECT_EQ(text.position(2), (Position{0, 2}));
  EXPECT_EQ(text.position(5), (Position{0, 5}));
  EXPECT_EQ(text.position(9), (Position{0, 9}));
  EXPECT_FALSE(isValidUtf8(text.text()));
  EXPECT_TRUE(isValidUtf8("aü𝛼\xF4\x8F\xBF\xBF"));
  EXPECT_FALSE(isValidUtf8("\xF4\x90\x80\x80")); // past U+10FFFF
  EXPECT_FALSE(isValidUtf8("\xED\xA0\x80"));     // a surrogate
  std::string out;
  appendValidUtf8(out, "a\xFFü\xC3");
  EXPECT_EQ(out, "a\xEF\xBF\xBDü\xEF\xBF\xBD");
}

// Positions and offsets are inverse at every boundary of a character, whatever the text.
TEST(SourceText, RoundTrips) {
  std::mt19937 random(3);
  const std::vector<std::string> pieces = {"a",  "ü",    "𝛼", "\n",   "\r", "\r\n",
                                           "\t", "\xFF", "€", "\xC3", " "};
  for (int round = 0; round < 300; ++round) {
    std::string content;
    for (int i = 0; i < 40; ++i)
      content += pieces[random() % pieces.size()];
    SourceText text(content);
    for (Offset at = 0; at < text.size();) {
      Position position = text.position(at);
      bool inBreak = content[at] == '\n' && at > 0 && content[at - 1] == '\r';
      if (!inBreak) EXPECT_EQ(text.offset(position), at) << content;
      EXPECT_EQ(text.lineOf(at), position.line);
      at += std::max(1u, utf8Length(content, at));
    }
  }
}

// Long lines have marks in them: positions are those that counting from the line's start gives.
TEST(SourceText, PositionsInLongLines) {
  std::mt19937 random(5);
  const std::vector<std::string> pieces = {"a", "\u00fc", "\U0001d6fc", "\xFF", "\u20ac", "\xC3"};
  std::string content = "first\n";
  for (int line = 0; line < 3; ++line) {
    for (int i = 0; i < 4000 * line; ++i)
      content += pieces[random() % pieces.size()];
    content += line == 1 ? "\r\n" : "\n";
  }
  SourceText text(content + "last");
  for (uint32_t line = 0; line < text.lineCount(); ++line) {
    Position utf16{line, 0}, points{line, 0};
    llvm::StringRef all = text.text();
    Offset at = text.lineStart(line), end = at + static_cast<Offset>(text.line(line).size());
    while (true) {
      ASSERT_EQ(text.position(at), utf16);
      ASSERT_EQ(text.position(at, Unit::CodePoint), points);
      ASSERT_EQ(text.offset(utf16), at);
      ASSERT_EQ(text.offset(points, Unit::CodePoint), at);
      if (at == end) break;
      unsigned length = std::max(1u, utf8Length(all, at));
      if (length > 1) {
        ASSERT_EQ(text.position(at + 1), utf16); // within a character
      }
      utf16.character += length == 4 ? 2 : 1;
      if (length == 4) {
        ASSERT_EQ(text.offset({line, utf16.character - 1}), at);
      }
      points.character += 1;
      at += length;
    }
    EXPECT_EQ(text.offset({line, ~0u}), end);
  }
}

TEST(SourceText, Edits) {
  SourceText text("hello world");
  EXPECT_EQ(text.apply({{0, 5}, "bye"}).text(), "bye world");
  EXPECT_EQ(text.apply({{5, 5}, ","}).text(), "hello, world");
  EXPECT_EQ(text.apply({{6, 99}, ""}).text(), "hello "); // clamped
  EXPECT_EQ(text.apply({{9, 3}, "x"}).text(),
            "hello worxld"); // backwards: an insertion at its begin
}

} // namespace
