// Titles of fixes, from their edits: a title that only names the new text says what it replaces,
// inserts or removes.
#pragma once

#include "diagnostics/Diagnostic.h"

namespace gluond::diagnostics {

// The fixes of one diagnostic in the file `source`. Of those with the same edits, one is kept, a
// safe one if there is one.
void titleFixes(std::vector<Fix>& fixes, const text::SourceText& source);

} // namespace gluond::diagnostics
