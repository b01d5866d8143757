// Fixes of the diagnostics of a file: one by one, and all at once.
#pragma once

#include "driver/Check.h"

#include <vector>

namespace gluond::lsp {

// The edits of every diagnostic in the file that has exactly one fix, in order of place. Where two
// overlap, or want the same place changed, the first wins; the other is offered again afterwards.
std::vector<text::Edit> allFixes(const driver::CheckResult& result, diagnostics::FileId file);

} // namespace gluond::lsp
