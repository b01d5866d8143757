// The stdio transport of the Model Context Protocol: each message is a line of JSON.
#pragma once

#include "lsp/transport/FramedTransport.h"
#include "mcp/protocol/PassingId.h"

namespace gluond::mcp {

// A longer line is not a message of this protocol; it is skipped without being kept, but for its
// id.
inline constexpr size_t maxLineBytes = size_t{4} << 20;

class LineTransport : public lsp::Transport {
public:
  explicit LineTransport(lsp::ByteStream& stream) : stream_(stream) {}
  lsp::Incoming read() override;
  bool write(std::string_view message) override;
  void abandon() override { stream_.abandon(); }
  bool isDeserted() const override { return stream_.isDeserted(); }

private:
  lsp::ByteStream& stream_;
  std::string buffer_;      // received and not consumed yet
  size_t seen_ = 0;         // bytes of the buffer without a line break
  bool isSkipping_ = false; // the rest of a line that is too long
  PassingId skipped_;
};

} // namespace gluond::mcp
