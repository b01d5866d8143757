// Splits text into pieces, for tests that mutate it.
#pragma once

#include <llvm/ADT/StringExtras.h>

#include <string>
#include <vector>

namespace gluond {

// Splits into pieces similar to Python's tokens; joined they give the text again.
inline std::vector<std::string> tokensOf(llvm::StringRef text) {
  std::vector<std::string> pieces;
  while (!text.empty()) {
    auto isWord = [](char c) { return llvm::isAlnum(c) || c == '_'; };
    size_t length = 1;
    if (isWord(text[0]))
      length = text.take_while(isWord).size();
    else if (text[0] == ' ')
      length = text.take_while([](char c) { return c == ' '; }).size();
    else if (text[0] == '"' || text[0] == '\'') {
      size_t end = text.find_first_of(std::string{text[0], '\n'}, 1);
      length = end == llvm::StringRef::npos ? text.size() : end + 1;
    }
    pieces.push_back(text.take_front(length).str());
    text = text.drop_front(length);
  }
  return pieces;
}

} // namespace gluond
