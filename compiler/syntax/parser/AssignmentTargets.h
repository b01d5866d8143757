// Checks expressions to which a value is bound or that are deleted.
#pragma once

#include "diagnostics/Reporter.h"
#include "syntax/tree/Ast.h"

namespace gluond::syntax {

enum class TargetUse : uint8_t { Assign, Augment, Annotate, Delete };

// Reports expressions that cannot be targets, also inside tuples and lists.
void checkTarget(const Expr* target, TargetUse use, diagnostics::Reporter& emit);

} // namespace gluond::syntax
