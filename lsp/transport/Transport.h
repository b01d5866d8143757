// One connection to one client: whole messages in, whole messages out.
//
// read() is called by the reader thread only and blocks; write() by any one thread at a time, also
// while another reads. A transport does not look into messages: framing is its only business.
#pragma once

#include <string>
#include <string_view>

namespace gluond::lsp {

struct Incoming {
  enum class Kind {
    Message,   // `text` is one message
    Malformed, // framing was broken; `text` says how. Reading goes on behind the damage
    Closed,    // the client is gone; nothing more comes
  };
  Kind kind = Kind::Closed;
  std::string text;
};

class Transport {
public:
  virtual ~Transport() = default;
  virtual Incoming read() = 0;
  // False when the client is gone.
  virtual bool write(std::string_view message) = 0;
  // From any thread: a write() that waits for a client that does not read gives up, and later ones
  // fail.
  virtual void abandon() {}
  // The message that read() returned last was not JSON: its length was probably wrong, and the next
  // message may have been swallowed with it. Framed transports look for it in there.
  virtual void resynchronize() {}
};

// Larger messages are refused: nobody edits such files, and a wrong length must not exhaust memory.
inline constexpr size_t maxMessageBytes = size_t{64} << 20;

} // namespace gluond::lsp
