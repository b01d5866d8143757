#include "mcp/protocol/Schema.h"

namespace gluond::mcp {

namespace {

// Calls `look` with each choice until it returns true, and returns whether one did.
template <typename Look> bool anyChoice(std::string_view choices, Look look) {
  while (true) {
    size_t end = choices.find('|');
    if (look(choices.substr(0, end))) return true;
    if (end == std::string_view::npos) return false;
    choices.remove_prefix(end + 1);
  }
}

} // namespace

std::string withPlainPath(const std::string& message) {
  std::string plain;
  bool isPath = true; // up to the first colon or blank
  for (char c : message) {
    if (isPath && c == ' ' && plain.ends_with(']')) plain += ':';
    if (c == ':' || c == ' ') isPath = false;
    if (isPath && c == '[' && plain.ends_with('.')) plain.pop_back();
    if (isPath && plain.ends_with(']') && c != '[' && c != '.') plain += '.';
    plain += c;
  }
  return plain;
}

bool isChoice(std::string_view choices, std::string_view text) {
  return anyChoice(choices, [&](std::string_view each) { return each == text; });
}

Json choiceList(std::string_view choices) {
  Json list = Json::array();
  anyChoice(choices, [&](std::string_view each) {
    list.push_back(std::string(each));
    return false;
  });
  return list;
}

} // namespace gluond::mcp
