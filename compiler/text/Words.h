// Words in a text, found without parsing it: strings and comments are searched, too.
#pragma once

#include <llvm/ADT/StringRef.h>

namespace gluond::text {

// How often an identifier stands in a text, not as a part of a longer one.
size_t countWord(llvm::StringRef text, llvm::StringRef word);

} // namespace gluond::text
