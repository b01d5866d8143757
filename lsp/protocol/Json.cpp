#include "lsp/protocol/Json.h"

#include "support/JsonDepth.h"

#include <nlohmann/json.hpp>

namespace gluond::lsp {

// Deeper than any message of ours or of an editor's.
constexpr unsigned maxDepth = 256;

std::optional<Json> parseJson(std::string_view text) {
  if (isNestedDeeper({text.data(), text.size()}, maxDepth)) return std::nullopt;
  Json json = Json::parse(text.begin(), text.end(), nullptr, /*allow_exceptions=*/false);
  if (json.is_discarded()) return std::nullopt;
  return json;
}

std::string dumpJson(const Json& json) {
  return json.dump(-1, ' ', /*ensure_ascii=*/false, Json::error_handler_t::replace);
}

} // namespace gluond::lsp
