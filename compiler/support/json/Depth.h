// A check before parsing JSON: parsed values are walked and freed recursively, so a text of a
// hundred thousand brackets, which is a small file, would overflow the stack.
#pragma once

#include <string_view>

namespace gluond {

// Returns whether brackets nest deeper than `limit` anywhere in the text. Brackets in strings do
// not count; the text need not be valid JSON.
inline bool isNestedDeeper(std::string_view json, unsigned limit) {
  unsigned depth = 0;
  bool inString = false;
  for (size_t i = 0; i < json.size(); ++i) {
    char c = json[i];
    if (inString) {
      if (c == '\\')
        ++i;
      else if (c == '"')
        inString = false;
    } else if (c == '"')
      inString = true;
    else if (c == '[' || c == '{') {
      if (++depth > limit) return true;
    } else if ((c == ']' || c == '}') && depth)
      --depth;
  }
  return false;
}

} // namespace gluond
