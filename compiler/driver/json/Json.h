// JSON for launch records and notebooks: parsed once and read in place. A parsed value is a flat
// tree over the text, allocated in one arena, at a tenth of the cost of a general library;
// thousands of records are read at a time.
//
// Internal to driver/. For writing JSON, gluond uses nlohmann/json.
#pragma once

#include <llvm/ADT/ArrayRef.h>
#include <llvm/ADT/StringRef.h>
#include <llvm/Support/Allocator.h>

#include <cstdint>

namespace gluond::driver {

// Valid as long as the text and the arena that it was parsed into.
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
  // An integer above 2^63-1 is returned as a negative number, and isHuge() is true.
  int64_t integer() const { return integer_; }
  bool isHuge() const { return isHuge_; }
  double real() const { return real_; }
  // The text of a string with escapes decoded; empty for anything else.
  llvm::StringRef text() const {
    return isString() ? llvm::StringRef(string_, size_) : llvm::StringRef();
  }
  // The elements of an array or members of an object, in the order of the text.
  llvm::ArrayRef<JsonValue> items() const {
    return isArray() || isObject() ? llvm::ArrayRef(items_, size_) : llvm::ArrayRef<JsonValue>();
  }
  // The key of a member.
  llvm::StringRef key() const { return {key_, keySize_}; }
  // Returns the member of that name, the last one if there are several, or null if there is none or
  // this is not an object.
  const JsonValue* find(llvm::StringRef key) const;
  // Returns the member's text, or "" if it is not a string.
  llvm::StringRef textOf(llvm::StringRef key) const {
    const JsonValue* member = find(key);
    return member ? member->text() : llvm::StringRef();
  }
  // The source text of the value.
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

// Parses the one value in `text`; returns null if it is not JSON (or nested too deeply, or not
// UTF-8). `text` must outlive the value.
const JsonValue* parseJson(llvm::StringRef text, llvm::BumpPtrAllocator& arena);

} // namespace gluond::driver
