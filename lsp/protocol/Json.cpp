#include "lsp/protocol/Json.h"

#include <nlohmann/json.hpp>

namespace gluond::lsp {

namespace {

constexpr unsigned maxDepth = 256;

// nlohmann's parser is iterative but its values are destroyed recursively: refuse bottomless
// documents.
bool nestsTooDeep(std::string_view text) {
  unsigned depth = 0;
  bool inString = false;
  for (size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    if (inString) {
      if (c == '\\')
        ++i;
      else if (c == '"')
        inString = false;
    } else if (c == '"') {
      inString = true;
    } else if (c == '[' || c == '{') {
      if (++depth > maxDepth) return true;
    } else if ((c == ']' || c == '}') && depth > 0) {
      --depth;
    }
  }
  return false;
}

} // namespace

std::optional<Json> parseJson(std::string_view text) {
  if (nestsTooDeep(text)) return std::nullopt;
  Json json = Json::parse(text.begin(), text.end(), nullptr, /*allow_exceptions=*/false);
  if (json.is_discarded()) return std::nullopt;
  return json;
}

std::string dumpJson(const Json& json) {
  return json.dump(-1, ' ', /*ensure_ascii=*/false, Json::error_handler_t::replace);
}

} // namespace gluond::lsp
