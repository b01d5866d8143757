// Messages on a stream of bytes, for both ends of a runner's pipe.
//
// A frame is "Content-Length: N\r\n\r\n" and N bytes of JSON, as in the Language Server Protocol.
// An additional header, "Binary-Length: M", says that M raw bytes follow the JSON: they hold
// machine code and tensors, and the JSON refers to them by offset and size (Messages.h, Slice).
//
// It tolerates other output in the pipe: text before a header (a login banner of ssh, a line of
// srun) is skipped and kept for error messages; an absurd length breaks the stream.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace gluond::runner {

inline constexpr uint64_t maxJsonBytes = uint64_t{64} << 20;
inline constexpr uint64_t maxBinaryBytes = uint64_t{8} << 30;
// The limit for text before a header: more is not a banner, but a program that is not a runner.
inline constexpr uint64_t maxSkippedBytes = uint64_t{16} << 20;

struct Frame {
  std::string json, binary;
};

std::string frameHeader(uint64_t jsonBytes, uint64_t binaryBytes);

// Receives bytes and returns frames. For one thread only.
class FrameDecoder {
public:
  enum class State { Incomplete, Frame, Broken };

  void feed(std::string_view bytes);
  // Frame: `out` is the next one. Broken: there are no more frames, and problem() says why.
  State next(Frame& out);
  const std::string& problem() const { return problem_; }
  // Returns skipped text, at most some KB: the output of programs between the two ends.
  const std::string& noise() const { return noise_; }
  bool isMidFrame() const { return hasHeader_; }
  // Frames with more binary bytes are rejected.
  void expectBinary(uint64_t most) { mostBinary_ = most; }

private:
  void skip(size_t count);

  std::string buffer_, problem_, noise_;
  size_t start_ = 0; // start of unconsumed bytes
  bool hasHeader_ = false;
  uint64_t jsonBytes_ = 0, binaryBytes_ = 0, skipped_ = 0, mostBinary_ = maxBinaryBytes;
};

} // namespace gluond::runner
