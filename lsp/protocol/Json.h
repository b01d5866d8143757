// The JSON type of the protocol. Only lsp/ and compiler/cli/ know JSON; headers include this one
// (forward declarations), sources that touch documents include <nlohmann/json.hpp>.
//
// Nothing throws: documents are parsed with parseJson() and read through Codec.h, which checks
// every type.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <optional>
#include <string>
#include <string_view>

namespace gluond::lsp {

// Keys keep their order, so that replies read as the specification writes them.
using Json = nlohmann::ordered_json;

// Nothing when the text is not one JSON document, or nests deeper than 256 levels.
std::optional<Json> parseJson(std::string_view text);

// Compact text. Strings that are not valid UTF-8 get U+FFFD where they are broken.
std::string dumpJson(const Json& json);

} // namespace gluond::lsp
