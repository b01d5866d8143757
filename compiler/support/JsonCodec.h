// Converts structs to JSON and back, based on one description of their fields.
//
// A message struct lists its fields once:
//
//   struct Position {
//     uint32_t line = 0, character = 0;
//     static constexpr auto fields() {
//       return std::make_tuple(field("line", &Position::line), field("character",
//       &Position::character));
//     }
//   };
//
// decode<Position>(json) checks presence and types and says which path was wrong
// ("range.start.line: expected an unsigned integer"); encode(position) makes the document;
// fieldNames<Position>() is used by the documentation's test. A std::optional field may be absent
// or null, and is left out when empty; unknown keys are ignored, as LSP requires.
//
// The protocols of the language server (lsp/protocol) and of the GPU process (runner/protocol) use
// such structs. This file depends only on the JSON library.
#pragma once

#include <nlohmann/json.hpp>
#include <tl/expected.hpp>

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <tuple>
#include <type_traits>
#include <vector>

namespace gluond::json {

// Keys keep their order, so documents are written in the order of the fields.
using Json = nlohmann::ordered_json;

template <typename Struct, typename Member> struct Field {
  const char* name;
  Member Struct::* member;
};
template <typename Struct, typename Member>
constexpr Field<Struct, Member> field(const char* name, Member Struct::* member) {
  return {name, member};
}

template <typename T>
concept Described = requires { T::fields(); };

// An empty object: params or results without fields that we read.
struct Nothing {
  static constexpr auto fields() { return std::make_tuple(); }
};

namespace codec {

template <typename T> struct isOptional : std::false_type {};
template <typename T> struct isOptional<std::optional<T>> : std::true_type {};
template <typename T> struct isVector : std::false_type {};
template <typename T> struct isVector<std::vector<T>> : std::true_type {};

using Failure = tl::unexpected<std::string>;
using Status = tl::expected<void, std::string>;

template <typename T> Status decodeInto(const Json& json, T& out);

template <typename T> Status decodeField(const Json& object, const char* name, T& out) {
  auto it = object.find(name);
  if (it == object.end()) {
    if constexpr (isOptional<T>::value || std::is_same_v<T, Json>) return {};
    return Failure(std::string(name) + ": missing");
  }
  Status status = decodeInto(*it, out);
  if (!status) {
    const std::string& inner = status.error();
    bool isPath = inner.find(' ') != 0; // " expected ..." ends a path
    return Failure(std::string(name) + (isPath ? "." : ":") + inner);
  }
  return {};
}

template <typename T> Status decodeInto(const Json& json, T& out) {
  if constexpr (std::is_same_v<T, Json>) {
    out = json;
  } else if constexpr (isOptional<T>::value) {
    if (json.is_null()) {
      out.reset();
      return {};
    }
    return decodeInto(json, out.emplace());
  } else if constexpr (std::is_same_v<T, bool>) {
    if (!json.is_boolean()) return Failure(" expected a boolean");
    out = json.get<bool>();
  } else if constexpr (std::is_enum_v<T>) {
    std::underlying_type_t<T> number{};
    if (Status status = decodeInto(json, number); !status) return status;
    out = static_cast<T>(number);
  } else if constexpr (std::is_integral_v<T>) {
    if (!json.is_number_integer()) return Failure(" expected an integer");
    if (json.is_number_unsigned()) {
      uint64_t number = json.get<uint64_t>();
      if (number > static_cast<uint64_t>(std::numeric_limits<T>::max()))
        return Failure(" integer out of range");
      out = static_cast<T>(number);
    } else {
      int64_t number = json.get<int64_t>();
      if (number < 0 && std::is_unsigned_v<T>) return Failure(" expected an unsigned integer");
      if (number < static_cast<int64_t>(std::numeric_limits<T>::min()))
        return Failure(" integer out of range");
      out = static_cast<T>(number);
    }
  } else if constexpr (std::is_floating_point_v<T>) {
    if (!json.is_number()) return Failure(" expected a number");
    out = json.get<T>();
  } else if constexpr (std::is_same_v<T, std::string>) {
    if (!json.is_string()) return Failure(" expected a string");
    out = json.get_ref<const std::string&>();
  } else if constexpr (isVector<T>::value) {
    if (!json.is_array()) return Failure(" expected an array");
    out.clear();
    out.reserve(json.size());
    for (const Json& item : json)
      if (Status status = decodeInto(item, out.emplace_back()); !status)
        return Failure("[" + std::to_string(out.size() - 1) + "]" + status.error());
  } else {
    static_assert(Described<T>);
    if (!json.is_object()) return Failure(" expected an object");
    Status status;
    std::apply(
        [&](auto... fields) {
          (void)((status = decodeField(json, fields.name, out.*fields.member)) && ...);
        },
        T::fields());
    return status;
  }
  return {};
}

template <typename T> Json encodeValue(const T& value) {
  if constexpr (std::is_same_v<T, Json>) {
    return value;
  } else if constexpr (isOptional<T>::value) {
    return value ? encodeValue(*value) : Json(nullptr);
  } else if constexpr (std::is_enum_v<T>) {
    return Json(static_cast<std::underlying_type_t<T>>(value));
  } else if constexpr (isVector<T>::value) {
    Json array = Json::array();
    for (const auto& item : value)
      array.push_back(encodeValue<typename T::value_type>(item));
    return array;
  } else if constexpr (Described<T>) {
    Json object = Json::object();
    auto add = [&](auto field) {
      const auto& member = value.*field.member;
      using Member = std::remove_cvref_t<decltype(member)>;
      if constexpr (isOptional<Member>::value) {
        if (member) object[field.name] = encodeValue(*member);
      } else if constexpr (std::is_same_v<Member, Json>) {
        if (!member.is_null()) object[field.name] = member;
      } else {
        object[field.name] = encodeValue(member);
      }
    };
    std::apply([&](auto... fields) { (add(fields), ...); }, T::fields());
    return object;
  } else {
    return Json(value);
  }
}

} // namespace codec

template <typename T> tl::expected<T, std::string> decode(const Json& json) {
  T value{};
  if (codec::Status status = codec::decodeInto(json, value); !status)
    return tl::unexpected(status.error());
  return value;
}

template <typename T> Json encode(const T& value) {
  return codec::encodeValue(value);
}

// Returns the names of a described struct's fields, in order.
template <Described T> std::vector<std::string> fieldNames() {
  return std::apply([](auto... fields) { return std::vector<std::string>{fields.name...}; },
                    T::fields());
}

} // namespace gluond::json
