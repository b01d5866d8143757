// Reports findings of lints/ as diagnostics: at the user's place (inlined calls become related
// places), with suggestions turned into edits where the source allows it (LintFixes.h).
#pragma once

#include "driver/program/EvaluatedFile.h"
#include "lints/findings/Findings.h"

namespace gluond::driver {

// `launch` is described in LintFixes.h.
void reportLints(lints::Findings& findings, const EvaluatedFile& program,
                 llvm::ArrayRef<text::Range> launch, std::vector<diagnostics::Diagnostic>& out);

} // namespace gluond::driver
