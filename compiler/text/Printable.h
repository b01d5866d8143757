// Makes untrusted text safe to print on a terminal.
//
// File names, sources and runner output are untrusted, and a terminal interprets some characters:
// escape sequences set its title or type for the user, directional overrides change the visible
// text, a newline in a file name fakes a line of output. Such characters are printed as escapes:
// `\x1b`, `\u202e`.
#pragma once

#include <llvm/ADT/StringRef.h>

#include <string>

namespace gluond::text {

enum class Lines {
  Kept,     // newlines and tabs are kept: text of several lines
  Indented, // continuation lines are indented: a message, whose lines cannot be taken for
            // another one, nor for a command to a CI service, which gets a backslash
  Escaped,  // newlines and tabs are escaped: a name, which is no such command either
  Json      // they are kept, and escapes are JSON's: a JSON text, whose value does not change
};

// Returns printable UTF-8: control characters, invisible and directional ones and bytes that are
// not UTF-8 are escaped.
std::string printable(llvm::StringRef text, Lines lines = Lines::Kept);

} // namespace gluond::text
