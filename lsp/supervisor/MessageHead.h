// Reads the head of a message without parsing all of it: a relay must cost much less than a server.
#pragma once

#include <string_view>

namespace gluond::lsp {

// Views into the message.
struct MessageHead {
  std::string_view id;     // as JSON, "5" or "\"a\""; empty if there is none
  std::string_view method; // empty if there is none, or it has escapes, as no valid method has
  bool isResponse = false; // has a result or an error
  bool isWhole = false;    // one JSON object and nothing after it, judging by brackets

  bool isRequest() const { return !id.empty() && !method.empty(); }
  bool isNotification() const { return id.empty() && !method.empty(); }
};

// For any message. Takes time linear in its length.
MessageHead headOf(std::string_view message);
// For a message of our own server: stops where the payload begins, so isWhole is not meaningful.
MessageHead headOfOurs(std::string_view message);

} // namespace gluond::lsp
