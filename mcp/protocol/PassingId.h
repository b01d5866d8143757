// The id of a request that is too long to be kept, read while its bytes pass by. Without it, a
// client would wait for the answer forever.
#pragma once

#include <string>
#include <string_view>

namespace gluond::mcp {

class PassingId {
public:
  void read(std::string_view bytes);
  // After the whole line: the id as JSON, or empty if the line is no request with an id.
  std::string take();

private:
  void read(char c);
  void keep(char c);
  void endMember();

  size_t depth_ = 0;
  bool isInString_ = false, isEscaped_ = false, hasMethod_ = false;
  std::string key_, text_; // at depth 1, as JSON; what is longer than an id may be is cut
  std::string id_;
};

} // namespace gluond::mcp
