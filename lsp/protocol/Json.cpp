#include "lsp/protocol/Json.h"

#include "support/json/Text.h"

namespace gluond::lsp {

std::optional<Json> parseJson(std::string_view text) {
  return json::parse(text);
}

std::string dumpJson(const Json& json) {
  return json::compact(json);
}

} // namespace gluond::lsp
