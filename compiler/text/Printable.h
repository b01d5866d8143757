// Text of others for a terminal.
//
// File names, sources, what a runner says: somebody else wrote them, and a terminal obeys some
// characters. Escape sequences set its title or type for the user, directional overrides show
// another text than there is, a newline in a file name fakes a line of output. Such characters are
// shown as escapes: `\x1b`, `\u202e`.
#pragma once

#include <llvm/ADT/StringRef.h>

#include <string>

namespace gluond::text {

enum class Lines {
  Kept,     // newlines and tabs stay: text of several lines
  Indented, // a line that goes on is indented: a message, none of whose lines looks like another
            // one
  Escaped,  // they are escaped too: a name
  Json      // they stay, and the escapes are those of JSON: a JSON text, whose meaning stays
};

// Printable UTF-8: control characters, invisible and directional ones and bytes that are no UTF-8
// are escaped.
std::string printable(llvm::StringRef text, Lines lines = Lines::Kept);

} // namespace gluond::text
