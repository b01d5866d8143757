// Decodes and encodes files for editing: no information is lost between reading and writing.
//
// A program is in UTF-8, with or without a byte order mark, or in what its first two lines declare
// (PEP 263), if that is Latin-1. Other files are in UTF-8. Other encodings are refused unless the
// text is all ASCII. Errors are sentences without the file's name: "it is in UTF-16 ...".
#pragma once

#include <llvm/ADT/StringRef.h>
#include <tl/expected.hpp>

#include <string>

namespace gluond::text {

enum class FileKind : uint8_t { Program, Other };

struct Decoded {
  std::string text; // UTF-8, without the byte order mark
  bool hasByteOrderMark = false;
};
tl::expected<Decoded, std::string> decode(llvm::StringRef bytes, FileKind kind);

// Encodes as the text itself declares: decode() of the result is the text again.
tl::expected<std::string, std::string> encode(llvm::StringRef text, bool withByteOrderMark,
                                              FileKind kind);

// Returns the encoding that a program declares, as written there, or "" if it declares none.
llvm::StringRef declaredEncoding(llvm::StringRef program);

} // namespace gluond::text
