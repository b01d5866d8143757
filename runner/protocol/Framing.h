// Messages on a stream of bytes, as both ends of a runner's pipe see them.
//
// A frame is "Content-Length: N\r\n\r\n" and N bytes of JSON, as in the Language Server Protocol.
// One header more, "Binary-Length: M", says that M raw bytes follow the JSON: machine code and
// tensors travel there, and the JSON refers to them by offset and size (Messages.h, Slice).
//
// Built for pipes that are not clean: what stands before a header (a login banner of ssh, a line of
// srun) is skipped and kept for error messages; a length that nobody can mean breaks the stream.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace gluond::runner {

inline constexpr uint64_t maxJsonBytes = uint64_t{64} << 20;
inline constexpr uint64_t maxBinaryBytes = uint64_t{8} << 30;
// What may stand before a header: more is no banner, but a program that is no runner.
inline constexpr uint64_t maxSkippedBytes = uint64_t{16} << 20;

struct Frame {
  std::string json, binary;
};

std::string frameHeader(uint64_t jsonBytes, uint64_t binaryBytes);

// Takes bytes as they come, gives frames. One thread.
class FrameDecoder {
public:
  enum class State { Incomplete, Frame, Broken };

  void feed(std::string_view bytes);
  // Frame: `out` is the next one. Broken: no frame can come any more, and problem() says why.
  State next(Frame& out);
  const std::string& problem() const { return problem_; }
  // What was no frame, at most some KB: the words of whatever stands between the two ends.
  const std::string& noise() const { return noise_; }
  bool isMidFrame() const { return hasHeader_; }
  // Frames with more binary bytes than are expected are not believed.
  void expectBinary(uint64_t most) { mostBinary_ = most; }

private:
  void skip(size_t count);

  std::string buffer_, problem_, noise_;
  size_t start_ = 0; // consumed up to here
  bool hasHeader_ = false;
  uint64_t jsonBytes_ = 0, binaryBytes_ = 0, skipped_ = 0, mostBinary_ = maxBinaryBytes;
};

} // namespace gluond::runner
