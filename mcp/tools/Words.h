// The words that can be explained and searched: the rows of the tables of builtins and of
// diagnostics.
#pragma once

#include "diagnostics/Table.h"
#include "language/types/Builtin.h"

#include <llvm/ADT/SmallVector.h>

#include <string>

namespace gluond::mcp {

// One entry: one of the two is set.
struct Word {
  const language::Builtin* builtin = nullptr;
  const diagnostics::Row* diagnostic = nullptr;
};
std::string kindOf(const Word& word);      // "builtin", "layout", "dtype", "diagnostic"
std::string nameOf(const Word& word);      // "gl.load", "layout-mismatch"
std::string signatureOf(const Word& word); // "gl.load(pointer, mask=None)"; the name if it has none
std::string summaryOf(const Word& word);   // a sentence
// The dotted name of the module or class that defines a builtin; "" for a diagnostic.
std::string moduleOf(const Word& word);

// Returns the entries with this name: a code, or a builtin with or without its module.
llvm::SmallVector<Word, 4> wordsNamed(llvm::StringRef name);
// Returns the entries that match a query, the best first.
std::vector<Word> matching(llvm::StringRef query, llvm::StringRef kind, size_t most);

} // namespace gluond::mcp
