// JSON-RPC 2.0 envelopes: the parts of a message around params and results.
//
// parseMessage() accepts any text and classifies it; nothing here throws. An id is kept as the JSON
// that the client sent (a number or a string), because the reply must return it unchanged.
#pragma once

#include "lsp/protocol/Messages.h"

#include <string>
#include <string_view>
#include <variant>

namespace gluond::lsp {

struct Request {
  Json id;
  std::string method;
  Json params;
};
struct Notification {
  std::string method;
  Json params;
};
struct Response { // the client's response to our request
  Json id;
  Json result;
  std::optional<ResponseError> error;
};
// Not a valid message. `reply` is the response to send (with the id if it was readable, or null).
struct Invalid {
  Json id;
  ResponseError error;
};
using Message = std::variant<Request, Notification, Response, Invalid>;

Message parseMessage(std::string_view text);

std::string makeResult(const Json& id, const Json& result);
std::string makeError(const Json& id, const ResponseError& error);
std::string makeNotification(std::string_view method, const Json& params);
std::string makeRequest(const Json& id, std::string_view method, const Json& params);

// An id as a map key: 1 and "1" are different requests.
std::string idKey(const Json& id);

} // namespace gluond::lsp
