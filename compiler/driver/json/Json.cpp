#include "driver/json/Json.h"

#include <llvm/ADT/SmallString.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/Support/ConvertUTF.h>
#include <llvm/Support/JSON.h>

#include <charconv>
#include <cstring>

namespace gluond::driver {

const JsonValue* JsonValue::find(llvm::StringRef key) const {
  if (!isObject()) return nullptr;
  for (const JsonValue& member : llvm::reverse(items()))
    if (member.key() == key) return &member;
  return nullptr;
}

class JsonParser {
public:
  JsonParser(llvm::StringRef text, llvm::BumpPtrAllocator& arena)
      : at_(text.begin()), end_(text.end()), arena_(arena) {}

  const JsonValue* run() {
    auto* root = new (arena_.Allocate<JsonValue>()) JsonValue;
    space();
    if (!value(*root, 0)) return nullptr;
    space();
    return at_ == end_ ? root : nullptr;
  }

private:
  static constexpr unsigned maxDepth = 256;

  bool more() const { return at_ != end_; }
  void space() {
    while (more() && (*at_ == ' ' || *at_ == '\t' || *at_ == '\n' || *at_ == '\r'))
      ++at_;
  }
  bool take(char c) {
    if (!more() || *at_ != c) return false;
    ++at_;
    return true;
  }
  bool word(llvm::StringRef text) {
    if (!llvm::StringRef(at_, static_cast<size_t>(end_ - at_)).starts_with(text)) return false;
    at_ += text.size();
    return true;
  }

  bool value(JsonValue& out, unsigned depth) {
    if (!more() || depth > maxDepth) return false;
    out.source_ = at_;
    bool fine = false;
    switch (*at_) {
    case 'n':
      fine = word("null");
      break;
    case 't':
      out.kind_ = JsonValue::Kind::Boolean;
      out.integer_ = 1;
      fine = word("true");
      break;
    case 'f':
      out.kind_ = JsonValue::Kind::Boolean;
      fine = word("false");
      break;
    case '"': {
      out.kind_ = JsonValue::Kind::String;
      llvm::StringRef text;
      fine = string(text);
      out.string_ = text.data();
      out.size_ = static_cast<uint32_t>(text.size());
      break;
    }
    case '[':
      out.kind_ = JsonValue::Kind::Array;
      fine = sequence(out, ']', depth);
      break;
    case '{':
      out.kind_ = JsonValue::Kind::Object;
      fine = sequence(out, '}', depth);
      break;
    default:
      fine = number(out);
      break;
    }
    out.sourceSize_ = static_cast<uint32_t>(at_ - out.source_);
    return fine;
  }

  bool sequence(JsonValue& out, char close, unsigned depth) {
    ++at_;
    llvm::SmallVector<JsonValue, 16> items;
    space();
    if (!take(close)) {
      do {
        JsonValue& item = items.emplace_back();
        space();
        if (close == '}') {
          llvm::StringRef key;
          if (!more() || *at_ != '"' || !string(key)) return false;
          space();
          if (!take(':')) return false;
          space();
          item.key_ = key.data();
          item.keySize_ = static_cast<uint32_t>(key.size());
        }
        if (!value(item, depth + 1)) return false;
        space();
      } while (take(','));
      if (!take(close)) return false;
    }
    auto* kept = arena_.Allocate<JsonValue>(items.size());
    std::uninitialized_copy(items.begin(), items.end(), kept);
    out.items_ = kept;
    out.size_ = static_cast<uint32_t>(items.size());
    return true;
  }

  // Points into the text where there are no escapes.
  bool string(llvm::StringRef& out) {
    const char* begin = ++at_;
    while (more() && *at_ != '"' && *at_ != '\\' && static_cast<unsigned char>(*at_) >= 0x20)
      ++at_;
    if (take('"')) {
      out = {begin, static_cast<size_t>(at_ - 1 - begin)};
      return true;
    }
    llvm::SmallString<64> text(llvm::StringRef(begin, static_cast<size_t>(at_ - begin)));
    while (more() && *at_ != '"') {
      if (static_cast<unsigned char>(*at_) < 0x20) return false;
      if (*at_ != '\\')
        text.push_back(*at_++);
      else if (!escape(text))
        return false;
    }
    if (!take('"')) return false;
    out = llvm::StringRef(text).copy(arena_);
    return true;
  }

  bool hex(uint32_t& out) {
    if (end_ - at_ < 4 || llvm::StringRef(at_, 4).getAsInteger(16, out)) return false;
    at_ += 4;
    return true;
  }

  bool escape(llvm::SmallVectorImpl<char>& out) {
    ++at_;
    if (!more()) return false;
    char c = *at_++;
    static constexpr llvm::StringLiteral names = "\"\\/bfnrt", chars = "\"\\/\b\f\n\r\t";
    if (size_t i = names.find(c); i != llvm::StringRef::npos) {
      out.push_back(chars[i]);
      return true;
    }
    uint32_t code = 0, low = 0;
    if (c != 'u' || !hex(code)) return false;
    if (code >= 0xDC00 && code < 0xE000) return false;
    if (code >= 0xD800 && code < 0xDC00) { // a surrogate pair
      if (!word("\\u") || !hex(low) || low < 0xDC00 || low >= 0xE000) return false;
      code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
    }
    char bytes[UNI_MAX_UTF8_BYTES_PER_CODE_POINT];
    char* end = bytes;
    if (!llvm::ConvertCodePointToUTF8(code, end)) return false;
    out.append(bytes, end);
    return true;
  }

  bool number(JsonValue& out) {
    const char* begin = at_;
    bool isNegative = take('-'), isReal = false;
    const char* digits = at_;
    while (more() && llvm::isDigit(*at_))
      ++at_;
    if (at_ == digits || (*digits == '0' && at_ - digits > 1)) return false;
    if (take('.')) {
      isReal = true;
      const char* fraction = at_;
      while (more() && llvm::isDigit(*at_))
        ++at_;
      if (at_ == fraction) return false;
    }
    if (more() && (*at_ == 'e' || *at_ == 'E')) {
      isReal = true;
      ++at_;
      if (more() && (*at_ == '+' || *at_ == '-')) ++at_;
      const char* exponent = at_;
      while (more() && llvm::isDigit(*at_))
        ++at_;
      if (at_ == exponent) return false;
    }
    if (!isReal) {
      out.kind_ = JsonValue::Kind::Integer;
      uint64_t huge = 0;
      if (isNegative)
        isReal = std::from_chars(begin, at_, out.integer_).ec != std::errc();
      else if (isReal = std::from_chars(begin, at_, huge).ec != std::errc(); !isReal) {
        out.integer_ = static_cast<int64_t>(huge);
        out.isHuge_ = out.integer_ < 0;
      }
    }
    if (isReal) {
      out.kind_ = JsonValue::Kind::Real;
      if (std::from_chars(begin, at_, out.real_).ec != std::errc()) return false;
    }
    return true;
  }

  const char *at_, *end_;
  llvm::BumpPtrAllocator& arena_;
};

const JsonValue* parseJson(llvm::StringRef text, llvm::BumpPtrAllocator& arena) {
  return llvm::json::isUTF8(text) ? JsonParser(text, arena).run() : nullptr;
}

} // namespace gluond::driver
