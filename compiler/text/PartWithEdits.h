// A part of a text after edits, as fixes show it.
#pragma once

#include "text/SourceText.h"

namespace gluond::text {

// Returns the part of the text with all edits applied; they lie in the part and do not overlap.
std::string withEdits(const SourceText& source, Range part, llvm::ArrayRef<Edit> edits);

} // namespace gluond::text
