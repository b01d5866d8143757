// Where the text of a string stands in a file, for edits of it.
#pragma once

#include "syntax/tree/Ast.h"
#include "text/SourceText.h"

#include <optional>

namespace gluond::syntax {

// Returns the range between the quotes of a string, or nullopt if the text is not written there as
// it is: with a prefix, triple quotes, escapes or in pieces.
inline std::optional<text::Range> plainText(const Constant& string,
                                            const text::SourceText& source) {
  text::Range inside{string.range.begin + 1, string.range.end - 1};
  bool isPlain = string.constant == ConstantKind::Str &&
                 source.slice(string.range).size() == string.string.size() + 2 &&
                 source.slice(inside) == string.string;
  return isPlain ? std::optional(inside) : std::nullopt;
}

} // namespace gluond::syntax
