#include "text/Printable.h"

#include <gtest/gtest.h>

namespace gluond::text {
namespace {

TEST(Printable, plainTextStays) {
  for (const char* text :
       {"", "x = 1\n\ty", "gr\xc3\xbc\xc3\x9f", "\xf0\x9f\x98\x80", "\xe4\xb8\xad"})
    EXPECT_EQ(printable(text), text);
}

TEST(Printable, whatATerminalObeysIsEscaped) {
  EXPECT_EQ(printable("\x1b]0;title\x07"), "\\x1b]0;title\\x07");
  EXPECT_EQ(printable("\"a\x7f\u009b\U000e0001\n\xff\"", Lines::Json),
            "\"a\\u007f\\u009b\\udb40\\udc01\n\ufffd\"");
  EXPECT_EQ(printable("a\rb\x7f\b"), "a\\x0db\\x7f\\x08");
  EXPECT_EQ(printable(llvm::StringRef("a\0b", 3)), "a\\x00b");
  EXPECT_EQ(printable("\xc2\x9b"
                      "31m"),
            "\\u009b31m"); // CSI in one character
  EXPECT_EQ(printable("a\xe2\x80\xae"
                      "b"),
            "a\\u202eb");                                               // right-to-left override
  EXPECT_EQ(printable("\xe2\x81\xa6\xe2\x81\xa9"), "\\u2066\\u2069");   // isolates
  EXPECT_EQ(printable("a\xe2\x80\x8b\xef\xbb\xbf"), "a\\u200b\\ufeff"); // invisible
  EXPECT_EQ(printable("\xf3\xa0\x81\x81"), "\\U000e0041");              // a tag
}

TEST(Printable, bytesThatAreNoUtf8AreEscaped) {
  EXPECT_EQ(printable("a\xff\xc3"), "a\\xff\\xc3");
  EXPECT_EQ(printable("\xc0\x9b"), "\\xc0\\x9b");          // overlong
  EXPECT_EQ(printable("\xed\xa0\x80"), "\\xed\\xa0\\x80"); // half a pair
  EXPECT_EQ(printable("\xe2\x80"), "\\xe2\\x80");          // cut short
  EXPECT_EQ(printable("\x9b"
                      "31m"),
            "\\x9b31m");
}

TEST(Printable, linesOfAMessageAreItsOwn) {
  EXPECT_EQ(printable("no 'a\nb.py:1:1: error'\n", Lines::Indented),
            "no 'a\n    b.py:1:1: error'\n");
  EXPECT_EQ(printable("no\n  indented\n\tx", Lines::Indented), "no\n  indented\n    \tx");
}

// GitHub and Azure read commands in the output of a job: at the beginning of a line, after blanks.
TEST(Printable, nothingIsACommandToACiService) {
  EXPECT_EQ(
      printable("a\n::error file=x::forged\n  \t::stop-commands::y\n##vso[task.x]\n#:",
                Lines::Indented),
      "a\n    \\::error file=x::forged\n    \\  \t::stop-commands::y\n    \\##vso[task.x]\n    #:");
  EXPECT_EQ(printable("::error::x.py", Lines::Escaped), "\\::error::x.py");
  EXPECT_EQ(printable("a::b ##c", Lines::Escaped), "a::b ##c");
}

TEST(Printable, aNameHasNoLines) {
  EXPECT_EQ(printable("a.py\nb.py:1:1: error", Lines::Escaped), "a.py\\nb.py:1:1: error");
  EXPECT_EQ(printable("a\tb", Lines::Escaped), "a\\tb");
}

} // namespace
} // namespace gluond::text
