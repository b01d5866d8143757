// What may stand where a value is bound or deleted.
#pragma once

#include "diagnostics/Emitter.h"
#include "syntax/tree/Ast.h"

namespace gluond::syntax {

enum class TargetUse : uint8_t { Assign, Augment, Annotate, Delete };

// Reports what cannot be a target, inside tuples and lists too.
void checkTarget(const Expr* target, TargetUse use, diagnostics::Emitter& emit);

} // namespace gluond::syntax
