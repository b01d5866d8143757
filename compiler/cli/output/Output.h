// Standard output and error as the command line uses them: always valid UTF-8, written once, honest
// about failure, and without what a terminal would obey.
#pragma once

#include "text/Printable.h"

#include <llvm/ADT/StringRef.h>

#include <string>

namespace gluond::cli {

enum class Content {
  Text,    // for people: shown as text::printable() has it
  Data,    // for programs, as it is; where a terminal is to show it, like text
  Painted, // text that was made printable before, and coloured
};

// Collects output and writes it in large pieces. Not thread-safe.
class Output {
public:
  explicit Output(Content content = Content::Text, int fd = 1);
  ~Output() { flush(); }
  Output(const Output&) = delete;
  Output& operator=(const Output&) = delete;

  // Bytes of data that are not UTF-8 become U+FFFD. `text` must not end inside a character.
  Output& operator<<(llvm::StringRef text);
  void flush();
  // False after a write failed for another reason than that nobody reads (`gluond check | head` is
  // no failure).
  bool ok() const { return ok_; }

private:
  int fd_;
  bool isPrinted_; // made printable here
  std::string buffer_;
  bool ok_ = true, closed_ = false;
};

// JSON that a terminal may be shown too: what it would obey is escaped, as JSON does.
template <typename Json> std::string jsonText(const Json& json, int indent = -1) {
  return text::printable(json.dump(indent, ' ', false, Json::error_handler_t::replace),
                         text::Lines::Json);
}

// Ends the process at once, when everything is written: what it holds need not be destroyed piece
// by piece, which takes longer than many a command.
[[noreturn]] void leave(int code);

// "gluond: MESSAGE" on standard error.
void complain(const std::string& message);

} // namespace gluond::cli
