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
// Reads a line, which the client counts from `first` (0 or 1), as counted from 1. Nothing reads as
// line 0, and a number that no file has as the nearest one that fits.
unsigned line(const Json& json, const char* name, int64_t first);
bool flag(const Json& json, const char* name, bool otherwise);
std::vector<std::string> texts(const Json& json, const char* name);
const Json& list(const Json& json, const char* name);

} // namespace gluond::dap
