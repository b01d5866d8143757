#include "mcp/protocol/PassingId.h"

#include "lsp/protocol/Json.h"

#include <nlohmann/json.hpp>

#include <utility>

namespace gluond::mcp {

namespace {

constexpr size_t longestId = 256;

} // namespace

void PassingId::read(std::string_view bytes) {
  for (char c : bytes)
    read(c);
}

void PassingId::read(char c) {
  if (isInString_) {
    if (depth_ == 1) keep(c);
    if (isEscaped_)
      isEscaped_ = false;
    else if (c == '\\')
      isEscaped_ = true;
    else
      isInString_ = c != '"';
    return;
  }
  switch (c) {
  case '"':
    isInString_ = true;
    if (depth_ == 1) keep(c);
    break;
  case '{':
  case '[':
    ++depth_;
    break;
  case '}':
  case ']':
    if (depth_ == 1) endMember();
    if (depth_) --depth_;
    break;
  case ':':
    if (depth_ == 1) key_ = std::exchange(text_, {});
    break;
  case ',':
    if (depth_ == 1) endMember();
    break;
  default:
    if (depth_ == 1 && static_cast<unsigned char>(c) > ' ') keep(c);
  }
}

void PassingId::keep(char c) {
  if (text_.size() <= longestId) text_ += c;
}

void PassingId::endMember() {
  if (key_ == "\"id\"") id_ = text_.size() <= longestId ? text_ : std::string();
  hasMethod_ |= key_ == "\"method\"";
  key_.clear();
  text_.clear();
}

std::string PassingId::take() {
  std::string id = hasMethod_ ? std::move(id_) : std::string();
  *this = {};
  std::optional<lsp::Json> json = lsp::parseJson(id);
  return json && (json->is_string() || json->is_number_integer()) ? id : std::string();
}

} // namespace gluond::mcp
