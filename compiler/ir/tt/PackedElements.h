// How elements that are narrower than a word travel together in the registers of inline assembly.
#pragma once

#include <algorithm>

namespace gluond::tt {

// Returns how many of `count` elements of so many bits share a register of 32 bits.
constexpr unsigned elementsPerWord(unsigned bits, unsigned count) {
  constexpr unsigned word = 32;
  return bits >= word || count == 1 ? 1 : std::min(count, word / bits);
}

} // namespace gluond::tt
