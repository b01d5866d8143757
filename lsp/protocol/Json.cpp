#include "lsp/protocol/Json.h"

#include "support/json/Text.h"

#include <nlohmann/json.hpp>

namespace gluond::lsp {

std::optional<Json> parseJson(std::string_view text) {
  return json::parse(text);
}

std::string idInParams(std::string_view message, const char* key) {
  std::optional<Json> json = parseJson(message);
  if (!json || !json->is_object()) return "";
  auto params = json->find("params");
  if (params == json->end() || !params->is_object()) return "";
  auto id = params->find(key);
  if (id == params->end() || (!id->is_string() && !id->is_number_integer())) return "";
  return dumpJson(*id);
}

std::string dumpJson(const Json& json) {
  return json::compact(json);
}

} // namespace gluond::lsp
