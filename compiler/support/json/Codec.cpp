#include "support/json/Codec.h"

namespace gluond::json::codec {

namespace {

bool fail(std::string& problem, std::string said) {
  problem = std::move(said);
  return false;
}

} // namespace

bool readBool(const Json& json, bool& out, std::string& problem) {
  if (!json.is_boolean()) return fail(problem, " expected a boolean");
  out = json.get<bool>();
  return true;
}

bool readInteger(const Json& json, int64_t least, uint64_t most, uint64_t& out,
                 std::string& problem) {
  if (!json.is_number_integer()) return fail(problem, " expected an integer");
  if (json.is_number_unsigned()) {
    out = json.get<uint64_t>();
    return out <= most || fail(problem, " integer out of range");
  }
  int64_t number = json.get<int64_t>();
  if (number < 0 && least == 0) return fail(problem, " expected an unsigned integer");
  bool isAbove = number > 0 && static_cast<uint64_t>(number) > most;
  if (number < least || isAbove) return fail(problem, " integer out of range");
  out = static_cast<uint64_t>(number);
  return true;
}

bool readNumber(const Json& json, double& out, std::string& problem) {
  if (!json.is_number()) return fail(problem, " expected a number");
  out = json.get<double>();
  return true;
}

bool readString(const Json& json, std::string& out, std::string& problem) {
  if (!json.is_string()) return fail(problem, " expected a string");
  out = json.get_ref<const std::string&>();
  return true;
}

bool readObject(const Json& json, std::span<const FieldRow> rows, void* out, std::string& problem) {
  if (!json.is_object()) return fail(problem, " expected an object");
  for (const FieldRow& row : rows) {
    auto found = json.find(row.name);
    if (found == json.end()) {
      if (row.mayLack) continue;
      return fail(problem, std::string(row.name) + ": missing");
    }
    if (row.read(*found, out, problem)) continue;
    bool isPath = !problem.starts_with(' '); // " expected ..." ends a path
    return fail(problem, std::string(row.name) + (isPath ? "." : ":") + problem);
  }
  return true;
}

bool readArray(const Json& json, void* vector, std::byte* (*resize)(void* vector, size_t size),
               size_t bytesOfElement, Reader element, std::string& problem) {
  if (!json.is_array()) return fail(problem, " expected an array");
  std::byte* at = resize(vector, json.size());
  size_t index = 0;
  for (const Json& item : json) {
    if (!element(item, at, problem))
      return fail(problem, "[" + std::to_string(index) + "]" + problem);
    at += bytesOfElement;
    ++index;
  }
  return true;
}

void writeBool(bool value, Json& out) {
  out = value;
}
void writeInteger(int64_t value, Json& out) {
  out = value;
}
void writeUnsigned(uint64_t value, Json& out) {
  out = value;
}
void writeNumber(double value, Json& out) {
  out = value;
}
void writeString(const std::string& value, Json& out) {
  out = value;
}

void writeObject(const void* value, std::span<const FieldRow> rows, Json& out) {
  out = Json::object();
  for (const FieldRow& row : rows) {
    Json member;
    if (row.write(value, member)) out[row.name] = std::move(member);
  }
}

void writeArray(const void* first, size_t size, size_t bytesOfElement, Writer element, Json& out) {
  out = Json::array();
  auto& items = out.get_ref<Json::array_t&>();
  items.reserve(size);
  const auto* at = static_cast<const std::byte*>(first);
  for (size_t i = 0; i < size; ++i, at += bytesOfElement)
    element(at, items.emplace_back());
}

} // namespace gluond::json::codec
