#include "dap/Json.h"

#include <algorithm>

namespace gluond::dap {

const Json& member(const Json& json, const char* name) {
  static const Json none;
  if (!json.is_object()) return none;
  auto found = json.find(name);
  return found == json.end() ? none : *found;
}

std::string text(const Json& json, const char* name) {
  const Json& value = member(json, name);
  return value.is_string() ? value.get<std::string>() : std::string();
}

std::optional<int64_t> number(const Json& json, const char* name) {
  const Json& value = member(json, name);
  if (!value.is_number()) return std::nullopt;
  if (value.is_number_unsigned() && value.get<uint64_t>() > uint64_t(INT64_MAX)) return INT64_MAX;
  if (!value.is_number_float()) return value.get<int64_t>();
  double real = value.get<double>();
  return real > -0x1p62 && real < 0x1p62 ? std::optional(static_cast<int64_t>(real)) : std::nullopt;
}

unsigned line(const Json& json, const char* name, int64_t first) {
  auto counted = std::clamp<int64_t>(number(json, name).value_or(first - 1), -1, UINT32_MAX);
  return static_cast<unsigned>(std::clamp<int64_t>(counted + 1 - first, 0, UINT32_MAX));
}

bool flag(const Json& json, const char* name, bool otherwise) {
  const Json& value = member(json, name);
  return value.is_boolean() ? value.get<bool>() : otherwise;
}

std::vector<std::string> texts(const Json& json, const char* name) {
  std::vector<std::string> all;
  for (const Json& each : list(json, name))
    if (each.is_string()) all.push_back(each.get<std::string>());
  return all;
}

const Json& list(const Json& json, const char* name) {
  static const Json none = Json::array();
  const Json& value = member(json, name);
  return value.is_array() ? value : none;
}

} // namespace gluond::dap
