// JSON Schemas of the structs that a tool takes and gives, from the same description that decodes
// and encodes them (support/json/Codec.h).
//
// A field may say what it means, and which texts it takes:
//
//   told("stage", &IrParams::stage, "The stage to show.", "source|ttgir|llir")
//
// Arguments are checked strictly: a member that the struct does not have is a mistake, and is not
// passed over.
#pragma once

#include "support/json/Codec.h"

#include <string_view>

namespace gluond::mcp {

using json::Described;
using json::Field;
using json::field;
using json::Json;

template <typename Struct, typename Member> struct ToldField : Field<Struct, Member> {
  const char* about;
  const char* choices = nullptr; // "a|b|c"; null for any text
};
template <typename Struct, typename Member>
constexpr ToldField<Struct, Member> told(const char* name, Member Struct::* member,
                                         const char* about, const char* choices = nullptr) {
  return {{name, member}, about, choices};
}

// Returns a decoder's message with its path as people write it: "axes[0].values", not
// "axes.[0]values".
std::string withPlainPath(const std::string& message);

// Returns whether `text` is one of the choices.
bool isChoice(std::string_view choices, std::string_view text);
// Returns the choices as a JSON array.
Json choiceList(std::string_view choices);

namespace schema {

namespace codec = json::codec;

template <typename T> Json of() {
  if constexpr (std::is_same_v<T, Json>) {
    return Json::object(); // any value
  } else if constexpr (codec::isOptional<T>::value) {
    return of<typename T::value_type>();
  } else if constexpr (std::is_same_v<T, bool>) {
    return {{"type", "boolean"}};
  } else if constexpr (std::is_integral_v<T>) {
    Json json = {{"type", "integer"}};
    if (std::is_unsigned_v<T>) json["minimum"] = 0;
    return json;
  } else if constexpr (std::is_floating_point_v<T>) {
    return {{"type", "number"}};
  } else if constexpr (std::is_same_v<T, std::string>) {
    return {{"type", "string"}};
  } else if constexpr (codec::isVector<T>::value) {
    return {{"type", "array"}, {"items", of<typename T::value_type>()}};
  } else {
    static_assert(Described<T>);
    Json properties = Json::object(), required = Json::array();
    auto add = [&]<typename F>(const F& field) {
      using Member = std::remove_cvref_t<decltype(std::declval<T>().*(field.member))>;
      Json member = of<Member>();
      if constexpr (requires { field.about; }) {
        member["description"] = field.about;
        if (field.choices) member["enum"] = choiceList(field.choices);
      }
      properties[field.name] = std::move(member);
      if (!codec::isOptional<Member>::value && !std::is_same_v<Member, Json>)
        required.push_back(field.name);
    };
    std::apply([&](auto... fields) { (add(fields), ...); }, T::fields());
    Json object = {{"type", "object"}, {"properties", std::move(properties)}};
    if (!required.empty()) object["required"] = std::move(required);
    object["additionalProperties"] = false;
    return object;
  }
}

// Returns what is wrong with the members of `json` beyond their types, which decode() has checked:
// unknown names, of which `unknown` gets the first, and texts that are no choice. Empty if nothing
// is.
template <typename T>
std::string misfit(const Json& json, std::string& unknown, const std::string& path = "") {
  if constexpr (codec::isOptional<T>::value) {
    return json.is_null() ? "" : misfit<typename T::value_type>(json, unknown, path);
  } else if constexpr (codec::isVector<T>::value) {
    for (size_t i = 0; i < json.size(); ++i)
      if (std::string why = misfit<typename T::value_type>(json[i], unknown,
                                                           path + "[" + std::to_string(i) + "]");
          !why.empty())
        return why;
    return "";
  } else if constexpr (Described<T>) {
    std::string why, names;
    auto within = [&](const std::string& name) { return path.empty() ? name : path + "." + name; };
    auto look = [&]<typename F>(const F& field) {
      names += (names.empty() ? "" : ", ") + std::string(field.name);
      auto it = json.find(field.name);
      if (it == json.end() || !why.empty()) return;
      using Member = std::remove_cvref_t<decltype(std::declval<T>().*(field.member))>;
      why = misfit<Member>(*it, unknown, within(field.name));
      if constexpr (requires { field.choices; })
        if (field.choices && it->is_string() &&
            !isChoice(field.choices, it->template get_ref<const std::string&>()))
          why = within(field.name) + ": '" + it->template get<std::string>() + "' is not one of " +
                choiceList(field.choices).dump();
    };
    std::apply([&](auto... fields) { (look(fields), ...); }, T::fields());
    if (!why.empty()) return why;
    for (const auto& [key, value] : json.items()) {
      bool isKnown = false;
      std::apply([&](auto... fields) { isKnown = (... || (key == fields.name)); }, T::fields());
      if (isKnown) continue;
      unknown = key;
      return within(key) + ": there is no such argument; " +
             (path.empty() ? "the tool" : "'" + path + "'") + " takes " +
             (names.empty() ? "none" : names);
    }
    return "";
  } else {
    return "";
  }
}

// Returns which value should be an object and is none, with the members that it should have. Empty
// if every one is.
template <typename T> std::string noObject(const Json& json, const std::string& path = "") {
  if constexpr (codec::isOptional<T>::value) {
    return json.is_null() ? "" : noObject<typename T::value_type>(json, path);
  } else if constexpr (codec::isVector<T>::value) {
    std::string why;
    for (size_t i = 0; json.is_array() && i < json.size() && why.empty(); ++i)
      why = noObject<typename T::value_type>(json[i], path + "[" + std::to_string(i) + "]");
    return why;
  } else if constexpr (Described<T>) {
    std::string why, names;
    auto look = [&]<typename F>(const F& field) {
      names += (names.empty() ? "" : ", ") + std::string(field.name);
      auto it = json.is_object() ? json.find(field.name) : json.end();
      if (it == json.end() || !why.empty()) return;
      using Member = std::remove_cvref_t<decltype(std::declval<T>().*(field.member))>;
      why = noObject<Member>(*it, path.empty() ? std::string(field.name) : path + "." + field.name);
    };
    std::apply([&](auto... fields) { (look(fields), ...); }, T::fields());
    return json.is_object() ? why : path + ": expected an object with " + names;
  } else {
    return "";
  }
}

// Returns where a struct takes a member of this name, itself or in what it holds:
// "references[].file". Empty if it does not.
template <typename T> std::string placeOf(std::string_view name, const std::string& path = "") {
  if constexpr (codec::isOptional<T>::value) {
    return placeOf<typename T::value_type>(name, path);
  } else if constexpr (codec::isVector<T>::value) {
    return placeOf<typename T::value_type>(name, path + "[]");
  } else if constexpr (Described<T>) {
    std::string found;
    auto within = [&](const char* member) {
      return path.empty() ? std::string(member) : path + "." + member;
    };
    auto look = [&]<typename F>(const F& field) {
      if (found.empty() && name == field.name) found = within(field.name);
    };
    std::apply([&](auto... fields) { (look(fields), ...); }, T::fields());
    auto lookInside = [&]<typename F>(const F& field) {
      using Member = std::remove_cvref_t<decltype(std::declval<T>().*(field.member))>;
      if (found.empty()) found = placeOf<Member>(name, within(field.name));
    };
    std::apply([&](auto... fields) { (lookInside(fields), ...); }, T::fields());
    return found;
  } else {
    return "";
  }
}

} // namespace schema

// Decodes the arguments of a call. The error is a sentence that names the argument.
template <typename T> tl::expected<T, std::string> decodeArguments(const Json& json) {
  if (!json.is_object()) return tl::unexpected(std::string("the arguments must be an object"));
  if (std::string why = schema::noObject<T>(json); !why.empty()) return tl::unexpected(why);
  auto decoded = json::decode<T>(json);
  if (!decoded) return tl::unexpected(withPlainPath(decoded.error()));
  std::string unknown;
  if (std::string why = schema::misfit<T>(json, unknown); !why.empty()) {
    std::string place = unknown.empty() ? "" : schema::placeOf<T>(unknown);
    size_t end = place.rfind('.');
    if (!place.empty())
      why += "; '" + unknown + "' is " +
             (end == std::string::npos ? "an argument of the tool itself"
                                       : "a member of '" + place.substr(0, end) + "'");
    return tl::unexpected(why);
  }
  return decoded;
}

} // namespace gluond::mcp
