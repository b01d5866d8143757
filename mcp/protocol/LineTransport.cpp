#include "mcp/protocol/LineTransport.h"

#include <array>

namespace gluond::mcp {

using lsp::Incoming;

Incoming LineTransport::read() {
  while (true) {
    size_t end = buffer_.find('\n', seen_);
    if (end == std::string::npos) {
      seen_ = buffer_.size();
      if (isSkipping_ || buffer_.size() > maxLineBytes) {
        isSkipping_ = true;
        skipped_.read(buffer_);
        buffer_.clear();
        seen_ = 0;
      }
      std::array<char, 65536> chunk;
      size_t got = stream_.read(chunk.data(), chunk.size());
      if (got == 0) return {Incoming::Kind::Closed, {}};
      buffer_.append(chunk.data(), got);
      continue;
    }
    std::string line = buffer_.substr(0, end);
    buffer_.erase(0, end + 1);
    seen_ = 0;
    if (isSkipping_ || line.size() > maxLineBytes) {
      isSkipping_ = false;
      skipped_.read(line);
      return {Incoming::Kind::Malformed,
              "the message is longer than " + std::to_string(maxLineBytes >> 20) + " MiB",
              skipped_.take()};
    }
    if (!line.empty() && line.back() == '\r') line.pop_back();
    if (line.find_first_not_of(" \t") == std::string::npos) continue;
    return {Incoming::Kind::Message, std::move(line)};
  }
}

bool LineTransport::write(std::string_view message) {
  return stream_.write(std::string(message) + "\n");
}

} // namespace gluond::mcp
