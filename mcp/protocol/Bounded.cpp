#include "mcp/protocol/Bounded.h"

namespace gluond::mcp {

// Whether a byte continues a character of UTF-8.
static bool continues(char byte) {
  return (static_cast<unsigned char>(byte) & 0xC0) == 0x80;
}

std::string bounded(std::string text, size_t most) {
  if (text.size() <= most) return text;
  size_t head = most / 2, tail = text.size() - most / 2;
  while (head > 0 && continues(text[head]))
    --head;
  while (tail < text.size() && continues(text[tail]))
    ++tail;
  return text.substr(0, head) + " ... (" + std::to_string(tail - head) + " bytes left out) ... " +
         text.substr(tail);
}

} // namespace gluond::mcp
