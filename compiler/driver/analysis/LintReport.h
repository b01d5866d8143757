// Findings of lints/ as diagnostics: at the user's place (through inlined calls, which become
// related places), with the suggestions turned into edits where the source shows how (LintFixes.h).
#pragma once

#include "driver/program/Program.h"
#include "lints/findings/Findings.h"

namespace gluond::driver {

// `launch`: see LintFixes.h.
void reportLints(lints::Findings& findings, const Program& program,
                 llvm::ArrayRef<text::Range> launch, std::vector<diagnostics::Diagnostic>& out);

} // namespace gluond::driver
