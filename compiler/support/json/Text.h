// JSON as text. Reading takes time linear in the length of the text, whoever wrote it:
// the library's own way looks every new key up among all before it, which takes an hour for an
// object of a million keys; here duplicates are looked for once, when the object is complete. The
// last one of a name counts. These files depend only on the JSON library.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <optional>
#include <string>
#include <string_view>

namespace gluond::json {

// Returns nullopt if the text is not one JSON document, or nests deeper than `deepest` levels.
std::optional<nlohmann::ordered_json> parse(std::string_view text, unsigned deepest = 256);

// The functions below replace invalid UTF-8 in strings by U+FFFD.
// Returns the document on one line.
std::string compact(const nlohmann::ordered_json& json);
// Returns the document with lines that begin with `indent` spaces for each level.
std::string indented(const nlohmann::ordered_json& json, int indent);
// Returns the text as a string of JSON; with `isAscii`, other characters are escaped.
std::string quoted(std::string_view text, bool isAscii);

} // namespace gluond::json
