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

// Returns the document on one line. Invalid UTF-8 in strings is replaced by U+FFFD.
std::string compact(const nlohmann::ordered_json& json);

} // namespace gluond::json
