#include "lsp/handlers/session/EditedLines.h"

#include "lsp/handlers/Convert.h"

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
      Range range{position(), position()};
      std::string put = pieces[random(std::size(pieces))];
      expected = expected.apply({PositionMap(expected, encoding).range(range), put});
      lines.replace(range, put);
      ASSERT_EQ(lines.text(), expected.text().str()) << "run " << run << ", edit " << edit;
    }
  }
}

} // namespace
} // namespace gluond::lsp
