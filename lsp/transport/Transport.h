// One connection to one client that receives and sends whole messages.
//
// read() blocks and is called by the reader thread only; write() is called by one thread at a time,
// also during a read. A transport only handles framing and does not interpret messages.
#pragma once

#include <string>
#include <string_view>

namespace gluond::lsp {

struct Incoming {
  enum class Kind {
    Message,   // `text` is one message
    Malformed, // broken framing; `text` describes it. Reading continues after it
    Closed,    // the client disconnected; there are no more messages
  };
  Kind kind = Kind::Closed;
  std::string text;
  std::string id = {}; // of a malformed request, as JSON; empty if it is not known
};

class Transport {
public:
  virtual ~Transport() = default;
  virtual Incoming read() = 0;
  // Returns false if the client disconnected.
  virtual bool write(std::string_view message) = 0;
  // May be called from any thread: a write() blocked by a client that does not read gives up, and
  // later ones fail.
  virtual void abandon() {}
  // Whether nobody is left who could read what is written. May be called from any thread.
  virtual bool isDeserted() const { return false; }
  // The last message from read() was not JSON: its length was probably wrong, and the next message
  // may be part of it. Framed transports search for it there.
  virtual void resynchronize() {}
};

// Larger messages are refused: no edited file is so large, and a wrong length must cost no memory.
inline constexpr size_t maxMessageBytes = size_t{64} << 20;

} // namespace gluond::lsp
