// Readers for the members of a client's messages. A member that is missing or has another type
// reads as empty.
#pragma once

#include <nlohmann/json.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace gluond::dap {

using Json = nlohmann::ordered_json;

const Json& member(const Json& json, const char* name);
std::string text(const Json& json, const char* name);
std::optional<int64_t> number(const Json& json, const char* name);
bool flag(const Json& json, const char* name, bool otherwise);
std::vector<std::string> texts(const Json& json, const char* name);
const Json& list(const Json& json, const char* name);

} // namespace gluond::dap
