// Edits of the phase that a wait names.
#pragma once

#include "diagnostics/Diagnostic.h"
#include "syntax/SyntaxTree.h"

#include <optional>

namespace gluond::driver {

// Returns the statement after which the phase of a wait must change: the last one of the wait's
// loop that uses the phase. Null if the phase is no variable, if the loop changes it already, or if
// it takes turns with several barriers.
const syntax::Stmt* lastUseOfPhase(const syntax::Call& wait, const syntax::SyntaxTree& tree);

// Returns the fix that gives a wait the other parity at all times: by another first value of its
// variable, or by `^ 1`. Returns nullopt if the phase comes from elsewhere.
std::optional<diagnostics::Fix> otherPhase(const syntax::Call& wait,
                                           const syntax::SyntaxTree& tree);

} // namespace gluond::driver
