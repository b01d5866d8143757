#include "text/Encoding.h"

#include "text/SourceText.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/StringExtras.h>

#include <algorithm>

namespace gluond::text {

namespace {

constexpr llvm::StringLiteral byteOrderMark = "\xEF\xBB\xBF";

bool isAscii(llvm::StringRef text) {
  return llvm::all_of(text, [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}

enum class Codec { Utf8, Latin1, Unknown };
Codec codecOf(llvm::StringRef declared) {
  std::string name = declared.lower();
  std::replace(name.begin(), name.end(), '_', '-');
  static constexpr llvm::StringLiteral utf8[] = {"", "utf-8", "utf8", "u8", "utf-8-sig", "cp65001"};
  static constexpr llvm::StringLiteral latin1[] = {
      "latin-1",   "latin1", "latin", "l1",          "iso-8859-1",
      "iso8859-1", "8859",   "cp819", "iso-latin-1", "iso-8859-1-1987"};
  llvm::StringRef stem = name;
  for (llvm::StringRef end : {"-unix", "-dos", "-mac"}) // Emacs adds the kind of line ends
    stem.consume_back(end);
  if (llvm::is_contained(utf8, stem)) return Codec::Utf8;
  return llvm::is_contained(latin1, stem) ? Codec::Latin1 : Codec::Unknown;
}

// Returns the name declared in one line, or "" if it is no such comment.
llvm::StringRef declaredIn(llvm::StringRef line) {
  line = line.ltrim(" \t\f");
  if (!line.starts_with("#")) return {};
  for (size_t at = line.find("coding"); at != llvm::StringRef::npos; at = line.find("coding", at)) {
    at += llvm::StringRef("coding").size();
    llvm::StringRef rest = line.substr(at);
    if (!rest.consume_front(":") && !rest.consume_front("=")) continue;
    rest = rest.ltrim(" \t");
    rest = rest.take_while(
        [](char c) { return llvm::isAlnum(c) || c == '-' || c == '_' || c == '.'; });
    if (!rest.empty()) return rest;
  }
  return {};
}

tl::unexpected<std::string> unknownCodec(llvm::StringRef declared) {
  return tl::unexpected("it declares the encoding '" + declared.str() +
                        "', which gluond cannot write; save it as UTF-8 or Latin-1 in an editor "
                        "that can read it");
}

std::string lineOf(llvm::StringRef bytes, size_t at) {
  return std::to_string(bytes.take_front(at).count('\n') + 1);
}

} // namespace

llvm::StringRef declaredEncoding(llvm::StringRef program) {
  program.consume_front(byteOrderMark);
  for (int line = 0; line < 2; ++line) {
    size_t end = std::min(program.find_first_of("\r\n"), program.size());
    llvm::StringRef text = program.take_front(end);
    if (llvm::StringRef found = declaredIn(text); !found.empty()) return found;
    llvm::StringRef code = text.trim(" \t\f");
    if (!code.empty() && !code.starts_with("#")) break; // after a statement it declares nothing
    program = program.drop_front(end);
    if (!program.consume_front("\r\n"))
      program = program.drop_front(std::min<size_t>(1, program.size()));
  }
  return {};
}

tl::expected<Decoded, std::string> decode(llvm::StringRef bytes, FileKind kind) {
  bool isWide = bytes.starts_with("\xFF\xFE") || bytes.starts_with("\xFE\xFF") ||
                (bytes.size() >= 4 && bytes.count('\0') > bytes.size() / 4);
  if (isWide)
    return tl::unexpected(std::string("it is in UTF-16 or UTF-32, which Python cannot read; "
                                      "save it as UTF-8 in another editor"));
  Decoded decoded;
  decoded.hasByteOrderMark = bytes.consume_front(byteOrderMark);
  llvm::StringRef declared = kind == FileKind::Program ? declaredEncoding(bytes) : "";
  // With a mark it is UTF-8, whatever it declares.
  Codec codec = decoded.hasByteOrderMark ? Codec::Utf8 : codecOf(declared);
  if (codec == Codec::Latin1) {
    for (char c : bytes)
      if (auto byte = static_cast<unsigned char>(c); byte < 0x80)
        decoded.text += c;
      else
        decoded.text +=
            {static_cast<char>(0xC0 | (byte >> 6)), static_cast<char>(0x80 | (byte & 0x3F))};
    return decoded;
  }
  if (codec == Codec::Unknown && !isAscii(bytes)) return unknownCodec(declared);
  for (size_t at = 0; at < bytes.size();) {
    unsigned length = utf8Length(bytes, at);
    if (length == 0)
      return tl::unexpected("line " + lineOf(bytes, at) + " is not UTF-8 (byte 0x" +
                            llvm::utohexstr(static_cast<unsigned char>(bytes[at])) +
                            "); declare its encoding in the first line, "
                            "`# -*- coding: latin-1 -*-`, or save it as UTF-8 in another editor");
    at += length;
  }
  decoded.text = bytes.str();
  return decoded;
}

tl::expected<std::string, std::string> encode(llvm::StringRef text, bool withByteOrderMark,
                                              FileKind kind) {
  if (withByteOrderMark) return (byteOrderMark + text).str();
  llvm::StringRef declared = kind == FileKind::Program ? declaredEncoding(text) : "";
  Codec codec = codecOf(declared);
  if (codec == Codec::Unknown && !isAscii(text)) return unknownCodec(declared);
  if (codec != Codec::Latin1) return text.str();
  std::string bytes;
  for (size_t at = 0; at < text.size();) {
    unsigned length = std::max(utf8Length(text, at), 1u);
    auto first = static_cast<unsigned char>(text[at]);
    if (length == 1 && first < 0x80)
      bytes += text[at];
    else if (length == 2 && first <= 0xC3)
      bytes += static_cast<char>((first & 3) << 6 | (text[at + 1] & 0x3F));
    else
      return tl::unexpected("line " + lineOf(text, at) + " has '" + text.substr(at, length).str() +
                            "', which '" + declared.str() +
                            "', the encoding that the file declares, cannot write; remove the "
                            "character, or declare utf-8");
    at += length;
  }
  return bytes;
}

} // namespace gluond::text
