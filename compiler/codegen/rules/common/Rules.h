// The function that emits each builtin. Rows of the builtin table name their rule (RULE, RULE_OF),
// and several rows may share one. See IrBuilder.h for what a rule may do.
#pragma once

#include "codegen/builder/IrBuilder.h"
#include "language/types/Builtin.h"

namespace gluond::codegen {

// Returns the rule of a row of kind Rule; null for other kinds.
Rule ruleOf(const language::Builtin& builtin);

} // namespace gluond::codegen
