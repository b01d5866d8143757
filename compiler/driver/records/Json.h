// JSON as launch records have it: read once, looked at in place. A parsed value is a flat tree over
// the text, made in one arena, a tenth of the work that a general library needs; thousands of
// records are read at a time.
//
// Internal to driver/. What gluond writes, it writes with nlohmann/json.
#pragma once

#include <llvm/ADT/ArrayRef.h>
#include <llvm/ADT/StringRef.h>
#include <llvm/Support/Allocator.h>

#include <cstdint>

namespace gluond::driver {

// Lives as long as the arena it was parsed into and the text.
class JsonValue {
public:
  enum class Kind : uint8_t { Null, Boolean, Integer, Real, String, Array, Object };

  Kind kind() const { return kind_; }
  bool isBoolean() const { return kind_ == Kind::Boolean; }
  bool isInteger() const { return kind_ == Kind::Integer; } // of at most 64 bits; others are Real
  bool isString() const { return kind_ == Kind::String; }
  bool isArray() const { return kind_ == Kind::Array; }
  bool isObject() const { return kind_ == Kind::Object; }

  bool boolean() const { return integer_ != 0; }
  // An integer above 2^63-1 comes as a negative number, with isHuge().
  int64_t integer() const { return integer_; }
  bool isHuge() const { return isHuge_; }
  double real() const { return real_; }
  // Of a string, without escapes; empty for anything else.
  llvm::StringRef text() const {
    return isString() ? llvm::StringRef(string_, size_) : llvm::StringRef();
  }
  // Elements of an array, members of an object, in the order of the text.
  llvm::ArrayRef<JsonValue> items() const {
    return isArray() || isObject() ? llvm::ArrayRef(items_, size_) : llvm::ArrayRef<JsonValue>();
  }
  // Of a member.
  llvm::StringRef key() const { return {key_, keySize_}; }
  // The member of that name, the last one where there are several; null when there is none, or this
  // is no object.
  const JsonValue* find(llvm::StringRef key) const;
  // Its text, or empty: for members that should be strings.
  llvm::StringRef textOf(llvm::StringRef key) const {
    const JsonValue* member = find(key);
    return member ? member->text() : llvm::StringRef();
  }
  // As written.
  llvm::StringRef source() const { return {source_, sourceSize_}; }

private:
  friend class JsonParser;
  Kind kind_ = Kind::Null;
  bool isHuge_ = false;
  uint32_t size_ = 0, keySize_ = 0, sourceSize_ = 0;
  union {
    int64_t integer_ = 0;
    double real_;
    const char* string_;
    const JsonValue* items_;
  };
  const char* key_ = nullptr;
  const char* source_ = nullptr;
};

// The one value that `text` holds; null when it is not JSON (or nested beyond reason, or not
// UTF-8). `text` must outlive the value.
const JsonValue* parseJson(llvm::StringRef text, llvm::BumpPtrAllocator& arena);

} // namespace gluond::driver
