#include "text/Words.h"

#include <llvm/ADT/StringExtras.h>

namespace gluond::text {

size_t countWord(llvm::StringRef text, llvm::StringRef word) {
  auto isPart = [](char c) { return llvm::isAlnum(c) || c == '_'; };
  size_t count = 0;
  for (size_t at = text.find(word); at != llvm::StringRef::npos; at = text.find(word, at + 1)) {
    size_t end = at + word.size();
    count += !(at > 0 && isPart(text[at - 1])) && !(end < text.size() && isPart(text[end]));
  }
  return count;
}

} // namespace gluond::text
