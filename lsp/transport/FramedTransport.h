// The base protocol of LSP over a byte stream: "Content-Length: N\r\n\r\n" and N bytes.
//
// It tolerates broken clients. Garbage between messages is skipped up to the next
// "Content-Length:"; a length that is too long swallows the next message, which resynchronize()
// recovers; a length that is too short leaves garbage, skipped as above; a length above
// maxMessageBytes is rejected. So a wrong message affects only itself.
#pragma once

#include "lsp/transport/Transport.h"

#include <atomic>
#include <functional>

namespace gluond::lsp {

// A stream of bytes. read() blocks for at least one byte and returns 0 at the end. write() writes
// everything or returns false.
class ByteStream {
public:
  virtual ~ByteStream() = default;
  virtual size_t read(char* buffer, size_t size) = 0;
  virtual bool write(std::string_view bytes) = 0;
  virtual void abandon() {}
  virtual bool isDeserted() const { return false; } // nobody reads what is written
};

class FramedTransport : public Transport {
public:
  explicit FramedTransport(ByteStream& stream) : stream_(stream) {}
  Incoming read() override;
  bool write(std::string_view message) override;
  void abandon() override { stream_.abandon(); }
  bool isDeserted() const override { return stream_.isDeserted(); }
  void resynchronize() override;

private:
  bool fill();                        // reads more into buffer_; returns false at the end
  bool skipTo(std::string_view text); // drops bytes up to `text`; returns false at the end

  ByteStream& stream_;
  std::string buffer_; // received and not consumed yet, from `start_`
  size_t start_ = 0;
  std::string last_; // the last message returned, for resynchronize()
};

// Two file descriptors, for stdio and pipes, which it does not close. While waiting for input it
// calls `idle` about once every five seconds; if that returns false, the stream has ended.
class FdStream : public ByteStream {
public:
  FdStream(int in, int out, std::function<bool()> idle = {})
      : in_(in), out_(out), idle_(std::move(idle)) {}
  size_t read(char* buffer, size_t size) override;
  bool write(std::string_view bytes) override;
  void abandon() override { abandoned_ = true; }
  bool isDeserted() const override;

private:
  int in_, out_;
  std::atomic<bool> abandoned_{false};
  std::function<bool()> idle_;
};

} // namespace gluond::lsp
