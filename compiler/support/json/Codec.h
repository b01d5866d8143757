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
// such structs. This file depends only on the JSON library. A struct's fields become rows of a
// table that the functions in Codec.cpp read, so that a message adds little code.
#pragma once

#include <nlohmann/json.hpp>
#include <tl/expected.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
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

// Readers return false if the document has another type, and write into `problem` where it has it
// and what was expected: ".start.line: expected a string", or " expected a string" for the document
// itself.
using Reader = bool (*)(const Json& json, void* out, std::string& problem);
// Writers return false if the value is left out of an object: an empty optional, or no document.
using Writer = bool (*)(const void* value, Json& out);

// A field of a struct; its functions take the struct.
struct FieldRow {
  const char* name;
  bool mayLack;
  Reader read;
  Writer write;
};

bool readBool(const Json& json, bool& out, std::string& problem);
// Reads an integer that is at least `least` and at most `most`, which is not negative, as its bits
// in two's complement.
bool readInteger(const Json& json, int64_t least, uint64_t most, uint64_t& out,
                 std::string& problem);
bool readNumber(const Json& json, double& out, std::string& problem);
bool readString(const Json& json, std::string& out, std::string& problem);
bool readObject(const Json& json, std::span<const FieldRow> rows, void* out, std::string& problem);
// `resize` makes a vector of this many new elements and returns the first one's address.
bool readArray(const Json& json, void* vector, std::byte* (*resize)(void* vector, size_t size),
               size_t bytesOfElement, Reader element, std::string& problem);

void writeBool(bool value, Json& out);
void writeInteger(int64_t value, Json& out);
void writeUnsigned(uint64_t value, Json& out);
void writeNumber(double value, Json& out);
void writeString(const std::string& value, Json& out);
void writeObject(const void* value, std::span<const FieldRow> rows, Json& out);
void writeArray(const void* first, size_t size, size_t bytesOfElement, Writer element, Json& out);

template <typename T> bool read(const Json& json, void* to, std::string& problem);
template <typename T> bool write(const void* from, Json& out);

template <typename T, size_t i> struct FieldOf {
  static constexpr auto field = std::get<i>(T::fields());
  using Member = std::remove_cvref_t<decltype(std::declval<T&>().*field.member)>;
  static bool read(const Json& json, void* object, std::string& problem) {
    return codec::read<Member>(json, &(static_cast<T*>(object)->*field.member), problem);
  }
  static bool write(const void* object, Json& out) {
    return codec::write<Member>(&(static_cast<const T*>(object)->*field.member), out);
  }
  static constexpr FieldRow row = {
      field.name, isOptional<Member>::value || std::is_same_v<Member, Json>, read, write};
};

template <typename T> std::span<const FieldRow> rowsOf() {
  constexpr size_t count = std::tuple_size_v<decltype(T::fields())>;
  if constexpr (count == 0) {
    return {};
  } else {
    return []<size_t... i>(std::index_sequence<i...>) -> std::span<const FieldRow> {
      static constexpr FieldRow rows[] = {FieldOf<T, i>::row...};
      return rows;
    }(std::make_index_sequence<count>());
  }
}

template <typename T> bool read(const Json& json, void* to, std::string& problem) {
  T& out = *static_cast<T*>(to);
  if constexpr (std::is_same_v<T, Json>) {
    out = json;
    return true;
  } else if constexpr (isOptional<T>::value) {
    if (!json.is_null()) return read<typename T::value_type>(json, &out.emplace(), problem);
    out.reset();
    return true;
  } else if constexpr (std::is_same_v<T, bool>) {
    return readBool(json, out, problem);
  } else if constexpr (std::is_enum_v<T>) {
    std::underlying_type_t<T> number{};
    if (!read<std::underlying_type_t<T>>(json, &number, problem)) return false;
    out = static_cast<T>(number);
    return true;
  } else if constexpr (std::is_integral_v<T>) {
    using Limits = std::numeric_limits<T>;
    uint64_t number = 0;
    if (!readInteger(json, static_cast<int64_t>(Limits::min()),
                     static_cast<uint64_t>(Limits::max()), number, problem))
      return false;
    out = static_cast<T>(number);
    return true;
  } else if constexpr (std::is_floating_point_v<T>) {
    double number = 0;
    if (!readNumber(json, number, problem)) return false;
    out = static_cast<T>(number);
    return true;
  } else if constexpr (std::is_same_v<T, std::string>) {
    return readString(json, out, problem);
  } else if constexpr (isVector<T>::value) {
    using Element = typename T::value_type;
    auto resize = [](void* vector, size_t size) {
      T& made = *static_cast<T*>(vector);
      made.clear();
      made.resize(size);
      return reinterpret_cast<std::byte*>(made.data());
    };
    return readArray(json, &out, resize, sizeof(Element), read<Element>, problem);
  } else {
    static_assert(Described<T>);
    return readObject(json, rowsOf<T>(), &out, problem);
  }
}

template <typename T> bool write(const void* from, Json& out) {
  const T& value = *static_cast<const T*>(from);
  if constexpr (std::is_same_v<T, Json>) {
    out = value;
    return !value.is_null();
  } else if constexpr (isOptional<T>::value) {
    if (value) write<typename T::value_type>(&*value, out);
    return value.has_value();
  } else if constexpr (std::is_same_v<T, bool>) {
    writeBool(value, out);
  } else if constexpr (std::is_enum_v<T>) {
    auto number = static_cast<std::underlying_type_t<T>>(value);
    return write<std::underlying_type_t<T>>(&number, out);
  } else if constexpr (std::is_integral_v<T>) {
    if constexpr (std::is_unsigned_v<T>)
      writeUnsigned(value, out);
    else
      writeInteger(value, out);
  } else if constexpr (std::is_floating_point_v<T>) {
    writeNumber(value, out);
  } else if constexpr (std::is_same_v<T, std::string>) {
    writeString(value, out);
  } else if constexpr (isVector<T>::value) {
    using Element = typename T::value_type;
    writeArray(value.data(), value.size(), sizeof(Element), write<Element>, out);
  } else {
    static_assert(Described<T>);
    writeObject(&value, rowsOf<T>(), out);
  }
  return true;
}

} // namespace codec

template <typename T> tl::expected<T, std::string> decode(const Json& json) {
  T value{};
  std::string problem;
  if (!codec::read<T>(json, &value, problem)) return tl::unexpected(std::move(problem));
  return value;
}

template <typename T> Json encode(const T& value) {
  Json made;
  codec::write<T>(&value, made);
  return made;
}

// Returns the names of a described struct's fields, in order.
template <Described T> std::vector<std::string> fieldNames() {
  std::vector<std::string> names;
  for (const codec::FieldRow& row : codec::rowsOf<T>())
    names.emplace_back(row.name);
  return names;
}

} // namespace gluond::json
