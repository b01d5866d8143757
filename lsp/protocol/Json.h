// The JSON type of the protocol. Headers include this one, which has forward declarations alone;
// sources that use documents include <nlohmann/json.hpp>.
//
// Nothing here throws: documents are parsed with parseJson() and read through Codec.h, which checks
// every type.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <optional>
#include <string>
#include <string_view>

namespace gluond::lsp {

// Keys keep their order, so that replies are written in the order of the specification.
using Json = nlohmann::ordered_json;

// Returns nullopt if the text is not one JSON document, or nests deeper than 256 levels.
std::optional<Json> parseJson(std::string_view text);

// Returns the id, as JSON, that a message's parameters have under a key; "" if there is none.
std::string idInParams(std::string_view message, const char* key);

// Returns compact text. Invalid UTF-8 in strings is replaced by U+FFFD.
std::string dumpJson(const Json& json);

} // namespace gluond::lsp
