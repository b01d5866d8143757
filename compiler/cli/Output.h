// Standard output and error as the command line uses them: always valid UTF-8, written once, and
// honest about failure.
#pragma once

#include <llvm/ADT/StringRef.h>

#include <string>

namespace gluond::cli {

// Collects output and writes it in large pieces. Not thread-safe.
class Output {
public:
  explicit Output(int fd = 1) : fd_(fd) {}
  ~Output() { flush(); }
  Output(const Output&) = delete;
  Output& operator=(const Output&) = delete;

  // Bytes that are not UTF-8 become U+FFFD. `text` must not end inside a character.
  Output& operator<<(llvm::StringRef text);
  void flush();
  // False after a write failed for another reason than that nobody reads (`gluond check | head` is
  // no failure).
  bool ok() const { return ok_; }

private:
  int fd_;
  std::string buffer_;
  bool ok_ = true, closed_ = false;
};

// Ends the process at once, when everything is written: what it holds need not be destroyed piece
// by piece, which takes longer than many a command.
[[noreturn]] void leave(int code);

// "gluond: MESSAGE" on standard error.
void complain(const std::string& message);

} // namespace gluond::cli
