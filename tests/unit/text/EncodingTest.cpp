// Bytes to text and back: the same bytes, or a refusal in words.
#include "text/Encoding.h"

#include <gtest/gtest.h>

namespace gluond::text {
namespace {

std::string errorOf(llvm::StringRef bytes, FileKind kind = FileKind::Program) {
  auto decoded = decode(bytes, kind);
  return decoded ? "" : decoded.error();
}

TEST(Encoding, whatIsReadIsWrittenBack) {
  for (std::string bytes :
       {"", "x = 1\n", "x = 1\r\ny = 2\r\n", "a\rb\r\nc\n", "\xEF\xBB\xBF# é\r\n", "# é €\n",
        "# -*- coding: latin-1 -*-\nx = '\xE9\x80\xFF'\n",
        "#!/usr/bin/python\n# vim: set fileencoding=ISO_8859_1 :\nx = '\xE9'\n",
        "# coding: latin-1-unix\n# \xFC\n", "# coding: koi8-r\nx = 1\n",
        "# coding: utf8\nx = 'é'\n", "\xEF\xBB\xBF# coding: latin-1\n# é\n",
        "\f # coding=latin1\n\xE9\n", "# coding\n# encoding: l1\n\xE9\n"}) {
    auto decoded = decode(bytes, FileKind::Program);
    ASSERT_TRUE(decoded) << bytes << ": " << decoded.error();
    auto encoded = encode(decoded->text, decoded->hasByteOrderMark, FileKind::Program);
    ASSERT_TRUE(encoded) << encoded.error();
    EXPECT_EQ(*encoded, bytes);
  }
}

TEST(Encoding, textIsUtf8) {
  EXPECT_EQ(decode("# coding: latin-1\n\xE9\xA4", FileKind::Program)->text,
            "# coding: latin-1\né¤");
  EXPECT_EQ(decode("\xEF\xBB\xBFx", FileKind::Program)->text, "x");
}

TEST(Encoding, whatIsNotKnownIsRefused) {
  EXPECT_NE(errorOf("x = 1\ny = '\xE9'\n").find("line 2 is not UTF-8 (byte 0xE9)"),
            std::string::npos);
  EXPECT_NE(errorOf("# coding: koi8-r\n# \xC1\n").find("'koi8-r'"), std::string::npos);
  EXPECT_NE(errorOf(std::string("\xFF\xFEx\0 \0", 6)).find("UTF-16"), std::string::npos);
  EXPECT_NE(errorOf(std::string("x\0 \0=\0", 6)).find("UTF-16"), std::string::npos);
  // A declaration counts in the first two lines, in comments, and in programs only.
  EXPECT_NE(errorOf("x = 1\n# coding: latin-1\n\xE9"), "");
  EXPECT_NE(errorOf("\n\n# coding: latin-1\n\xE9"), "");
  EXPECT_NE(errorOf("s = '# coding: latin-1'\n\xE9"), "");
  EXPECT_NE(errorOf("# coding: latin-1\n\xE9", FileKind::Other), "");
}

TEST(Encoding, whatTheDeclaredEncodingLacksIsRefused) {
  auto encoded = encode("# coding: latin-1\nprice = '€'\n", false, FileKind::Program);
  ASSERT_FALSE(encoded);
  EXPECT_NE(encoded.error().find("line 2 has '€'"), std::string::npos);
  EXPECT_FALSE(encode("# coding: koi8-r\n# é", false, FileKind::Program));
  EXPECT_TRUE(encode("# coding: utf-8\nprice = '€'\n", false, FileKind::Program));
}

} // namespace
} // namespace gluond::text
