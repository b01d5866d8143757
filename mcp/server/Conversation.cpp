#include "mcp/server/Conversation.h"

#include "lsp/protocol/Json.h"

#include <nlohmann/json.hpp>

namespace gluond::mcp {

Conversation::Change Conversation::fromClient(const lsp::MessageHead& head,
                                              std::string_view message) {
  if (head.method == "initialize") initialize_ = message;
  return {};
}

std::vector<std::string> Conversation::replay(bool wasInitializeAnswered) const {
  if (wasInitializeAnswered || initialize_.empty()) return {};
  return {initialize_};
}

// A cancelled request gets no answer.
std::string Conversation::withdrawn(const lsp::MessageHead& head, std::string_view message) const {
  return head.method == "notifications/cancelled" ? lsp::idInParams(message, "requestId") : "";
}

} // namespace gluond::mcp
