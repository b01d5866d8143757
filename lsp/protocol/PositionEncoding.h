// How the characters of a line are counted in positions, and what the protocol calls it.
#pragma once

#include <llvm/ADT/StringRef.h>

#include <optional>
#include <utility>

namespace gluond::lsp {

enum class PositionEncoding : uint8_t { Utf16, Utf8, Utf32 };

inline constexpr std::pair<PositionEncoding, llvm::StringLiteral> positionEncodings[] = {
    {PositionEncoding::Utf16, "utf-16"},
    {PositionEncoding::Utf8, "utf-8"},
    {PositionEncoding::Utf32, "utf-32"}};

constexpr llvm::StringLiteral nameOf(PositionEncoding encoding) {
  return positionEncodings[static_cast<size_t>(encoding)].second;
}
inline std::optional<PositionEncoding> positionEncodingOf(llvm::StringRef name) {
  for (const auto& [encoding, text] : positionEncodings)
    if (text == name) return encoding;
  return std::nullopt;
}

} // namespace gluond::lsp
