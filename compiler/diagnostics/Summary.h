// A diagnostic in one line, for lists and explanations.
#pragma once

#include "diagnostics/Table.h"

#include <string>

namespace gluond::diagnostics {

// Returns the template of the message, with `<count>` for {count:int}; where each finding has a
// text of its own ("{problem}"), what the diagnostic means.
std::string summaryOf(const Row& row);

} // namespace gluond::diagnostics
