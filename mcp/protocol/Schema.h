// JSON Schemas of the structs that a tool takes and gives, from the same description that decodes
// and encodes them (support/json/Codec.h).
//
// A field may say what it means, and which texts it takes:
//
//   told("stage", &IrParams::stage, "The stage to show.", "source|ttgir|llir")
//
// Arguments are checked strictly: a member that the struct does not have is a mistake, and is not
// passed over. A struct's fields become rows of a table that the functions in Schema.cpp read, so
// that a tool adds little code.
#pragma once

#include "support/json/Codec.h"

#include <span>
#include <string_view>

namespace gluond::mcp {

using json::Described;
using json::Field;
using json::field;
using json::Json;

template <typename Struct, typename Member> struct ToldField : Field<Struct, Member> {
  const char* about;
  const char* choices = nullptr; // "a|b|c"; null for any text
  unsigned least = 0;            // of a number without a sign
};
template <typename Struct, typename Member>
constexpr ToldField<Struct, Member> told(const char* name, Member Struct::* member,
                                         const char* about, const char* choices = nullptr) {
  return {{name, member}, about, choices};
}
// A number that counts from 1: a line, a column, a cell.
template <typename Struct, typename Member>
constexpr ToldField<Struct, Member> ordinal(const char* name, Member Struct::* member,
                                            const char* about) {
  return {{name, member}, about, nullptr, 1};
}

namespace schema {

namespace codec = json::codec;

struct Shape;

struct MemberRow {
  const char* name;
  const char* about;   // null if the field says nothing
  const char* choices; // see ToldField
  unsigned least;
  bool mayLack;
  const Shape* shape;
};

// What a type is in JSON.
struct Shape {
  enum class Kind : uint8_t { Any, Boolean, Integer, Unsigned, Number, String, Array, Object };
  Kind kind;
  bool mayBeNull = false;
  const Shape* element = nullptr;          // of an array
  std::span<const MemberRow> members = {}; // of an object
};

template <typename T> struct ShapeOf;

template <typename T, size_t i> constexpr MemberRow rowOf() {
  constexpr auto field = std::get<i>(T::fields());
  using Member = std::remove_cvref_t<decltype(std::declval<T>().*(field.member))>;
  MemberRow row{field.name,
                nullptr,
                nullptr,
                0,
                codec::isOptional<Member>::value || std::is_same_v<Member, Json>,
                &ShapeOf<Member>::shape};
  if constexpr (requires { field.about; }) {
    row.about = field.about;
    row.choices = field.choices;
    row.least = field.least;
  }
  return row;
}

template <typename T, typename Indices> struct RowsOf;
template <typename T, size_t... i> struct RowsOf<T, std::index_sequence<i...>> {
  static constexpr MemberRow rows[] = {rowOf<T, i>()...};
};
template <typename T> struct RowsOf<T, std::index_sequence<>> {
  static constexpr std::span<const MemberRow> rows = {};
};

template <typename T> constexpr Shape makeShape() {
  using enum Shape::Kind;
  if constexpr (std::is_same_v<T, Json>) {
    return {Any};
  } else if constexpr (codec::isOptional<T>::value) {
    Shape shape = makeShape<typename T::value_type>();
    shape.mayBeNull = true;
    return shape;
  } else if constexpr (std::is_same_v<T, bool>) {
    return {Boolean};
  } else if constexpr (std::is_integral_v<T>) {
    return {std::is_unsigned_v<T> ? Unsigned : Integer};
  } else if constexpr (std::is_floating_point_v<T>) {
    return {Number};
  } else if constexpr (std::is_same_v<T, std::string>) {
    return {String};
  } else if constexpr (codec::isVector<T>::value) {
    return {Array, false, &ShapeOf<typename T::value_type>::shape};
  } else {
    static_assert(Described<T>);
    constexpr size_t count = std::tuple_size_v<decltype(T::fields())>;
    return {Object, false, nullptr, RowsOf<T, std::make_index_sequence<count>>::rows};
  }
}

template <typename T> struct ShapeOf {
  static constexpr Shape shape = makeShape<T>();
};

// Returns the JSON Schema of a type.
Json of(const Shape& shape);

// Returns which value should be an object and is none, with the members that it should have. Empty
// if every one is.
std::string noObject(const Shape& shape, const Json& json, const std::string& path = "");

// Returns what is wrong with the members of `json` beyond their types, which decode() has checked:
// unknown names, with the place where the struct takes a member of that name, and texts that are no
// choice. Empty if nothing is.
std::string misfit(const Shape& shape, const Json& json);

// Returns a decoder's message with its path as people write it: "axes[0].values", not
// "axes.[0]values".
std::string withPlainPath(const std::string& message);

} // namespace schema

// Decodes the arguments of a call. The error is a sentence that names the argument.
template <typename T> tl::expected<T, std::string> decodeArguments(const Json& json) {
  const schema::Shape& shape = schema::ShapeOf<T>::shape;
  if (std::string why = schema::noObject(shape, json); !why.empty()) return tl::unexpected(why);
  auto decoded = json::decode<T>(json);
  if (!decoded) return tl::unexpected(schema::withPlainPath(decoded.error()));
  if (std::string why = schema::misfit(shape, json); !why.empty()) return tl::unexpected(why);
  return decoded;
}

} // namespace gluond::mcp
