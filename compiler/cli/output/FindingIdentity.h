// The identity of a finding, which stays the same when the lines of its file move: its code and the
// text of its line.
#pragma once

#include "cli/output/Render.h"

namespace gluond::cli {

// Returns the line that a finding begins on, without the space around it, as valid UTF-8.
std::string lineOf(const Report& report, const driver::Finding& finding);

// Returns 16 hexadecimal digits for each finding, which no other finding of the report has. They
// stay the same while the file's name and the line's text do.
std::vector<std::string> fingerprintsOf(const Report& report);

} // namespace gluond::cli
