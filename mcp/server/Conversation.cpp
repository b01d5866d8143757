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
  if (head.method != "notifications/cancelled") return "";
  auto json = lsp::parseJson(message);
  lsp::Json id = json ? json->value("/params/requestId"_json_pointer, lsp::Json()) : lsp::Json();
  return id.is_string() || id.is_number_integer() ? lsp::dumpJson(id) : "";
}

} // namespace gluond::mcp
