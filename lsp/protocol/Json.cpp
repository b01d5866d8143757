#include "lsp/protocol/Json.h"

#include "support/JsonText.h"

namespace gluond::lsp {

std::optional<Json> parseJson(std::string_view text) {
  return json::parse(text);
}

std::string dumpJson(const Json& json) {
  return json.dump(-1, ' ', /*ensure_ascii=*/false, Json::error_handler_t::replace);
}

} // namespace gluond::lsp
