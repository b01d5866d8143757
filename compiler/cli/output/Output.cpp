#include "cli/output/Output.h"

#include "support/json/Text.h"
#include "text/Printable.h"

#include <llvm/Support/JSON.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <unistd.h>

namespace gluond::cli {

Output::Output(Content content, int fd)
    : fd_(fd),
      isPrinted_(content == Content::Text || (content == Content::Data && ::isatty(fd) == 1)) {}

Output& Output::operator<<(llvm::StringRef text) {
  if (isPrinted_)
    buffer_ += text::printable(text);
  else if (llvm::json::isUTF8(text))
    buffer_.append(text.begin(), text.end());
  else
    buffer_ += llvm::json::fixUTF8(text);
  if (buffer_.size() > size_t{1} << 16) flush();
  return *this;
}

void Output::flush() {
  llvm::StringRef rest = buffer_;
  while (!rest.empty() && !closed_) {
    ssize_t wrote = ::write(fd_, rest.data(), rest.size());
    if (wrote >= 0) {
      rest = rest.drop_front(static_cast<size_t>(wrote));
    } else if (errno != EINTR) {
      closed_ = true;
      if (errno != EPIPE) {
        ok_ = false;
        complain(std::string("cannot write: ") + std::strerror(errno));
      }
    }
  }
  buffer_.clear();
}

void leave(int code) {
  std::quick_exit(code);
}

void complain(const std::string& message) {
  Output(Content::Text, 2) << "gluond: " << text::printable(message, text::Lines::Indented) << "\n";
}

std::string jsonText(const nlohmann::ordered_json& json, std::optional<int> indent) {
  return text::printable(indent ? json::indented(json, *indent) : json::compact(json),
                         text::Lines::Json);
}

} // namespace gluond::cli
