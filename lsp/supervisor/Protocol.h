// The interface by which a supervisor follows the protocol that it relays: JSON-RPC in either
// direction, and the messages that a new worker must receive before it continues.
//
// The supervisor calls isLast() on the thread that reads the client, the others with its lock held.
#pragma once

#include "lsp/supervisor/MessageHead.h"

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace gluond::lsp {

class Protocol {
public:
  virtual ~Protocol() = default;

  // Takes note of a message of the client, and returns the change that it makes.
  struct Change {
    std::string document;     // empty if it changes none
    bool isWholeText = false; // earlier changes of that document are without effect
  };
  virtual Change fromClient(const MessageHead& head, std::string_view message) = 0;
  // Returns the messages that bring a new worker to the state of the old one. Requests among them
  // have ids that begin with `replayPrefix`, except for `initialize` if the client still waits for
  // its response.
  virtual std::vector<std::string> replay(bool wasInitializeAnswered) const = 0;
  static constexpr std::string_view replayPrefix = "gluond-replay-";
  // Returns the id, as JSON, of a request that gets no answer after this message; "" if none.
  virtual std::string withdrawn(const MessageHead& head, std::string_view message) const {
    return "";
  }
  // Returns the id, as JSON, of a request that the client no longer waits for, and which is still
  // answered; "" if none.
  virtual std::string cancelled(const MessageHead& head, std::string_view message) const {
    return "";
  }
  // Returns a notification which tells the client that there is a new worker; "" for none.
  virtual std::string startedAgain(const std::string& why) const { return ""; }
  // Whether this message ends the session; so does the end of the client's messages.
  virtual bool isLast(const MessageHead& head) const { return false; }
  // How long requests without an answer are waited for after the end of the client's messages.
  virtual std::chrono::milliseconds patience() const { return std::chrono::milliseconds(0); }
  // The exit code of a session that ended, with or without its last message.
  virtual int exitCode(bool saidLast) const { return 0; }
  // The process that started us; 0 if unknown.
  virtual int64_t clientProcess() const { return 0; }
};

} // namespace gluond::lsp
