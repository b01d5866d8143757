// What an expression is, in Markdown: for hovers and the tooltips of hints.
#pragma once

#include "lsp/features/facts/FileFacts.h"

namespace gluond::lsp {

// "```python\n...\n```\n"
std::string code(llvm::StringRef text);
// A user's text (a docstring) in Markdown: nothing in it makes a picture, a link or HTML, which an
// editor might fetch.
std::string plainInMarkdown(llvm::StringRef text);
// "128 bytes", "16 KiB"
std::string bytesText(uint64_t bytes);

// Type, layout, who holds what (the linear layout, bytes per thread), size; the value of a
// constant; the fields of an aggregate. `expression` is what it is called.
std::string describeFact(const Fact& fact, llvm::StringRef expression, Interner& names);
// The part about the layout alone: as the user writes it and as a linear layout over `shape`. Empty
// when there is none.
std::string describeLayout(const Fact& fact, Interner& names);

} // namespace gluond::lsp
