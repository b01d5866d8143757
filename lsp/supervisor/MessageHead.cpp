#include "lsp/supervisor/MessageHead.h"

#include <algorithm>

namespace gluond::lsp {

namespace {

class Reader {
public:
  explicit Reader(std::string_view text) : text_(text) {}

  MessageHead read(bool isOurs) {
    MessageHead head;
    skipSpace();
    if (!take('{')) return head;
    skipSpace();
    while (at_ < text_.size() && text_[at_] == '"') {
      std::string_view key = string();
      skipSpace();
      if (!take(':')) return head;
      skipSpace();
      std::string_view value = skipValue(isOurs && (key == "params" || key == "result"));
      if (key == "id") head.id = value;
      if (key == "method" && value.size() >= 2 && value.front() == '"' &&
          value.find('\\') == std::string_view::npos)
        head.method = value.substr(1, value.size() - 2);
      if (key == "result" || key == "error") head.isResponse = true;
      if (isOurs && at_ == text_.size()) return head;
      skipSpace();
      if (!take(',')) break;
      skipSpace();
    }
    if (!take('}')) return head;
    skipSpace();
    head.isWhole = at_ == text_.size();
    return head;
  }

private:
  void skipSpace() {
    while (at_ < text_.size() &&
           (text_[at_] == ' ' || text_[at_] == '\t' || text_[at_] == '\n' || text_[at_] == '\r'))
      ++at_;
  }
  bool take(char c) {
    if (at_ >= text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  // Called after the opening quote; moves after the closing one and returns the text between.
  std::string_view string() {
    size_t begin = ++at_;
    while (at_ < text_.size()) {
      size_t stop = text_.find_first_of("\"\\", at_);
      if (stop == std::string_view::npos) {
        at_ = text_.size();
        break;
      }
      at_ = stop + 1;
      if (text_[stop] == '"') return text_.substr(begin, stop - begin);
      at_ = std::min(at_ + 1, text_.size()); // the escaped character
    }
    return text_.substr(begin);
  }
  // `isRest`: it is the last member, and of no interest.
  std::string_view skipValue(bool isRest) {
    size_t begin = at_, depth = 0;
    if (isRest) {
      at_ = text_.size();
      return {};
    }
    while (at_ < text_.size()) {
      char c = text_[at_];
      if (c == '"') {
        string();
        if (depth == 0) break;
        continue;
      }
      if (depth == 0 && (c == ',' || c == '}' || c == ']')) break;
      ++at_;
      if (c == '{' || c == '[') ++depth;
      if ((c == '}' || c == ']') && --depth == 0) break;
    }
    std::string_view value = text_.substr(begin, at_ - begin);
    while (!value.empty() && static_cast<unsigned char>(value.back()) <= ' ')
      value.remove_suffix(1);
    return value;
  }

  std::string_view text_;
  size_t at_ = 0;
};

} // namespace

MessageHead headOf(std::string_view message) {
  return Reader(message).read(false);
}
MessageHead headOfOurs(std::string_view message) {
  return Reader(message).read(true);
}

} // namespace gluond::lsp
