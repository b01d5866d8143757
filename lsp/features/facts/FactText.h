// Describes expressions in Markdown, for hovers and the tooltips of hints.
#pragma once

#include "lsp/features/facts/FileFacts.h"

namespace gluond::lsp {

// What a hover shows of a text of the user, which may have megabytes: editors stand still over
// them.
inline constexpr size_t mostShown = 16384;
// Returns at most so many bytes of a text, and "..." if there are more.
std::string shortened(llvm::StringRef text, size_t most);
// Returns "```python\n...\n```\n".
std::string code(llvm::StringRef text);
// Converts user text (a docstring) to Markdown without images, links or HTML, which an editor might
// fetch.
std::string plainInMarkdown(llvm::StringRef text);
// Returns "128 bytes", "16 KiB".
std::string bytesText(uint64_t bytes);

// Describes type, layout, distribution (the linear layout, bytes per thread) and size; the value of
// a constant; the fields of an aggregate. `expression` is the name to show.
std::string describeFact(const Fact& fact, llvm::StringRef expression, Interner& names);
// Describes the layout alone: as the user writes it and as a linear layout over `shape`. Returns ""
// if there is none.
std::string describeLayout(const Fact& fact, Interner& names);

} // namespace gluond::lsp
