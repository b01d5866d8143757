#include "runner/protocol/Framing.h"

#include <charconv>

namespace gluond::runner {

namespace {

constexpr std::string_view lengthKey = "Content-Length:", binaryKey = "Binary-Length:",
                           headerEnd = "\r\n\r\n";
constexpr size_t maxHeaderBytes = 4096, maxNoiseBytes = 8192;

// Reads the number after `key`; returns false if malformed. If absent, `out` is unchanged.
bool readLength(std::string_view header, std::string_view key, uint64_t& out) {
  size_t at = header.find(key);
  if (at == std::string_view::npos) return true;
  std::string_view text = header.substr(at + key.size());
  text.remove_prefix(std::min(text.size(), text.find_first_not_of(' ')));
  text = text.substr(0, text.find_first_of("\r\n "));
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out);
  return error == std::errc() && end == text.data() + text.size();
}

} // namespace

std::string frameHeader(uint64_t jsonBytes, uint64_t binaryBytes) {
  std::string header = "Content-Length: " + std::to_string(jsonBytes) + "\r\n";
  if (binaryBytes) header += "Binary-Length: " + std::to_string(binaryBytes) + "\r\n";
  return header + "\r\n";
}

void FrameDecoder::feed(std::string_view bytes) {
  if (start_ > 0 && start_ >= buffer_.size() / 2) {
    buffer_.erase(0, start_);
    start_ = 0;
  }
  buffer_ += bytes;
}

void FrameDecoder::skip(size_t count) {
  noise_.append(buffer_, start_,
                std::min(count, maxNoiseBytes - std::min(maxNoiseBytes, noise_.size())));
  start_ += count;
  skipped_ += count;
}

FrameDecoder::State FrameDecoder::next(Frame& out) {
  if (!problem_.empty()) return State::Broken;
  if (!hasHeader_) {
    size_t at = buffer_.find(lengthKey, start_);
    if (at == std::string::npos) {
      // Keep a tail that may be the beginning of the key.
      size_t have = buffer_.size() - start_;
      if (have >= lengthKey.size()) skip(have - (lengthKey.size() - 1));
    } else {
      skip(at - start_);
    }
    if (skipped_ > maxSkippedBytes) {
      problem_ = "no message, but much else";
      return State::Broken;
    }
    if (at == std::string::npos) return State::Incomplete;
    // How the bytes arrive makes no difference: an end beyond the limit is none.
    size_t end = buffer_.find(headerEnd, start_);
    bool mayEnd = buffer_.size() - start_ < maxHeaderBytes + headerEnd.size();
    if (end == std::string::npos && mayEnd) return State::Incomplete;
    if (end == std::string::npos || end - start_ > maxHeaderBytes) {
      problem_ = "a header that does not end";
      return State::Broken;
    }
    std::string_view header = std::string_view(buffer_).substr(start_, end - start_);
    jsonBytes_ = binaryBytes_ = 0;
    if (!readLength(header, lengthKey, jsonBytes_) ||
        !readLength(header, binaryKey, binaryBytes_) || jsonBytes_ > maxJsonBytes ||
        binaryBytes_ > mostBinary_) {
      problem_ = "a message of impossible length: " + std::string(header.substr(0, 120));
      return State::Broken;
    }
    start_ = end + headerEnd.size();
    hasHeader_ = true;
  }
  if (buffer_.size() - start_ < jsonBytes_ + binaryBytes_) return State::Incomplete;
  out.json.assign(buffer_, start_, jsonBytes_);
  out.binary.assign(buffer_, start_ + jsonBytes_, binaryBytes_);
  start_ += jsonBytes_ + binaryBytes_;
  hasHeader_ = false;
  skipped_ = 0;
  return State::Frame;
}

} // namespace gluond::runner
