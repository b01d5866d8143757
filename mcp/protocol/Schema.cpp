#include "mcp/protocol/Schema.h"

#include "support/json/Text.h"

namespace gluond::mcp::schema {

namespace {

using enum Shape::Kind;

// Calls `look` with each choice until it returns true, and returns whether one did.
template <typename Look> bool anyChoice(std::string_view choices, Look look) {
  while (true) {
    size_t end = choices.find('|');
    if (look(choices.substr(0, end))) return true;
    if (end == std::string_view::npos) return false;
    choices.remove_prefix(end + 1);
  }
}

bool isChoice(std::string_view choices, std::string_view text) {
  return anyChoice(choices, [&](std::string_view each) { return each == text; });
}

Json choiceList(std::string_view choices) {
  Json list = Json::array();
  anyChoice(choices, [&](std::string_view each) {
    list.push_back(std::string(each));
    return false;
  });
  return list;
}

std::string within(const std::string& path, const std::string& member) {
  return path.empty() ? member : path + "." + member;
}
std::string at(const std::string& path, size_t index) {
  return path + "[" + std::to_string(index) + "]";
}

std::string namesOf(const Shape& shape) {
  std::string names;
  for (const MemberRow& row : shape.members)
    names += (names.empty() ? "" : ", ") + std::string(row.name);
  return names;
}

const char* typeOf(Shape::Kind kind) {
  switch (kind) {
  case Boolean:
    return "boolean";
  case Integer:
  case Unsigned:
    return "integer";
  case Number:
    return "number";
  case String:
    return "string";
  case Array:
    return "array";
  case Object:
    return "object";
  case Any:
    break;
  }
  return nullptr;
}

// `unknown` gets the first name that no struct has.
std::string misfit(const Shape& shape, const Json& json, std::string& unknown,
                   const std::string& path) {
  if (shape.mayBeNull && json.is_null()) return "";
  if (shape.kind == Array) {
    for (size_t i = 0; i < json.size(); ++i)
      if (std::string why = misfit(*shape.element, json[i], unknown, at(path, i)); !why.empty())
        return why;
    return "";
  }
  if (shape.kind != Object) return "";
  for (const MemberRow& row : shape.members) {
    auto it = json.find(row.name);
    if (it == json.end()) continue;
    std::string member = within(path, row.name);
    std::string why = misfit(*row.shape, *it, unknown, member);
    if (row.choices && it->is_string())
      if (auto& text = it->get_ref<const std::string&>(); !isChoice(row.choices, text))
        why = member + ": '" + text + "' is not one of " + json::compact(choiceList(row.choices));
    if (!why.empty()) return why;
  }
  for (const auto& [key, value] : json.items()) {
    bool isKnown = false;
    for (const MemberRow& row : shape.members)
      isKnown |= key == row.name;
    if (isKnown) continue;
    unknown = key;
    std::string names = namesOf(shape);
    return within(path, key) + ": there is no such argument; " +
           (path.empty() ? "the tool" : "'" + path + "'") + " takes " +
           (names.empty() ? "none" : names);
  }
  return "";
}

// Returns where a struct takes a member of this name, itself or in what it holds:
// "references[].file". Empty if it does not.
std::string placeOf(const Shape& shape, std::string_view name, const std::string& path) {
  if (shape.kind == Array) return placeOf(*shape.element, name, path + "[]");
  for (const MemberRow& row : shape.members)
    if (name == row.name) return within(path, row.name);
  for (const MemberRow& row : shape.members)
    if (std::string found = placeOf(*row.shape, name, within(path, row.name)); !found.empty())
      return found;
  return "";
}

} // namespace

Json of(const Shape& shape) {
  Json json = Json::object();
  if (const char* type = typeOf(shape.kind)) json["type"] = type;
  if (shape.kind == Unsigned) json["minimum"] = 0;
  if (shape.kind == Array) json["items"] = of(*shape.element);
  if (shape.kind != Object) return json;
  Json properties = Json::object(), required = Json::array();
  for (const MemberRow& row : shape.members) {
    Json member = of(*row.shape);
    if (row.about) member["description"] = row.about;
    if (row.choices) member["enum"] = choiceList(row.choices);
    if (row.least) member["minimum"] = row.least;
    properties[row.name] = std::move(member);
    if (!row.mayLack) required.push_back(row.name);
  }
  json["properties"] = std::move(properties);
  if (!required.empty()) json["required"] = std::move(required);
  json["additionalProperties"] = false;
  return json;
}

std::string noObject(const Shape& shape, const Json& json, const std::string& path) {
  if (shape.mayBeNull && json.is_null()) return "";
  if (shape.kind == Array) {
    std::string why;
    for (size_t i = 0; json.is_array() && i < json.size() && why.empty(); ++i)
      why = noObject(*shape.element, json[i], at(path, i));
    return why;
  }
  if (shape.kind != Object) return "";
  if (!json.is_object())
    return path.empty() ? "the arguments must be an object"
                        : path + ": expected an object with " + namesOf(shape);
  for (const MemberRow& row : shape.members)
    if (auto it = json.find(row.name); it != json.end())
      if (std::string why = noObject(*row.shape, *it, within(path, row.name)); !why.empty())
        return why;
  return "";
}

std::string misfit(const Shape& shape, const Json& json) {
  std::string unknown, why = misfit(shape, json, unknown, "");
  std::string place = unknown.empty() ? "" : placeOf(shape, unknown, "");
  if (place.empty()) return why;
  size_t end = place.rfind('.');
  return why + "; '" + unknown + "' is " +
         (end == std::string::npos ? "an argument of the tool itself"
                                   : "a member of '" + place.substr(0, end) + "'");
}

std::string withPlainPath(const std::string& message) {
  std::string plain;
  bool isPath = true; // up to the first colon or blank
  for (char c : message) {
    if (isPath && c == ' ' && plain.ends_with(']')) plain += ':';
    if (c == ':' || c == ' ') isPath = false;
    if (isPath && c == '[' && plain.ends_with('.')) plain.pop_back();
    if (isPath && plain.ends_with(']') && c != '[' && c != '.') plain += '.';
    plain += c;
  }
  return plain;
}

} // namespace gluond::mcp::schema
