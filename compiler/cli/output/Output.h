// Standard output and error as the command line uses them: always valid UTF-8, written once, with
// failures reported, and without terminal control sequences.
#pragma once

#include <llvm/ADT/StringRef.h>
#include <nlohmann/json_fwd.hpp>

#include <optional>
#include <string>

namespace gluond::cli {

enum class Content {
  Text,    // for people: passed through text::printable()
  Data,    // for programs, unchanged; printable on a terminal
  Painted, // text that was made printable and coloured before
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
  // Returns false after a write failed, unless it failed because the reader is gone (`gluond check
  // | head` is no failure).
  bool ok() const { return ok_; }

private:
  int fd_;
  bool isPrinted_; // whether this makes the text printable
  std::string buffer_;
  bool ok_ = true, closed_ = false;
};

// JSON that may be shown on a terminal: control characters are escaped, as JSON allows.
// `indent` is the number of spaces of a level; without it, all is in one line.
std::string jsonText(const nlohmann::ordered_json& json, std::optional<int> indent = {});

// Ends the process as soon as everything is written, without running destructors, which would take
// longer than many commands.
[[noreturn]] void leave(int code);

// Prints "gluond: MESSAGE" on standard error.
void complain(const std::string& message);

} // namespace gluond::cli
