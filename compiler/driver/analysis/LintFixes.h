// What a lint suggests, as an edit of the source: finds the call, statement or layout expression
// that it is about.
#pragma once

#include "driver/program/Program.h"
#include "lints/findings/Findings.h"

#include <optional>

namespace gluond::driver {

// Nothing where the source does not show what to edit: a layout that is computed, a call in another
// shape.
// `arguments`: where the call is whose arguments the suggestion names. `launch`: the calls that
// lead to the launch of the kernel, outermost first; none where they are not in this file.
std::optional<diagnostics::Fix> lintFix(const lints::Suggestion& suggestion,
                                        const diagnostics::Location& at,
                                        const diagnostics::Location& arguments,
                                        llvm::ArrayRef<text::Range> launch, const Program& program);

} // namespace gluond::driver
