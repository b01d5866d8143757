// What a message is, without making a document of it: a relay must not cost what a server costs.
#pragma once

#include <string_view>

namespace gluond::lsp {

// Views into the message.
struct MessageHead {
  std::string_view id;     // as JSON, "5" or "\"a\""; empty: none
  std::string_view method; // empty: none, or spelled with escapes, as no method is
  bool isResponse = false; // has a result or an error
  bool isWhole = false;    // one JSON object and nothing behind it, as far as brackets tell

  bool isRequest() const { return !id.empty() && !method.empty(); }
  bool isNotification() const { return id.empty() && !method.empty(); }
};

// Of a message that may be anything. Time linear in its length.
MessageHead headOf(std::string_view message);
// Of a message of our own server: stops reading where the payload begins, and isWhole says nothing.
MessageHead headOfOurs(std::string_view message);

} // namespace gluond::lsp
