#include "lsp/transport/FramedTransport.h"

#include <llvm/ADT/StringRef.h>

#include <cerrno>
#include <climits>
#include <poll.h>
#include <unistd.h>

namespace gluond::lsp {

namespace {

constexpr std::string_view lengthKey = "Content-Length:";
constexpr size_t maxHeaderBytes = 4096;

struct Header {
  bool valid = false;
  uint64_t length = 0;
};

// `block` is the header's lines, without the empty one that ends it.
Header parseHeader(llvm::StringRef block) {
  Header header;
  while (!block.empty()) {
    auto [line, rest] = block.split('\n');
    block = rest;
    line = line.trim();
    auto [key, value] = line.split(':');
    if (!key.equals_insensitive("Content-Length")) continue;
    header.valid = !value.trim().getAsInteger(10, header.length);
  }
  return header;
}

} // namespace

bool FramedTransport::fill() {
  if (start_ > 0 && start_ >= buffer_.size() / 2) {
    buffer_.erase(0, start_);
    start_ = 0;
  }
  constexpr size_t chunk = 1 << 16;
  size_t old = buffer_.size();
  buffer_.resize(old + chunk);
  size_t got = stream_.read(buffer_.data() + old, chunk);
  buffer_.resize(old + got);
  return got > 0;
}

bool FramedTransport::skipTo(std::string_view text) {
  while (true) {
    size_t at = buffer_.find(text, start_);
    if (at != std::string::npos) {
      start_ = at;
      return true;
    }
    // Keep a tail that may be the beginning of `text`.
    size_t have = buffer_.size() - start_;
    start_ += have - std::min(have, text.size() - 1);
    if (!fill()) return false;
  }
}

Incoming FramedTransport::read() {
  using enum Incoming::Kind;
  last_.clear();
  // The header ends at an empty line; "\n\n" is accepted too, for hand-written clients. Only a
  // limited number of bytes is searched, however many have arrived.
  size_t headerEnd, bodyStart, searched = 0;
  while (true) {
    llvm::StringRef view = llvm::StringRef(buffer_).drop_front(start_).take_front(maxHeaderBytes);
    size_t from = searched > 3 ? searched - 3 : 0;
    size_t crlf = view.find("\r\n\r\n", from), lf = view.find("\n\n", from);
    if (crlf < lf || lf != llvm::StringRef::npos) {
      headerEnd = start_ + std::min(crlf, lf);
      bodyStart = headerEnd + (crlf < lf ? 4 : 2);
      break;
    }
    searched = view.size();
    if (searched == maxHeaderBytes) {
      ++start_;
      return skipTo(lengthKey)
                 ? Incoming{Malformed, "no header: skipped to the next Content-Length"}
                 : Incoming{Closed, {}};
    }
    if (!fill()) return {Closed, {}};
  }

  llvm::StringRef block = llvm::StringRef(buffer_).slice(start_, headerEnd);
  Header header = parseHeader(block);
  if (!header.valid) {
    // A message with a length that is too short is followed by its rest and then a good header.
    size_t key = block.find(llvm::StringRef(lengthKey.data(), lengthKey.size()), 1);
    start_ = key != llvm::StringRef::npos ? start_ + key : bodyStart;
    return {Malformed, "a header without a Content-Length"};
  }
  if (header.length > maxMessageBytes) {
    start_ = bodyStart;
    return {Malformed, "a message of " + std::to_string(header.length) +
                           " bytes is refused; the limit is " + std::to_string(maxMessageBytes)};
  }
  size_t length = static_cast<size_t>(header.length), header_ = bodyStart - start_;
  while (buffer_.size() - start_ < header_ + length)
    if (!fill()) return {Closed, {}};
  last_.assign(buffer_, start_ + header_, length);
  start_ += header_ + length;
  return {Message, last_};
}

void FramedTransport::resynchronize() {
  // The next header begins in the swallowed text, perhaps only with its first letters.
  std::string_view swallowed = last_;
  size_t at = swallowed.find(lengthKey, 1);
  for (size_t tail = lengthKey.size() - 1; at == std::string_view::npos && tail > 0; --tail)
    if (swallowed.size() > tail && swallowed.ends_with(lengthKey.substr(0, tail)))
      at = swallowed.size() - tail;
  if (at != std::string_view::npos) {
    buffer_.replace(0, start_, last_, at, std::string::npos);
    start_ = 0;
  }
  last_.clear();
}

bool FramedTransport::write(std::string_view message) {
  std::string framed = "Content-Length: " + std::to_string(message.size()) + "\r\n\r\n";
  framed += message;
  return stream_.write(framed);
}

size_t FdStream::read(char* buffer, size_t size) {
  while (true) {
    pollfd waiting{in_, POLLIN, 0};
    int ready = ::poll(&waiting, 1, idle_ ? 5000 : -1);
    if (ready == 0) {
      if (!idle_()) return 0;
      continue;
    }
    if (ready < 0 && errno != EINTR) return 0;
    if (ready < 0) continue;
    ssize_t got = ::read(in_, buffer, size);
    if (got >= 0) return static_cast<size_t>(got);
    if (errno != EINTR && errno != EAGAIN) return 0;
  }
}

bool FdStream::isDeserted() const {
  pollfd output{out_, 0, 0};
  return ::poll(&output, 1, 0) > 0 && (output.revents & (POLLERR | POLLHUP)) != 0;
}

bool FdStream::write(std::string_view bytes) {
  // Pieces that a pipe which is ready for writing takes without blocking, so that abandon() is
  // noticed.
  constexpr size_t piece = PIPE_BUF;
  while (!bytes.empty()) {
    pollfd waiting{out_, POLLOUT, 0};
    int ready = ::poll(&waiting, 1, 100);
    if (abandoned_ && ready <= 0) return false;
    if (ready == 0 || (ready < 0 && errno == EINTR)) continue;
    ssize_t wrote = ::write(out_, bytes.data(), std::min(bytes.size(), piece));
    if (wrote >= 0)
      bytes.remove_prefix(static_cast<size_t>(wrote));
    else if (errno != EINTR && errno != EAGAIN)
      return false;
  }
  return true;
}

} // namespace gluond::lsp
