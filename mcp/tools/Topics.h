// The topics that can be explained and searched: the rows of the tables of builtins and of
// diagnostics.
#pragma once

#include "diagnostics/Table.h"
#include "language/types/Builtin.h"

#include <llvm/ADT/SmallVector.h>

#include <string>

namespace gluond::mcp {

// One of the two is set.
struct Topic {
  const language::Builtin* builtin = nullptr;
  const diagnostics::Row* diagnostic = nullptr;
};
std::string kindOf(const Topic& topic); // "builtin", "layout", "dtype", "diagnostic"
std::string nameOf(const Topic& topic); // "gl.load", "layout-mismatch"
std::string
signatureOf(const Topic& topic);           // "gl.load(pointer, mask=None)"; the name if it has none
std::string summaryOf(const Topic& topic); // a sentence
// The dotted name of the module or class that defines a builtin; "" for a diagnostic.
std::string moduleOf(const Topic& topic);

// Returns the topics with this name: a code, or a builtin with or without its module.
llvm::SmallVector<Topic, 4> topicsNamed(llvm::StringRef name);
// Returns the topics that match a query, by its first words if it is long, the best first.
std::vector<Topic> matching(llvm::StringRef query, llvm::StringRef kind, size_t most);

} // namespace gluond::mcp
