// A diagnostic in one line, for lists and explanations.
#pragma once

#include "diagnostics/Table.h"

namespace gluond::diagnostics {

// Returns the template of the message; where each finding has a text of its own ("{problem}"), what
// the diagnostic means.
llvm::StringRef summaryOf(const Row& row);

} // namespace gluond::diagnostics
